import type { HostedClusterInputs, ProviderContainer, ProviderProgram } from '@capstan/provider';
import { programTokenMinter, TOKEN_FOLDER } from '@capstan/provider';
import { clusterSettings } from './settings.js';

const GUEST_FOLDER = '/etc/kubernetes';
const GUEST = { [GUEST_FOLDER]: 'service-network-admin-kubeconfig' };

const TOKEN_MINTER = programTokenMinter({ account: 'capi-provider' }, 'cloud-token-minter');

/** The program that makes machines; with workload identities also the one that has it a token for them. */
export function program({ controlPlaneNamespace, hostedCluster }: HostedClusterInputs): ProviderProgram {
  const { azureAuthenticationConfig, tenantID } = clusterSettings(hostedCluster);
  const clientID = azureAuthenticationConfig.workloadIdentities?.nodePoolManagement.clientID;
  const manager: ProviderContainer = {
    name: 'manager',
    image: {
      payload: 'azure-cluster-api-controllers',
      env: 'IMAGE_AZURE_CAPI_PROVIDER',
      annotation: 'hypershift.openshift.io/capi-provider-azure-image',
    },
    args: [
      `--namespace=${controlPlaneNamespace}`,
      '--leader-elect=true',
      '--feature-gates=MachinePool=false,ASOAPI=false',
      '--disable-controllers-or-webhooks=DisableASOSecretController',
    ],
    secrets: GUEST,
  };
  if (clientID === undefined) return { containers: [manager], rules: [] };
  const env = {
    AZURE_FEDERATED_TOKEN_FILE: `${TOKEN_FOLDER}/token`,
    AZURE_CLIENT_ID: clientID,
    AZURE_TENANT_ID: tenantID,
  };
  return { containers: [{ ...manager, env, sharedFolders: [TOKEN_FOLDER] }, TOKEN_MINTER], rules: [] };
}
