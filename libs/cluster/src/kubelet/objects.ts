import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { Informer } from '@capstan/kube';
import type { ResourceRef } from '@capstan/kube';
import type { ControllerOptions } from '../controller.js';
import { CONFIG_MAPS, SECRETS } from '../workload/resources.js';

/** The kinds of objects containers are fed with. */
export type FeedKind = 'configmap' | 'secret';

/** A ConfigMap or Secret. */
export interface Feed extends KubeObject {
  data?: Record<string, string>;
  binaryData?: Record<string, string>;
}

type Listener = () => void;

/** Names one of them. */
interface FeedTarget {
  readonly kind: FeedKind;
  readonly namespace: string;
  readonly name: string;
}

/** One that pods are fed with, kept in step with the server. */
interface Followed {
  readonly informer: Informer<Feed>;
  readonly ending: AbortController;
  readonly listeners: Set<Listener>;
}

/** ConfigMaps and Secrets for all pods of this process. Each is watched while a pod needs it; of the others nothing is kept. */
export class FeedSource {
  readonly #options: ControllerOptions;
  readonly #followed = new Map<string, Followed>();
  readonly #running = new Set<Promise<void>>();

  constructor(options: ControllerOptions) {
    this.#options = options;
  }

  /** As the server has it now: a watch may lag behind objects that were written before the pod. */
  async fetch({ kind, name, namespace }: FeedTarget): Promise<Feed | undefined> {
    return this.#options.client.get<Feed>(resourceOf(kind), name, { namespace }).catch(ignoreNotFound);
  }

  cached({ kind, name, namespace }: FeedTarget): Feed | undefined {
    return this.#followed.get(feedKey(kind, namespace, name))?.informer.store.get(`${namespace}/${name}`);
  }

  /** Calls back when the object comes, changes or goes. Gives the function that ends it. */
  follow(target: FeedTarget, listener: Listener): () => void {
    const key = feedKey(target.kind, target.namespace, target.name);
    const followed = this.#followed.get(key) ?? this.#begin(key, target);
    followed.listeners.add(listener);
    return () => {
      if (!followed.listeners.delete(listener) || followed.listeners.size > 0) return;
      this.#followed.delete(key);
      followed.ending.abort();
    };
  }

  /** Resolves when the watches of objects nobody follows any more have ended. */
  async stopped(): Promise<void> {
    await Promise.all(this.#running);
  }

  #begin(key: string, { kind, name, namespace }: FeedTarget): Followed {
    const { client, clock, logger, random } = this.#options;
    const informer = new Informer<Feed>({
      client,
      clock,
      logger,
      random: random.split(`feed ${key}`),
      resource: resourceOf(kind),
      namespace,
      fieldSelector: `metadata.name=${name}`,
    });
    const listeners = new Set<Listener>();
    const changed = (): void => {
      for (const listener of listeners) listener();
    };
    informer.addHandler({ add: changed, update: changed, delete: changed });
    const followed = { informer, ending: new AbortController(), listeners };
    this.#followed.set(key, followed);
    const running = informer.run(followed.ending.signal).finally(() => this.#running.delete(running));
    this.#running.add(running);
    return followed;
  }
}

function resourceOf(kind: FeedKind): ResourceRef {
  return kind === 'secret' ? SECRETS : CONFIG_MAPS;
}

function feedKey(kind: FeedKind, namespace: string, name: string): string {
  return `${kind}/${namespace}/${name}`;
}

/** The newer of two states of one object, the first when they are the same. */
function newer(a: Feed | undefined, b: Feed | undefined): Feed | undefined {
  if (a === undefined || b === undefined) return a ?? b;
  if (a.metadata.uid !== b.metadata.uid) return b;
  return Number(a.metadata.resourceVersion) >= Number(b.metadata.resourceVersion) ? a : b;
}

/** What one pod is fed with. */
export class PodFeeds {
  readonly #source: FeedSource;
  readonly #namespace: string;
  readonly #known = new Map<string, Feed | undefined>();
  readonly #ends: (() => void)[] = [];
  readonly #listeners = new Set<Listener>();
  #closed = false;

  constructor(source: FeedSource, namespace: string) {
    this.#source = source;
    this.#namespace = namespace;
  }

  /** Reads an object again and follows it from then on. */
  async load(kind: FeedKind, name: string): Promise<Feed | undefined> {
    const key = feedKey(kind, this.#namespace, name);
    const target = { kind, namespace: this.#namespace, name };
    const fetched = await this.#source.fetch(target);
    // A pod that went meanwhile has nobody left to end it.
    if (!this.#known.has(key) && !this.#closed) {
      this.#ends.push(this.#source.follow(target, () => this.#changed(key, target)));
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
    this.#closed = true;
    for (const end of this.#ends.splice(0)) end();
    this.#listeners.clear();
  }

  #changed(key: string, target: FeedTarget): void {
    const before = this.#known.get(key);
    const cached = this.#source.cached(target);
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
