import { X509Certificate } from 'node:crypto';
import { createCa, systemRandom } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { certificateRows, firstAddress } from './certificates.table.js';
import type { CertificateRow } from './certificates.table.js';
import { kubeconfigSecrets, textsOf } from './kubeconfigs.js';
import { issueLeaf, checkLeaf, RENEW_BEFORE_MS, VALID_FOR_MS } from './leaf.js';
import { newPassword, newToken, readTokens, tokenFile } from './tokens.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const random = systemRandom('pki');
const ca = createCa({ commonName: 'ca', now: NOW, keyFrom: random.split('ca'), random });
const ROW: CertificateRow = {
  secret: 's',
  signer: 'root-ca',
  usages: ['server', 'client'],
  keys: { cert: 'tls.crt', key: 'tls.key' },
  commonName: 'me',
  groups: ['us'],
  hosts: ['a.example.com', '*.b.example.com', '10.0.0.1', 'fd00::1'],
};

function issued(row = ROW): Record<string, string> {
  const { certPem, keyPem } = issueLeaf(row, ca, { nowMs: NOW, random, keyFrom: random.split('leaf') });
  return { 'tls.crt': certPem, 'tls.key': keyPem };
}

describe('a certificate', () => {
  it('is good for its names, for clients and servers', () => {
    const certificate = new X509Certificate(issued()['tls.crt'] ?? '');
    expect(certificate.subject).toBe('O=us\nCN=me');
    expect(certificate.checkHost('a.example.com')).toBe('a.example.com');
    expect(certificate.checkHost('x.b.example.com')).toBe('*.b.example.com');
    expect(certificate.checkIP('10.0.0.1')).toBe('10.0.0.1');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
  });

  it('is kept until a month before its end', () => {
    const check = (nowMs: number) => checkLeaf(ROW, issued(), { caPem: ca.certPem, nowMs });
    const dueMs = NOW + VALID_FOR_MS - RENEW_BEFORE_MS;
    expect(check(NOW)).toEqual({ goodUntilMs: dueMs });
    expect(check(dueMs)).toEqual({ reissue: 'it ends soon' });
  });

  it.each<[string, CertificateRow, [data: Record<string, string>, caPem: string], string]>([
    [
      'for another name',
      { ...ROW, hosts: [...ROW.hosts, 'c.example.com'] },
      [issued(), ca.certPem],
      'it is not good for c.example.com',
    ],
    ['for another address', { ...ROW, hosts: ['10.0.0.2'] }, [issued(), ca.certPem], 'it is not good for 10.0.0.2'],
    ['under another CA', ROW, [issued(), createCa({ commonName: 'ca', now: NOW }).certPem], 'its CA is another one'],
    ['when it is broken', ROW, [{ 'tls.crt': 'x', 'tls.key': 'y' }, ca.certPem], 'it cannot be read'],
    ['when its key is lost', ROW, [{ 'tls.crt': issued()['tls.crt'] ?? '' }, ca.certPem], 'it cannot be read'],
  ])('is reissued %s', (_, row, [data, caPem], reissue) => {
    expect(checkLeaf(row, data, { caPem, nowMs: NOW })).toEqual({ reissue });
  });
});

it('the certificates of a control plane are those that are read somewhere', () => {
  const rows = certificateRows({
    namespace: 'ns',
    apiServerHosts: ['api', 'kube-apiserver'],
    ignitionHosts: ['ign'],
    serving: new Map([['kube-scheduler', 'scheduler-server']]),
  });
  expect(rows.map(({ secret, signer }) => `${secret} by ${signer}`)).toEqual([
    'kas-server-crt by root-ca',
    'kas-kubelet-client-crt by root-ca',
    'etcd-server-tls by etcd-signer',
    'etcd-peer-tls by etcd-signer',
    'etcd-client-tls by etcd-signer',
    'ignition-server-serving-cert by ignition-server-ca-cert',
    'scheduler-server by root-ca',
  ]);
  const [apiServer] = rows;
  expect(new Set(apiServer?.hosts).size).toBe(apiServer?.hosts.length);
  expect(apiServer?.hosts).toEqual(
    expect.arrayContaining(['api', 'kube-apiserver.ns.svc', 'kubernetes.default.svc', '127.0.0.1']),
  );
});

it.each([
  ['172.31.0.0/16', '172.31.0.1'],
  ['fd02::/112', 'fd02::1'],
  ['nonsense', undefined],
])('the first address of %s is %s', (cidr, address) => {
  expect(firstAddress(cidr)).toBe(address);
});

it('tokens are found again in their file', () => {
  const tokens = { admin: newToken(random.split('a')), bootstrap: newToken(random.split('b')) };
  const file = tokenFile(tokens);
  expect(file.split('\n')[0]).toBe(`${tokens.admin},system:admin,system:admin,"system:masters"`);
  expect(readTokens(file)).toEqual(tokens);
  expect(readTokens('')).toBeUndefined();
  expect(newPassword(random)).toMatch(/^(?:\w{5}-){3}\w{5}$/);
});

it('kubeconfigs lead where their readers are', () => {
  const secrets = kubeconfigSecrets({
    namespace: 'ns',
    infraID: 'inf',
    caPem: 'CA',
    tokens: { admin: 'A', bootstrap: 'B' },
    endpoint: { host: 'lb', port: 6443 },
    port: 7443,
    dnsName: 'api.example.com',
  });
  const found = secrets.map((secret) => {
    const [text = '{}'] = Object.values(textsOf(secret));
    const { clusters, users } = JSON.parse(text) as {
      clusters: { cluster: { server: string } }[];
      users: { user: { token: string } }[];
    };
    return [secret.metadata.name, Object.keys(textsOf(secret))[0], clusters[0]?.cluster.server, users[0]?.user.token];
  });
  expect(found).toEqual([
    ['admin-kubeconfig', 'kubeconfig', 'https://lb:6443', 'A'],
    ['service-network-admin-kubeconfig', 'kubeconfig', 'https://kube-apiserver.ns.svc:7443', 'A'],
    ['bootstrap-kubeconfig', 'kubeconfig', 'https://lb:6443', 'B'],
    ['inf-kubeconfig', 'value', 'https://kube-apiserver.ns.svc:7443', 'A'],
    ['custom-admin-kubeconfig', 'kubeconfig', 'https://api.example.com:6443', 'A'],
  ]);
});
