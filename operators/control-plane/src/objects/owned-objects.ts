import { Converger } from '@capstan/kube';
import type { Client, Desired, ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { mergeOwned } from './merge.js';
import { controlPlaneOwner, isOurs } from './ownership.js';
import type { Owner } from './ownership.js';
import type { Snapshot } from './snapshot.js';

export interface OwnedObjectsOptions {
  readonly client: Client;
  readonly snapshot: Snapshot;
  readonly owner: Owner;
  readonly signal: AbortSignal;
}

/** Converges the objects of one control plane, and keeps its snapshot up to date with what was written. */
export class OwnedObjects {
  readonly snapshot: Snapshot;
  readonly #namespace: string;
  readonly #owner: Owner;
  readonly #converger: Converger;
  /** Objects that a webhook changed on their way to the server. */
  readonly #altered = new Set<KubeObject>();

  constructor({ client, owner, signal, snapshot }: OwnedObjectsOptions) {
    this.snapshot = snapshot;
    this.#owner = owner;
    this.#namespace = owner.object.metadata.namespace ?? '';
    this.#converger = new Converger({
      client,
      signal,
      owner: controlPlaneOwner(owner),
      merge: mergeOwned,
      reader: { get: (kind, name) => Promise.resolve(snapshot.get(kind, name)) },
      onChange: (change, result) => {
        if (change.verb === 'delete') return snapshot.drop(change.kind, change.object.metadata.name ?? '');
        if (result === undefined) return;
        snapshot.put(change.kind, result);
        const desired = change.verb === 'patch' ? change.after : change.object;
        if (mergeOwned(result, desired as unknown as Desired) !== result) this.#altered.add(result);
      },
    });
  }

  /** Whether the server stored them as they were written: if it did not, they have to be reconciled again. */
  areAsDesired(objects: readonly (KubeObject | undefined)[]): boolean {
    return this.#altered.size === 0 || !objects.some((object) => object !== undefined && this.#altered.has(object));
  }

  /** Whether the object was created for this control plane. */
  owns(object: KubeObject): boolean {
    return isOurs(object, this.#owner);
  }

  /** The object, now as desired. */
  ensure<T extends KubeObject = KubeObject>(kind: ResourceKind, object: KubeObject): Promise<T> {
    return this.#converger.ensure<T>(kind, this.#desired(object));
  }

  /** The object; created when there is none, and never changed. */
  async ensureExists<T extends KubeObject = KubeObject>(kind: ResourceKind, make: () => KubeObject): Promise<T> {
    const { metadata, ...rest } = this.#desired(make());
    const found = await this.#converger.ensureExists<T>(kind, { metadata, make: () => rest });
    this.snapshot.put(kind, found);
    return found;
  }

  /** Deletes those of the objects that are ours and not desired. */
  async prune(kind: ResourceKind, isDesired: (object: KubeObject) => boolean): Promise<void> {
    await this.#converger.prune(kind, this.snapshot.list(kind), isDesired);
  }

  #desired(object: KubeObject): Desired {
    return { ...object, metadata: { ...object.metadata, namespace: this.#namespace } } as Desired;
  }
}
