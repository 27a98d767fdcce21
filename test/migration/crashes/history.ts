import type { ApiServer, StoreEvent } from '@capstan/apiserver';
import {
  CONTROL_PLANE_DEPLOYMENTS,
  MIGRATION_COPIED_ANNOTATION,
  OPERATOR_DEPLOYMENTS,
  PRIVATE_CAPI_TYPES_ANNOTATION,
} from '@capstan/hosting';
import { deepEqual } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { PRIVATE, STANDARD } from '../fixture.js';

/** Kinds of which a migration must not delete any object. */
const KEPT: ReadonlySet<string> = new Set([
  'Deployment',
  'HostedCluster',
  'HostedControlPlane',
  'NodePool',
  'Role',
  'Secret',
]);
/** Kinds of workloads, and the Deployments among them that a migration changes. */
const WORKLOADS: ReadonlySet<string> = new Set(['Deployment', 'Pod', 'ReplicaSet', 'StatefulSet']);
export const MOVED: ReadonlySet<string> = new Set([...OPERATOR_DEPLOYMENTS, ...CONTROL_PLANE_DEPLOYMENTS]);

/** What decides which Machines count, and they themselves. */
const AUTHORITY: ReadonlySet<string> = new Set(['Cluster', 'HostedCluster', 'Machine']);

function isWatched({ kind, metadata }: KubeObject): boolean {
  return metadata.namespace !== undefined && kind !== 'Event';
}

function isOtherWorkload({ kind, metadata }: KubeObject): boolean {
  return WORKLOADS.has(kind) && !MOVED.has(metadata.name ?? '');
}

/** Instances of machines, by their provider ID: those that were created and not terminated. */
export type Instances = ReadonlySet<string>;

/** Checks every revision of a server as it is committed. */
export class HistoryCheck {
  readonly violations: string[] = [];
  /** Kinds of which a user deletes an object meanwhile. */
  userKinds: readonly string[] = [];
  readonly #instances: Instances;
  readonly #objects = new Map<string, KubeObject>();
  /** Instances that a Machine has named. */
  readonly #named = new Set<string>();

  constructor({ store }: ApiServer, instances: Instances) {
    this.#instances = instances;
    for (const resource of store.resources())
      for (const stored of store.list(resource).items) this.#keep(stored.object());
    store.subscribe((event) => this.#observe(event));
  }

  /** Objects of a kind, by name. */
  of(kind: string): readonly KubeObject[] {
    return [...this.#objects.values()].filter((each) => each.kind === kind);
  }

  #keep(object: KubeObject): void {
    if (!isWatched(object)) return;
    this.#objects.set(object.metadata.uid ?? '', object);
    if (object.kind === 'Machine') this.#named.add(providerId(object));
  }

  #observe({ current, revision, type }: StoreEvent): void {
    const object = current.object();
    const { metadata } = object;
    if (!isWatched(object)) return;
    const wrong = (message: string): void => {
      this.violations.push(`revision ${revision}: ${nameOf(object)} ${message}`);
    };
    const { uid = '' } = metadata;
    const previous = this.#objects.get(uid);
    const isGone = type === 'delete';
    if (isGone) this.#objects.delete(uid);
    else this.#objects.set(uid, object);
    if (isGone || metadata.deletionTimestamp != null) this.#checkKept(object, wrong);
    if (isGone) this.#checkOwned(object, wrong);
    else this.#checkOwners(object, wrong);
    if (isOtherWorkload(object) && (isGone || !deepEqual(previous?.['spec'], object['spec'])))
      wrong('is no workload of Cluster API, and does not stay as it is');
    if (AUTHORITY.has(object.kind)) this.#checkInstances(wrong);
  }

  #checkKept({ kind, metadata }: KubeObject, wrong: (message: string) => void): void {
    const isKept = KEPT.has(kind) || metadata.name === 'owned';
    if (isKept && !this.userKinds.includes(kind)) wrong('is deleted');
  }

  #checkOwners(object: KubeObject, wrong: (message: string) => void): void {
    const { name, ownerReferences = [] } = object.metadata;
    for (const owner of ownerReferences)
      if (!this.#objects.has(owner.uid)) wrong(`refers to the owner ${owner.kind} ${owner.name}, which does not exist`);
    if (name === 'owned' && ownerReferences.length === 0) wrong('has lost its owner');
  }

  #checkOwned(owner: KubeObject, wrong: (message: string) => void): void {
    for (const each of this.#objects.values()) {
      const isOwned = (each.metadata.ownerReferences ?? []).some(({ uid }) => uid === owner.metadata.uid);
      if (isOwned) wrong(`is deleted while it owns ${nameOf(each)}`);
    }
  }

  /** Of the group that counts, each instance has one Machine, and each Machine that is not being deleted has its instance. */
  #checkInstances(wrong: (message: string) => void): void {
    const group = this.#authoritative();
    const machines = this.of('Machine').filter(({ apiVersion }) => apiVersion.startsWith(`${group}/`));
    const counts = new Map<string, number>();
    for (const machine of machines) {
      const id = providerId(machine);
      counts.set(id, (counts.get(id) ?? 0) + 1);
      this.#named.add(id);
      if (!this.#instances.has(id) && machine.metadata.deletionTimestamp == null)
        wrong(`leaves ${nameOf(machine)} with instance ${id}, which does not live`);
    }
    for (const id of this.#instances)
      if (this.#named.has(id) && counts.get(id) !== 1)
        wrong(`leaves instance ${id} with ${counts.get(id) ?? 0} Machines in ${group}`);
  }

  /** The copies count from when they are complete until a rollback has brought their state back. */
  #authoritative(): string {
    const isPrivate = this.of('HostedCluster').some(
      ({ metadata }) => metadata.annotations?.[PRIVATE_CAPI_TYPES_ANNOTATION] === 'true',
    );
    const isCopied = this.of('Cluster').some(
      ({ apiVersion, metadata }) =>
        apiVersion.startsWith(`${PRIVATE}/`) && metadata.annotations?.[MIGRATION_COPIED_ANNOTATION] !== undefined,
    );
    return isPrivate || isCopied ? PRIVATE : STANDARD;
  }
}

export function providerId({ spec }: KubeObject): string {
  return (spec as { readonly providerID?: string } | undefined)?.providerID ?? '';
}

export function nameOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name ?? ''} (${apiVersion})`;
}
