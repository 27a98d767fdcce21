import { patchFrom, withoutFinalizer } from '@capstan/kube';
import type { Client, Reader, ResourceKind } from '@capstan/kube';
import { deepEqual, extended, formatApiVersion, isAlreadyExists, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CLUSTER_ANNOTATION, COMPONENT_FINALIZER } from '@capstan/provider';
import { NotOurs, OwnedElsewhere } from '../errors.js';
import { overlay } from './overlay.js';

/** What is to be there: metadata needs a name, and anything `undefined` is to be absent. */
export interface Wanted {
  readonly metadata: {
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly labels?: Readonly<Record<string, string | undefined>> | undefined;
    readonly annotations?: Readonly<Record<string, string | undefined>> | undefined;
    readonly finalizers?: readonly string[] | undefined;
    readonly ownerReferences?: readonly object[] | undefined;
  };
  readonly [field: string]: unknown;
}

export interface WriterOptions {
  readonly client: Client;
  /** What is there, from memory. */
  readonly reader: Reader;
  /** `namespace/name` of the HostedCluster everything is written for. */
  readonly owner: string;
  /** The control plane namespace: everything in it is the cluster's, marked or not. */
  readonly namespace: string;
  readonly signal: AbortSignal;
}

/** `namespace/name` of the HostedCluster an object says it was made for. */
export function ownerOf({ metadata }: KubeObject): string | undefined {
  return metadata.annotations?.[CLUSTER_ANNOTATION];
}

/** Finalizers and owners are lists in which others have their items too. */
function joined({ metadata }: KubeObject, wanted: Wanted): object {
  const { finalizers = [], labels = {}, ownerReferences = [] } = wanted.metadata;
  const have = metadata.finalizers ?? [];
  const owners = metadata.ownerReferences ?? [];
  const isNew = (owner: object): boolean => !owners.some(({ uid }) => uid === (owner as { uid?: string }).uid);
  return {
    finalizers: orAbsent([...have, ...finalizers.filter((each) => !have.includes(each))]),
    ownerReferences: orAbsent([...owners, ...ownerReferences.filter(isNew)]),
    // The server keeps no empty set of labels.
    ...(metadata.labels === undefined && Object.values(labels).every((each) => each === undefined)
      ? { labels: undefined }
      : {}),
  };
}

function orAbsent<T>(list: readonly T[]): readonly T[] | undefined {
  return list.length === 0 ? undefined : list;
}

/** Brings objects of one HostedCluster to what they should be; writes what differs, and nothing when nothing does. */
export class Writer {
  readonly #options: WriterOptions;

  constructor(options: WriterOptions) {
    this.#options = options;
  }

  async find<T extends KubeObject>(kind: ResourceKind, name: string, namespace?: string): Promise<T | undefined> {
    const { reader, signal } = this.#options;
    try {
      return await reader.get<T>(kind, name, { namespace, signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  /** Makes the object, or brings it to what is wanted. What is another cluster's is never touched. */
  async ensure<T extends KubeObject>(kind: ResourceKind, wanted: Wanted): Promise<T> {
    const { owner } = this.#options;
    const annotations = extended(wanted.metadata.annotations ?? {}, { [CLUSTER_ANNOTATION]: owner });
    return this.#bring<T>(kind, extended(wanted, { metadata: extended(wanted.metadata, { annotations }) }) as Wanted);
  }

  /** As {@link ensure} for what all clusters have together: it is nobody's. */
  async ensureShared(kind: ResourceKind, wanted: Wanted): Promise<void> {
    await this.#bring(kind, wanted);
  }

  async #bring<T extends KubeObject>(kind: ResourceKind, marked: Wanted): Promise<T> {
    const { client, signal } = this.#options;
    const { name, namespace } = marked.metadata;
    const known = await this.find<T>(kind, name, namespace);
    if (known !== undefined) return this.#change(kind, known, marked);
    const made = { apiVersion: formatApiVersion(kind), kind: kind.kind, ...(overlay(undefined, marked) as object) };
    try {
      return await client.create<T>(kind, made as unknown as T, { signal });
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      // Made a moment ago, or by somebody else without the labels by which memory chooses.
      return this.#change(kind, await client.get<T>(kind, name, { namespace, signal }), marked);
    }
  }

  async #change<T extends KubeObject>(kind: ResourceKind, before: T, marked: Wanted): Promise<T> {
    const { client, signal } = this.#options;
    if (CLUSTER_ANNOTATION in (marked.metadata.annotations ?? {})) this.#mine(kind, before);
    const metadata = extended(marked.metadata, joined(before, marked));
    const after = overlay(before, extended(marked, { metadata })) as T;
    return deepEqual(before, after)
      ? before
      : patchFrom(client, kind, { before, after }, { optimisticLock: true, signal });
  }

  /** As {@link ensure} for the status of an object that is there. */
  async ensureStatus<T extends KubeObject>(kind: ResourceKind, before: T, status: object): Promise<T> {
    const after = { ...before, status: overlay(before['status'], status) } as T;
    if (deepEqual(before, after)) return before;
    const { client, signal } = this.#options;
    return patchFrom(client, kind, { before, after }, { optimisticLock: true, subresource: 'status', signal });
  }

  /** Makes the object unless there is one: for content that nobody could make again. */
  async ensureThere(kind: ResourceKind, metadata: Wanted['metadata'], make: () => object): Promise<void> {
    if ((await this.find(kind, metadata.name, metadata.namespace)) === undefined)
      await this.ensure(kind, { ...make(), metadata });
  }

  /** Deletes the object of that name, if there is one of ours. Whether it is still there. */
  async remove(kind: ResourceKind, name: string, namespace?: string): Promise<boolean> {
    const there = await this.find(kind, name, namespace);
    if (there === undefined) return false;
    return this.#isMine(there) && this.removeObject(kind, there);
  }

  /** Deletes the very object that was read. Whether it is still there. */
  async removeObject(kind: ResourceKind, { metadata }: KubeObject): Promise<boolean> {
    if ((metadata.deletionTimestamp ?? undefined) !== undefined) return true;
    const { client, signal } = this.#options;
    const { name = '', namespace, uid } = metadata;
    try {
      await client.delete(kind, name, { namespace, preconditions: { uid }, signal });
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
    return true;
  }

  /** Takes off what keeps a component from going. */
  async release<T extends KubeObject>(kind: ResourceKind, object: T): Promise<T> {
    const after = withoutFinalizer(object, COMPONENT_FINALIZER);
    const { client, signal } = this.#options;
    return patchFrom(client, kind, { before: object, after }, { optimisticLock: true, signal });
  }

  /** Whether the object was made for this cluster: it says so, or it lies where nobody else's does. */
  #isMine(object: KubeObject): boolean {
    const { namespace, owner } = this.#options;
    const holder = ownerOf(object);
    return holder === undefined ? object.metadata.namespace === namespace : holder === owner;
  }

  #mine(kind: ResourceKind, object: KubeObject): void {
    if (this.#isMine(object)) return;
    const holder = ownerOf(object);
    if (holder === undefined) throw new NotOurs(kind.kind, object.metadata);
    throw new OwnedElsewhere(kind.kind, object.metadata, holder);
  }
}
