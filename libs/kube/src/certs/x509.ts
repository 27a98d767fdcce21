import { createPrivateKey, createPublicKey, generateKeyPairSync, hash, sign } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { readDer } from '@capstan/meta';
import type { Random } from '@capstan/meta';
import { booleanTrue, implicit, objectIdentifier, sequence, sequenceOf, setOf, tlv, utf8String } from './der.js';
import { ipBytes } from './ip.js';

const encoder = new TextEncoder();
const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));
const ED25519 = sequence(objectIdentifier('1.3.101.112'));
/** What stands before the 32 bytes of a public Ed25519 key in a SubjectPublicKeyInfo. */
const ED25519_SPKI = Buffer.from('302a300506032b6570032100', 'hex');

/** The DER of a name of one common name and any number of organizations. */
export function distinguishedName(commonName: string, organizations: readonly string[] = []): Uint8Array {
  const attribute = (oid: string, value: string): Uint8Array =>
    setOf(sequence(objectIdentifier(oid), utf8String(value)));
  return sequenceOf([...organizations.map((name) => attribute('2.5.4.10', name)), attribute('2.5.4.3', commonName)]);
}

/** One extension of a certificate. */
export function extension(oid: string, critical: boolean, value: Uint8Array): Uint8Array {
  const parts = critical ? [objectIdentifier(oid), booleanTrue()] : [objectIdentifier(oid)];
  return sequence(...parts, tlv(0x04, value));
}

/** The alternative names of a subject, as a certificate lists them. */
export function alternativeNames(dnsNames: readonly string[] = [], ips: readonly string[] = []): Uint8Array[] {
  return [
    ...dnsNames.map((name) => implicit(2, encoder.encode(name))),
    ...ips.map((address) => implicit(7, ipBytes(address))),
  ];
}

/** DER in its armour. */
export function pem(label: string, der: Uint8Array): string {
  const text = Buffer.from(der.buffer, der.byteOffset, der.byteLength).toString('base64');
  let armoured = `-----BEGIN ${label}-----\n`;
  for (let at = 0; at < text.length; at += 64) armoured += `${text.slice(at, at + 64)}\n`;
  return `${armoured}-----END ${label}-----\n`;
}

/** A fresh key: P-256 from the system, or Ed25519 from the stream that is given. */
export function newKey(from?: Random): KeyObject {
  if (from === undefined) return generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
  // As JWK, which is read many times faster than DER; the public half is found from the private one.
  const d = Buffer.from(from.bytes(32)).toString('base64url');
  return createPrivateKey({ key: { kty: 'OKP', crv: 'Ed25519', d, x: '' }, format: 'jwk' });
}

/** What stands before the 32 bytes of a private Ed25519 key in its PKCS8. */
const ED25519_PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');

/** A private key as PKCS8 in its armour. */
export function privateKeyPem(key: KeyObject): string {
  if (key.asymmetricKeyType !== 'ed25519') return key.export({ type: 'pkcs8', format: 'pem' }).toString();
  // As JWK, which is written many times faster.
  const { d = '' } = key.export({ format: 'jwk' });
  return pem('PRIVATE KEY', Buffer.concat([ED25519_PKCS8, Buffer.from(d, 'base64url')]));
}

/** The DER of a signed document: its body, how it is signed, the signature. */
export function signedWith(key: KeyObject, body: Uint8Array): Uint8Array {
  const isEdwards = key.asymmetricKeyType === 'ed25519';
  const signature = sign(isEdwards ? null : 'sha256', body, key);
  return sequence(body, signatureAlgorithm(key), tlv(0x03, Uint8Array.of(0), signature));
}

/** How a key signs. */
export function signatureAlgorithm(key: KeyObject): Uint8Array {
  return key.asymmetricKeyType === 'ed25519' ? ED25519 : ECDSA_WITH_SHA256;
}

/** The SubjectPublicKeyInfo of a key, public or private. */
export function publicKeyInfo(key: KeyObject): Uint8Array {
  if (key.asymmetricKeyType === 'ed25519')
    return Buffer.concat([ED25519_SPKI, Buffer.from(key.export({ format: 'jwk' }).x ?? '', 'base64url')]);
  return (key.type === 'private' ? createPublicKey(key) : key).export({ type: 'spki', format: 'der' });
}

/** What names a key: the digest of its bits. */
export function keyDigest(info: Uint8Array): Uint8Array {
  const bits = readDer(readDer(info)[0]?.content ?? new Uint8Array())[1]?.content ?? new Uint8Array();
  return hash('sha1', bits.subarray(1), 'buffer');
}
