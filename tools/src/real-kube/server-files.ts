import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { KUBELET_CLIENT_USER } from '@capstan/cluster';
import { createCa } from '@capstan/kube';
import type { KeyPair } from '@capstan/kube';

import { LOOPBACK } from './network.js';

/** Readable by the owner only: these files hold an admin token and a signing key. */
const SECRET_MODE = 0o600;

export interface ServerFiles {
  readonly etcdData: string;
  readonly certDir: string;
  /** Written by kube-apiserver itself while it starts. */
  readonly servingCert: string;
  readonly tokenFile: string;
  readonly serviceAccountKey: string;
  readonly serviceAccountPublicKey: string;
  readonly kubeconfig: string;
  readonly adminToken: string;
  /** Vouches for kubelets, and for this server towards them. */
  readonly kubeletCaFile: string;
  readonly kubeletClientCert: string;
  readonly kubeletClientKey: string;
  readonly kubeletCa: KeyPair;
  /** Where a server that reaches pods expects the proxy that leads to them. */
  readonly podProxySocket: string;
  readonly egressConfig: string;
  readonly auditPolicy: string;
  readonly auditLog: string;
}

/** Connections to nodes, pods and what is behind Services go through a proxy; all others as ever. */
function egressConfig(udsName: string): object {
  const connection = { proxyProtocol: 'HTTPConnect', transport: { uds: { udsName } } };
  return {
    apiVersion: 'apiserver.k8s.io/v1beta1',
    kind: 'EgressSelectorConfiguration',
    egressSelections: [{ name: 'cluster', connection }],
  };
}

/** Who did what to which object, and how it ended. */
const AUDIT_POLICY = { apiVersion: 'audit.k8s.io/v1', kind: 'Policy', rules: [{ level: 'Metadata' }] };

/** Puts everything kube-apiserver wants to read into `dir`. */
export function writeServerFiles(dir: string): ServerFiles {
  const ca = createCa({ commonName: 'kubelet-ca' });
  const files: ServerFiles = {
    etcdData: join(dir, 'etcd-data'),
    certDir: join(dir, 'certs'),
    servingCert: join(dir, 'certs', 'apiserver.crt'),
    tokenFile: join(dir, 'tokens.csv'),
    serviceAccountKey: join(dir, 'service-account.key'),
    serviceAccountPublicKey: join(dir, 'service-account.pub'),
    kubeconfig: join(dir, 'kubeconfig'),
    adminToken: randomBytes(24).toString('base64url'),
    kubeletCaFile: join(dir, 'kubelet-ca.crt'),
    kubeletClientCert: join(dir, 'kubelet-client.crt'),
    kubeletClientKey: join(dir, 'kubelet-client.key'),
    kubeletCa: ca,
    podProxySocket: join(dir, 'pods.sock'),
    egressConfig: join(dir, 'egress.json'),
    auditPolicy: join(dir, 'audit-policy.json'),
    auditLog: join(dir, 'audit.log'),
  };
  const pair = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const client = ca.issueClient({ user: KUBELET_CLIENT_USER, groups: ['system:masters'] });
  mkdirSync(files.certDir);
  writeFileSync(files.egressConfig, JSON.stringify(egressConfig(files.podProxySocket)));
  writeFileSync(files.auditPolicy, JSON.stringify(AUDIT_POLICY));
  writeFileSync(files.kubeletCaFile, ca.certPem);
  writeFileSync(files.kubeletClientCert, client.certPem);
  writeFileSync(files.kubeletClientKey, client.keyPem, { mode: SECRET_MODE });
  writeFileSync(files.serviceAccountKey, pair.privateKey, { mode: SECRET_MODE });
  writeFileSync(files.serviceAccountPublicKey, pair.publicKey);
  writeFileSync(files.tokenFile, `${files.adminToken},admin,admin,"system:masters"\n`, { mode: SECRET_MODE });
  return files;
}

export function etcdArgs(files: ServerFiles, port: number): string[] {
  const url = `http://${LOOPBACK}:${port}`;
  return [
    `--data-dir=${files.etcdData}`,
    `--listen-client-urls=${url}`,
    `--advertise-client-urls=${url}`,
    // There are no peers, but etcd insists on a listener; port 0 lets the kernel choose.
    `--listen-peer-urls=http://${LOOPBACK}:0`,
    // The data is thrown away at the end, so it need not survive a power cut.
    '--unsafe-no-fsync',
    // A lone member still waits out an election before it serves: up to a second by default. Its heartbeat is for
    // nobody; the more often, the more work it is at rest.
    '--heartbeat-interval=100',
    '--election-timeout=500',
    '--log-level=warn',
  ];
}

export interface ApiserverPlace {
  readonly etcdPort: number;
  readonly port: number;
  readonly advertiseAddress: string;
}

export function apiserverArgs(files: ServerFiles, place: ApiserverPlace): string[] {
  return [
    `--etcd-servers=http://${LOOPBACK}:${place.etcdPort}`,
    // Loopback only: an admin token is all it takes to own this server.
    `--bind-address=${LOOPBACK}`,
    `--secure-port=${place.port}`,
    // Only lands in the endpoints of the `kubernetes` Service, which loopback may not.
    `--advertise-address=${place.advertiseAddress}`,
    `--cert-dir=${files.certDir}`,
    `--token-auth-file=${files.tokenFile}`,
    '--service-account-issuer=https://kubernetes.default.svc',
    `--service-account-key-file=${files.serviceAccountPublicKey}`,
    `--service-account-signing-key-file=${files.serviceAccountKey}`,
    '--authorization-mode=Node,RBAC',
    '--enable-admission-plugins=NodeRestriction',
    '--service-cluster-ip-range=10.0.0.0/24',
    // Webhooks and aggregated APIs are dialled at their endpoints: nothing here routes cluster IPs.
    '--enable-aggregator-routing=true',
    `--kubelet-certificate-authority=${files.kubeletCaFile}`,
    `--kubelet-client-certificate=${files.kubeletClientCert}`,
    `--kubelet-client-key=${files.kubeletClientKey}`,
    '--allow-privileged=true',
    // No controller manager runs, so no namespace ever gets the ServiceAccount this plugin demands.
    '--disable-admission-plugins=ServiceAccount',
  ];
}

/** Sends the server's requests for pods through a proxy of the test. */
export function podProxyArgs(files: ServerFiles): string[] {
  return [`--egress-selector-config-file=${files.egressConfig}`];
}

export function auditArgs(files: ServerFiles): string[] {
  return [
    `--audit-policy-file=${files.auditPolicy}`,
    `--audit-log-path=${files.auditLog}`,
    // In the order of the answers, and there when they are.
    '--audit-log-mode=blocking-strict',
  ];
}

/** JSON is YAML, so no YAML writer is needed. */
export function writeKubeconfig(files: ServerFiles, url: string, caPem: string): void {
  const name = 'real-kube';
  const kubeconfig = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster: { server: url, 'certificate-authority-data': Buffer.from(caPem).toString('base64') } }],
    users: [{ name: 'admin', user: { token: files.adminToken } }],
    contexts: [{ name, context: { cluster: name, user: 'admin' } }],
    'current-context': name,
  };
  writeFileSync(files.kubeconfig, `${JSON.stringify(kubeconfig, undefined, 2)}\n`, { mode: SECRET_MODE });
}
