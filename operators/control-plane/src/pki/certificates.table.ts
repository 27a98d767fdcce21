import { isIP } from 'node:net';

/** What certificates are made for. */
export interface PkiInputs {
  readonly namespace: string;
  /** Names and addresses the API server of the hosted cluster answers to, besides those inside. */
  readonly apiServerHosts: readonly string[];
  readonly ignitionHosts: readonly string[];
  /** Secrets of serving certificates by the name of the component that serves. */
  readonly serving: ReadonlyMap<string, string>;
}

/** A certificate and the Secret it is kept in. */
export interface CertificateRow {
  readonly secret: string;
  /** The Secret of its CA. */
  readonly signer: string;
  readonly usages: readonly ('client' | 'server')[];
  /** Keys of the Secret: of the certificate, of its key, and of its CA where that is wanted as well. */
  readonly keys: { readonly cert: string; readonly key: string; readonly ca?: string };
  readonly commonName: string;
  readonly groups?: readonly string[];
  /** Names and addresses it is good for. */
  readonly hosts: readonly string[];
}

const ROOT = 'root-ca';
const ETCD = 'etcd-signer';
const IGNITION = 'ignition-server-ca-cert';
const TLS = { cert: 'tls.crt', key: 'tls.key' };
const LOCAL = ['localhost', '127.0.0.1'];

/** Secrets of the CAs of a control plane. */
export const CAS: readonly string[] = [ROOT, ETCD, IGNITION];

/** The names by which a Service is found from inside. */
export function serviceHosts(name: string, namespace: string): readonly string[] {
  return [name, `${name}.${namespace}.svc`, `${name}.${namespace}.svc.cluster.local`];
}

/** The certificates of a control plane. */
export function certificateRows({
  apiServerHosts,
  ignitionHosts,
  namespace,
  serving,
}: PkiInputs): readonly CertificateRow[] {
  const guest = ['kubernetes', 'kubernetes.default', 'kubernetes.default.svc', 'kubernetes.default.svc.cluster.local'];
  const ignition = ['ignition-server', 'ignition-server-proxy'].flatMap((name) => serviceHosts(name, namespace));
  return [
    {
      secret: 'kas-server-crt',
      signer: ROOT,
      usages: ['server'],
      keys: TLS,
      commonName: 'kube-apiserver',
      hosts: unique([...apiServerHosts, ...serviceHosts('kube-apiserver', namespace), ...guest, ...LOCAL]),
    },
    {
      secret: 'kas-kubelet-client-crt',
      signer: ROOT,
      usages: ['client'],
      keys: TLS,
      commonName: 'system:kube-apiserver',
      groups: ['system:masters'],
      hosts: [],
    },
    ...etcdRows(namespace),
    {
      secret: 'ignition-server-serving-cert',
      signer: IGNITION,
      usages: ['server'],
      keys: TLS,
      commonName: 'ignition-server',
      hosts: unique([...ignitionHosts, ...ignition]),
    },
    ...[...serving].map(([name, secret]): CertificateRow => ({
      secret,
      signer: ROOT,
      usages: ['server', 'client'],
      keys: TLS,
      commonName: name,
      hosts: [...serviceHosts(name, namespace), ...LOCAL],
    })),
  ];
}

function etcdRows(namespace: string): readonly CertificateRow[] {
  const members = ['etcd-discovery', 'etcd-client'].flatMap((service) => [
    ...serviceHosts(service, namespace),
    `*.${service}.${namespace}.svc`,
    `*.${service}.${namespace}.svc.cluster.local`,
  ]);
  return [
    {
      secret: 'etcd-server-tls',
      signer: ETCD,
      usages: ['server', 'client'],
      keys: { cert: 'server.crt', key: 'server.key' },
      commonName: 'etcd-server',
      hosts: [...members, ...LOCAL],
    },
    {
      secret: 'etcd-peer-tls',
      signer: ETCD,
      usages: ['server', 'client'],
      keys: { cert: 'peer.crt', key: 'peer.key' },
      commonName: 'etcd-discovery',
      hosts: [...members, ...LOCAL],
    },
    {
      secret: 'etcd-client-tls',
      signer: ETCD,
      usages: ['client'],
      keys: { cert: 'etcd-client.crt', key: 'etcd-client.key', ca: 'etcd-client-ca.crt' },
      commonName: 'etcd-client',
      hosts: [],
    },
  ];
}

/** Hosts as a certificate lists them. */
export function alternativeNames(hosts: readonly string[]): { dnsNames: string[]; ipAddresses: string[] } {
  return {
    dnsNames: hosts.filter((host) => isIP(host) === 0),
    ipAddresses: hosts.filter((host) => isIP(host) !== 0),
  };
}

/** The first address of a network, which is that of the API server inside; undefined when it cannot be parsed. */
export function firstAddress(cidr: string): string | undefined {
  const [base = ''] = cidr.split('/');
  if (isIP(base) === 6) return base.endsWith('::') ? `${base}1` : undefined;
  if (isIP(base) !== 4) return undefined;
  const [a = 0, b = 0, c = 0, d = 0] = base.split('.').map(Number);
  return [a, b, c, d + 1].join('.');
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)];
}
