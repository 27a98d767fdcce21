import type { HostedClusterInputs, ProviderProgram } from '@capstan/provider';
import { isAtLeast, programTokenMinter, TOKEN_FOLDER } from '@capstan/provider';

/** The program that makes instances, and the one that has it a token for them. */
export function program({ controlPlaneNamespace, release }: HostedClusterInputs): ProviderProgram {
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
      programTokenMinter({ account: 'capa-controller-manager' }),
    ],
    rules: [],
  };
}
