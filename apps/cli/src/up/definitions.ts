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

/** The CustomResourceDefinitions that a fleet needs: the platform's, and private CRDs for hosted clusters. */
export async function definitionsFor(
  clusters: readonly FleetCluster[],
  hosted: readonly HostedFleetCluster[],
): Promise<KubeObject[]> {
  const core = clusterApiKinds.map((kind) => {
    const definition = crd(kind, { conversion: CONVERSION });
    const { annotations, ...metadata } = definition.metadata;
    return { ...definition, metadata: { ...metadata, annotations: { ...annotations, ...TRUST } } };
  });
  const infrastructure = await infrastructureKinds(clusters.map(({ platform }) => platform));
  // Programs of platforms may bring kinds besides: those are nobody's but the platform's.
  const ofClusterApi = infrastructure.filter(({ group }) => MAPPING.swap(group) !== group);
  const mirrored: KubeObject[] = [...core, ...ofClusterApi.map((kind) => crd(kind))];
  const sources = mirrored.map((object) => ({ object, where: `${object.metadata.name}` }));
  const privateCrds = mirrorAll(clusters.length === 0 ? [] : sources, { mapping: MAPPING, shim: SHIM });
  return [
    ...core,
    ...(await infrastructureDefinitions(platformsOf(hosted))),
    ...[...machineKinds, ...configKinds].map((kind) => crd(kind)),
    ...hypershiftKinds.map((kind) => crd(storedAlone(kind), { gates: ['TechPreviewNoUpgrade'] })),
    ...privateCrds.definitions,
  ];
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
