import type { ControlPlaneInputs, PlatformComponent } from '@capstan/provider';
import { GUEST_KUBECONFIG } from '@capstan/provider';
import { CLOUDS_KEY, clusterSettings } from './settings.js';

const CREDENTIALS_FOLDER = '/etc/openstack/secret';

/** What components get of the cloud. */
export function cloudConfig(
  { externalNetwork, identityRef }: ReturnType<typeof clusterSettings>,
  machineNetworks: readonly string[],
  caFile?: string,
): string {
  return [
    '[Global]',
    'use-clouds = true',
    `clouds-file = ${CREDENTIALS_FOLDER}/${CLOUDS_KEY}`,
    `cloud = ${identityRef.cloudName}`,
    ...(caFile === undefined ? [] : [`ca-file = ${caFile}`]),
    '',
    '[LoadBalancer]',
    'max-shared-lb = 1',
    'manage-security-groups = true',
    ...(externalNetwork?.id === undefined ? [] : [`floating-network-id = ${externalNetwork.id}`]),
    '',
    '[Networking]',
    `address-sort-order = ${machineNetworks.join(', ')}`,
    '',
  ].join('\n');
}

/** Components of the control plane. */
export function components({ controlPlane, infraID }: ControlPlaneInputs): readonly PlatformComponent[] {
  const settings = clusterSettings(controlPlane);
  const networks = (controlPlane.spec?.networking?.machineNetwork ?? []).map(({ cidr }) => cidr);
  return [
    {
      name: 'openstack-cloud-controller-manager',
      image: 'openstack-cloud-controller-manager',
      command: ['/usr/bin/openstack-cloud-controller-manager'],
      args: [
        '--v=1',
        '--cloud-config=/etc/openstack/config/cloud.conf',
        `--cluster-name=${infraID}`,
        `--kubeconfig=${GUEST_KUBECONFIG}`,
        '--cloud-provider=openstack',
        '--use-service-account-credentials=false',
        '--configure-cloud-routes=false',
        '--bind-address=127.0.0.1',
        '--leader-elect=true',
        '--leader-elect-lease-duration=137s',
        '--leader-elect-renew-deadline=107s',
        '--leader-elect-retry-period=26s',
        '--leader-elect-resource-namespace=openshift-cloud-controller-manager',
      ],
      secrets: { [CREDENTIALS_FOLDER]: settings.identityRef.name },
      files: { '/etc/openstack/config/cloud.conf': cloudConfig(settings, networks) },
    },
  ];
}
