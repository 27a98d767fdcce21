import type { Client, ResourceKind } from '@capstan/kube';
import { isAlreadyExists, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { ControlPlaneError } from '../errors.js';
import { decideWrite, finished, isOurs } from './decide.js';
import type { Owner } from './decide.js';
import type { Snapshot } from './snapshot.js';

export interface OwnedObjectsOptions {
  readonly client: Client;
  readonly snapshot: Snapshot;
  readonly owner: Owner;
  readonly signal: AbortSignal;
}

/** Writes the objects of one control plane: those that differ from what is wanted, and never those of others. */
export class OwnedObjects {
  readonly #options: OwnedObjectsOptions;
  /** What was written and came back as something else. */
  readonly #unlike = new Set<KubeObject>();

  constructor(options: OwnedObjectsOptions) {
    this.#options = options;
  }

  get snapshot(): Snapshot {
    return this.#options.snapshot;
  }

  /** Whether none of them came back from the server as something else than was written: then it has to be looked at again. */
  areAsWanted(objects: readonly (KubeObject | undefined)[]): boolean {
    return this.#unlike.size === 0 || !objects.some((object) => object !== undefined && this.#unlike.has(object));
  }

  /** The object as it is, now that it is as wanted. */
  async ensure<T extends KubeObject = KubeObject>(kind: ResourceKind, object: KubeObject): Promise<T> {
    const { owner, snapshot } = this.#options;
    const wanted = finished(object, owner);
    return (await this.#write(kind, wanted, snapshot.get(kind, wanted.metadata.name ?? ''))) as T;
  }

  /** The object as it is; made when there is none, and never changed. */
  async ensureExists<T extends KubeObject = KubeObject>(kind: ResourceKind, make: () => KubeObject): Promise<T> {
    const wanted = finished(make(), this.#options.owner);
    return (await this.#create(kind, wanted, (existing) => Promise.resolve(existing))) as T;
  }

  /** Asks for the end of an object, when it is ours. */
  async remove(kind: ResourceKind, object: KubeObject): Promise<void> {
    const { client, owner, signal, snapshot } = this.#options;
    const { deletionTimestamp, name = '', namespace, uid } = object.metadata;
    if (deletionTimestamp != null || !isOurs(object, owner)) return;
    try {
      const preconditions = uid === undefined ? {} : { preconditions: { uid } };
      await client.delete(kind, name, { namespace, propagationPolicy: 'Background', ...preconditions, signal });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    snapshot.drop(kind, name);
  }

  async #write(kind: ResourceKind, wanted: KubeObject, existing: KubeObject | undefined): Promise<KubeObject> {
    const { client, owner, signal } = this.#options;
    const decision = decideWrite(wanted, existing, owner);
    switch (decision.do) {
      case 'keep':
        return existing ?? wanted;
      case 'refuse':
        throw new ControlPlaneError('Collision', decision.message);
      case 'create':
        return this.#create(kind, wanted, (found) => this.#write(kind, wanted, found));
      case 'update': {
        const written = await client.update(kind, decision.object, { signal });
        return this.#keep(kind, wanted, written);
      }
    }
  }

  #keep(kind: ResourceKind, wanted: KubeObject, written: KubeObject): KubeObject {
    const { owner, snapshot } = this.#options;
    if (decideWrite(wanted, written, owner).do !== 'keep') this.#unlike.add(written);
    snapshot.put(kind, written);
    return written;
  }

  /** The cache may not have what this program made a moment ago, and never has what others made. */
  async #create(
    kind: ResourceKind,
    wanted: KubeObject,
    otherwise: (existing: KubeObject) => Promise<KubeObject>,
  ): Promise<KubeObject> {
    const { client, owner, signal, snapshot } = this.#options;
    try {
      return this.#keep(kind, wanted, await client.create(kind, wanted, { signal }));
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
    }
    const { name = '', namespace } = wanted.metadata;
    const existing = await client.get(kind, name, { namespace, signal });
    const decision = decideWrite(wanted, existing, owner);
    if (decision.do === 'refuse') throw new ControlPlaneError('Collision', decision.message);
    snapshot.put(kind, existing);
    return otherwise(existing);
  }
}
