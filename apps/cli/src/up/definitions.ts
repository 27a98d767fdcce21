import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as configKinds } from '@capstan/api/config';
import { kinds as hypershiftKinds } from '@capstan/api/hypershift';
import { kinds as machineKinds } from '@capstan/api/machine';
import { crd } from '@capstan/api/model';
import type { KubeObject } from '@capstan/meta';
import { mirrorAll } from '../crds/mirror.js';
import { infrastructureKinds, infrastructurePlatforms, storedAlone } from '../infrastructure-kinds.js';
import { CONVERSION, TRUST } from './conversion.js';
import type { FleetCluster } from './fleet.js';
import { MAPPING } from './groups.js';
import { PLATFORM } from './infrastructure.js';
import type { HostedFleetCluster } from './hosting/clusters.js';
import { SHIM } from './shim.js';

/** What CRDs depend on besides the platforms of a fleet. */
export interface DefinitionOptions {
  /** Private CRDs of an installation on private types. */
  readonly installed?: readonly KubeObject[] | undefined;
  /** Feature gates of Machine API. */
  readonly machineGates?: readonly string[] | undefined;
}

/**
 * The CustomResourceDefinitions that a fleet needs: the standard ones, and private CRDs for clusters on private types. Those
 * of an installation on private types are of every platform: a user may create a hosted cluster on any.
 */
export async function definitionsFor(
  clusters: readonly FleetCluster[],
  hosted: readonly HostedFleetCluster[],
  { installed = [], machineGates = [] }: DefinitionOptions = {},
): Promise<KubeObject[]> {
  const fleet = clusters.map(({ platform }) => platform);
  const all = [
    ...coreDefinitions(),
    ...(await infrastructureDefinitions(platformsOf(hosted))),
    ...machineKinds.map((kind) => crd(kind, { gates: machineGates })),
    ...configKinds.map((kind) => crd(kind)),
    ...hypershiftKinds.map((kind) => crd(storedAlone(kind), { gates: ['TechPreviewNoUpgrade'] })),
    ...(installed.length > 0 || fleet.length === 0 ? [] : await privateDefinitions(fleet)),
  ];
  const names = new Set(all.map(({ metadata }) => metadata.name));
  return [...all, ...installed.filter(({ metadata }) => !names.has(metadata.name))];
}

function coreDefinitions(): KubeObject[] {
  return clusterApiKinds.map((kind) => {
    const definition = crd(kind, { conversion: CONVERSION });
    const { annotations, ...metadata } = definition.metadata;
    return { ...definition, metadata: { ...metadata, annotations: { ...annotations, ...TRUST } } };
  });
}

/** Private CRDs of the core and of platforms. */
async function privateDefinitions(platforms: readonly string[]): Promise<readonly KubeObject[]> {
  const infrastructure = await infrastructureKinds(platforms);
  // Programs of platforms may bring kinds besides: those are nobody's but the platform's.
  const ofClusterApi = infrastructure.filter(({ group }) => MAPPING.swap(group) !== group);
  const sources = [...coreDefinitions(), ...ofClusterApi.map((kind): KubeObject => crd(kind))];
  const named = sources.map((object) => ({ object, where: `${object.metadata.name}` }));
  return mirrorAll(named, { mapping: MAPPING, shim: SHIM }).definitions;
}

/** CRDs of platforms that a fleet does not use: a user who creates a cluster in addition may choose any platform. */
export function otherDefinitions(hosted: readonly HostedFleetCluster[]): Promise<KubeObject[]> {
  const known = new Set(platformsOf(hosted));
  return infrastructureDefinitions(infrastructurePlatforms.filter((platform) => !known.has(platform)));
}

/** Those of the hosted clusters, and the management cluster's own. */
function platformsOf(hosted: readonly HostedFleetCluster[]): readonly string[] {
  return [PLATFORM, ...hosted.map(({ platform }) => platform.key)];
}

async function infrastructureDefinitions(platforms: readonly string[]): Promise<KubeObject[]> {
  return (await infrastructureKinds(platforms)).map((kind) => crd(kind));
}
