import { isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Client, Informer } from '@capstan/kube';
import { CONFIG_MAPS, SECRETS } from '../workload/resources.js';
import type { SharedInformers } from '../workload/shared-informers.js';

/** The kinds of objects containers are fed with. */
export type FeedKind = 'configmap' | 'secret';

/** A ConfigMap or Secret. */
export interface Feed extends KubeObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}

type Listener = () => void;

/** ConfigMaps and Secrets for all pods of this process: read at need, then followed by informers. */
export class FeedSource {
  readonly #client: Client;
  readonly #informers: Readonly<Record<FeedKind, Informer<Feed>>>;
  readonly #listeners = new Map<string, Set<Listener>>();

  /** Must be made before the informers are started. */
  constructor(client: Client, informers: SharedInformers) {
    this.#client = client;
    this.#informers = { configmap: informers.of<Feed>(CONFIG_MAPS), secret: informers.of<Feed>(SECRETS) };
    for (const kind of ['configmap', 'secret'] as const) {
      const changed = (object: Feed): void => {
        const { name = '', namespace = '' } = object.metadata;
        for (const listener of this.#listeners.get(feedKey(kind, namespace, name)) ?? []) listener();
      };
      this.#informers[kind].addHandler({ add: changed, update: (_, object) => changed(object), delete: changed });
    }
  }

  /** As the server has it now: the informer may not have heard yet of what a pod was written after. */
  async fetch(kind: FeedKind, namespace: string, name: string): Promise<Feed | undefined> {
    try {
      return await this.#client.get<Feed>(kind === 'secret' ? SECRETS : CONFIG_MAPS, name, { namespace });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  cached(kind: FeedKind, namespace: string, name: string): Feed | undefined {
    return this.#informers[kind].store.get(`${namespace}/${name}`);
  }

  /** Calls back when the object comes, changes or goes. Gives the function that ends it. */
  follow(key: { kind: FeedKind; namespace: string; name: string }, listener: Listener): () => void {
    const text = feedKey(key.kind, key.namespace, key.name);
    const listeners = this.#listeners.get(text) ?? new Set();
    this.#listeners.set(text, listeners);
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#listeners.delete(text);
    };
  }
}

function feedKey(kind: FeedKind, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}

/** The newer of two states of one object. */
function newer(a: Feed | undefined, b: Feed | undefined): Feed | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.metadata.uid !== b.metadata.uid) return b;
  return Number(a.metadata.resourceVersion) > Number(b.metadata.resourceVersion) ? a : b;
}

/** What one pod is fed with. */
export class PodFeeds {
  readonly #source: FeedSource;
  readonly #namespace: string;
  readonly #known = new Map<string, Feed | undefined>();
  readonly #ends: (() => void)[] = [];
  readonly #listeners = new Set<Listener>();

  constructor(source: FeedSource, namespace: string) {
    this.#source = source;
    this.#namespace = namespace;
  }

  /** Reads an object anew and follows it from then on. */
  async load(kind: FeedKind, name: string): Promise<Feed | undefined> {
    const key = feedKey(kind, this.#namespace, name);
    const fetched = await this.#source.fetch(kind, this.#namespace, name);
    if (!this.#known.has(key)) {
      const target = { kind, namespace: this.#namespace, name };
      this.#ends.push(this.#source.follow(target, () => this.#changed(key, kind, name)));
    }
    this.#known.set(key, fetched);
    return fetched;
  }

  /** As last seen. */
  get(kind: FeedKind, name: string): Feed | undefined {
    return this.#known.get(feedKey(kind, this.#namespace, name));
  }

  watch(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  close(): void {
    for (const end of this.#ends.splice(0)) end();
    this.#listeners.clear();
  }

  #changed(key: string, kind: FeedKind, name: string): void {
    const before = this.#known.get(key);
    const cached = this.#source.cached(kind, this.#namespace, name);
    // A deleted object stays mounted as it was, as it does in a real pod.
    if (cached === undefined) return;
    const after = newer(before, cached);
    if (after === before) return;
    this.#known.set(key, after);
    for (const listener of this.#listeners) listener();
  }
}

/** The bytes of a key; undefined when there is none. */
export function feedBytes(kind: FeedKind, feed: Feed, key: string): Uint8Array | undefined {
  const text = own(feed.data, key);
  if (text !== undefined) return Buffer.from(text, kind === 'secret' ? 'base64' : 'utf8');
  const binary = own(feed.binaryData, key);
  return binary === undefined ? undefined : Buffer.from(binary, 'base64');
}

/** Every key there is, in order. */
export function feedKeys(feed: Feed): string[] {
  return [...Object.keys(feed.data ?? {}), ...Object.keys(feed.binaryData ?? {})].sort();
}

function own(map: Record<string, string> | undefined, key: string): string | undefined {
  return map !== undefined && Object.hasOwn(map, key) ? map[key] : undefined;
}
