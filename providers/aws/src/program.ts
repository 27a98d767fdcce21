import type { HostedClusterWorld, ProviderProgram } from '@capstan/provider';
import { isAtLeast } from '@capstan/provider';
import { TOKEN_FOLDER } from './settings.js';

const GUEST_FOLDER = '/etc/kubernetes';

/** The program that makes instances, and the one that has it a token for them. */
export function program({ controlPlaneNamespace, release }: HostedClusterWorld): ProviderProgram {
  const gates = isAtLeast(release.version, 16) ? 'EKS=false,ROSA=false' : 'EKS=false';
  return {
    containers: [
      {
        name: 'manager',
        image: {
          payload: 'aws-cluster-api-controllers',
          annotation: 'hypershift.openshift.io/capi-provider-aws-image',
          // The image of the environment is for releases whose payload has none.
          env: isAtLeast(release.version, 12) ? undefined : 'IMAGE_AWS_CAPI_PROVIDER',
        },
        args: [`--namespace=${controlPlaneNamespace}`, '--v=4', '--leader-elect=true', `--feature-gates=${gates}`],
        env: { AWS_SHARED_CREDENTIALS_FILE: '/home/.aws/credentials', AWS_SDK_LOAD_CONFIG: 'true' },
        secrets: { '/home/.aws': 'node-management-creds' },
        sharedFolders: [TOKEN_FOLDER],
        healthPort: 9440,
      },
      {
        name: 'token-minter',
        image: { payload: 'hypershift' },
        command: ['/usr/bin/control-plane-operator', 'token-minter'],
        args: [
          '--service-account-namespace=kube-system',
          '--service-account-name=capa-controller-manager',
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
