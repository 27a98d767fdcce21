import type { GCPNodePoolPlatform } from '@capstan/api/hypershift';
import { gcpMachine, gcpMachineTemplate } from '@capstan/api/infrastructure/gcp';
import type { GCPMachineSpec, GCPMachineTemplateSpec } from '@capstan/api/infrastructure/gcp';
import { resource } from '@capstan/api/model';
import type { JsonObject } from '@capstan/meta';
import { bootImagesOf, withoutUndefined, textAt } from '@capstan/provider';
import type { MachineTemplate, NodePoolInputs } from '@capstan/provider';
import { clusterSettings, labelsOf, poolSettings } from './settings.js';

const DEFAULT_DISK_GB = 64;
const DEFAULT_DISK = 'pd-balanced';
/** What nodes do in the cloud, for an account without other scopes. */
const SCOPES = [
  'devstorage.read_only',
  'logging.write',
  'monitoring.write',
  'servicecontrol',
  'service.management.readonly',
  'trace.append',
].map((scope) => `https://www.googleapis.com/auth/${scope}`);

function bootImage({ nodePool, release }: NodePoolInputs): string | undefined {
  const { image } = poolSettings(nodePool);
  if (image !== undefined) return image;
  const images = bootImagesOf(release, nodePool.spec?.arch ?? 'amd64');
  const [project, name] = ['project', 'name'].map((field) => textAt(images, 'images', 'gcp', field));
  return project === undefined || name === undefined ? undefined : `projects/${project}/global/images/${name}`;
}

/** Whether machines of the pool may be removed at any time. */
export function isInterruptible({ provisioningModel = 'Standard' }: GCPNodePoolPlatform): boolean {
  return provisioningModel !== 'Standard';
}

function diskOf({ bootDisk }: GCPNodePoolPlatform): Partial<GCPMachineSpec> {
  const key = bootDisk?.encryptionKey?.kmsKeyName;
  return withoutUndefined({
    rootDeviceSize: bootDisk?.diskSizeGB ?? DEFAULT_DISK_GB,
    rootDeviceType: bootDisk?.diskType ?? DEFAULT_DISK,
    rootDiskEncryptionKey:
      key === undefined ? undefined : { keyType: 'Managed' as const, managedKey: { kmsKeyName: key } },
  });
}

/** Machines that may go at any time cannot be moved when their host is maintained. */
function lifeOf(pool: GCPNodePoolPlatform): Partial<GCPMachineSpec> {
  const { onHostMaintenance, provisioningModel = 'Standard' } = pool;
  const ends = onHostMaintenance === undefined ? isInterruptible(pool) : onHostMaintenance === 'TERMINATE';
  return withoutUndefined({
    preemptible: provisioningModel === 'Preemptible',
    provisioningModel: provisioningModel === 'Preemptible' ? undefined : provisioningModel,
    onHostMaintenance: ends ? ('Terminate' as const) : ('Migrate' as const),
  });
}

function machineSpec({ hostedCluster, infraID, nodePool }: NodePoolInputs, image: string): GCPMachineSpec {
  const [cluster, pool] = [clusterSettings(hostedCluster), poolSettings(nodePool)];
  const { serviceAccount } = pool;
  const name = hostedCluster.metadata.name ?? '';
  return withoutUndefined({
    instanceType: pool.machineType,
    subnet: pool.subnet,
    image,
    ...diskOf(pool),
    ...lifeOf(pool),
    // Without an account of their own they have that of the project.
    serviceAccounts:
      serviceAccount === undefined
        ? undefined
        : { email: serviceAccount.email ?? 'default', scopes: serviceAccount.scopes ?? SCOPES },
    additionalLabels: labelsOf({ infraID, name }, cluster.resourceLabels, pool.resourceLabels),
    additionalNetworkTags: [...(pool.networkTags ?? []), `${infraID}-worker`],
    additionalMetadata: [
      { key: 'hypershift-cluster', value: name },
      { key: 'hypershift-nodepool', value: nodePool.metadata.name ?? '' },
      { key: 'hypershift-infra-id', value: infraID },
    ],
  });
}

/** Machines of a pool. */
export const machineTemplate: MachineTemplate = {
  kind: resource(gcpMachineTemplate),
  machine: resource(gcpMachine),
  spec: (inputs) => {
    const image = bootImage(inputs);
    if (image === undefined)
      return [
        {
          path: 'spec.platform.gcp.image',
          message: `release ${inputs.release.version} has no image for the architecture: name one in image, or use a release that has`,
        },
      ];
    const spec: GCPMachineTemplateSpec = { template: { spec: machineSpec(inputs, image) } };
    return { ...spec };
  },
  /** Instances are labelled again in place. */
  named: (spec) => {
    const { spec: machine, ...template } = spec['template'] as { spec: JsonObject };
    const { additionalLabels: _, ...rest } = machine;
    return { ...spec, template: { ...template, spec: rest } };
  },
  failureDomain: ({ nodePool }) => poolSettings(nodePool).zone,
};
