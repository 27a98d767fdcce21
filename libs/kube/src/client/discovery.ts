import { formatApiVersion, isNotFound, pushAll } from '@capstan/meta';
import type { Clock } from '@capstan/meta';
import { systemClock } from '../runtime/clock.js';
import { errorText } from '../runtime/logger.js';
import type { Client } from './client.js';
import { aggregatedGroups, isAggregated, legacyGroupVersions, legacyResources } from './discovery-documents.js';
import type { ApiResource, DiscoveryFailure } from './discovery-documents.js';

/** Everything a server serves: groups and versions in the server's order of preference. */
export interface DiscoverySnapshot {
  readonly resources: readonly ApiResource[];
  /** One version of each resource: its group's most preferred that has it. */
  readonly preferred: readonly ApiResource[];
  readonly failures: readonly DiscoveryFailure[];
}

/** Which resource serves a kind. */
export interface KindQuery {
  readonly group: string;
  readonly kind: string;
  /** Used when served; any served version will do otherwise. */
  readonly version?: string | undefined;
}

export interface DiscoveryOptions {
  readonly clock?: Clock | undefined;
  /** How long a kind that was not found is believed missing. Default 10 s. */
  readonly missIntervalMs?: number | undefined;
}

const ACCEPT = ['v2', 'v2beta1']
  .map((v) => `application/json;g=apidiscovery.k8s.io;v=${v};as=APIGroupDiscoveryList`)
  .join(',');

interface Document {
  readonly target: string;
  readonly etag: string | undefined;
  readonly value: unknown;
}

/** Knows what the server serves; asks again on request, or when a kind is missing. */
export class Discovery {
  readonly #client: Client;
  readonly #clock: Clock;
  readonly #missIntervalMs: number;
  readonly #documents = new Map<string, Document>();
  #snapshot: DiscoverySnapshot | undefined;
  #byKind = new Map<string, ApiResource[]>();
  #refreshing: Promise<DiscoverySnapshot> | undefined;
  #refreshedAt = Number.NEGATIVE_INFINITY;

  constructor(client: Client, options: DiscoveryOptions = {}) {
    this.#client = client;
    this.#clock = options.clock ?? systemClock();
    this.#missIntervalMs = options.missIntervalMs ?? 10_000;
  }

  /** Asks the server; concurrent callers share one answer. An unchanged server gives the very same snapshot. */
  refresh(signal?: AbortSignal): Promise<DiscoverySnapshot> {
    this.#refreshing ??= this.#load(signal).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** What is known, asking only when nothing is. */
  async snapshot(signal?: AbortSignal): Promise<DiscoverySnapshot> {
    return this.#snapshot ?? this.refresh(signal);
  }

  /** The resource that serves a kind, or undefined; a miss asks the server again, though not in a tight loop. */
  async resourceFor(query: KindQuery, signal?: AbortSignal): Promise<ApiResource | undefined> {
    await this.snapshot(signal);
    const known = this.#lookUp(query);
    if (known !== undefined) return known;
    if (this.#clock.monotonic() - this.#refreshedAt < this.#missIntervalMs) return undefined;
    await this.refresh(signal);
    return this.#lookUp(query);
  }

  #lookUp({ group, kind, version }: KindQuery): ApiResource | undefined {
    const served = this.#byKind.get(kindKey(group, kind));
    return served?.find((resource) => resource.version === version) ?? served?.[0];
  }

  async #load(signal: AbortSignal | undefined): Promise<DiscoverySnapshot> {
    const [core, groups] = await Promise.all([this.#fetch('/api', signal), this.#fetch('/apis', signal)]);
    this.#refreshedAt = this.#clock.monotonic();
    const known = [core, groups].every((document) => document === this.#documents.get(document.target));
    const changed = !known || !isAggregated(groups.value);
    if (!changed && this.#snapshot !== undefined) return this.#snapshot;
    const resources: ApiResource[] = [];
    const failures: DiscoveryFailure[] = [];
    for (const { value } of [core, groups]) {
      if (isAggregated(value)) {
        const found = aggregatedGroups(value);
        pushAll(resources, found.resources);
        pushAll(failures, found.failures);
      } else await this.#loadLegacy(value, resources, failures, signal);
    }
    // Not before both are read: a document that is known would count as unchanged, and never reach a snapshot.
    for (const document of [core, groups]) this.#documents.set(document.target, document);
    this.#snapshot = { resources, preferred: preferredOf(resources), failures };
    this.#byKind = indexByKind(this.#snapshot);
    return this.#snapshot;
  }

  /** Servers without aggregated discovery: one more request for each group-version. */
  async #loadLegacy(
    value: unknown,
    resources: ApiResource[],
    failures: DiscoveryFailure[],
    signal: AbortSignal | undefined,
  ): Promise<void> {
    const results = await Promise.all(
      legacyGroupVersions(value).map(async ({ group, version }) => {
        const target = `${group === '' ? '/api' : '/apis'}/${formatApiVersion({ group, version })}`;
        try {
          const response = await this.#client.request({ method: 'GET', target, signal });
          const body = response.body.type === 'payload' ? response.body.value() : undefined;
          return { resources: legacyResources(body, group, version), failure: undefined };
        } catch (error) {
          return { resources: [], failure: { group, version, message: errorText(error) } };
        }
      }),
    );
    for (const result of results) {
      pushAll(resources, result.resources);
      if (result.failure !== undefined) failures.push(result.failure);
    }
  }

  /** The very document that is known when the server has no other. */
  async #fetch(target: string, signal: AbortSignal | undefined): Promise<Document> {
    const known = this.#documents.get(target);
    const headers = known?.etag === undefined ? {} : { 'if-none-match': known.etag };
    try {
      const response = await this.#client.request({
        method: 'GET',
        target,
        accept: `${ACCEPT},application/json`,
        headers,
        signal,
      });
      if (response.status === 304 && known !== undefined) return known;
      const value = response.body.type === 'payload' ? response.body.value() : undefined;
      const etag = response.headers['etag'];
      return { target, etag: typeof etag === 'string' ? etag : undefined, value };
    } catch (error) {
      // Some aggregated servers have no core group, or nothing but it.
      if (!isNotFound(error)) throw error;
      const absent: Document = { target, etag: undefined, value: undefined };
      return known?.value === undefined ? (known ?? absent) : absent;
    }
  }
}

function preferredOf(resources: readonly ApiResource[]): ApiResource[] {
  const seen = new Set<string>();
  return resources.filter(({ group, plural }) => {
    const key = `${group}/${plural}`;
    return seen.has(key) ? false : seen.add(key) !== undefined;
  });
}

function indexByKind({ preferred, resources }: DiscoverySnapshot): Map<string, ApiResource[]> {
  const index = new Map<string, ApiResource[]>();
  // Preferred ones first: they answer when the version asked for is not served.
  for (const resource of new Set([...preferred, ...resources])) {
    const key = kindKey(resource.group, resource.kind);
    const list = index.get(key);
    if (list === undefined) index.set(key, [resource]);
    else list.push(resource);
  }
  return index;
}

function kindKey(group: string, kind: string): string {
  return `${group}/${kind}`;
}
