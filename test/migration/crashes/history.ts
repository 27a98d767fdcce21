import type { ApiServer, StoreEvent } from '@capstan/apiserver';
import type { KubeObject } from '@capstan/meta';

/** Kinds of which a migration must not delete any object. */
const KEPT: ReadonlySet<string> = new Set([
  'Deployment',
  'HostedCluster',
  'HostedControlPlane',
  'NodePool',
  'Role',
  'Secret',
]);

/** Instances of machines, by their provider ID: those that were created and not terminated. */
export type Instances = ReadonlySet<string>;

/** Checks every revision of a server as it is committed. */
export class HistoryCheck {
  readonly violations: string[] = [];
  readonly #instances: Instances;
  readonly #objects = new Map<string, KubeObject>();

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
    if (object.metadata.namespace !== undefined) this.#objects.set(object.metadata.uid ?? '', object);
  }

  #observe({ current, revision, type }: StoreEvent): void {
    const object = current.object();
    const { metadata } = object;
    if (metadata.namespace === undefined || object.kind === 'Event') return;
    const wrong = (message: string): void => {
      this.violations.push(`revision ${revision}: ${nameOf(object)} ${message}`);
    };
    if (type === 'delete') this.#objects.delete(metadata.uid ?? '');
    else this.#objects.set(metadata.uid ?? '', object);
    const isKept = KEPT.has(object.kind) || metadata.name === 'owned';
    if (isKept && (type === 'delete' || metadata.deletionTimestamp != null)) wrong('is deleted');
    if (type !== 'delete') this.#checkOwners(object, wrong);
    else this.#checkOwned(object, wrong);
    if (object.kind === 'Machine') this.#checkInstances(wrong);
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

  #checkInstances(wrong: (message: string) => void): void {
    const named = new Set(this.of('Machine').map(providerId));
    for (const id of this.#instances) if (!named.has(id)) wrong(`leaves instance ${id} without a Machine`);
  }
}

export function providerId({ spec }: KubeObject): string {
  return (spec as { readonly providerID?: string } | undefined)?.providerID ?? '';
}

export function nameOf({ apiVersion, kind, metadata }: KubeObject): string {
  return `${kind} ${metadata.name ?? ''} (${apiVersion})`;
}
