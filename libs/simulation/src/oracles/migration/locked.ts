import { acknowledgedLock, HOSTED_CLUSTERS, lockOf, NODE_POOLS } from '@capstan/hosting';
import type { Condition, KubeObject } from '@capstan/meta';
import type { Cloud } from '@capstan/upstream';
import type { GroupMapping } from '@capstan/translate';
import type { CommitEvent } from '../../engine/event-log.js';
import type { RunRecord } from '../../scenario.js';

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
}

/** Calls back at each commit that concerns the cluster. */
export function eachMoment(
  { events, initial }: Pick<RunRecord, 'events' | 'initial'>,
  { hostedCluster, namespace }: Pick<MigrationOracleOptions, 'hostedCluster' | 'namespace'>,
  look: (moment: Moment) => void,
): void {
  const [home = '', name = ''] = hostedCluster.split('/');
  const objects = new Map<string, KubeObject>();
  const asked = new Map<string, KubeObject>();
  const isAsked = (resource: string, object: KubeObject): boolean =>
    object.metadata.namespace === home &&
    (resource === nameOf(HOSTED_CLUSTERS)
      ? object.metadata.name === name
      : resource === nameOf(NODE_POOLS) && (object['spec'] as { clusterName?: string }).clusterName === name);
  const keep = (resource: string, object: KubeObject, isGone: boolean): boolean => {
    const { namespace: at, uid = '' } = object.metadata;
    const into = at === namespace ? objects : isAsked(resource, object) ? asked : undefined;
    if (isGone) into?.delete(uid);
    else into?.set(uid, object);
    return into !== undefined;
  };
  let acknowledged: string | undefined;
  for (const [resource, all] of initial.entries()) for (const object of all) keep(resource, object, false);
  for (const event of events) {
    if (event.type !== 'commit' || !keep(event.resource, event.object, event.change === 'delete')) continue;
    const locks = [...asked.values()].map((object) => lockOf(object));
    const id = locks.flatMap((lock) => (lock.holder === 'migration' ? [lock.journal.id] : []))[0];
    look({ event, objects, isLocked: id !== undefined, isAcknowledged: id !== undefined && acknowledged === id });
    acknowledged = [...asked.values()].every((each) => acknowledgedBy(each) === id) ? id : undefined;
  }
}

function acknowledgedBy(object: KubeObject): string | undefined {
  const { conditions } = (object['status'] ?? {}) as { readonly conditions?: readonly Condition[] };
  return acknowledgedLock(conditions);
}

function nameOf({ group, plural }: { readonly group: string; readonly plural: string }): string {
  return `${group}/${plural}`;
}
