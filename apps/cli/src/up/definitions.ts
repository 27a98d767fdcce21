import { kinds as clusterApiKinds } from '@capstan/api/cluster-api';
import { kinds as configKinds } from '@capstan/api/config';
import { hostedControlPlane } from '@capstan/api/hypershift';
import { kinds as machineKinds } from '@capstan/api/machine';
import { crd, versionOf } from '@capstan/api/model';
import type { Kind } from '@capstan/api/model';
import type { KubeObject } from '@capstan/meta';
import { CONVERSION, TRUST } from './conversion.js';
import type { FleetCluster } from './fleet.js';
import type { FleetPlatform } from './infrastructure.js';

/** Loaded for the platforms of the fleet alone: each is large. */
const INFRASTRUCTURE: Readonly<Record<FleetPlatform, () => Promise<{ readonly kinds: readonly Kind[] }>>> = {
  aws: () => import('@capstan/api/infrastructure/aws'),
  azure: () => import('@capstan/api/infrastructure/azure'),
  gcp: () => import('@capstan/api/infrastructure/gcp'),
  kubevirt: () => import('@capstan/api/infrastructure/kubevirt'),
  openstack: () => import('@capstan/api/infrastructure/openstack'),
  powervs: () => import('@capstan/api/infrastructure/powervs'),
};
/** Of a provider's kinds those that the contract of Cluster API speaks of. */
const CONTRACT = /^(AWS|Azure|GCP|Kubevirt|OpenStack|IBMPowerVS)(Cluster|Machine|MachineTemplate)$/;

/** The CustomResourceDefinitions that a fleet needs. */
export async function definitionsFor(clusters: readonly FleetCluster[]): Promise<KubeObject[]> {
  const platforms = [...new Set(clusters.map(({ platform }) => platform))];
  const loaded = await Promise.all(platforms.map((platform) => INFRASTRUCTURE[platform]()));
  const infrastructure = loaded.flatMap(({ kinds }) => kinds).filter(({ kind }) => CONTRACT.test(kind));
  const core = clusterApiKinds.map((kind) => {
    const definition = crd(kind, { conversion: CONVERSION });
    const { annotations, ...metadata } = definition.metadata;
    return { ...definition, metadata: { ...metadata, annotations: { ...annotations, ...TRUST } } };
  });
  const others = [...machineKinds, ...configKinds].map((kind) => crd(kind));
  return [...core, ...others, ...[...infrastructure, hostedControlPlane].map((kind) => crd(storedAlone(kind)))];
}

/** A kind in the version it is stored in: nobody here converts the others. */
function storedAlone(kind: Kind): Kind {
  const { conversion: _, ...rest } = kind;
  return { ...rest, versions: [versionOf(kind)] };
}
