import type { ResourceDefinition } from '@capstan/api/kubernetes';
import { compareVersionPriority } from '@capstan/meta';
import { supportedMediaTypes } from '../negotiation/negotiate.js';
import type { MediaType } from '../negotiation/accept.js';
import {
  aggregatedDocument,
  apiGroupDocument,
  apiGroupListDocument,
  apiResourceListDocument,
  apiVersionsDocument,
  storageVersionHash,
  type AggregatedVersion,
  type Freshness,
  type ServedGroup,
  type ServedVersion,
} from './documents.js';
import { cachedDocument, statusDocument, type CachedDocument } from './cached-document.js';
import { negotiateDiscoveryDocument, type DiscoveryShape } from './negotiate-discovery.js';
import { AGGREGATOR_GROUP, groupPriority, isBuiltinGroup, versionPriority } from './priorities.js';
import { registeredGroups, type RegisteredGroup, type Registration } from './registrations.js';

/** What only the surrounding server knows. */
export interface DiscoveryOptions {
  /** `host:port` that `/api` names to clients. */
  readonly serverAddress?: string;
  /** Defaults to `Current`. */
  readonly freshness?: (group: string, version: string) => Freshness;
  /** The `[group, version]` a resource is stored in, where it differs from its own; `undefined` for what is not stored. */
  readonly storageVersion?: (resource: ResourceDefinition) => readonly [group: string, version: string] | undefined;
}

/** A finished answer: `value` for callers in process, `bytes` (JSON, encoded once) for the wire. */
export interface DiscoveryResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The content type; for YAML the caller encodes `value` itself. */
  readonly mediaType: MediaType;
  readonly pretty: boolean;
  /** Absent for 304. */
  readonly value: unknown;
  bytes(): Uint8Array;
}

/** Stored elsewhere than where they are served from: one storage, several views. */
const builtinStorage: Readonly<Record<string, readonly [string, string]>> = {
  'autoscaling/v1/HorizontalPodAutoscaler': ['autoscaling', 'v2'],
  'apiextensions.k8s.io/v1/CustomResourceDefinition': ['apiextensions.k8s.io', 'v1beta1'],
  'events.k8s.io/v1/Event': ['', 'v1'],
};

/** Where built-in resources are stored. */
export function defaultStorage(resource: ResourceDefinition): readonly [string, string] | undefined {
  // What cannot be watched (reviews, bindings, component statuses) is computed, not stored.
  if (!resource.verbs.includes('watch')) return undefined;
  return builtinStorage[`${resource.group}/${resource.version}/${resource.kind}`] ?? [resource.group, resource.version];
}

const notAcceptable = statusDocument(
  406,
  'NotAcceptable',
  `only the following media types are accepted: ${supportedMediaTypes.join(', ')}`,
);
const noSuchVersion = statusDocument(404, 'NotFound', 'the server could not find the requested resource', {});
/** `/api[/version]` or `/apis[/group[/version]]`, a slash at the end being let pass. */
const pathPattern = /^\/(?:api(?:\/([^/?]+))?|apis(?:\/([^/?]+)(?:\/([^/?]+))?)?)\/?(?:\?|$)/;
const noBytes = new Uint8Array(0);

function byName(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function servedGroups(
  resources: readonly ResourceDefinition[],
  freshness: (group: string, version: string) => Freshness,
): ServedGroup[] {
  const groups = new Map<string, Map<string, ResourceDefinition[]>>();
  for (const resource of resources) {
    let versions = groups.get(resource.group);
    if (versions === undefined) groups.set(resource.group, (versions = new Map()));
    const list = versions.get(resource.version);
    if (list === undefined) versions.set(resource.version, [resource]);
    else list.push(resource);
  }
  const served = [...groups].map(([group, versions]) => ({
    group,
    versions: [...versions]
      .map(([version, list]): ServedVersion => ({
        version,
        freshness: freshness(group, version),
        resources: list.sort((a, b) => byName(a.plural, b.plural)),
      }))
      .sort(
        (a, b) =>
          versionPriority(group, b.version) - versionPriority(group, a.version) ||
          compareVersionPriority(a.version, b.version),
      ),
  }));
  return served.sort((a, b) => groupPriority(b.group) - groupPriority(a.group) || byName(a.group, b.group));
}

/** All discovery documents, computed when first requested and kept until the resources change. */
export class DiscoveryIndex {
  readonly #options: DiscoveryOptions;
  #resources: readonly ResourceDefinition[];
  #groups: readonly ServedGroup[] | undefined;
  #registered: readonly RegisteredGroup[] | undefined;
  #byPath: Map<string, ResourceDefinition> | undefined;
  readonly #documents = new Map<string, CachedDocument>();

  constructor(resources: readonly ResourceDefinition[], options: DiscoveryOptions = {}) {
    this.#resources = resources;
    this.#options = options;
  }

  /** Replaces what is served; the next answer already shows it. */
  setResources(resources: readonly ResourceDefinition[]): void {
    this.#resources = resources;
    this.#groups = undefined;
    this.#byPath = undefined;
    this.#documents.clear();
  }

  /**
   * Lists the groups and versions of these APIServices, in the order of their priorities. As in the real server, that is
   * what `/apis` and `/apis/<group>` are made from; aggregated discovery keeps to the priorities of what is served.
   */
  setRegistrations(registrations: readonly Registration[]): void {
    this.#registered = registeredGroups(registrations);
    this.#documents.clear();
  }

  /** What is served now. */
  get resources(): readonly ResourceDefinition[] {
    return this.#resources;
  }

  /** The groups in order of priority, the core group among them, each with its preferred version first. */
  groups(): readonly ServedGroup[] {
    return (this.#groups ??= servedGroups(this.#resources, this.#options.freshness ?? (() => 'Current')));
  }

  /** One group. */
  group(group: string): ServedGroup | undefined {
    return this.groups().find((served) => served.group === group);
  }

  /** The resource served under a group, version and plural name. */
  resource(group: string, version: string, plural: string): ResourceDefinition | undefined {
    this.#byPath ??= new Map(
      this.#resources.map((entry) => [`${entry.group}/${entry.version}/${entry.plural}`, entry]),
    );
    return this.#byPath.get(`${group}/${version}/${plural}`);
  }

  /** The body of `/api`. */
  apiVersions(): object {
    return this.#rootDocument('api', 'legacy').value;
  }

  /** The body of `/apis`. */
  apiGroupList(): object {
    return this.#rootDocument('apis', 'legacy').value;
  }

  /** The body of `/apis/<group>`. */
  apiGroup(group: string): object | undefined {
    return this.#groupDocument(group)?.value;
  }

  /** The body of `/api/v1` (empty group) or `/apis/<group>/<version>`. */
  apiResourceList(group: string, version: string): object | undefined {
    return this.#versionDocument(group, version)?.value;
  }

  /** The aggregated body of `/api` or `/apis`. */
  aggregated(root: 'api' | 'apis', version: AggregatedVersion): object {
    return this.#rootDocument(root, version).value;
  }

  /**
   * Answers a GET of a discovery path (a query is ignored), or gives `undefined` where the path is not discovery's or
   * that group is not served, for which the real server answers with a plain `404 page not found`.
   */
  respond(path: string, headers: Readonly<Record<string, string | undefined>>): DiscoveryResponse | undefined {
    const match = pathPattern.exec(path);
    if (match === null) return undefined;
    const [, coreVersion, group = '', version = coreVersion] = match;
    if (group === '' && version === undefined)
      return this.#respondRoot(path.startsWith('/apis') ? 'apis' : 'api', headers);
    if (this.#listedGroup(group) === undefined) return undefined;
    const document = version === undefined ? this.#groupDocument(group) : this.#versionDocument(group, version);
    if (document === undefined && !isBuiltinGroup(group)) return undefined;
    return this.#respondPlain(document, headers);
  }

  #respondRoot(root: 'api' | 'apis', headers: Readonly<Record<string, string | undefined>>): DiscoveryResponse {
    const negotiated = negotiateDiscoveryDocument(headers['accept'], true);
    if (negotiated === undefined || negotiated.shape === 'legacy')
      return this.#respondPlain(this.#rootDocument(root, 'legacy'), headers);
    const { shape, accepted } = negotiated;
    const document = this.#rootDocument(root, shape);
    // The tag is of the v2 form in any version and encoding: `Vary: Accept` keeps caches from mixing them up.
    const etag = this.#rootDocument(root, 'v2').etag();
    const common = { etag, vary: 'Accept', 'cache-control': 'public' };
    const { mediaType, pretty } = accepted;
    if (headers['if-none-match'] === etag)
      return { status: 304, headers: common, mediaType, pretty, value: undefined, bytes: () => noBytes };
    const contentType = `${mediaType};g=apidiscovery.k8s.io;v=${shape};as=APIGroupDiscoveryList`;
    return {
      status: 200,
      headers: { ...common, 'content-type': contentType },
      mediaType,
      pretty,
      value: document.value,
      bytes: document.bytes,
    };
  }

  #respondPlain(
    document: CachedDocument | undefined,
    headers: Readonly<Record<string, string | undefined>>,
  ): DiscoveryResponse {
    const negotiated = negotiateDiscoveryDocument(headers['accept'], false);
    const mediaType = negotiated?.accepted.mediaType ?? 'application/json';
    const [status, body] =
      negotiated === undefined ? [406, notAcceptable] : document === undefined ? [404, noSuchVersion] : [200, document];
    return {
      status,
      headers: { 'content-type': mediaType },
      mediaType,
      pretty: negotiated?.accepted.pretty ?? false,
      value: body.value,
      bytes: body.bytes,
    };
  }

  #remember(key: string, build: () => object): CachedDocument {
    let document = this.#documents.get(key);
    if (document === undefined) this.#documents.set(key, (document = cachedDocument(build())));
    return document;
  }

  #rootDocument(root: 'api' | 'apis', shape: DiscoveryShape): CachedDocument {
    return this.#remember(`${root}?${shape}`, () => {
      const served = this.groups().filter(({ group }) => (group === '') === (root === 'api'));
      if (shape !== 'legacy') return aggregatedDocument(served, shape);
      return root === 'api'
        ? apiVersionsDocument(served[0], this.#options.serverAddress ?? '127.0.0.1:443')
        : apiGroupListDocument(this.#listedGroups());
    });
  }

  /** The groups of `/apis`: kube-aggregator's own, which no APIService registers, then the registered ones. */
  #listedGroups(): readonly RegisteredGroup[] {
    const own = this.group(AGGREGATOR_GROUP);
    const listed = this.#registered ?? this.groups().filter((served) => served !== own);
    return [...(own === undefined ? [] : [own]), ...listed.filter(({ group }) => group !== '')];
  }

  /** A group as its own document lists it: by its APIServices, and without any as it is served. */
  #listedGroup(group: string): RegisteredGroup | undefined {
    return this.#registered?.find((registered) => registered.group === group) ?? this.group(group);
  }

  #groupDocument(group: string): CachedDocument | undefined {
    const served = this.#listedGroup(group);
    return served === undefined ? undefined : this.#remember(`group/${group}`, () => apiGroupDocument(served));
  }

  #versionDocument(group: string, version: string): CachedDocument | undefined {
    const served = this.group(group)?.versions.find((entry) => entry.version === version);
    if (served === undefined) return undefined;
    const storage = this.#options.storageVersion ?? defaultStorage;
    return this.#remember(`version/${group}/${version}`, () =>
      apiResourceListDocument(group, served, (resource) => {
        const stored = storage(resource);
        return stored === undefined ? undefined : storageVersionHash(stored[0], stored[1], resource.kind);
      }),
    );
  }
}
