import { createPublicKey, generateKeyPairSync, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { readCertificateRequest } from './certificate-request.js';
import { CertificateRequestError } from './der.js';
import { pemBlocks } from './pem.js';

const tlv = (tag: number, ...parts: readonly Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const length = content.length < 128 ? [content.length] : [0x82, content.length >> 8, content.length & 255];
  return Buffer.concat([Buffer.of(tag, ...length), content]);
};
const sequence = (...parts: readonly Uint8Array[]): Buffer => tlv(0x30, ...parts);
const oid = (hex: string): Buffer => tlv(0x06, Buffer.from(hex, 'hex'));
const utf8 = (text: string): Buffer => tlv(0x0c, Buffer.from(text));
const name = (id: string, value: Uint8Array): Buffer => sequence(oid(id), value);
const O = '55040a';
const CN = '550403';
const SAN = '551d11';
const ECDSA_SHA384 = '2a8648ce3d040303';
const RSA_SHA512 = '2a864886f70d01010d';

interface Made {
  readonly subject: Uint8Array;
  readonly extensions?: readonly Uint8Array[];
  readonly key?: KeyObject;
  readonly algorithm?: string;
  readonly digest?: string | null;
}

const EDWARDS = generateKeyPairSync('ed25519').privateKey;

function made({ subject, extensions = [], key = EDWARDS, algorithm = '2b6570', digest = null }: Made): string {
  const info = createPublicKey(key).export({ type: 'spki', format: 'der' });
  const attributes =
    extensions.length === 0 ? [] : [sequence(oid('2a864886f70d01090e'), tlv(0x31, sequence(...extensions)))];
  const body = sequence(tlv(2, Buffer.of(0)), subject, info, tlv(0xa0, ...attributes));
  const signature = tlv(3, Buffer.of(0), sign(digest, body, key));
  return armoured(sequence(body, sequence(oid(algorithm)), signature));
}

function armoured(der: Uint8Array, label = 'CERTIFICATE REQUEST'): string {
  return `-----BEGIN ${label}-----\n${Buffer.from(der).toString('base64')}\n-----END ${label}-----\n`;
}

const subjectOf = (...sets: readonly Uint8Array[]): Buffer => sequence(...sets.map((set) => tlv(0x31, set)));
const SUBJECT = subjectOf(name(O, utf8('a')), name(CN, utf8('b')));
const names = (...each: readonly Uint8Array[]): Buffer => sequence(oid(SAN), tlv(4, sequence(...each)));

describe('a PKCS10 request', () => {
  it('is read whatever its key and signature algorithm', () => {
    const p384 = generateKeyPairSync('ec', { namedCurve: 'P-384' }).privateKey;
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    for (const text of [
      made({ subject: SUBJECT }),
      made({ subject: SUBJECT, key: p384, algorithm: ECDSA_SHA384, digest: 'sha384' }),
      made({ subject: SUBJECT, key: rsa, algorithm: RSA_SHA512, digest: 'sha512' }),
    ]) {
      const { commonName, organizations } = readCertificateRequest(text);
      expect([commonName, organizations]).toEqual(['b', ['a']]);
    }
  });

  it('names every organization, however they are written, and the last common name', () => {
    const bmp = tlv(0x1e, Buffer.from('system:masters', 'utf16le').swap16());
    const both = Buffer.concat([name(O, utf8('one')), name(O, tlv(0x13, Buffer.from('two')))]);
    const subject = subjectOf(name(CN, utf8('first')), both, name(O, bmp), name(CN, utf8('last')));
    const { commonName, organizations } = readCertificateRequest(made({ subject }));
    expect([commonName, organizations]).toEqual(['last', ['one', 'two', 'system:masters']]);
  });

  it('separates alternative names by their kind', () => {
    const extension = names(
      tlv(0x82, Buffer.from('host')),
      tlv(0x87, Buffer.of(10, 0, 0, 1)),
      tlv(0x81, Buffer.from('a@b')),
      tlv(0x86, Buffer.from('u:v')),
      tlv(0xa4, sequence()),
    );
    expect(readCertificateRequest(made({ subject: SUBJECT, extensions: [extension] }))).toMatchObject({
      dnsNames: ['host'],
      ipAddresses: ['10.0.0.1'],
      emailAddresses: ['a@b'],
      uris: ['u:v'],
      otherNames: 1,
    });
  });

  it.each<[string, () => string, string]>([
    [
      'asks twice for the same extension',
      () =>
        made({
          subject: SUBJECT,
          extensions: [names(tlv(0x82, Buffer.from('a'))), names(tlv(0x82, Buffer.from('b')))],
        }),
      'x509: certificate request contains duplicate requested extensions',
    ],
    [
      'has an address of no length',
      () => made({ subject: SUBJECT, extensions: [names(tlv(0x87, Buffer.of(1, 2, 3)))] }),
      'x509: cannot parse IP address of length 3',
    ],
    [
      'names another signature algorithm than its own',
      () => made({ subject: SUBJECT, algorithm: ECDSA_SHA384 }),
      'x509: cannot verify signature: algorithm unimplemented',
    ],
    [
      'stands behind another block',
      () => armoured(Buffer.of(5, 0), 'KEY') + made({ subject: SUBJECT }),
      'PEM block type must be CERTIFICATE REQUEST',
    ],
    [
      'is of endless length',
      () => armoured(Buffer.of(0x30, 0x80, 0, 0)),
      'asn1: syntax error: indefinite length found (not DER)',
    ],
    [
      'is longer than anything',
      () => armoured(Buffer.of(0x30, 0x85, 1, 1, 1, 1, 1)),
      'asn1: structure error: length too large',
    ],
    ['is empty', () => armoured(Buffer.of(0x30, 0)), 'asn1: syntax error: sequence truncated'],
  ])('is none that %s', (_, text, message) => {
    expect(() => readCertificateRequest(text())).toThrow(new CertificateRequestError(message));
  });
});

it('PEM blocks are found in time that grows with the text', () => {
  const began = performance.now();
  const opened = '-----BEGIN A-----\n'.repeat(200_000);
  expect([...pemBlocks(opened)]).toEqual([]);
  expect([...pemBlocks(`${opened}AAAA\n-----END A-----\n`)].map(({ type }) => type)).toEqual(['A']);
  expect([...pemBlocks(`-----BEGIN A-----\n${'a: b\n'.repeat(100_000)}\nAAAA\n-----END A-----`)]).toMatchObject([
    { type: 'A', hasHeaders: true },
  ]);
  expect(performance.now() - began).toBeLessThan(5_000);
});
