import type { Machine, MachineDeployment, MachineHealthCheck, MachineSet } from '@capstan/api/cluster-api';
import type { HostedCluster, HostedControlPlane, NodePool } from '@capstan/api/hypershift';
import {
  completedVersion,
  controlPlaneNamespace,
  CORE_CONFIG_LABEL,
  HOSTED_CONTROL_PLANES,
  MACHINE_DEPLOYMENTS,
  MACHINE_HEALTH_CHECKS,
  MACHINE_SETS,
  MACHINES,
  NODE_POOL_ANNOTATION,
  NODE_POOLS,
  PERFORMANCE_PROFILE_LABEL,
  TUNED_LABEL,
  TUNING_GENERATED_LABEL,
} from '@capstan/hosting';
import { objectKey, readYamlDocuments, uuid } from '@capstan/kube';
import type { Reader, ResourceKind } from '@capstan/kube';
import { controllerOf, ignoreNotFound, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { HostingPlatform } from '@capstan/provider';
import { DEFAULT_SKEW_WIDTH, ReleaseError } from '@capstan/release';
import { CONFIG_MAPS, SECRETS } from '../kinds.js';
import type { ConfigSource, Snapshot, Hosted, Existing, Pool, ReleaseOutcome } from './snapshot.js';
import type { NodePoolDependencies } from './dependencies.js';
import { PULL_SECRET_KEY, secretText } from './resources.js';
import type { ConfigMap, Secret } from './resources.js';

const IGNITION_CA = 'ignition-server-ca-cert';

/** An object by name; undefined when there is none. */
export async function find<T extends KubeObject>(
  reader: Reader,
  kind: ResourceKind,
  namespace: string,
  name: string,
): Promise<T | undefined> {
  return reader.get<T>(kind, name, { namespace }).catch(ignoreNotFound);
}

/** The objects of a namespace; none where the server does not know the kind. */
async function all<T extends KubeObject>(reader: Reader, kind: ResourceKind, namespace: string): Promise<readonly T[]> {
  try {
    return (await reader.list<T>(kind, { namespace })).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** What was made for a pool. */
export async function gatherExisting(
  reader: Reader,
  {
    key,
    namespace,
    name,
    platform,
  }: { key: string; namespace: string; name: string; platform?: HostingPlatform | undefined },
): Promise<Existing> {
  const isOurs = ({ metadata }: KubeObject): boolean => metadata.annotations?.[NODE_POOL_ANNOTATION] === key;
  const sets = await all<MachineSet>(reader, MACHINE_SETS, namespace);
  const isOfDeployment = (set: MachineSet): boolean => {
    const owner = controllerOf(set);
    return owner?.kind === MACHINE_DEPLOYMENTS.kind && owner.name === name;
  };
  const template = platform?.machineTemplate?.kind;
  const maps = await all<ConfigMap>(reader, CONFIG_MAPS, namespace);
  const isTuning = ({ metadata: { labels = {} } }: ConfigMap): boolean =>
    TUNED_LABEL in labels || PERFORMANCE_PROFILE_LABEL in labels;
  return {
    machineDeployment: await find<MachineDeployment>(reader, MACHINE_DEPLOYMENTS, namespace, name),
    // One of that name that a MachineDeployment made is none of a pool.
    machineSet: sets.find((set) => set.metadata.name === name && controllerOf(set) === undefined),
    machineSets: sets.filter((set) => isOurs(set) || isOfDeployment(set)),
    machines: (await all<Machine>(reader, MACHINES, namespace)).filter(isOurs),
    healthChecks: (await all<MachineHealthCheck>(reader, MACHINE_HEALTH_CHECKS, namespace)).filter(isOurs),
    templates: template === undefined ? [] : (await all(reader, template, namespace)).filter(isOurs),
    companions: (
      await Promise.all((platform?.companionKinds ?? []).map((kind) => all(reader, kind, namespace)))
    ).flat(),
    secrets: (await all<Secret>(reader, SECRETS, namespace)).filter(isOurs),
    configMaps: maps.filter((map) => isOurs(map) && isTuning(map)),
  };
}

/** What is in a ConfigMap. Objects of a cache are never changed, so each is read once. */
const documents = new WeakMap<ConfigMap, Map<string, Promise<ConfigSource['documents']>>>();

function documentsOf(map: ConfigMap, key: string): Promise<ConfigSource['documents']> {
  const byKey = documents.get(map) ?? new Map<string, Promise<ConfigSource['documents']>>();
  const known = byKey.get(key);
  if (known !== undefined) return known;
  const text = map.data?.[key];
  const read =
    text === undefined
      ? Promise.resolve({ problem: `has no key ${key}` })
      : readYamlDocuments(text, key).catch((error: unknown) => ({
          problem: error instanceof Error ? error.message : String(error),
        }));
  documents.set(map, byKey.set(key, read));
  return read;
}

async function sourceOf(name: string, map: ConfigMap | undefined, key: string): Promise<ConfigSource> {
  return { name, map, documents: map === undefined ? [] : await documentsOf(map, key) };
}

type References = readonly { readonly name?: string | undefined }[] | undefined;

function sourcesOf(reader: Reader, namespace: string, references: References, key: string): Promise<ConfigSource[]> {
  const named = (references ?? []).map(async ({ name = '' }) =>
    sourceOf(name, await find<ConfigMap>(reader, CONFIG_MAPS, namespace, name), key),
  );
  return Promise.all(named);
}

/** Configuration that the control plane and the node tuning operator made for nodes of a pool. */
async function sharedSources(reader: Reader, namespace: string, pool: Pool): Promise<ConfigSource[]> {
  const maps = await all<ConfigMap>(reader, CONFIG_MAPS, namespace);
  const chosen = maps.filter(({ metadata: { labels = {} } }) => {
    if (labels[CORE_CONFIG_LABEL] === 'true') return true;
    return labels[TUNING_GENERATED_LABEL] === 'true' && labels[NODE_POOL_ANNOTATION] === pool.metadata.name;
  });
  return Promise.all(chosen.map((map) => sourceOf(map.metadata.name ?? '', map, 'config')));
}

/** The pool that was there before and refers to the same settings. */
async function holderOf(reader: Reader, pool: Pool): Promise<NodePool | undefined> {
  const reference = pool.spec.platform.nodePoolRef;
  if (reference === undefined) return undefined;
  const age = ({ metadata }: NodePool): string => `${metadata.creationTimestamp} ${metadata.name}`;
  const others = await all<NodePool>(reader, NODE_POOLS, pool.metadata.namespace ?? '');
  return others
    .filter(({ metadata, spec }) => {
      const other = spec?.platform.nodePoolRef;
      const isSame = other?.name === reference.name && other.kind === reference.kind;
      return isSame && metadata.uid !== pool.metadata.uid;
    })
    .filter((other) => age(other) < age(pool))
    .toSorted((a, b) => (age(a) < age(b) ? -1 : 1))[0];
}

async function releaseOf(
  dependencies: NodePoolDependencies,
  { hosted, image }: { readonly hosted: Hosted; readonly image: string },
  pullSecret: string | undefined,
  signal: AbortSignal,
): Promise<ReleaseOutcome> {
  if (pullSecret !== undefined) return dependencies.releases.lookup(image, pullSecret, signal);
  const { namespace } = hosted.metadata;
  const what = `Secret ${namespace}/${hosted.spec.pullSecret.name}`;
  return { error: new ReleaseError('InvalidPullSecret', `${what} does not exist or has no key ${PULL_SECRET_KEY}`) };
}

/** Kinds of a platform that machines are made with. */
function platformKinds(platform: HostingPlatform | undefined): readonly ResourceKind[] {
  const template = platform?.machineTemplate?.kind;
  return template === undefined ? [] : [template, ...(platform?.companionKinds ?? [])];
}

async function ignitionCaOf(reader: Reader, namespace: string): Promise<string | undefined> {
  const ca = await find<Secret>(reader, SECRETS, namespace, IGNITION_CA);
  return secretText(ca, 'ca.crt') ?? secretText(ca, 'tls.crt');
}

/** Reads everything there is to know about a pool. */
export async function gather(
  dependencies: NodePoolDependencies,
  nodePool: Pool,
  hostedCluster: HostedCluster,
  signal: AbortSignal,
): Promise<Snapshot> {
  const { cache, clock, platforms, random } = dependencies;
  const hosted = hostedCluster as Hosted;
  const { name = '', namespace = '' } = nodePool.metadata;
  const { additionalTrustBundle, pullSecret, release } = hosted.spec;
  const place = controlPlaneNamespace(namespace, nodePool.spec.clusterName);
  const platform = platforms.find(nodePool.spec.platform.type);
  const key = objectKey(nodePool);
  const secret = secretText(await find<Secret>(cache, SECRETS, namespace, pullSecret.name ?? ''), PULL_SECRET_KEY);
  const bundle = additionalTrustBundle?.name ?? '';
  const missing = platformKinds(platform).filter((kind) => !dependencies.canRead(kind));
  const configs = await sourcesOf(cache, namespace, nodePool.spec.config, 'config');
  return {
    nowMs: clock.now(),
    nodePool,
    key,
    hostedCluster: hosted,
    controlPlane: await find<HostedControlPlane>(cache, HOSTED_CONTROL_PLANES, place, hosted.metadata.name ?? ''),
    controlPlaneNamespace: place,
    platform,
    missingKinds: missing.map(({ group, plural }) => `${plural}.${group}`),
    platformTypes: platforms.types,
    pullSecret: secret,
    release: await releaseOf(dependencies, { hosted, image: nodePool.spec.release.image }, secret, signal),
    clusterRelease:
      completedVersion(hosted) === undefined
        ? await releaseOf(dependencies, { hosted, image: release.image }, secret, signal)
        : undefined,
    skewWidth: dependencies.skewWidth ?? DEFAULT_SKEW_WIDTH,
    ignitionCa: await ignitionCaOf(cache, place),
    trustBundle: bundle === '' ? undefined : await find<ConfigMap>(cache, CONFIG_MAPS, namespace, bundle),
    configs: [...(await sharedSources(cache, place, nodePool)), ...configs],
    tuning: await sourcesOf(cache, namespace, nodePool.spec.tuningConfig, 'tuning'),
    holder: await holderOf(cache, nodePool),
    existing: await gatherExisting(cache, {
      key,
      namespace: place,
      name,
      platform: missing.length === 0 ? platform : undefined,
    }),
    drawToken: () => uuid(random),
  };
}
