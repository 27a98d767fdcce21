import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as configKinds } from '@capstan/api/config';
import { kinds as hypershiftKinds } from '@capstan/api/hypershift';
import { kinds as machineKinds } from '@capstan/api/machine';
import { crd, versionOf } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import type { KubeObject } from '@capstan/meta';
import { mirrorAll } from '../crds/mirror.js';
import { CONVERSION, TRUST } from './conversion.js';
import type { FleetCluster } from './fleet.js';
import { MAPPING } from './groups.js';
import { PLATFORM } from './infrastructure.js';
import type { HostedFleetCluster } from './hosting/clusters.js';
import { SHIM } from './shim.js';

/** Loaded for the platforms of the fleet alone: each is large. */
const INFRASTRUCTURE: Readonly<Record<string, () => Promise<{ readonly kinds: readonly Kind[] }>>> = {
  agent: () => import('@capstan/api/infrastructure/agent'),
  aws: () => import('@capstan/api/infrastructure/aws'),
  azure: () => import('@capstan/api/infrastructure/azure'),
  gcp: () => import('@capstan/api/infrastructure/gcp'),
  kubevirt: () => import('@capstan/api/infrastructure/kubevirt'),
  openstack: () => import('@capstan/api/infrastructure/openstack'),
  powervs: () => import('@capstan/api/infrastructure/powervs'),
};
/** Of a provider's kinds those that the contract of Cluster API speaks of. */
const CONTRACT = /^(Agent|AWS|Azure|GCP|Kubevirt|OpenStack|IBMPowerVS)(Cluster|Machine|MachineTemplate)$/;

/** The CustomResourceDefinitions that a fleet needs: the platform's, and private twins for hosted clusters. */
export async function definitionsFor(
  clusters: readonly FleetCluster[],
  hosted: readonly HostedFleetCluster[],
): Promise<KubeObject[]> {
  const infrastructure = (platforms: readonly string[]): Promise<KubeObject[]> =>
    Promise.all(platforms.flatMap((platform) => INFRASTRUCTURE[platform]?.() ?? [])).then((loaded) =>
      loaded
        .flatMap(({ kinds }) => kinds)
        .filter(({ kind }) => CONTRACT.test(kind))
        .map((kind) => crd(storedAlone(kind))),
    );
  const core = clusterApiKinds.map((kind) => {
    const definition = crd(kind, { conversion: CONVERSION });
    const { annotations, ...metadata } = definition.metadata;
    return { ...definition, metadata: { ...metadata, annotations: { ...annotations, ...TRUST } } };
  });
  const mirrored = [...core, ...(await infrastructure([...new Set(clusters.map(({ platform }) => platform))]))];
  const sources = mirrored.map((object) => ({ object, where: `${object.metadata.name}` }));
  const twins = mirrorAll(clusters.length === 0 ? [] : sources, { mapping: MAPPING, shim: SHIM });
  return [
    ...core,
    ...(await infrastructure([...new Set([PLATFORM, ...hosted.map(({ platform }) => platform.key)])])),
    ...[...machineKinds, ...configKinds].map((kind) => crd(kind)),
    ...hypershiftKinds.map((kind) => crd(storedAlone(kind), { gates: ['TechPreviewNoUpgrade'] })),
    ...twins.definitions,
  ];
}

/** A kind in the version it is stored in: nobody here converts the others. */
function storedAlone(kind: Kind): Kind {
  const { conversion: _, ...rest } = kind;
  return { ...rest, versions: [versionOf(kind)] };
}
