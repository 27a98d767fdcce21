import type { ComponentDefinition, ComponentInputs } from '../definition.js';
import { ETCD_CLIENT, ROOT_CA } from './shared.js';
import { apiServerPort } from '../../spec.js';

/** The API server of the hosted cluster. Components that are not early wait for it. */
export const kubeApiserver: ComponentDefinition = {
  name: 'kube-apiserver',
  workload: 'Deployment',
  replicas: 'policy',
  isEarly: true,
  dependencies: ['etcd', 'featuregate-generator'],
  priority: 'api-critical',
  hasBudget: true,
  containers: [
    {
      name: 'kube-apiserver',
      image: 'hyperkube',
      command: ['hyperkube', 'kube-apiserver'],
      args: apiServerFlags,
      ports: ({ spec }) => ({ client: apiServerPort(spec) }),
      ready: { path: '/readyz', port: 'client', scheme: 'HTTPS' },
      mounts: {
        '/etc/kubernetes/certs/server': { secret: 'kas-server-crt' },
        '/etc/kubernetes/certs/client-ca': ROOT_CA,
        '/etc/kubernetes/certs/kubelet': { secret: 'kas-kubelet-client-crt' },
        '/etc/kubernetes/certs/etcd': ETCD_CLIENT,
        '/etc/kubernetes/secrets/svcacct-key': { secret: 'sa-signing-key' },
        '/etc/kubernetes/tokens': { secret: 'kas-tokens' },
        '/etc/kubernetes/feature-gate': { configMap: 'feature-gate' },
        '/var/log/kube-apiserver': { emptyDir: 'logs' },
      },
      cpu: '350m',
      memory: '2Gi',
    },
  ],
};

function apiServerFlags({ namespace, spec }: ComponentInputs): readonly string[] {
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
    `--secure-port=${apiServerPort(spec)}`,
    `--service-account-issuer=${spec.issuerURL}`,
    '--service-account-key-file=/etc/kubernetes/secrets/svcacct-key/service-account.pub',
    '--service-account-signing-key-file=/etc/kubernetes/secrets/svcacct-key/service-account.key',
    `--service-cluster-ip-range=${services}`,
    '--tls-cert-file=/etc/kubernetes/certs/server/tls.crt',
    '--tls-private-key-file=/etc/kubernetes/certs/server/tls.key',
    '--token-auth-file=/etc/kubernetes/tokens/tokens.csv',
    '--v=2',
  ];
}
