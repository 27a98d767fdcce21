import type { HostedClusterWorld, ProviderProgram } from '@capstan/provider';
import { clusterSettings, CREDENTIALS_FILE, TOKEN_FOLDER } from './settings.js';

const GUEST_FOLDER = '/etc/kubernetes';

/** The program that makes instances, and the one that has it a token for them. */
export function program({ controlPlaneNamespace, hostedCluster }: HostedClusterWorld): ProviderProgram {
  return {
    containers: [
      {
        name: 'manager',
        image: {
          payload: 'gcp-cluster-api-controllers',
          env: 'IMAGE_GCP_CAPI_PROVIDER',
          annotation: 'hypershift.openshift.io/capi-provider-gcp-image',
        },
        args: [
          `--namespace=${controlPlaneNamespace}`,
          '--leader-elect=true',
          '--feature-gates=MachinePool=false',
          '--v=2',
        ],
        env: {
          GOOGLE_APPLICATION_CREDENTIALS: `/home/.gcp/${CREDENTIALS_FILE}`,
          GOOGLE_CLOUD_PROJECT: clusterSettings(hostedCluster).project,
        },
        secrets: { '/home/.gcp': 'node-management-creds' },
        sharedFolders: [TOKEN_FOLDER],
      },
      {
        name: 'token-minter',
        image: { payload: 'hypershift' },
        command: ['/usr/bin/control-plane-operator', 'token-minter'],
        args: [
          '--service-account-namespace=kube-system',
          '--service-account-name=capi-gcp-controller-manager',
          '--token-audience=openshift',
          `--token-file=${TOKEN_FOLDER}/token`,
          `--kubeconfig=${GUEST_FOLDER}/kubeconfig`,
        ],
        secrets: { [GUEST_FOLDER]: 'service-network-admin-kubeconfig' },
        sharedFolders: [TOKEN_FOLDER],
      },
    ],
    rules: [],
  };
}
