import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { ClusterOperator, FeatureGate, Infrastructure } from '@capstan/api/config';
import type { ClusterAPI } from '@capstan/api/operator';
import type { Cache } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { CapiOperatorSettings } from '../config.js';
import type { Snapshot } from './snapshot.js';
import { modeOf } from './gates.js';
import type { Mode } from './gates.js';
import type { ConfigMap } from '../transport/read.js';
import { readReleases } from '../transport/releases.js';
import type { Releases } from '../transport/releases.js';
import {
  CLUSTER_APIS,
  CLUSTER_OPERATOR,
  CLUSTER_OPERATORS,
  CONFIG_MAPS,
  DEFINITIONS,
  FEATURE_GATES,
  INFRASTRUCTURES,
  MANAGED_BY_LABEL,
  REQUIREMENTS,
  ROLE_LABEL,
  SINGLETON,
} from '../vocabulary.js';

/** Reads from memory; transport ConfigMaps are unpacked and parsed again only when one of them changed. */
export class Gatherer {
  readonly #cache: Cache;
  readonly #settings: CapiOperatorSettings;
  #read: { readonly of: string; readonly releases: Releases } | undefined;

  constructor(cache: Cache, settings: CapiOperatorSettings) {
    this.#cache = cache;
    this.#settings = settings;
  }

  gather(written: Snapshot['written']): Snapshot {
    const requirements = this.#all<CompatibilityRequirement>(REQUIREMENTS);
    const isOurs = ({ metadata }: KubeObject): boolean =>
      metadata.labels?.[ROLE_LABEL] !== undefined && metadata.labels[MANAGED_BY_LABEL] !== undefined;
    return {
      mode: this.#mode(),
      clusterApi: this.#one<ClusterAPI>(CLUSTER_APIS, SINGLETON),
      releases: this.#releases(),
      installed: this.#installed(),
      written,
      requirements: new Map(requirements.filter(isOurs).map((each) => [each.metadata.name ?? '', each])),
      foreignRequirements: new Set(
        requirements.filter((each) => !isOurs(each)).map(({ metadata }) => metadata.name ?? ''),
      ),
      clusterOperator: this.#one<ClusterOperator>(CLUSTER_OPERATORS, CLUSTER_OPERATOR),
    };
  }

  #mode(): Mode {
    const { gates, platform, release } = this.#settings;
    const of = platform ?? this.#one<Infrastructure>(INFRASTRUCTURES, SINGLETON)?.status?.platformStatus?.type;
    return modeOf(of, gates ?? enabledIn(this.#one<FeatureGate>(FEATURE_GATES, SINGLETON), release));
  }

  #releases(): Releases {
    const maps = this.#all<ConfigMap>(CONFIG_MAPS);
    const of = maps
      .map(({ metadata: { resourceVersion, uid } }) => `${uid ?? ''}/${resourceVersion ?? ''}`)
      .sort()
      .join();
    if (this.#read?.of !== of) this.#read = { of, releases: readReleases(maps) };
    return this.#read.releases;
  }

  /** Everybody's by their metadata, ours whole. */
  #installed(): ReadonlyMap<string, KubeObject> {
    const everybody = this.#cache.informer(DEFINITIONS, { metadataOnly: true }).store.list();
    const ours = this.#cache.informer(DEFINITIONS, { labelSelector: MANAGED_BY_LABEL }).store.list();
    return new Map([...everybody, ...ours].map((each) => [each.metadata.name ?? '', each]));
  }

  #all<T extends KubeObject>(kind: typeof CLUSTER_APIS): T[] {
    return [...this.#cache.informer<T>(kind).store.list()];
  }

  #one<T extends KubeObject>(kind: typeof CLUSTER_APIS, name: string): T | undefined {
    return this.#cache.informer<T>(kind).store.get(name);
  }
}

/** The gates of a release; of the only one there is where the release is not known. */
export function enabledIn(gates: FeatureGate | undefined, release: string): ReadonlySet<string> {
  const all = gates?.status?.featureGates ?? [];
  const chosen = all.find(({ version }) => version === release) ?? (all.length === 1 ? all[0] : undefined);
  return new Set((chosen?.enabled ?? []).map(({ name }) => name));
}
