import { apiErrors, extended, LabelMatcher, parseFieldSelector, parseLabelSelector, Recent } from '@capstan/meta';
import type { Clock, KubeObject, Random } from '@capstan/meta';
import type { Client } from '../client/client.js';
import type { GetOptions, ListOptions, ObjectList } from '../client/options.js';
import type { Reader } from '../client/reader.js';
import type { ResourceRef } from '../client/resource.js';
import { Informer } from '../informer/informer.js';
import { NAMESPACE_INDEX } from '../informer/store.js';
import type { Indexer } from '../informer/store.js';
import { whenAborted } from '../runtime/abort.js';
import { sleep } from '../runtime/clock.js';
import { RuntimeError } from '../runtime/errors.js';
import type { Logger } from '../runtime/logger.js';
import type { Sometimes } from '../runtime/sometimes.js';

/** Which objects of a resource are kept, and how much of each. */
export interface Selection {
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly metadataOnly?: boolean | undefined;
}

export interface CacheOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** What is cached of a resource when the caller selects nothing narrower. Default: everything. */
  readonly selectionOf?: ((resource: ResourceRef) => Selection) | undefined;
  /** Cuts every object down before it is kept. */
  readonly transform?: ((object: KubeObject) => KubeObject) | undefined;
  readonly resyncMs?: number | undefined;
  /** Learns the initial state from the watch itself. Default true. */
  readonly watchList?: boolean | undefined;
  /** How long the first state may take. Default 2 min. */
  readonly syncTimeoutMs?: number | undefined;
  /** Makes rare paths common in a simulation. Default: never. */
  readonly sometimes?: Sometimes | undefined;
}

interface Kept {
  readonly informer: Informer<KubeObject>;
  running: Promise<void> | undefined;
}

/** How a resource was asked for before. */
class Asked {
  readonly group: string;
  readonly version: string;
  /** By the selection, which comes in addition to the resource. */
  readonly informers = new Map<string, Informer<KubeObject>>();
  /** Those that reads need not wait for: the first where they leave open how much is kept of each object. */
  readonly read = new Map<boolean | undefined, Informer<KubeObject>>();

  constructor({ group, version }: ResourceRef) {
    this.group = group;
    this.version = version;
  }
}

/** Which labels a selector takes is found out once: programs ask for the same ones again and again. */
const matchers = new Recent<string, LabelMatcher>(1_000);

function resourceKey({ plural, group, version }: ResourceRef): string {
  return `${plural}.${group}/${version}`;
}

/**
 * One informer per resource and selection, however many ask. A read sees what the watch has brought so far: not
 * necessarily what this program has just written.
 */
export class Cache implements Reader {
  readonly #options: CacheOptions;
  readonly #kept = new Map<string, Kept>();
  readonly #indexers = new Map<string, Map<string, Indexer<KubeObject>>>();
  /** By plural, of which there is hardly ever more than one: to put a key together would cost more than a read. */
  readonly #asked = new Map<string, Asked[]>();
  #signal: AbortSignal | undefined;

  constructor(options: CacheOptions) {
    this.#options = options;
  }

  /** The informer of a resource. The caller vouches for the type. Runs as soon as the cache does. */
  informer<T extends KubeObject>(resource: ResourceRef, selection: Selection = {}): Informer<T> {
    const { informers } = this.#askedFor(resource);
    const asked = selectionKey(selection);
    let informer = informers.get(asked);
    if (informer === undefined) informers.set(asked, (informer = this.#find(resource, selection)));
    return informer as unknown as Informer<T>;
  }

  #askedFor(resource: ResourceRef): Asked {
    const { group, plural, version } = resource;
    let all = this.#asked.get(plural);
    if (all === undefined) this.#asked.set(plural, (all = []));
    for (const each of all) if (each.group === group && each.version === version) return each;
    const asked = new Asked(resource);
    all.push(asked);
    return asked;
  }

  #find(resource: ResourceRef, selection: Selection): Informer<KubeObject> {
    const chosen = { ...this.#options.selectionOf?.(resource), ...defined(selection) };
    const { namespace = '', labelSelector = '', fieldSelector = '', metadataOnly = false } = chosen;
    const key = JSON.stringify([resourceKey(resource), namespace, labelSelector, fieldSelector, metadataOnly]);
    let kept = this.#kept.get(key);
    if (kept === undefined) {
      kept = { informer: this.#create(resource, chosen, key), running: undefined };
      this.#kept.set(key, kept);
      if (this.#signal !== undefined) kept.running = kept.informer.run(this.#signal);
    }
    return kept.informer;
  }

  /** Adds an index by name; a list with the field selector `name=value` then reads it. */
  addIndexer<T extends KubeObject>(resource: ResourceRef, name: string, indexer: Indexer<T>): void {
    const key = resourceKey(resource);
    const indexers = this.#indexers.get(key) ?? new Map<string, Indexer<KubeObject>>();
    this.#indexers.set(key, indexers.set(name, indexer as unknown as Indexer<KubeObject>));
    for (const [id, { informer }] of this.#kept) {
      if ((JSON.parse(id) as string[])[0] === key) informer.addIndexer(name, indexer as unknown as Indexer<KubeObject>);
    }
  }

  /** Runs every informer, also those asked for later, until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    this.#signal = signal;
    for (const kept of this.#kept.values()) kept.running ??= kept.informer.run(signal);
    await whenAborted(signal);
    await Promise.all([...this.#kept.values()].map(({ running }) => running ?? Promise.resolve()));
  }

  /** Resolves when every informer requested so far has synced; rejects when that takes too long. */
  whenSynced(signal?: AbortSignal): Promise<void> {
    return this.#untilSynced(
      [...this.#kept.values()].map(({ informer }) => informer),
      signal,
    );
  }

  async #untilSynced(informers: readonly { whenSynced(): Promise<void> }[], signal?: AbortSignal): Promise<void> {
    const { clock, syncTimeoutMs = 120_000 } = this.#options;
    const waiting = new AbortController();
    const synced = Promise.all(informers.map((informer) => informer.whenSynced()));
    const late = sleep(clock, syncTimeoutMs, waiting.signal);
    const stopped = signal === undefined ? [] : [whenAborted(signal)];
    const first = await Promise.race([synced.then(() => 'synced'), late, ...stopped]);
    waiting.abort();
    if (first === 'elapsed')
      throw new RuntimeError('cache-sync-timeout', `the cache did not sync within ${syncTimeoutMs / 1000} s`);
  }

  async get<T extends KubeObject = KubeObject>(ref: ResourceRef, name: string, options: GetOptions = {}): Promise<T> {
    const informer = this.#synced<T>(ref, options) ?? (await this.#read<T>(ref, options.metadataOnly));
    const namespace = options.namespace ?? '';
    const object = informer.store.get(namespace === '' || !ref.namespaced ? name : `${namespace}/${name}`);
    if (object === undefined) throw apiErrors.notFound({ group: ref.group, resource: ref.plural }, name);
    return object;
  }

  /** A field selector is read from the index of that name, and only from there. */
  async list<T extends KubeObject = KubeObject>(ref: ResourceRef, options: ListOptions = {}): Promise<ObjectList<T>> {
    const { store, resourceVersion } =
      this.#synced<T>(ref, options) ?? (await this.#read<T>(ref, options.metadataOnly));
    const namespace = ref.namespaced ? (options.namespace ?? '') : '';
    const matcher = matcherOf(options.labelSelector);
    const items: T[] = [];
    for (const object of candidates(store, namespace, options.fieldSelector)) {
      const isThere = namespace === '' || object.metadata.namespace === namespace;
      if (isThere && matcher.matches(object.metadata.labels ?? {})) items.push(object);
    }
    return { resourceVersion, items };
  }

  /** The informer that was read before, where there is no more to it than that. */
  #synced<T extends KubeObject>(ref: ResourceRef, { metadataOnly }: GetOptions | ListOptions): Informer<T> | undefined {
    return this.#askedFor(ref).read.get(metadataOnly) as unknown as Informer<T> | undefined;
  }

  async #read<T extends KubeObject>(ref: ResourceRef, metadataOnly: boolean | undefined): Promise<Informer<T>> {
    if (this.#signal === undefined)
      throw new RuntimeError(
        'cache-not-started',
        `the cache does not run yet, so it cannot be asked for ${ref.plural}`,
      );
    const informer = this.informer<T>(ref, { metadataOnly });
    if (!informer.hasSynced) await this.#untilSynced([informer], this.#signal);
    if (informer.hasSynced) this.#askedFor(ref).read.set(metadataOnly, informer as unknown as Informer<KubeObject>);
    return informer;
  }

  #create(resource: ResourceRef, selection: Selection, key: string): Informer<KubeObject> {
    const { client, clock, logger, random, resyncMs, sometimes, transform, watchList = true } = this.#options;
    return new Informer<KubeObject>({
      client,
      clock,
      logger,
      random: random.split(`informer ${key}`),
      resource,
      ...selection,
      transform,
      resyncMs,
      watchList,
      sometimes,
      indexers: Object.fromEntries(this.#indexers.get(resourceKey(resource)) ?? []),
    });
  }
}

function selectionKey({ fieldSelector, labelSelector, metadataOnly, namespace }: Selection): string {
  if (labelSelector === undefined && fieldSelector === undefined && metadataOnly === undefined)
    return namespace === undefined ? '' : `=${namespace}`;
  return JSON.stringify([namespace, labelSelector, fieldSelector, metadataOnly]);
}

/** Without what is undefined, which must not hide what is chosen for the resource. */
function defined(selection: Selection): Selection {
  return Object.fromEntries(Object.entries(selection).filter(([, value]) => value !== undefined));
}

function matcherOf(labelSelector = ''): LabelMatcher {
  if (labelSelector === '') return LabelMatcher.everything;
  const known = matchers.get(labelSelector);
  if (known !== undefined) return known;
  const matcher = parseLabelSelector(labelSelector);
  matchers.set(labelSelector, matcher);
  return matcher;
}

/** As few as the indexes allow; who reads them still has to look. */
function candidates<T extends KubeObject>(
  store: Informer<T>['store'],
  namespace: string,
  fieldSelector = '',
): Iterable<T> {
  if (fieldSelector !== '') return byFields(store, fieldSelector);
  return namespace === '' ? store.list() : store.byIndex(NAMESPACE_INDEX, namespace);
}

function byFields<T extends KubeObject>(store: Informer<T>['store'], selector: string): T[] {
  const sets = parseFieldSelector(selector).requirements.map(({ field, operator, value }) => {
    if (operator === '!=')
      throw new RuntimeError('no-index', `the cache finds equal fields only, not ${JSON.stringify(selector)}`);
    return store.byIndex(field, value);
  });
  const [first = [], ...others] = sets;
  return first.filter((object) => others.every((set) => set.includes(object)));
}

/** Leaves out who set which field: a good part of an object, and few programs ask. */
export function withoutManagedFields(object: KubeObject): KubeObject {
  if (object.metadata.managedFields === undefined) return object;
  // One change is shown to several caches of one process at about the same time.
  const at = Number(object.metadata.resourceVersion) & (RECENTLY_CUT - 1);
  const last = recentlyCut[at];
  if (last?.whole === object) return last.cut;
  const { managedFields: _, ...metadata } = object.metadata;
  const cut = Object.freeze(extended(object, { metadata: Object.freeze(metadata) })) as KubeObject;
  if (Object.isFrozen(object)) recentlyCut[at] = { whole: object, cut };
  return cut;
}

/** A power of two. */
const RECENTLY_CUT = 256;
const recentlyCut: ({ readonly whole: KubeObject; readonly cut: KubeObject } | undefined)[] = [];
