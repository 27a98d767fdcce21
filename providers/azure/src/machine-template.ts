import { azureMachine, azureMachineTemplate } from '@capstan/api/infrastructure/azure';
import type { AzureMachineSpec, AzureMachineTemplateSpec } from '@capstan/api/infrastructure/azure';
import type { AzureNodePoolPlatform } from '@capstan/api/hypershift';
import { resource } from '@capstan/api/model';
import { bootImagesOf, fieldAt, isAtLeast, withoutUndefined, textAt } from '@capstan/provider';
import type { MachineTemplate, NodePoolInputs } from '@capstan/provider';
import { clusterSettings, poolSettings, resourceOf } from './settings.js';

/** The kind wants a key of every machine; nodes take theirs from their configuration, so nobody holds this one. */
const NO_KEY = 'c3NoLXJzYSBBQUFBQjNOemFDMXljMkVBQUFBREFRQUJBQUFCQVFDbm8gb25lIGhvbGRzIHRoZSBvdGhlciBoYWxmIG9mIHRoaXMK';
/** Releases from here on say which image of the marketplace is theirs. */
const MARKETPLACE_MINOR = 20;

type Image = NonNullable<AzureMachineSpec['image']>;

function marketplaceImage(publisher: string, offer: string, sku: string, version: string): Image {
  return { marketplace: { publisher, offer, sku, version, thirdPartyImage: false } };
}

/** The image that the release has in the marketplace for that generation of machines. */
function releaseImage({ nodePool, release }: NodePoolInputs, generation: string): Image | undefined {
  if (!isAtLeast(release.version, MARKETPLACE_MINOR)) return undefined;
  const images = bootImagesOf(release, nodePool.spec?.arch ?? 'amd64');
  const plans = fieldAt(images, 'rhel-coreos-extensions', 'marketplace', 'azure', 'no-purchase-plan');
  const found = fieldAt(plans, generation === 'Gen1' ? 'hyperVGen1' : 'hyperVGen2');
  const [publisher, offer, sku, version] = ['publisher', 'offer', 'sku', 'version'].map((field) =>
    textAt(found, field),
  );
  if (publisher === undefined || offer === undefined || sku === undefined || version === undefined) return undefined;
  return marketplaceImage(publisher, offer, sku, version);
}

function imageOf(inputs: NodePoolInputs): Image | undefined {
  const { image } = poolSettings(inputs.nodePool);
  if (image.type === 'ImageID') return image.imageID === undefined ? undefined : { id: image.imageID };
  const { imageGeneration = 'Gen2', offer, publisher, sku, version } = image.azureMarketplace ?? {};
  if (publisher !== undefined && offer !== undefined && sku !== undefined && version !== undefined)
    return marketplaceImage(publisher, offer, sku, version);
  return releaseImage(inputs, imageGeneration);
}

function diskOf({ osDisk }: AzureNodePoolPlatform): AzureMachineSpec['osDisk'] {
  const { diskStorageAccountType, encryptionSetID, persistence, sizeGiB } = osDisk;
  const isEphemeral = persistence === 'Ephemeral';
  return withoutUndefined({
    osType: 'Linux',
    diskSizeGB: sizeGiB,
    managedDisk: withoutUndefined({
      storageAccountType: diskStorageAccountType,
      diskEncryptionSet: encryptionSetID === undefined ? undefined : { id: encryptionSetID },
    }),
    // Disks that do not outlive their machine can only be cached for reading.
    cachingType: isEphemeral ? ('ReadOnly' as const) : undefined,
    diffDiskSettings: isEphemeral ? { option: 'Local' as const } : undefined,
  });
}

function diagnosticsOf({ diagnostics }: AzureNodePoolPlatform): AzureMachineSpec['diagnostics'] {
  const storageAccountType = diagnostics?.storageAccountType;
  if (storageAccountType === undefined) return undefined;
  const uri = diagnostics?.userManaged?.storageAccountURI;
  const userManaged =
    storageAccountType === 'UserManaged' && uri !== undefined ? { storageAccountURI: uri } : undefined;
  return { boot: withoutUndefined({ storageAccountType, userManaged }) };
}

function machineSpec({ hostedCluster, nodePool }: NodePoolInputs, image: Image): AzureMachineSpec {
  const pool = poolSettings(nodePool);
  const registry = textAt(
    clusterSettings(hostedCluster).containerRegistry,
    'credentials',
    'managedIdentity',
    'resourceID',
  );
  return withoutUndefined({
    vmSize: pool.vmSize,
    image,
    osDisk: diskOf(pool),
    networkInterfaces: [{ subnetName: resourceOf(pool.subnetID).name }],
    failureDomain: pool.availabilityZone === '' ? undefined : pool.availabilityZone,
    securityProfile: pool.encryptionAtHost === 'Enabled' ? { encryptionAtHost: true } : undefined,
    diagnostics: diagnosticsOf(pool),
    identity: registry === undefined ? undefined : ('UserAssigned' as const),
    userAssignedIdentities: registry === undefined ? undefined : [{ providerID: `azure://${registry}` }],
    sshPublicKey: NO_KEY,
  });
}

/** Machines of a pool. */
export const machineTemplate: MachineTemplate = {
  kind: resource(azureMachineTemplate),
  machine: resource(azureMachine),
  spec: (inputs) => {
    const image = imageOf(inputs);
    if (image === undefined)
      return [
        {
          path: 'spec.platform.azure.image',
          message: `release ${inputs.release.version} names no image of the marketplace: name one in image, or use a release that does`,
        },
      ];
    const spec: AzureMachineTemplateSpec = { template: { spec: machineSpec(inputs, image) } };
    return { ...spec };
  },
};
