import { execFileSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, createServer } from 'node:tls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemRandom } from '../runtime/random.js';
import { createCa, keptCa, loadCa } from './certificates.js';
import { RuntimeError } from '../runtime/errors.js';
import { ipBytes } from './ip.js';
import { createCertificateRequest } from './request.js';

const NOW = Date.UTC(2026, 0, 2, 3, 4, 5);

describe('certificates', () => {
  let folder = '';
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'capstan-certs-'));
  });
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  const openssl = (...args: string[]): string => execFileSync('openssl', args, { cwd: folder, encoding: 'utf8' });

  it('pass openssl verify in strict mode for both purposes', () => {
    const ca = createCa({ commonName: 'test-ca' });
    const serving = ca.issueServing({
      commonName: 'kube-apiserver',
      dnsNames: ['localhost'],
      ipAddresses: ['127.0.0.1', '::1'],
    });
    const client = ca.issueClient({ user: 'admin', groups: ['system:masters', 'ops'] });
    writeFileSync(join(folder, 'ca.crt'), ca.certPem);
    writeFileSync(join(folder, 's.crt'), serving.certPem);
    writeFileSync(join(folder, 'c.crt'), client.certPem);
    const verify = (purpose: string, file: string): string =>
      openssl('verify', '-x509_strict', '-CAfile', 'ca.crt', '-purpose', purpose, file).trim();
    expect(verify('sslserver', 's.crt')).toBe('s.crt: OK');
    expect(verify('sslclient', 'c.crt')).toBe('c.crt: OK');
    expect(openssl('x509', '-in', 'c.crt', '-noout', '-subject', '-nameopt', 'RFC2253').trim()).toBe(
      'subject=CN=admin,O=ops,O=system:masters',
    );
  });

  it('carry every subject alternative name', () => {
    const serving = createCa({ commonName: 'ca' }).issueServing({
      commonName: 'x',
      dnsNames: ['kubernetes.default.svc', '*.example.com'],
      ipAddresses: ['10.0.0.1', 'fd00::1:2', '::ffff:1.2.3.4'],
    });
    const certificate = new X509Certificate(serving.certPem);
    expect(certificate.subjectAltName).toBe(
      'DNS:kubernetes.default.svc, DNS:*.example.com, IP Address:10.0.0.1, IP Address:FD00:0:0:0:0:0:1:2, IP Address:0:0:0:0:0:FFFF:102:304',
    );
    expect(certificate.checkIP('fd00::1:2')).toBe('fd00::1:2');
    expect(certificate.checkHost('a.example.com')).toBe('*.example.com');
  });

  it('have the uses, names and groups they are issued for', () => {
    const ca = createCa({ commonName: 'ca' });
    const usages = ['server', 'client'] as const;
    const { certPem } = ca.issue({ commonName: 'u', organizations: ['g'], dnsNames: ['a.svc'], usages });
    const certificate = new X509Certificate(certPem);
    expect(certificate.subject).toBe('O=g\nCN=u');
    expect(certificate.subjectAltName).toBe('DNS:a.svc');
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
    expect(certificate.verify(new X509Certificate(ca.certPem).publicKey)).toBe(true);
  });

  it('take validity and serial number from the given time and chance', () => {
    const one = createCa({ commonName: 'ca', now: NOW, random: systemRandom(7), validForMs: 60_000 });
    const two = createCa({ commonName: 'ca', now: NOW, random: systemRandom(7), validForMs: 60_000 });
    const [a, b] = [new X509Certificate(one.certPem), new X509Certificate(two.certPem)];
    expect(a.serialNumber).toBe(b.serialNumber);
    expect(new Date(a.validFrom).getTime()).toBe(NOW - 3_600_000);
    expect(new Date(a.validTo).getTime()).toBe(NOW + 60_000);
  });

  it('write years from 2050 in the long form', () => {
    const ca = createCa({ commonName: 'ca', now: Date.UTC(2049, 11, 31), validForMs: 2 * 86_400_000 });
    expect(new X509Certificate(ca.certPem).validTo).toBe('Jan  2 00:00:00 2050 GMT');
  });

  it('chain to a reloaded CA', () => {
    const first = createCa({ commonName: 'kept ca' });
    const reloaded = loadCa({ certPem: first.certPem, keyPem: first.keyPem });
    const leaf = new X509Certificate(reloaded.issueClient({ user: 'u' }).certPem);
    const root = new X509Certificate(first.certPem);
    expect(leaf.checkIssued(root)).toBe(true);
    expect(leaf.verify(root.publicKey)).toBe(true);
  });

  it('chain to a CA that was renewed, as those it issues then chain to the old one', () => {
    const old = createCa({ commonName: 'ca', now: NOW });
    const nearEnd = old.endsAt - 400 * 86_400_000;
    expect(keptCa(old, nearEnd - 1_000).certPem).toBe(old.certPem);
    const renewed = keptCa(old, nearEnd);
    expect(renewed.keyPem).toBe(old.keyPem);
    expect(renewed.endsAt).toBeGreaterThan(nearEnd + 9 * 365 * 86_400_000);
    const issuers = [old, renewed].map(({ certPem }) => new X509Certificate(certPem));
    for (const ca of [old, renewed]) {
      const leaf = new X509Certificate(ca.issueServing({ commonName: 'a', now: NOW }).certPem);
      for (const issuer of issuers)
        expect([leaf.checkIssued(issuer), leaf.verify(issuer.publicKey)]).toEqual([true, true]);
    }
  });

  it('end with their CA, which issues nothing after its end', () => {
    const ca = createCa({ commonName: 'ca', now: NOW, validForMs: 1_000_000 });
    const { requestPem } = createCertificateRequest({ commonName: 'a' });
    const pem = ca.sign(requestPem, { usages: ['client'], now: NOW });
    expect(Date.parse(new X509Certificate(pem).validTo)).toBe(ca.endsAt);
    expect(() => ca.sign(requestPem, { usages: ['client'], now: ca.endsAt })).toThrow(
      'certificate: the CA has expired and issues nothing any more',
    );
  });

  it('refuse a CA whose key or certificate does not fit', () => {
    const ca = createCa({ commonName: 'ca' });
    const other = createCa({ commonName: 'other' });
    expect(() => loadCa({ certPem: ca.certPem, keyPem: other.keyPem })).toThrow(
      new RuntimeError('bad-certificate', 'certificate: the key does not belong to the certificate'),
    );
    expect(() => loadCa(ca.issueClient({ user: 'u' }))).toThrow(
      new RuntimeError('bad-certificate', 'certificate: not a CA'),
    );
  });

  it('serve and authenticate over mutual TLS', async () => {
    const ca = createCa({ commonName: 'ca' });
    const serving = ca.issueServing({ commonName: 's', ipAddresses: ['127.0.0.1'] });
    const client = ca.issueClient({ user: 'alice', groups: ['devs'] });
    const server = createServer(
      { key: serving.keyPem, cert: serving.certPem, ca: ca.certPem, requestCert: true, rejectUnauthorized: true },
      (socket) => {
        const { subject } = socket.getPeerCertificate();
        socket.end(`${subject.CN}/${String(subject.O)}`);
      },
    );
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const text = await new Promise<string>((resolve, reject) => {
      const socket = connect({ host: '127.0.0.1', port, ca: ca.certPem, key: client.keyPem, cert: client.certPem });
      let got = '';
      socket.on('data', (chunk: Buffer) => (got += chunk.toString()));
      socket.on('end', () => resolve(got));
      socket.on('error', reject);
    });
    await new Promise((resolve) => server.close(resolve));
    expect(text).toBe('alice/devs');
  });
});

describe('ipBytes', () => {
  it.each([
    ['1.2.3.4', '01020304'],
    ['::', '00000000000000000000000000000000'],
    ['::1', '00000000000000000000000000000001'],
    ['fe80::1%eth0', 'fe800000000000000000000000000001'],
    ['1:2:3:4:5:6:7:8', '00010002000300040005000600070008'],
    ['::ffff:1.2.3.4', '00000000000000000000ffff01020304'],
  ])('encodes %s', (address, hex) => {
    expect(Buffer.from(ipBytes(address)).toString('hex')).toBe(hex);
  });

  it('refuses a host name', () => {
    expect(() => ipBytes('localhost')).toThrow('certificate: "localhost" is not an IP address');
  });
});
