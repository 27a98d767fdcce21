import type { HostedClusterInputs, ProviderContainer, ProviderProgram } from '@capstan/provider';
import { isAtLeast } from '@capstan/provider';

/** From here on images are the work of a program of their own. */
const RESOURCES_MINOR = 19;

/** The program that makes servers, and from 4.19 on the one that fetches images. */
export function program({ controlPlaneNamespace, release }: HostedClusterInputs): ProviderProgram {
  const manager: ProviderContainer = {
    name: 'manager',
    image: {
      payload: 'openstack-cluster-api-controllers',
      env: 'IMAGE_OPENSTACK_CAPI_PROVIDER',
      annotation: 'hypershift.openshift.io/capi-provider-openstack-image',
    },
    command: ['/manager'],
    args: [
      `--namespace=${controlPlaneNamespace}`,
      '--leader-elect',
      '--v=2',
      // CRDs are not its own here, and it may not change them.
      '--skip-crd-migration-phases=StorageVersionMigration',
      '--skip-crd-migration-phases=CleanupManagedFields',
    ],
    secrets: { '/etc/kubernetes': 'service-network-admin-kubeconfig' },
    healthPort: 9440,
  };
  const resources: ProviderContainer = {
    name: 'orc-manager',
    image: {
      payload: 'openstack-resource-controller',
      env: 'IMAGE_OPENSTACK_RESOURCE_CONTROLLER',
      annotation: 'hypershift.openshift.io/orc-image',
    },
    command: ['/manager'],
    args: [
      `--namespace=${controlPlaneNamespace}`,
      '--leader-elect',
      '--health-probe-bind-address=:8081',
      '--zap-log-level=info',
    ],
    healthPort: 8081,
  };
  const addresses = (kind: string): string[] => [kind, `${kind}/status`];
  return {
    containers: isAtLeast(release.version, RESOURCES_MINOR) ? [manager, resources] : [manager],
    rules: [
      { apiGroups: ['ipam.cluster.x-k8s.io'], resources: addresses('ipaddressclaims'), verbs: ['*'] },
      {
        apiGroups: ['ipam.cluster.x-k8s.io'],
        resources: addresses('ipaddresses'),
        verbs: ['create', 'delete', 'get', 'list', 'update', 'watch'],
      },
      { apiGroups: ['openstack.k-orc.cloud'], resources: ['*'], verbs: ['*'] },
    ],
  };
}
