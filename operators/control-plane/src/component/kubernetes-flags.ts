import { GUEST_KUBECONFIG } from '@capstan/provider';
import type { ComponentInputs } from './definition.js';

const DEFAULT_PORT = 6443;
const SERVER_CERTIFICATE = [
  '--tls-cert-file=/etc/kubernetes/certs/server/tls.crt',
  '--tls-private-key-file=/etc/kubernetes/certs/server/tls.key',
];

/** The port of the API server, of its pods and its Service alike. */
export function apiServerPort({ spec }: Pick<ComponentInputs, 'spec'>): number {
  return spec.networking?.apiServer?.port ?? DEFAULT_PORT;
}

/** The flags of the API server of the hosted cluster. */
export function apiServerFlags(inputs: ComponentInputs): readonly string[] {
  const { namespace, spec } = inputs;
  const services = spec.networking?.serviceNetwork?.map(({ cidr }) => cidr).join(',') ?? '172.31.0.0/16';
  const advertised = spec.networking?.apiServer?.advertiseAddress;
  const etcd = '/etc/kubernetes/certs/etcd';
  return [
    ...(advertised === undefined ? [] : [`--advertise-address=${advertised}`]),
    '--allow-privileged=true',
    '--anonymous-auth=true',
    '--authorization-mode=Node,RBAC',
    '--client-ca-file=/etc/kubernetes/certs/client-ca/ca.crt',
    '--enable-admission-plugins=NodeRestriction',
    `--etcd-cafile=${etcd}/etcd-client-ca.crt`,
    `--etcd-certfile=${etcd}/etcd-client.crt`,
    `--etcd-keyfile=${etcd}/etcd-client.key`,
    `--etcd-servers=${spec.etcd.unmanaged?.endpoint ?? `https://etcd-client.${namespace}.svc:2379`}`,
    '--kubelet-client-certificate=/etc/kubernetes/certs/kubelet/tls.crt',
    '--kubelet-client-key=/etc/kubernetes/certs/kubelet/tls.key',
    `--secure-port=${apiServerPort(inputs)}`,
    `--service-account-issuer=${spec.issuerURL}`,
    '--service-account-key-file=/etc/kubernetes/secrets/svcacct-key/service-account.pub',
    '--service-account-signing-key-file=/etc/kubernetes/secrets/svcacct-key/service-account.key',
    `--service-cluster-ip-range=${services}`,
    ...SERVER_CERTIFICATE,
    '--token-auth-file=/etc/kubernetes/tokens/tokens.csv',
    '--v=2',
  ];
}

/** The flags of the controllers of the hosted cluster. */
export function controllerManagerFlags({ spec }: ComponentInputs): readonly string[] {
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
    ...SERVER_CERTIFICATE,
    '--use-service-account-credentials=true',
    '--v=2',
  ];
}
