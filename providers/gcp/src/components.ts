import type { ControlPlaneInputs, PlatformComponent } from '@capstan/provider';
import { componentTokenMinter, GUEST_KUBECONFIG, TOKEN_FOLDER } from '@capstan/provider';
import { clusterSettings, CREDENTIALS_FILE } from './settings.js';

const CREDENTIALS_FOLDER = '/etc/gcp/credentials';

function cloudConfig({ controlPlane, infraID }: ControlPlaneInputs): string {
  const { networkConfig, project } = clusterSettings(controlPlane);
  return [
    '[Global]',
    `project-id = ${project}`,
    `network-name = ${networkConfig.network.name}`,
    `node-tags = ${infraID.toLowerCase()}-worker`,
    'multizone = true',
    'token-url = "nil"',
  ].join('\n');
}

/** Components of the control plane. */
export function components(inputs: ControlPlaneInputs): readonly PlatformComponent[] {
  return [
    {
      name: 'gcp-cloud-controller-manager',
      image: 'gcp-cloud-controller-manager',
      command: ['/bin/gcp-cloud-controller-manager'],
      args: [
        '--cloud-provider=gce',
        '--use-service-account-credentials=false',
        `--kubeconfig=${GUEST_KUBECONFIG}`,
        '--cloud-config=/etc/cloud/cloud.conf',
        '--configure-cloud-routes=false',
        '--controllers=*,-nodeipam',
        '--leader-elect=true',
        '--leader-elect-lease-duration=137s',
        '--leader-elect-renew-deadline=107s',
        '--leader-elect-retry-period=26s',
        '--leader-elect-resource-namespace=openshift-cloud-controller-manager',
        `--authentication-kubeconfig=${GUEST_KUBECONFIG}`,
        `--authorization-kubeconfig=${GUEST_KUBECONFIG}`,
      ],
      env: { GOOGLE_APPLICATION_CREDENTIALS: `${CREDENTIALS_FOLDER}/${CREDENTIALS_FILE}` },
      secrets: { [CREDENTIALS_FOLDER]: 'cloud-controller-manager-creds' },
      files: { '/etc/cloud/cloud.conf': cloudConfig(inputs) },
      sharedFolders: [TOKEN_FOLDER],
      sidecars: [componentTokenMinter({ account: 'cloud-controller-manager' })],
    },
  ];
}
