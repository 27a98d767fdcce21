import { X509Certificate } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../runtime/random.js';
import { createCa } from './certificates.js';
import { readIssued } from './issued.js';
import { createCertificateRequest } from './request.js';

const NOW = Date.UTC(2026, 0, 1, 12, 0, 0, 789);
const HOUR_MS = 3_600_000;

describe('what was issued', () => {
  it.each([
    ['system:node:one', ['system:nodes']],
    ['nobody', []],
    ['Doe, Jane + one', ['a=b', 'c']],
  ])('returns of %s the same to its issuer and to a verifier', (commonName, organizations) => {
    const ca = createCa({ commonName: 'ca', now: NOW, keyFrom: systemRandom('ca') });
    const { requestPem } = createCertificateRequest({ commonName, organizations, keyFrom: systemRandom('key') });
    const pem = ca.sign(requestPem, { usages: ['client'], validForMs: 10 * HOUR_MS, now: NOW });
    const read = readIssued(new X509Certificate(pem), ca.certPem);
    expect(readIssued(pem, ca.certPem)).toEqual(read);
    expect([read?.from, read?.to]).toEqual([NOW - 789 - 300_000, NOW - 789 + 10 * HOUR_MS]);
  });

  it.each<[readonly ('client' | 'server')[], boolean]>([
    [['client'], true],
    [['server'], false],
    [['server', 'client'], true],
  ])('for %j is or is not good for clients', (usages, isForClients) => {
    const ca = createCa({ commonName: 'ca', now: NOW });
    const { requestPem } = createCertificateRequest({ commonName: 'a' });
    const pem = ca.sign(requestPem, { usages, now: NOW });
    expect(readIssued(pem, ca.certPem)?.isForClients).toBe(isForClients);
    expect(readIssued(new X509Certificate(pem), ca.certPem)?.isForClients).toBe(isForClients);
  });

  it('is believed of its own CA alone', () => {
    const ca = createCa({ commonName: 'ca', now: NOW, keyFrom: systemRandom('ca') });
    const other = createCa({ commonName: 'ca', now: NOW, keyFrom: systemRandom('other') });
    const { requestPem } = createCertificateRequest({ commonName: 'one', keyFrom: systemRandom('key') });
    const pem = ca.sign(requestPem, { usages: ['client'], now: NOW });
    expect(readIssued(pem, ca.certPem)?.commonName).toBe('one');
    expect(readIssued(pem, other.certPem)).toBeUndefined();
  });
});
