import type { HostedClusterWorld, ProviderContainer, ProviderProgram } from '@capstan/provider';
import { clusterSettings, TOKEN_FOLDER } from './settings.js';

const GUEST_FOLDER = '/etc/kubernetes';
const GUEST = { [GUEST_FOLDER]: 'service-network-admin-kubeconfig' };

const TOKEN_MINTER: ProviderContainer = {
  name: 'cloud-token-minter',
  image: { payload: 'hypershift' },
  command: ['/usr/bin/control-plane-operator', 'token-minter'],
  args: [
    '--token-audience=openshift',
    '--service-account-namespace=kube-system',
    '--service-account-name=capi-provider',
    `--token-file=${TOKEN_FOLDER}/token`,
    `--kubeconfig=${GUEST_FOLDER}/kubeconfig`,
  ],
  secrets: GUEST,
  sharedFolders: [TOKEN_FOLDER],
};

/** The program that makes machines; with workload identities also the one that has it a token for them. */
export function program({ controlPlaneNamespace, hostedCluster }: HostedClusterWorld): ProviderProgram {
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
