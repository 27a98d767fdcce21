import { openStackMachine, openStackMachineTemplate } from '@capstan/api/infrastructure/openstack';
import type { OpenStackMachineSpec, OpenStackMachineTemplateSpec, Port } from '@capstan/api/infrastructure/openstack';
import { image as orcImage } from '@capstan/api/infrastructure/openstack-resources';
import type { ImageSpec } from '@capstan/api/infrastructure/openstack-resources';
import { resource } from '@capstan/api/model';
import type { KubeObject } from '@capstan/meta';
import { bootImagesOf, fieldAt, withoutUndefined, textAt } from '@capstan/provider';
import type { MachineTemplate, NodePoolInputs } from '@capstan/provider';
import { clusterSettings, poolSettings } from './settings.js';

interface BootImage {
  readonly release: string;
  readonly url: string;
  readonly sha256: string;
}

function bootImage({ release }: NodePoolInputs): BootImage | undefined {
  const artifact = fieldAt(bootImagesOf(release, 'amd64'), 'artifacts', 'openstack');
  const disk = fieldAt(artifact, 'formats', 'qcow2.gz', 'disk');
  const [version, url, sha256] = [textAt(artifact, 'release'), textAt(disk, 'location'), textAt(disk, 'sha256')];
  return version === undefined || url === undefined || sha256 === undefined
    ? undefined
    : { release: version, url, sha256 };
}

function ownImage({ nodePool }: NodePoolInputs): string | undefined {
  const { imageName = '' } = poolSettings(nodePool);
  return imageName === '' ? undefined : imageName;
}

/** The first port is that of the cluster's network, which the platform finds; others are further ones. */
function portsOf({ hostedCluster, nodePool }: NodePoolInputs): Port[] | undefined {
  const { additionalPorts = [] } = poolSettings(nodePool);
  if (additionalPorts.length === 0 || (clusterSettings(hostedCluster).subnets ?? []).length > 0) return undefined;
  const policies: Readonly<Record<string, boolean>> = { Enabled: false, Disabled: true };
  const description = `Additional port for Hypershift node pool ${nodePool.metadata.name ?? ''}`;
  const others = additionalPorts.map((port) =>
    withoutUndefined({
      description: port.description ?? description,
      network: port.network,
      allowedAddressPairs: port.allowedAddressPairs,
      vnicType: port.vnicType === '' ? undefined : port.vnicType,
      // Written only when users set it: only owners of networks may, whatever the value.
      disablePortSecurity: policies[port.portSecurityPolicy ?? ''],
    }),
  );
  return [{}, ...others];
}

/** The image of the release, fetched into the cloud once for the cluster. */
function imageOf(inputs: NodePoolInputs): KubeObject[] {
  const found = ownImage(inputs) === undefined ? bootImage(inputs) : undefined;
  if (found === undefined) return [];
  const { controlPlaneNamespace: namespace, hostedCluster } = inputs;
  const { cloudName, name: secretName } = clusterSettings(hostedCluster).identityRef;
  const { group, kind, version } = resource(orcImage);
  const spec: ImageSpec = {
    cloudCredentialsRef: { secretName, cloudName },
    resource: {
      name: `${hostedCluster.metadata.name ?? ''}-rhcos-${found.release}`,
      content: {
        containerFormat: 'bare',
        diskFormat: 'qcow2',
        download: { url: found.url, decompress: 'gz', hash: { algorithm: 'sha256', value: found.sha256 } },
      },
    },
  };
  const metadata = { name: `rhcos-${found.release}`, namespace };
  return [{ apiVersion: `${group}/${version}`, kind, metadata, spec: { ...spec } }];
}

function machineSpec(inputs: NodePoolInputs, image: OpenStackMachineSpec['image']): OpenStackMachineSpec {
  return withoutUndefined({ flavor: poolSettings(inputs.nodePool).flavor, image, ports: portsOf(inputs) });
}

/** Machines of a pool. */
export const machineTemplate: MachineTemplate = {
  kind: resource(openStackMachineTemplate),
  machine: resource(openStackMachine),
  spec: (inputs) => {
    const own = ownImage(inputs);
    const found = own === undefined ? bootImage(inputs) : undefined;
    if (own === undefined && found === undefined)
      return [
        {
          path: 'spec.platform.openstack.imageName',
          message: `release ${inputs.release.version} has no image for this platform: name one in imageName, or use a release that has`,
        },
      ];
    const image =
      own === undefined ? { imageRef: { name: `rhcos-${found?.release ?? ''}` } } : { filter: { name: own } };
    const spec: OpenStackMachineTemplateSpec = { template: { spec: machineSpec(inputs, image) } };
    return { ...spec };
  },
  failureDomain: ({ nodePool }) => poolSettings(nodePool).availabilityZone,
  companions: imageOf,
};
