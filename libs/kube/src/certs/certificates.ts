import { createHash, createPrivateKey, generateKeyPairSync, randomBytes, sign, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Random } from '@capstan/meta';
import {
  bitString,
  booleanTrue,
  explicit,
  implicit,
  objectIdentifier,
  octetString,
  readAll,
  sequence,
  setOf,
  time,
  tlv,
  unsignedInteger,
  utf8String,
} from './der.js';
import { ipBytes } from './ip.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14';
const ECDSA_WITH_SHA256 = sequence(objectIdentifier('1.2.840.10045.4.3.2'));

/** A certificate and its private key, both PEM. */
export interface KeyPair {
  readonly certPem: string;
  readonly keyPem: string;
}

/** What any certificate may be given; the defaults are the real clock, real chance and a fitting life time. */
export interface CertificateOptions {
  /** Milliseconds since the epoch. */
  readonly now?: number | undefined;
  readonly validForMs?: number | undefined;
  /** Draws the serial number. Keys always come from the system. */
  readonly random?: Random | undefined;
}

export interface AuthorityOptions extends CertificateOptions {
  readonly commonName: string;
}

export interface ServingCertificateOptions extends CertificateOptions {
  readonly commonName: string;
  readonly dnsNames?: readonly string[] | undefined;
  readonly ipAddresses?: readonly string[] | undefined;
}

export interface ClientCertificateOptions extends CertificateOptions {
  /** Becomes the common name, which Kubernetes reads as the user name. */
  readonly user: string;
  /** Become organizations, which Kubernetes reads as groups. */
  readonly groups?: readonly string[] | undefined;
}

interface Issuer {
  readonly key: KeyObject;
  /** The DER of the subject name: an issuer must be repeated byte for byte. */
  readonly name: Uint8Array;
  readonly keyId: Uint8Array;
}

interface Template extends CertificateOptions {
  readonly subject: Uint8Array;
  readonly defaultValidForMs: number;
  readonly extensions: (keyId: Uint8Array, issuerKeyId: Uint8Array) => Uint8Array[];
}

/** Issues certificates signed by one key. Made by {@link createAuthority} or {@link loadAuthority}. */
export class CertificateAuthority implements KeyPair {
  readonly certPem: string;
  readonly keyPem: string;
  readonly #issuer: Issuer;

  constructor(pair: KeyPair, issuer: Issuer) {
    this.certPem = pair.certPem;
    this.keyPem = pair.keyPem;
    this.#issuer = issuer;
  }

  /** A certificate for a TLS server; every name a client may dial must be listed, the common name counts for nothing. */
  issueServing(options: ServingCertificateOptions): KeyPair {
    const names = [
      ...(options.dnsNames ?? []).map((name) => implicit(2, new TextEncoder().encode(name))),
      ...(options.ipAddresses ?? []).map((address) => implicit(7, ipBytes(address))),
    ];
    return this.#issue(options, distinguishedName(options.commonName), '1.3.6.1.5.5.7.3.1', names);
  }

  /** A certificate that authenticates a user to an API server. */
  issueClient(options: ClientCertificateOptions): KeyPair {
    return this.#issue(options, distinguishedName(options.user, options.groups), '1.3.6.1.5.5.7.3.2', []);
  }

  #issue(options: CertificateOptions, subject: Uint8Array, usage: string, names: readonly Uint8Array[]): KeyPair {
    return build(
      {
        now: options.now,
        random: options.random,
        validForMs: options.validForMs,
        subject,
        defaultValidForMs: 365 * DAY_MS,
        extensions: (keyId, issuerKeyId) => [
          extension('2.5.29.19', true, sequence()),
          extension('2.5.29.15', true, bitString(Uint8Array.of(0b1000_0000), 7)),
          extension('2.5.29.37', false, sequence(objectIdentifier(usage))),
          extension(SUBJECT_KEY_IDENTIFIER, false, octetString(keyId)),
          extension('2.5.29.35', false, sequence(implicit(0, issuerKeyId))),
          ...(names.length === 0 ? [] : [extension('2.5.29.17', false, sequence(...names))]),
        ],
      },
      this.#issuer,
    ).pair;
  }
}

/** A fresh self-signed authority (ECDSA P-256). */
export function createAuthority(options: AuthorityOptions): CertificateAuthority {
  const built = build(
    {
      now: options.now,
      random: options.random,
      validForMs: options.validForMs,
      subject: distinguishedName(options.commonName),
      defaultValidForMs: 10 * 365 * DAY_MS,
      extensions: (keyId) => [
        extension('2.5.29.19', true, sequence(booleanTrue())),
        // digitalSignature, keyCertSign, cRLSign
        extension('2.5.29.15', true, bitString(Uint8Array.of(0b1000_0110), 1)),
        extension(SUBJECT_KEY_IDENTIFIER, false, octetString(keyId)),
      ],
    },
    undefined,
  );
  return new CertificateAuthority(built.pair, built.issuer);
}

/** An authority kept from an earlier run. Throws unless the pair belongs together and may sign. */
export function loadAuthority(pair: KeyPair): CertificateAuthority {
  const certificate = new X509Certificate(pair.certPem);
  const key = createPrivateKey(pair.keyPem);
  if (!certificate.ca) throw new Error('certificate: not an authority');
  if (!certificate.checkPrivateKey(key)) throw new Error('certificate: the key does not belong to the certificate');
  if (key.asymmetricKeyType !== 'ec') throw new Error('certificate: only ECDSA authorities are supported');
  const fields = readAll(
    readAll(readAll(certificate.raw)[0]?.content ?? new Uint8Array())[0]?.content ?? new Uint8Array(),
  );
  // version [0], serial, algorithm, issuer, validity, subject
  const subject = fields[5];
  if (subject === undefined) throw new Error('certificate: no subject');
  return new CertificateAuthority(pair, { key, name: subject.whole, keyId: keyIdentifier(certificate) });
}

/** The subject key identifier as written in the certificate: leaves must name the issuer's key by exactly this. */
function keyIdentifier(certificate: X509Certificate): Uint8Array {
  const wanted = Buffer.from(objectIdentifier(SUBJECT_KEY_IDENTIFIER));
  const raw = certificate.raw;
  const at = raw.indexOf(wanted);
  if (at < 0) return createHash('sha1').update(publicKeyBits(certificate.publicKey)).digest();
  const value = readAll(
    raw.subarray(at + wanted.length, at + wanted.length + 2 + (raw[at + wanted.length + 1] ?? 0)),
  )[0];
  return readAll(value?.content ?? new Uint8Array())[0]?.content ?? new Uint8Array();
}

function build(template: Template, issuer: Issuer | undefined): { pair: KeyPair; issuer: Issuer } {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const keyId = createHash('sha1').update(publicKeyBits(publicKey)).digest();
  const signer = issuer ?? { key: privateKey, name: template.subject, keyId };
  const now = template.now ?? Date.now();
  // An hour back, so that a machine whose clock is a little late still accepts it.
  const validity = sequence(time(now - HOUR_MS), time(now + (template.validForMs ?? template.defaultValidForMs)));
  const body = sequence(
    explicit(0, unsignedInteger(Uint8Array.of(2))),
    unsignedInteger(serialNumber(template.random)),
    ECDSA_WITH_SHA256,
    signer.name,
    validity,
    template.subject,
    publicKey.export({ type: 'spki', format: 'der' }),
    explicit(3, sequence(...template.extensions(keyId, signer.keyId))),
  );
  const certificate = sequence(body, ECDSA_WITH_SHA256, bitString(sign('sha256', body, signer.key)));
  const pair = {
    certPem: pem('CERTIFICATE', certificate),
    keyPem: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  return { pair, issuer: { key: privateKey, name: template.subject, keyId } };
}

function publicKeyBits(key: KeyObject): Uint8Array {
  // SubjectPublicKeyInfo of P-256 ends in the 65 bytes of the uncompressed point.
  return key.export({ type: 'spki', format: 'der' }).subarray(-65);
}

function serialNumber(random: Random | undefined): Uint8Array {
  const bytes = Uint8Array.from(random === undefined ? randomBytes(16) : random.bytes(16));
  // Positive and never zero, at full length.
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

function distinguishedName(commonName: string, organizations: readonly string[] = []): Uint8Array {
  const attribute = (oid: string, value: string): Uint8Array =>
    setOf(sequence(objectIdentifier(oid), utf8String(value)));
  return sequence(...organizations.map((name) => attribute('2.5.4.10', name)), attribute('2.5.4.3', commonName));
}

function extension(oid: string, critical: boolean, value: Uint8Array): Uint8Array {
  const parts = critical ? [objectIdentifier(oid), booleanTrue()] : [objectIdentifier(oid)];
  return sequence(...parts, tlv(0x04, value));
}

function pem(label: string, der: Uint8Array): string {
  const lines =
    Buffer.from(der)
      .toString('base64')
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join('\n')}\n-----END ${label}-----\n`;
}
