import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentDefinition, ComponentInputs } from '../definition.js';
import { guestOperator } from './guest-operator.js';

/** The built-in controllers of the hosted cluster. */
export const kubeControllerManager: ComponentDefinition = guestOperator(
  'kube-controller-manager',
  {
    image: 'hyperkube',
    command: ['hyperkube', 'kube-controller-manager'],
    args: controllerManagerFlags,
    ports: { client: 10_257 },
    mounts: {
      '/etc/kubernetes/certs/cluster-signer': { secret: 'root-ca' },
      '/etc/kubernetes/certs/service-signer': { secret: 'sa-signing-key' },
    },
    cpu: '100m',
    memory: '600Mi',
  },
  { replicas: 'policy', isOptional: false, servingCertificate: 'kcm-server' },
);

function controllerManagerFlags({ spec }: ComponentInputs): readonly string[] {
  const allocates = spec.networking?.allocateNodeCIDRs === 'Enabled';
  const pods = spec.networking?.clusterNetwork?.map(({ cidr }) => cidr).join(',');
  return [
    `--kubeconfig=${GUEST_KUBECONFIG}`,
    `--authentication-kubeconfig=${GUEST_KUBECONFIG}`,
    `--authorization-kubeconfig=${GUEST_KUBECONFIG}`,
    ...(allocates && pods !== undefined ? ['--allocate-node-cidrs=true', `--cluster-cidr=${pods}`] : []),
    '--cluster-signing-cert-file=/etc/kubernetes/certs/cluster-signer/ca.crt',
    '--cluster-signing-key-file=/etc/kubernetes/certs/cluster-signer/ca.key',
    '--cluster-signing-duration=17520h',
    '--controllers=*,-ttl,-bootstrapsigner,-tokencleaner',
    '--leader-elect=true',
    '--leader-elect-renew-deadline=12s',
    '--leader-elect-retry-period=3s',
    '--root-ca-file=/etc/kubernetes/certs/cluster-signer/ca.crt',
    '--secure-port=10257',
    '--service-account-private-key-file=/etc/kubernetes/certs/service-signer/service-account.key',
    '--tls-cert-file=/etc/kubernetes/certs/server/tls.crt',
    '--tls-private-key-file=/etc/kubernetes/certs/server/tls.key',
    '--use-service-account-credentials=true',
    '--v=2',
  ];
}
