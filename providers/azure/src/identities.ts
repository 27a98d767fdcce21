import { azureClusterIdentity } from '@capstan/api/infrastructure/azure';
import type { AzureClusterIdentitySpec } from '@capstan/api/infrastructure/azure';
import type { AzurePlatform } from '@capstan/api/hypershift';
import { resource } from '@capstan/api/model';
import type { KubeObject } from '@capstan/meta';
import { opaqueSecret, withoutUndefined, TOKEN_FOLDER } from '@capstan/provider';
import type { HostedClusterInputs } from '@capstan/provider';
import { CERTIFICATE_FOLDER, clusterSettings } from './settings.js';

/** The clouds that the program which makes machines knows, and what it calls them. */
const CLOUDS: Readonly<Record<string, string>> = {
  AzurePublicCloud: 'public',
  AzureUSGovernmentCloud: 'usgovernment',
  AzureChinaCloud: 'china',
};

/** What the program calls a cloud; undefined for one that it does not know. */
export function cloudType({ cloud = 'AzurePublicCloud' }: AzurePlatform): string | undefined {
  return CLOUDS[cloud];
}

function identitySpec(settings: AzurePlatform, namespace: string): AzureClusterIdentitySpec {
  const { managedIdentities, workloadIdentities } = settings.azureAuthenticationConfig;
  const common = { tenantID: settings.tenantID, allowedNamespaces: { list: [namespace] } };
  if (workloadIdentities !== undefined)
    return { ...common, type: 'WorkloadIdentity', clientID: workloadIdentities.nodePoolManagement.clientID };
  const identity = managedIdentities?.controlPlane.nodePoolManagement;
  return withoutUndefined({
    ...common,
    type: 'UserAssignedIdentityCredential' as const,
    clientID: identity?.clientID ?? '',
    userAssignedIdentityCredentialsPath: `${CERTIFICATE_FOLDER}/${identity?.credentialsSecretName ?? ''}`,
    userAssignedIdentityCredentialsCloudType: cloudType(settings),
  });
}

/** The identity that machines are made with. */
export function identityOf({ controlPlaneNamespace: namespace, hostedCluster }: HostedClusterInputs): KubeObject {
  const { group, kind, version } = resource(azureClusterIdentity);
  return {
    apiVersion: `${group}/${version}`,
    kind,
    metadata: { name: hostedCluster.metadata.name ?? '', namespace },
    spec: { ...identitySpec(clusterSettings(hostedCluster), namespace) },
  };
}

/** What the operators of the cluster take for credentials; each has an identity of its own. */
export function credentials({ controlPlaneNamespace, hostedCluster, infraID }: HostedClusterInputs): KubeObject[] {
  const settings = clusterSettings(hostedCluster);
  const { workloadIdentities } = settings.azureAuthenticationConfig;
  const common = {
    azure_region: settings.location,
    azure_resource_prefix: `${hostedCluster.metadata.name ?? ''}-${infraID}`,
    azure_resourcegroup: settings.resourceGroup,
    azure_subscription_id: settings.subscriptionID,
    azure_tenant_id: settings.tenantID,
  };
  const secret = (name: string, clientID: string | undefined): KubeObject =>
    opaqueSecret(
      controlPlaneNamespace,
      name,
      clientID === undefined
        ? common
        : { ...common, azure_client_id: clientID, azure_federated_token_file: `${TOKEN_FOLDER}/token` },
    );
  const network = secret('cloud-network-config-controller-creds', workloadIdentities?.network.clientID);
  if (workloadIdentities === undefined) return [network];
  const disabled = hostedCluster.spec?.capabilities?.disabled ?? [];
  return [
    ...(disabled.includes('Ingress') ? [] : [secret('azure-ingress-credentials', workloadIdentities.ingress.clientID)]),
    ...(disabled.includes('ImageRegistry')
      ? []
      : [secret('azure-image-registry-credentials', workloadIdentities.imageRegistry.clientID)]),
    network,
  ];
}
