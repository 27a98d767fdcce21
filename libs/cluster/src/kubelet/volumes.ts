import type { Clock } from '@capstan/meta';
import type { Client } from '@capstan/kube';
import { specOf } from '../workload/pod-spec.js';
import type { KeyToPath, Volume, VolumeSource } from '../workload/pod-spec.js';
import type { Pod } from '../workload/resources.js';
import { fieldText, resourceText } from './downward.js';
import type { PodPlace } from './downward.js';
import { MemoryFiles } from './files.js';
import type { VolumeFiles } from './files.js';
import { feedBytes, feedKeys } from './objects.js';
import type { FeedKind, PodFeeds } from './objects.js';
import { PodToken } from './token.js';

/** The volumes of claims, which outlive pods; by `namespace/claim`. */
export type ClaimVolumes = Map<string, VolumeFiles>;

export interface PodVolumesOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly feeds: PodFeeds;
  readonly claims: ClaimVolumes;
  /** The pod as it is now: labels and annotations change. */
  readonly pod: () => Pod;
  readonly place: PodPlace;
}

type Reader = () => Promise<Uint8Array | undefined>;
const DEFAULT_TOKEN_SECONDS = 3600;

/** A ConfigMap or Secret a pod cannot do without. */
interface NeededFeed {
  readonly volume: string;
  readonly kind: FeedKind;
  readonly name: string;
  readonly optional: boolean;
  readonly keys: readonly string[];
}

/** Why a volume cannot be mounted. */
export interface MountFailure {
  readonly volume: string;
  readonly message: string;
}

/** The volumes of one pod. */
export class PodVolumes {
  readonly #options: PodVolumesOptions;
  readonly #volumes = new Map<string, VolumeFiles>();

  constructor(options: PodVolumesOptions) {
    this.#options = options;
    for (const volume of specOf(options.pod()).volumes ?? []) this.#volumes.set(volume.name, this.#files(volume));
  }

  /** Loads what is mounted; gives the first thing that is missing. */
  async load(): Promise<MountFailure | undefined> {
    for (const { keys, kind, name, optional, volume } of neededFeeds(specOf(this.#options.pod()).volumes ?? [])) {
      const feed = await this.#options.feeds.load(kind, name);
      if (optional) continue;
      if (feed === undefined) return { volume, message: `${kind} "${name}" not found` };
      const missing = keys.find((key) => feedBytes(kind, feed, key) === undefined);
      if (missing !== undefined)
        return {
          volume,
          message: `references non-existent ${kind === 'secret' ? 'secret' : 'config'} key: ${missing}`,
        };
    }
    return undefined;
  }

  volume(name: string): VolumeFiles {
    return this.#volumes.get(name) ?? new MemoryFiles();
  }

  #files(volume: Volume): VolumeFiles {
    const sources = volume.projected?.sources ?? [volume];
    if (volume.projected !== undefined || volume.configMap !== undefined || volume.secret !== undefined)
      return this.#virtual(sources);
    if (volume.downwardAPI !== undefined) return this.#virtual([volume]);
    const claim = volume['persistentVolumeClaim'] as { claimName?: string } | undefined;
    if (claim?.claimName === undefined) return new MemoryFiles();
    const key = `${this.#options.pod().metadata.namespace ?? ''}/${claim.claimName}`;
    const files = this.#options.claims.get(key) ?? new MemoryFiles();
    this.#options.claims.set(key, files);
    return files;
  }

  /** Files that are what objects say when they are read. */
  #virtual(sources: readonly VolumeSource[]): VolumeFiles {
    const tokens = new Map<VolumeSource, Reader>();
    for (const source of sources) {
      if (source.serviceAccountToken === undefined) continue;
      const token = this.#token(source.serviceAccountToken);
      tokens.set(source, () => token.read());
    }
    const readers = (): Map<string, Reader> => {
      const found = new Map<string, Reader>();
      for (const source of sources) {
        this.#addFeed(found, 'configmap', source.configMap?.name, source.configMap?.items);
        this.#addFeed(found, 'secret', source.secret?.secretName ?? source.secret?.name, source.secret?.items);
        this.#addDownward(found, source);
        const token = tokens.get(source);
        if (token !== undefined) found.set(source.serviceAccountToken?.path ?? '', token);
      }
      return found;
    };
    return { paths: () => [...readers().keys()], read: async (path) => readers().get(path)?.() };
  }

  #addFeed(to: Map<string, Reader>, kind: FeedKind, name: string | undefined, items?: readonly KeyToPath[]): void {
    const feed = name === undefined ? undefined : this.#options.feeds.get(kind, name);
    if (feed === undefined) return;
    for (const { key, path } of items ?? feedKeys(feed).map((each) => ({ key: each, path: each }))) {
      const bytes = feedBytes(kind, feed, key);
      if (bytes !== undefined) to.set(path, () => Promise.resolve(bytes));
    }
  }

  #addDownward(to: Map<string, Reader>, { downwardAPI }: VolumeSource): void {
    const { place, pod } = this.#options;
    for (const { fieldRef, path, resourceFieldRef } of downwardAPI?.items ?? []) {
      const text = (): string => {
        if (fieldRef !== undefined) return fieldText(pod(), fieldRef.fieldPath, place) ?? '';
        return resourceFieldRef === undefined ? '' : resourceText(pod(), resourceFieldRef, '', place);
      };
      to.set(path, () => Promise.resolve(Buffer.from(text())));
    }
  }

  #token({
    audience,
    expirationSeconds = DEFAULT_TOKEN_SECONDS,
  }: {
    audience?: string;
    expirationSeconds?: number;
  }): PodToken {
    const { client, clock, pod } = this.#options;
    const { metadata } = pod();
    const { serviceAccountName = 'default' } = specOf(pod());
    return new PodToken({
      client,
      clock,
      namespace: metadata.namespace ?? '',
      serviceAccount: serviceAccountName,
      pod: { name: metadata.name ?? '', uid: metadata.uid ?? '' },
      audience,
      expirationSeconds,
    });
  }
}

function neededFeeds(volumes: readonly Volume[]): NeededFeed[] {
  const needed: NeededFeed[] = [];
  for (const volume of volumes)
    for (const { configMap, secret } of volume.projected?.sources ?? [volume]) {
      const add = (kind: FeedKind, name: string, { items = [], optional = false }: FeedOptions): unknown =>
        needed.push({ volume: volume.name, kind, name, optional, keys: items.map(({ key }) => key) });
      if (configMap?.name !== undefined) add('configmap', configMap.name, configMap);
      const secretName = secret?.secretName ?? secret?.name;
      if (secret !== undefined && secretName !== undefined) add('secret', secretName, secret);
    }
  return needed;
}

interface FeedOptions {
  readonly items?: readonly KeyToPath[];
  readonly optional?: boolean;
}
