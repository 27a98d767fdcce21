import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readCertificateRequest } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../runtime/random.js';
import { createCa } from './certificates.js';
import { createCertificateRequest } from './request.js';

const NOW = Date.UTC(2026, 0, 1);

describe.each([
  ['a key from the system', undefined],
  ['a key from a seed', systemRandom('key')],
])('a certificate request for %s', (_, keyFrom) => {
  const asked = {
    commonName: 'system:node:a',
    organizations: ['system:nodes', 'other'],
    dnsNames: ['a', 'a.example.com'],
    ipAddresses: ['10.0.0.7', 'fd00::7'],
    keyFrom,
  };
  const { requestPem, keyPem } = createCertificateRequest(asked);

  it.each([
    ['is known as it was asked', requestPem],
    ['is read back as it was asked by who did not make it', `from elsewhere\n${requestPem}`],
  ])('%s', (__, text) => {
    const { keyInfo: _info, publicKey, ...read } = readCertificateRequest(text);
    const { keyFrom: _key, ...expected } = asked;
    expect(read).toEqual({ ...expected, emailAddresses: [], uris: [], otherNames: 0 });
    expect(publicKey.type).toBe('public');
  });

  it('is signed by a CA for exactly its key and names', () => {
    const ca = createCa({ commonName: 'ca', keyFrom, now: NOW });
    const certificate = new X509Certificate(ca.sign(requestPem, { usages: ['client', 'server'], now: NOW }));
    expect(certificate.verify(new X509Certificate(ca.certPem).publicKey)).toBe(true);
    expect(certificate.checkPrivateKey(createPrivateKey(keyPem))).toBe(true);
    expect(certificate.subject).toBe('O=system:nodes\nO=other\nCN=system:node:a');
    expect(certificate.subjectAltName).toBe(
      'DNS:a, DNS:a.example.com, IP Address:10.0.0.7, IP Address:FD00:0:0:0:0:0:0:7',
    );
    expect(certificate.keyUsage).toEqual(['1.3.6.1.5.5.7.3.2', '1.3.6.1.5.5.7.3.1']);
  });

  it('is refused when another key signed it', () => {
    const der = Buffer.from(requestPem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
    der[der.length - 1] = (der.at(-1) ?? 0) ^ 1;
    const forged = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    expect(() => readCertificateRequest(forged)).toThrow(/^x509: (?:ECDSA|Ed25519) verification failure$/);
  });
});

it('the same seed gives the same request and certificate', () => {
  const make = (): string => {
    const random = systemRandom('same');
    const ca = createCa({ commonName: 'ca', keyFrom: random.split('ca'), random, now: NOW });
    const { requestPem } = createCertificateRequest({ commonName: 'a', keyFrom: random.split('a') });
    return ca.certPem + ca.sign(requestPem, { usages: ['client'], random, now: NOW });
  };
  expect(make()).toBe(make());
});

it('a text that is no request is refused', () => {
  expect(() => readCertificateRequest('hello')).toThrow('PEM block type must be CERTIFICATE REQUEST');
});
