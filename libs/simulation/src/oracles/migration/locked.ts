import { acknowledgedLock, HOSTED_CLUSTERS, lockOf, MIGRATION_COPIED_ANNOTATION, NODE_POOLS } from '@capstan/hosting';
import { parseApiVersion } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import type { Cloud } from '@capstan/upstream';
import type { GroupMapping, Side } from '@capstan/translate';
import type { CommitEvent, SimulationEvent } from '../../engine/event-log.js';
import type { SimulationState } from '../../scenario.js';

/** The HostedCluster that is migrated, and who acts on it. */
export interface MigrationOracleOptions {
  readonly cloud: Cloud;
  readonly mapping: GroupMapping;
  /** `namespace/name`. */
  readonly hostedCluster: string;
  /** Of its control plane. */
  readonly namespace: string;
  /** Processes of the migration, and of controllers that serve every group. */
  readonly others: readonly string[];
  /** Processes of operators, which the lock stops. */
  readonly operators: readonly string[];
}

/** What is known of a cluster at one commit, with that commit applied. */
export interface Moment {
  readonly event: CommitEvent;
  /** Objects in the namespace of the control plane, by UID. */
  readonly objects: ReadonlyMap<string, KubeObject>;
  /** Whether the migration has locked the HostedCluster. */
  readonly isLocked: boolean;
  /** Whether the HostedCluster and its NodePools had acknowledged that lock before this commit. */
  readonly isAcknowledged: boolean;
  /** The groups whose objects count, of those that have two names. */
  readonly authoritative: Side;
}

/** Follows one cluster through the events of a run, in their order. */
export class LockedCluster {
  readonly #options: Pick<MigrationOracleOptions, 'hostedCluster' | 'mapping' | 'namespace'>;
  readonly #objects = new Map<string, KubeObject>();
  readonly #asked = new Map<string, KubeObject>();
  /** UIDs of originals, and of copies that the migration has marked as complete. */
  readonly #originals = new Set<string>();
  readonly #complete = new Set<string>();
  #acknowledged: string | undefined;
  #last: { readonly event: SimulationEvent; readonly moment: Moment | undefined } | undefined;

  constructor(
    initial: SimulationState,
    options: Pick<MigrationOracleOptions, 'hostedCluster' | 'mapping' | 'namespace'>,
  ) {
    this.#options = options;
    for (const [resource, all] of initial.entries()) for (const object of all) this.#keep(resource, object, false);
  }

  /** The moment of a commit that concerns the cluster. Oracles that share this object ask for the same event in turn. */
  momentOf(event: SimulationEvent): Moment | undefined {
    if (this.#last?.event !== event) this.#last = { event, moment: this.#apply(event) };
    return this.#last.moment;
  }

  #apply(event: SimulationEvent): Moment | undefined {
    if (event.type !== 'commit' || !this.#keep(event.resource, event.object, event.change === 'delete'))
      return undefined;
    const asked = [...this.#asked.values()];
    const locks = asked.map((object) => lockOf(object));
    const id = locks.flatMap((lock) => (lock.holder === 'migration' ? [lock.journal.id] : []))[0];
    const isAcknowledged = id !== undefined && this.#acknowledged === id;
    this.#acknowledged = asked.every((each) => acknowledgedBy(each) === id) ? id : undefined;
    return {
      event,
      objects: this.#objects,
      isLocked: id !== undefined,
      isAcknowledged,
      // Copies count from when they are complete until a rollback has brought their state back, and once nothing else is left.
      authoritative: this.#complete.size > 0 || this.#originals.size === 0 ? 'private' : 'standard',
    };
  }

  /** Whether the object is of the cluster. */
  #keep(resource: string, object: KubeObject, isGone: boolean): boolean {
    const { namespace: at, uid = '' } = object.metadata;
    const isInControlPlane = at === this.#options.namespace;
    const into = isInControlPlane ? this.#objects : this.#isAsked(resource, object) ? this.#asked : undefined;
    if (isGone) into?.delete(uid);
    else into?.set(uid, object);
    if (isInControlPlane) this.#count(object, isGone);
    return into !== undefined;
  }

  #isAsked(resource: string, { metadata, spec }: KubeObject): boolean {
    const [home = '', name = ''] = this.#options.hostedCluster.split('/');
    if (metadata.namespace !== home) return false;
    if (resource === nameOf(HOSTED_CLUSTERS)) return metadata.name === name;
    return resource === nameOf(NODE_POOLS) && (spec as { clusterName?: string }).clusterName === name;
  }

  #count({ apiVersion, metadata }: KubeObject, isGone: boolean): void {
    const { annotations = {}, uid = '' } = metadata;
    const side = this.#options.mapping.side(parseApiVersion(apiVersion).group);
    const isCounted = (into: Set<string>, isIt: boolean): unknown =>
      isIt && !isGone ? into.add(uid) : into.delete(uid);
    isCounted(this.#originals, side === 'standard');
    isCounted(this.#complete, side === 'private' && annotations[MIGRATION_COPIED_ANNOTATION] !== undefined);
  }
}

function acknowledgedBy(object: KubeObject): string | undefined {
  const { conditions } = (object['status'] ?? {}) as { readonly conditions?: readonly Condition[] };
  return acknowledgedLock(conditions);
}

function nameOf({ group, plural }: { readonly group: string; readonly plural: string }): string {
  return `${group}/${plural}`;
}
