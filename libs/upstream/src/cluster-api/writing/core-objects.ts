import type { Client, Reader, ResourceKind } from '@capstan/kube';
import { createMergePatch, ignoreNotFound } from '@capstan/meta';
import type { KubeObject, LabelMatcher } from '@capstan/meta';
import { CORE_API_VERSION } from '../names.js';
import { coreResource } from '../kinds.js';
import type { CoreKind } from '../kinds.js';
import type { CoreCodec } from './codec.js';
import { plain } from './plain.js';

export interface CoreObjectsOptions {
  /** What the watches have brought. */
  readonly cache: Reader;
  readonly client: Client;
  readonly codec: CoreCodec;
}

/** How a difference is written. */
export interface PatchWrite {
  readonly subresource?: 'status' | undefined;
  /** Refused when the object is no longer the one from before. */
  readonly isLocked?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What is applied, and by whom. */
export interface ApplyWrite {
  readonly owner: string;
  readonly signal?: AbortSignal | undefined;
}

/** The core objects in the version that the controllers work in. */
export class CoreObjects {
  readonly #options: CoreObjectsOptions;
  /** The resource of each kind, which is asked for with every read. */
  readonly #resources = new Map<CoreKind, ResourceKind>();

  constructor(options: CoreObjectsOptions) {
    this.#options = options;
  }

  resource(kind: CoreKind): ResourceKind {
    let resource = this.#resources.get(kind);
    if (resource === undefined) this.#resources.set(kind, (resource = coreResource(kind, this.#options.codec.version)));
    return resource;
  }

  /**
   * From the cache; undefined when it is not there. Its members, and the members of its metadata and of its spec,
   * may be replaced; their contents are shared.
   */
  get<T extends KubeObject>(kind: CoreKind, namespace: string, name: string): Promise<T | undefined> {
    return this.#read<T>(this.#options.cache, kind, namespace, name);
  }

  /** From the cache, read only: its members are shared. */
  async look<T extends KubeObject>(kind: CoreKind, namespace: string, name: string): Promise<T | undefined> {
    const object = await this.#options.cache.get(this.resource(kind), name, { namespace }).catch(ignoreNotFound);
    if (object === undefined) return undefined;
    const isNamed = object.apiVersion === CORE_API_VERSION && object.kind === kind;
    return isNamed ? (object as T) : this.#shallow<T>(kind, object);
  }

  /** As the server has it now. */
  live<T extends KubeObject>(kind: CoreKind, namespace: string, name: string): Promise<T | undefined> {
    return this.#read<T>(this.#options.client, kind, namespace, name);
  }

  /** From the cache, by name. Only whole members of them may be replaced: their contents are shared. */
  async list<T extends KubeObject>(kind: CoreKind, namespace: string, matcher?: LabelMatcher): Promise<T[]> {
    const { items } = await this.#options.cache.list(this.resource(kind), { namespace });
    return items
      .filter(({ metadata }) => matcher?.matches(metadata.labels ?? {}) !== false)
      .map((item) => this.#shallow<T>(kind, item))
      .toSorted((a, b) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1));
  }

  /** Writes what differs as a merge patch, and gives the object as it is then. Nothing is sent when nothing differs. */
  async patch<T extends KubeObject>(kind: CoreKind, before: T, after: T, write: PatchWrite = {}): Promise<T> {
    const { codec, client } = this.#options;
    const { name = '', namespace, resourceVersion } = before.metadata;
    const value = plain(createMergePatch(codec.encode(before), codec.encode(after)));
    if (Object.keys(value).length === 0) return after;
    if (write.isLocked === true) value['metadata'] = { ...(value['metadata'] as object | undefined), resourceVersion };
    const { subresource, signal } = write;
    const options = { namespace, subresource, signal };
    return this.#decoded<T>(kind, await client.patch(this.resource(kind), name, { type: 'merge', value }, options));
  }

  /** Sets fields and owns them from now on. */
  async apply<T extends KubeObject>(kind: CoreKind, object: T, { owner, signal }: ApplyWrite): Promise<T> {
    const { codec, client } = this.#options;
    const value = plain(codec.encode(object));
    const { name = '', namespace } = object.metadata;
    const options = { namespace, fieldManager: owner, force: true, signal };
    return this.#decoded<T>(kind, await client.patch(this.resource(kind), name, { type: 'apply', value }, options));
  }

  /** Deletes an object; one that is gone already is fine. */
  async remove(kind: CoreKind, object: KubeObject, signal?: AbortSignal): Promise<void> {
    const { name = '', namespace } = object.metadata;
    await this.#options.client.delete(this.resource(kind), name, { namespace, signal }).catch(ignoreNotFound);
  }

  async #read<T extends KubeObject>(
    reader: Reader,
    kind: CoreKind,
    namespace: string,
    name: string,
  ): Promise<T | undefined> {
    const object = await reader.get(this.resource(kind), name, { namespace }).catch(ignoreNotFound);
    return object === undefined ? undefined : this.#decoded<T>(kind, object);
  }

  #decoded<T extends KubeObject>(kind: CoreKind, object: KubeObject): T {
    return editable(this.#shallow<T>(kind, object));
  }

  #shallow<T extends KubeObject>(kind: CoreKind, object: KubeObject): T {
    // Items of lists do not always have apiVersion and kind.
    return { ...this.#options.codec.decode(object), apiVersion: CORE_API_VERSION, kind } as unknown as T;
  }
}

/** A copy whose parts can be replaced, and the members of its metadata and of its spec. */
export function editable<T extends KubeObject>(object: T): T {
  const metadata = { ...object.metadata };
  return object['spec'] === undefined ? { ...object, metadata } : { ...object, metadata, spec: { ...object['spec'] } };
}
