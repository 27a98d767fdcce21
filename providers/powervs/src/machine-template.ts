import type { PowerVSPlatform } from '@capstan/api/hypershift';
import { ibmPowerVsImage, ibmPowerVsMachine, ibmPowerVsMachineTemplate } from '@capstan/api/infrastructure/powervs';
import type {
  IBMPowerVSClusterSpec,
  IBMPowerVSImageSpec,
  IBMPowerVSMachineSpec,
  IBMPowerVSMachineTemplateSpec,
} from '@capstan/api/infrastructure/powervs';
import { resource } from '@capstan/api/model';
import { CLUSTER_NAME_LABEL } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { bootImagesOf, fieldAt, withoutUndefined, textAt } from '@capstan/provider';
import type { MachineTemplate, NodePoolInputs } from '@capstan/provider';
import { clusterSettings, poolSettings } from './settings.js';

const ARCHITECTURE = 'ppc64le';
/** The region of object storage that is next to a region of servers; any other takes the first. */
const STORAGE_REGIONS: Readonly<Record<string, string>> = {
  dal: 'us-south',
  'us-south': 'us-south',
  'us-east': 'us-east',
  'eu-de': 'eu-de',
  lon: 'eu-gb',
  osa: 'jp-osa',
  tok: 'jp-tok',
  syd: 'au-syd',
  sao: 'br-sao',
  tor: 'ca-tor',
};
const PROCESSORS = { dedicated: 'Dedicated', shared: 'Shared', capped: 'Capped' } as const;

interface BootImage {
  /** Names of images may hold no dots. */
  readonly name: string;
  readonly bucket: string;
  readonly object: string;
  readonly region: string;
}

function bootImage({ hostedCluster, release }: NodePoolInputs): BootImage | undefined {
  const region = STORAGE_REGIONS[clusterSettings(hostedCluster).region] ?? 'us-south';
  const found = fieldAt(bootImagesOf(release, ARCHITECTURE), 'images', 'powervs', 'regions', region);
  const [name, bucket, object] = ['release', 'bucket', 'object'].map((field) => textAt(found, field));
  if (name === undefined || bucket === undefined || object === undefined) return undefined;
  return { name: name.replaceAll('.', '-'), bucket, object, region };
}

/** The network that machines are in: that of the cluster. */
export function networkOf({ subnet }: PowerVSPlatform): IBMPowerVSClusterSpec['network'] {
  return withoutUndefined({ id: subnet.id, name: subnet.id === undefined ? subnet.name : undefined });
}

function machineSpec({ hostedCluster, nodePool }: NodePoolInputs, imported: string | undefined): IBMPowerVSMachineSpec {
  const [cluster, pool] = [clusterSettings(hostedCluster), poolSettings(nodePool)];
  return withoutUndefined({
    serviceInstanceID: cluster.serviceInstanceID,
    image: pool.image === undefined ? undefined : withoutUndefined({ id: pool.image.id, name: pool.image.name }),
    imageRef: imported === undefined ? undefined : { name: imported },
    network: networkOf(cluster),
    // The kind of machine is an open text here and a closed list there: what is unknown there is refused there.
    systemType: pool.systemType as IBMPowerVSMachineSpec['systemType'],
    processorType: PROCESSORS[pool.processorType ?? 'shared'],
    processors: pool.processors,
    memoryGiB: pool.memoryGiB,
  }) as IBMPowerVSMachineSpec;
}

/** The image of the release, fetched into the workspace of the cluster. */
function imageOf(inputs: NodePoolInputs): KubeObject[] {
  const { controlPlaneNamespace: namespace, hostedCluster, infraID, nodePool } = inputs;
  const pool = poolSettings(nodePool);
  const image = pool.image === undefined ? bootImage(inputs) : undefined;
  if (image === undefined) return [];
  const { group, kind, version } = resource(ibmPowerVsImage);
  const spec: IBMPowerVSImageSpec = withoutUndefined({
    clusterName: hostedCluster.metadata.name ?? '',
    serviceInstanceID: clusterSettings(hostedCluster).serviceInstanceID,
    bucket: image.bucket,
    object: image.object,
    region: image.region,
    storageType: pool.storageType,
    deletePolicy: pool.imageDeletePolicy,
  });
  const metadata = { name: image.name, namespace, annotations: { [CLUSTER_NAME_LABEL]: infraID } };
  return [{ apiVersion: `${group}/${version}`, kind, metadata, spec: { ...spec } }];
}

/** Machines of a pool. */
export const machineTemplate: MachineTemplate = {
  kind: resource(ibmPowerVsMachineTemplate),
  machine: resource(ibmPowerVsMachine),
  spec: (inputs) => {
    const isOwn = poolSettings(inputs.nodePool).image !== undefined;
    const imported = isOwn ? undefined : bootImage(inputs);
    if (!isOwn && imported === undefined)
      return [
        {
          path: 'spec.platform.powervs.image',
          message: `release ${inputs.release.version} has no image for the region: name one in image, or use a release that has`,
        },
      ];
    const spec: IBMPowerVSMachineTemplateSpec = { template: { spec: machineSpec(inputs, imported?.name) } };
    return { ...spec };
  },
  companions: imageOf,
};
