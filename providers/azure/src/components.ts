import type { ControlPlaneInputs, PlatformComponent } from '@capstan/provider';
import { componentTokenMinter, GUEST_KUBECONFIG, withoutUndefined, textAt, TOKEN_FOLDER } from '@capstan/provider';
import { CERTIFICATE_FOLDER, clusterSettings, resourceOf } from './settings.js';

function cloudConfig({ controlPlane, infraID }: ControlPlaneInputs): string {
  const settings = clusterSettings(controlPlane);
  const { managedIdentities, workloadIdentities } = settings.azureAuthenticationConfig;
  const [vnet, group] = [resourceOf(settings.vnetID), resourceOf(settings.securityGroupID)];
  const certificate = managedIdentities?.controlPlane.cloudProvider.credentialsSecretName;
  const config = withoutUndefined({
    cloud: settings.cloud ?? 'AzurePublicCloud',
    tenantId: settings.tenantID,
    subscriptionId: settings.subscriptionID,
    resourceGroup: settings.resourceGroup,
    location: settings.location,
    vnetName: vnet.name,
    vnetResourceGroup: vnet.resourceGroup,
    subnetName: resourceOf(settings.subnetID).name,
    securityGroupName: group.name,
    securityGroupResourceGroup: group.resourceGroup,
    loadBalancerName: infraID,
    loadBalancerSku: 'standard',
    cloudProviderBackoff: true,
    cloudProviderBackoffDuration: 6,
    disableOutboundSNAT: true,
    clusterServiceLoadBalancerHealthProbeMode: 'shared',
    useInstanceMetadata: workloadIdentities !== undefined,
    useManagedIdentityExtension: false,
    useFederatedWorkloadIdentityExtension: workloadIdentities !== undefined,
    aadClientId: workloadIdentities?.cloudProvider.clientID,
    aadFederatedTokenFile: workloadIdentities === undefined ? undefined : `${TOKEN_FOLDER}/token`,
    aadMSIDataPlaneIdentityPath: certificate === undefined ? undefined : `${CERTIFICATE_FOLDER}/${certificate}`,
    userAssignedIdentityID: textAt(settings.containerRegistry, 'credentials', 'managedIdentity', 'resourceID'),
  });
  return JSON.stringify(config, undefined, 2);
}

const TOKEN_MINTER = componentTokenMinter({ account: 'azure-cloud-provider' });

/** Components of the control plane. */
export function components(inputs: ControlPlaneInputs): readonly PlatformComponent[] {
  const { azureAuthenticationConfig } = clusterSettings(inputs.controlPlane);
  const hasToken = azureAuthenticationConfig.workloadIdentities !== undefined;
  return [
    {
      name: 'azure-cloud-controller-manager',
      image: 'azure-cloud-controller-manager',
      command: ['/bin/azure-cloud-controller-manager'],
      args: [
        '--cloud-config=/etc/cloud/cloud.conf',
        '--cloud-provider=azure',
        '--controllers=*,-cloud-node',
        '--configure-cloud-routes=false',
        '--bind-address=127.0.0.1',
        '--leader-elect=true',
        '--route-reconciliation-period=10s',
        `--kubeconfig=${GUEST_KUBECONFIG}`,
        '--leader-elect-lease-duration=137s',
        '--leader-elect-renew-deadline=107s',
        '--leader-elect-retry-period=26s',
        '--leader-elect-resource-namespace=openshift-cloud-controller-manager',
        '--v=4',
      ],
      files: { '/etc/cloud/cloud.conf': cloudConfig(inputs) },
      ...(hasToken ? { sharedFolders: [TOKEN_FOLDER], sidecars: [TOKEN_MINTER] } : {}),
    },
  ];
}
