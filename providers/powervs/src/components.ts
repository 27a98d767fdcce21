import type { ControlPlaneInputs, PlatformComponent } from '@capstan/provider';
import { GUEST_KUBECONFIG } from '@capstan/provider';
import { clusterSettings } from './settings.js';

function cloudConfig({ controlPlane }: ControlPlaneInputs): string {
  const { accountID, region, resourceGroup, serviceInstanceID, vpc, zone } = clusterSettings(controlPlane);
  return [
    '[global]',
    'version = 1.1.0',
    '[kubernetes]',
    `config-file = ${GUEST_KUBECONFIG}`,
    '[provider]',
    'cluster-default-provider = g2',
    `accountID = ${accountID}`,
    `clusterID = ${controlPlane.metadata.name ?? ''}`,
    'g2Credentials = /etc/vpc/ibmcloud_api_key',
    `g2ResourceGroupName = ${resourceGroup}`,
    `g2VpcName = ${vpc.name}`,
    `g2workerServiceAccountID = ${accountID}`,
    `g2VpcSubnetNames = ${vpc.subnet ?? ''}`,
    `region = ${vpc.region}`,
    `powerVSCloudInstanceID = ${serviceInstanceID}`,
    `powerVSRegion = ${region}`,
    `powerVSZone = ${zone}`,
    '',
  ].join('\n');
}

/** Components of the control plane. */
export function components(inputs: ControlPlaneInputs): readonly PlatformComponent[] {
  return [
    {
      name: 'powervs-cloud-controller-manager',
      image: 'powervs-cloud-controller-manager',
      command: ['/bin/ibm-cloud-controller-manager'],
      args: [
        '--authentication-skip-lookup',
        '--configure-cloud-routes=false',
        '--cloud-provider=ibm',
        '--cloud-config=/etc/ibm/ccm-config',
        '--profiling=false',
        '--leader-elect=true',
        '--leader-elect-lease-duration=137s',
        '--leader-elect-renew-deadline=107s',
        '--leader-elect-retry-period=26s',
        `--kubeconfig=${GUEST_KUBECONFIG}`,
      ],
      env: { VPCCTL_CLOUD_CONFIG: '/etc/ibm/ccm-config', ENABLE_VPC_PUBLIC_ENDPOINT: 'true' },
      secrets: { '/etc/vpc': clusterSettings(inputs.controlPlane).kubeCloudControllerCreds.name ?? '' },
      files: { '/etc/ibm/ccm-config': cloudConfig(inputs) },
    },
  ];
}
