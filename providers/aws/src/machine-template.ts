import type { AWSNodePoolPlatform, AWSPlatform } from '@capstan/api/hypershift';
import { awsMachine, awsMachineTemplate } from '@capstan/api/infrastructure/aws';
import type { AWSMachineSpec, AWSMachineTemplateSpec } from '@capstan/api/infrastructure/aws';
import { resource } from '@capstan/api/model';
import type { JsonObject } from '@capstan/meta';
import { bootImagesOf, withoutUndefined, textAt } from '@capstan/provider';
import type { MachineTemplate, NodePoolInputs, Problem } from '@capstan/provider';
import { clusterSettings, poolSettings } from './settings.js';

const DEFAULT_ROOT_GIB = 16;
const DEFAULT_VOLUME = 'gp3';
/** One hop is the host; a container needs another to reach the metadata of its instance. */
const METADATA_HOPS = 2;
const HTTP_TOKENS_ANNOTATION = 'hypershift.openshift.io/ec2-instance-metadata-http-tokens';
const PUBLIC_IPS_ANNOTATION = 'hypershift.openshift.io/aws-machine-public-ips';

/** Whether machines of the pool may be removed at any time. */
export function isSpot({ placement }: AWSNodePoolPlatform): boolean {
  return placement?.marketType === 'Spot';
}

function bootImage({ hostedCluster, nodePool, release }: NodePoolInputs): string | undefined {
  const { ami, imageType } = poolSettings(nodePool);
  if (ami !== undefined && ami !== '') return ami;
  const architecture = nodePool.spec?.arch ?? 'amd64';
  const { region } = clusterSettings(hostedCluster);
  const images = bootImagesOf(release, architecture);
  return imageType === 'Windows'
    ? textAt(images, 'rhel-coreos-extensions', 'aws-winli', 'regions', region, 'image')
    : textAt(images, 'images', 'aws', 'regions', region, 'image');
}

type Placement = Pick<
  AWSMachineSpec,
  'capacityReservationId' | 'capacityReservationPreference' | 'marketType' | 'spotMarketOptions' | 'tenancy'
>;

/** The older field of the reservation counts where the newer one is absent; a reservation alone means its block. */
function marketType(
  placement: NonNullable<AWSNodePoolPlatform['placement']>,
): 'CapacityBlock' | 'OnDemand' | undefined {
  const { capacityReservation, tenancy } = placement;
  const type = (placement.marketType ?? '') === '' ? capacityReservation?.marketType : placement.marketType;
  if (type === 'CapacityBlocks') return 'CapacityBlock';
  if (type === 'OnDemand') return 'OnDemand';
  if (type !== undefined && type !== '') return undefined;
  return capacityReservation?.id !== undefined && tenancy !== 'host' ? 'CapacityBlock' : undefined;
}

function placementOf({ placement }: AWSNodePoolPlatform): Placement {
  if (placement === undefined) return {};
  const { capacityReservation, spot, tenancy } = placement;
  const preference = capacityReservation?.preference;
  return withoutUndefined({
    tenancy,
    marketType: marketType(placement),
    spotMarketOptions: placement.marketType === 'Spot' ? withoutUndefined({ maxPrice: spot?.maxPrice }) : undefined,
    capacityReservationId: capacityReservation?.id,
    capacityReservationPreference: preference === '' ? undefined : preference,
  });
}

/** Tags of the cluster go before those of its pools unless it lets them be overridden. */
function tagsOf(cluster: AWSPlatform, pool: AWSNodePoolPlatform, infraID: string): Record<string, string> {
  const tags: Record<string, string> = {};
  const fixed = new Set<string>();
  for (const { key, overridePolicy, value } of cluster.resourceTags ?? []) {
    tags[key] = value;
    if (overridePolicy !== 'Allow') fixed.add(key);
  }
  for (const { key, value } of pool.resourceTags ?? []) if (!fixed.has(key)) tags[key] = value;
  tags[`kubernetes.io/cluster/${infraID}`] ??= 'owned';
  if (isSpot(pool)) tags['aws-node-termination-handler/managed'] = '';
  return tags;
}

function rootVolumeOf({ rootVolume }: AWSNodePoolPlatform): AWSMachineSpec['rootVolume'] {
  if (rootVolume === undefined) return { size: DEFAULT_ROOT_GIB, type: DEFAULT_VOLUME };
  const { encrypted, encryptionKey, iops, size, type } = rootVolume;
  return withoutUndefined({ size, type: type === '' ? DEFAULT_VOLUME : type, iops, encrypted, encryptionKey });
}

function machineSpec(inputs: NodePoolInputs, image: string): AWSMachineSpec {
  const { hostedCluster, infraID, nodePool } = inputs;
  const [cluster, pool] = [clusterSettings(hostedCluster), poolSettings(nodePool)];
  const defaultGroup = textAt(hostedCluster.status, 'platform', 'aws', 'defaultWorkerSecurityGroupID');
  const isStrict = nodePool.metadata.annotations?.[HTTP_TOKENS_ANNOTATION] === 'required';
  const isPublic = hostedCluster.metadata.annotations?.[PUBLIC_IPS_ANNOTATION] === 'true';
  return withoutUndefined({
    uncompressedUserData: true,
    cloudInit: { insecureSkipSecretsManager: true, secureSecretsBackend: 'secrets-manager' as const },
    iamInstanceProfile: pool.instanceProfile ?? `${infraID}-worker-profile`,
    instanceType: pool.instanceType,
    ami: { id: image },
    additionalSecurityGroups: [
      ...(pool.securityGroups ?? []),
      ...(defaultGroup === undefined ? [] : [{ id: defaultGroup }]),
    ],
    subnet: pool.subnet,
    rootVolume: rootVolumeOf(pool),
    additionalTags: tagsOf(cluster, pool, infraID),
    instanceMetadataOptions: {
      httpEndpoint: 'enabled' as const,
      httpPutResponseHopLimit: METADATA_HOPS,
      httpTokens: isStrict ? ('required' as const) : ('optional' as const),
      instanceMetadataTags: 'disabled' as const,
    },
    publicIP: isPublic ? true : undefined,
    ...placementOf(pool),
  });
}

function noImage({ hostedCluster, nodePool, release }: NodePoolInputs): Problem {
  const { region } = clusterSettings(hostedCluster);
  return {
    path: 'spec.platform.aws.ami',
    message:
      `release ${release.version} has no ${nodePool.spec?.arch ?? 'amd64'} image for region ${region}: ` +
      'name one in ami, or use a release that has',
  };
}

/** Machines of a pool. */
export const machineTemplate: MachineTemplate = {
  kind: resource(awsMachineTemplate),
  machine: resource(awsMachine),
  spec: (inputs) => {
    const image = bootImage(inputs);
    if (image === undefined) return [noImage(inputs)];
    const spec: AWSMachineTemplateSpec = { template: { spec: machineSpec(inputs, image) } };
    return { ...spec };
  },
  /** Instances are tagged again in place. */
  named: (spec) => {
    const { spec: machine, ...template } = spec['template'] as { spec: JsonObject };
    const { additionalTags: _, ...rest } = machine;
    return { ...spec, template: { ...template, spec: rest } };
  },
};
