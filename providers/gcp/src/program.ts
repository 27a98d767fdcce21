import type { HostedClusterInputs, ProviderProgram } from '@capstan/provider';
import { programTokenMinter, TOKEN_FOLDER } from '@capstan/provider';
import { clusterSettings, CREDENTIALS_FILE } from './settings.js';

/** The program that makes instances, and the one that has it a token for them. */
export function program({ controlPlaneNamespace, hostedCluster }: HostedClusterInputs): ProviderProgram {
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
      programTokenMinter({ account: 'capi-gcp-controller-manager' }),
    ],
    rules: [],
  };
}
