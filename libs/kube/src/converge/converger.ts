import { deepEqual, formatApiVersion, ignoreNotFound, isAlreadyExists } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Client } from '../client/client.js';
import { withoutFinalizer } from '../client/finalizers.js';
import type { GetOptions, PropagationPolicy } from '../client/options.js';
import type { ResourceKind, ResourceRef } from '../client/resource.js';
import { performChange } from './change.js';
import type { Change } from './change.js';
import { SHARED } from './desired.js';
import type { Desired, OwnerRule } from './desired.js';
import { mergeDesired } from './merge.js';
import type { Merge } from './merge.js';
import { overlay } from './overlay.js';

/** Reads single objects; one that is not there is undefined or a NotFound error. */
export interface ObjectReader {
  get<T extends KubeObject = KubeObject>(ref: ResourceRef, name: string, options?: GetOptions): Promise<T | undefined>;
}

export interface ConvergerOptions {
  readonly client: Client;
  /** Reads objects. Default: the client, past any cache. */
  readonly reader?: ObjectReader | undefined;
  /** Default: {@link SHARED}. */
  readonly owner?: OwnerRule | undefined;
  /** How an existing object becomes the desired one. Default: {@link mergeDesired}. */
  readonly merge?: Merge | undefined;
  /** Called after each change, with what {@link performChange} returned. */
  readonly onChange?: ((change: Change, result: KubeObject | undefined) => void) | undefined;
  /** The server checks everything and stores nothing. */
  readonly dryRun?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Reads an object; undefined when it is not there. */
export function findObject<T extends KubeObject = KubeObject>(
  reader: ObjectReader,
  ref: ResourceRef,
  at: { readonly name: string; readonly namespace?: string | undefined },
  signal?: AbortSignal,
): Promise<T | undefined> {
  return reader.get<T>(ref, at.name, { namespace: at.namespace, signal }).catch(ignoreNotFound);
}

/** Brings objects of one owner to their desired state: writes what differs, and sends nothing when nothing does. */
export class Converger {
  readonly #options: ConvergerOptions;
  readonly #changes: Change[] = [];

  constructor(options: ConvergerOptions) {
    this.#options = options;
  }

  /** What was done, in order: for events, tests and the output of dry runs. */
  get changes(): readonly Change[] {
    return this.#changes;
  }

  find<T extends KubeObject>(kind: ResourceRef, name: string, namespace?: string): Promise<T | undefined> {
    const { client, reader = client, signal } = this.#options;
    return findObject<T>(reader, kind, { name, namespace }, signal);
  }

  /** Creates the object, or patches what differs. An object of another owner is refused. */
  async ensure<T extends KubeObject>(kind: ResourceKind, desired: Desired, owner = this.#owner): Promise<T> {
    const marked = owner.mark(desired);
    const { name, namespace } = marked.metadata;
    const existing = await this.find(kind, name, namespace);
    if (existing !== undefined) return (await this.#bring(kind, existing, marked, owner)) as T;
    return (await this.#create(kind, marked, (found) => this.#bring(kind, found, marked, owner))) as T;
  }

  /** Creates the object unless it exists: for content that cannot be generated a second time. */
  async ensureExists<T extends KubeObject>(
    kind: ResourceKind,
    { metadata, make }: { readonly metadata: Desired['metadata']; readonly make: () => object },
  ): Promise<T> {
    const { name, namespace } = metadata;
    const existing = await this.find<T>(kind, name, namespace);
    if (existing !== undefined) return existing;
    const marked = this.#owner.mark({ ...make(), metadata });
    return (await this.#create(kind, marked, (found) => {
      if (!this.#owner.owns(found)) throw this.#owner.refusal(kind.kind, found);
      return Promise.resolve(found);
    })) as T;
  }

  /** Patches the status of an existing object. */
  async ensureStatus<T extends KubeObject>(kind: ResourceKind, before: T, status: object): Promise<T> {
    const after = { ...before, status: overlay(before['status'], status) } as T;
    if (deepEqual(before, after)) return before;
    return (await this.perform({ verb: 'patch', kind, before, after, subresource: 'status' })) as T;
  }

  /** Patches the very object that was read to what was decided elsewhere. */
  async patch<T extends KubeObject>(kind: ResourceKind, before: T, after: T): Promise<T> {
    return deepEqual(before, after) ? before : ((await this.perform({ verb: 'patch', kind, before, after })) as T);
  }

  /** Replaces the whole status of the object that was read. */
  async replaceStatus<T extends KubeObject>(kind: ResourceKind, object: T): Promise<T> {
    return (await this.perform({ verb: 'replace', kind, object, subresource: 'status' })) as T;
  }

  /** Deletes the object of that name if it is ours. Whether it is still there. */
  async ensureAbsent(kind: ResourceKind, name: string, namespace?: string): Promise<boolean> {
    const existing = await this.find(kind, name, namespace);
    if (existing === undefined) return false;
    return this.#owner.owns(existing) && this.delete(kind, existing);
  }

  /** Deletes the very object that was read. Whether it is still there, as finalizers may hold it. */
  async delete(kind: ResourceKind, object: KubeObject, propagationPolicy?: PropagationPolicy): Promise<boolean> {
    if (object.metadata.deletionTimestamp != null) return true;
    return (await this.perform({ verb: 'delete', kind, object, propagationPolicy })) !== undefined;
  }

  /** Removes a finalizer from the very object that was read; nothing is sent when it has none. */
  async removeFinalizer<T extends KubeObject>(kind: ResourceKind, before: T, finalizer: string): Promise<T> {
    const after = withoutFinalizer(before, finalizer);
    return after === before ? before : ((await this.perform({ verb: 'patch', kind, before, after })) as T);
  }

  /** Deletes those of the objects that are ours and no longer desired. */
  async prune(
    kind: ResourceKind,
    existing: readonly KubeObject[],
    isDesired: (object: KubeObject) => boolean,
  ): Promise<void> {
    for (const object of existing)
      if (this.#owner.owns(object) && !isDesired(object)) await this.delete(kind, object, 'Background');
  }

  /** Performs a change that was decided elsewhere. */
  async perform(change: Change): Promise<KubeObject | undefined> {
    const { client, dryRun, onChange, signal } = this.#options;
    const result = await performChange(client, change, { dryRun, signal });
    this.#changes.push(change);
    onChange?.(change, result);
    return result;
  }

  get #owner(): OwnerRule {
    return this.#options.owner ?? SHARED;
  }

  async #bring(kind: ResourceKind, before: KubeObject, marked: Desired, owner: OwnerRule): Promise<KubeObject> {
    if (!owner.owns(before)) throw owner.refusal(kind.kind, before);
    const after = (this.#options.merge ?? mergeDesired)(before, marked);
    if (deepEqual(before, after)) return before;
    return (await this.perform({ verb: 'patch', kind, before, after })) as KubeObject;
  }

  async #create(
    kind: ResourceKind,
    marked: Desired,
    otherwise: (existing: KubeObject) => Promise<KubeObject>,
  ): Promise<KubeObject> {
    const { client, signal } = this.#options;
    const object = { apiVersion: formatApiVersion(kind), kind: kind.kind, ...(overlay(undefined, marked) as object) };
    try {
      return (await this.perform({ verb: 'create', kind, object: object as unknown as KubeObject })) as KubeObject;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      // Created a moment ago, or by another client without the labels that the cache selects by.
      const { name, namespace } = marked.metadata;
      return otherwise(await client.get(kind, name, { namespace, signal }));
    }
  }
}
