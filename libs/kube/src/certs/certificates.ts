import { readCertificateRequest, readDer, Recent } from '@capstan/meta';
import { createPrivateKey, randomBytes, X509Certificate } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Random } from '@capstan/meta';
import { RuntimeError } from '../runtime/errors.js';
import {
  bitString,
  booleanTrue,
  explicit,
  implicit,
  objectIdentifier,
  octetString,
  sequence,
  sequenceOf,
  time,
  unsignedInteger,
} from './der.js';
import { rememberIssued, wholeSeconds } from './issued.js';
import type {
  CaOptions,
  CertificateOptions,
  ClientCertificateOptions,
  IssueOptions,
  KeyPair,
  ServingCertificateOptions,
  SigningOptions,
} from './options.js';
import {
  alternativeNames,
  distinguishedName,
  extension,
  keyDigest,
  newKey,
  pem,
  privateKeyPem,
  publicKeyInfo,
  signatureAlgorithm,
  signedWith,
} from './x509.js';

/** Good since an hour ago, so that a machine whose clock is a little late still accepts it. */
const EARLY_MS = 3_600_000;
/** What is signed for others may live ten minutes only, of which less is given away. */
const SIGNED_EARLY_MS = 300_000;
const DAY_MS = 86_400_000;
const SUBJECT_KEY_IDENTIFIER = '2.5.29.14';
const SERVER_AUTH = '1.3.6.1.5.5.7.3.1';
const CLIENT_AUTH = '1.3.6.1.5.5.7.3.2';

interface Issuer {
  readonly key: KeyObject;
  /** The DER of the subject name: an issuer must be repeated byte for byte. */
  readonly name: Uint8Array;
  readonly keyId: Uint8Array;
  /** When its certificate ends, in milliseconds since the epoch: what it issues ends no later. */
  readonly endsAt: number;
}

interface Template extends CertificateOptions {
  readonly subject: Uint8Array;
  readonly defaultValidForMs: number;
  readonly earlyMs?: number;
  readonly extensions: (keyId: Uint8Array, issuerKeyId: Uint8Array) => Uint8Array[];
}

/** Issues certificates signed by one key. Made by {@link createCa} or {@link loadCa}. */
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
    const names = alternativeNames(options.dnsNames, options.ipAddresses);
    return this.#issue(options, leaf(distinguishedName(options.commonName), [SERVER_AUTH], names));
  }

  /** A certificate that authenticates a user to an API server. */
  issueClient(options: ClientCertificateOptions): KeyPair {
    return this.#issue(options, leaf(distinguishedName(options.user, options.groups), [CLIENT_AUTH], []));
  }

  /** A certificate for whatever uses it is to have. */
  issue(options: IssueOptions): KeyPair {
    const names = alternativeNames(options.dnsNames, options.ipAddresses);
    const subject = distinguishedName(options.commonName, options.organizations);
    return this.#issue(options, leaf(subject, options.usages.map(usageOf), names));
  }

  /** When its certificate ends, in milliseconds since the epoch. */
  get endsAt(): number {
    return this.#issuer.endsAt;
  }

  /** The certificate for a signing request, PEM; ends with the CA. Throws unless the request is signed by its own key. */
  sign(requestPem: string, options: SigningOptions): string {
    const request = readCertificateRequest(requestPem);
    const subject = distinguishedName(request.commonName, request.organizations);
    const usages = options.usages.map(usageOf);
    const template = leaf(subject, usages, alternativeNames(request.dnsNames, request.ipAddresses));
    const now = options.now ?? Date.now();
    const validForMs = Math.min(options.validForMs ?? template.defaultValidForMs, this.endsAt - now);
    if (validForMs <= 0)
      throw new RuntimeError('bad-certificate', 'certificate: the CA has expired and issues nothing any more');
    const certPem = certificatePem(
      { ...options, validForMs, earlyMs: SIGNED_EARLY_MS, now, ...template },
      request.keyInfo,
      this.#issuer,
    );
    const from = wholeSeconds(now - SIGNED_EARLY_MS);
    const to = wholeSeconds(now + validForMs);
    rememberIssued(certPem, this.certPem, {
      commonName: request.commonName,
      organizations: request.organizations,
      from,
      to,
      isForClients: options.usages.includes('client'),
    });
    return certPem;
  }

  /** The same CA, same name and same key, with a certificate that begins now: what it has issued stays good. */
  renewed(now: number): CertificateAuthority {
    const { keyId, name } = this.#issuer;
    const template = authorityTemplate(name);
    const info = publicKeyInfo(this.#issuer.key);
    const certPem = certificatePem(
      { now, ...template, extensions: () => template.extensions(keyId) },
      info,
      this.#issuer,
    );
    const endsAt = wholeSeconds(now + template.defaultValidForMs);
    return new CertificateAuthority({ certPem, keyPem: this.keyPem }, { ...this.#issuer, endsAt });
  }

  #issue(options: CertificateOptions, template: Leaf): KeyPair {
    return build({ ...options, ...template }, this.#issuer).pair;
  }
}

function usageOf(usage: 'client' | 'server'): string {
  return usage === 'client' ? CLIENT_AUTH : SERVER_AUTH;
}

const NO_AUTHORITY = extension('2.5.29.19', true, sequence());
const SIGNS_ALONE = extension('2.5.29.15', true, bitString(Uint8Array.of(0b1000_0000), 7));

type Leaf = Pick<Template, 'subject' | 'defaultValidForMs' | 'extensions'>;

function leaf(subject: Uint8Array, usages: readonly string[], names: readonly Uint8Array[]): Leaf {
  return {
    subject,
    defaultValidForMs: 365 * DAY_MS,
    extensions: (keyId, issuerKeyId) => [
      NO_AUTHORITY,
      SIGNS_ALONE,
      extension('2.5.29.37', false, sequenceOf(usages.map(objectIdentifier))),
      extension(SUBJECT_KEY_IDENTIFIER, false, octetString(keyId)),
      extension('2.5.29.35', false, sequence(implicit(0, issuerKeyId))),
      ...(names.length === 0 ? [] : [extension('2.5.29.17', false, sequenceOf(names))]),
    ],
  };
}

/** What the certificate of a CA is made of. */
function authorityTemplate(subject: Uint8Array): Leaf & { readonly extensions: (keyId: Uint8Array) => Uint8Array[] } {
  return {
    subject,
    defaultValidForMs: 10 * 365 * DAY_MS,
    extensions: (keyId) => [
      extension('2.5.29.19', true, sequence(booleanTrue())),
      // digitalSignature, keyCertSign, cRLSign
      extension('2.5.29.15', true, bitString(Uint8Array.of(0b1000_0110), 1)),
      extension(SUBJECT_KEY_IDENTIFIER, false, octetString(keyId)),
    ],
  };
}

/** A fresh self-signed CA. */
export function createCa(options: CaOptions): CertificateAuthority {
  const built = build({ ...options, ...authorityTemplate(distinguishedName(options.commonName)) }, undefined);
  const ca = new CertificateAuthority(built.pair, built.issuer);
  loaded.set(ca.certPem, ca);
  return ca;
}

/** CAs by their certificates: a caller that issues with one reads it from storage each time. */
const loaded = new Recent<string, CertificateAuthority>(1_024);

/** A CA kept from an earlier run. Throws unless the pair belongs together and may sign. */
export function loadCa(pair: KeyPair): CertificateAuthority {
  const known = loaded.get(pair.certPem);
  if (known?.keyPem === pair.keyPem) return known;
  const ca = loadPair(pair);
  loaded.set(pair.certPem, ca);
  return ca;
}

/** Longer than what it issues is good for, so that nothing outlives it. */
const AUTHORITY_LEFT_MS = 400 * DAY_MS;

/** A CA kept from an earlier run, with a new certificate when its own ends before what it would issue. */
export function keptCa(pair: KeyPair, now: number): CertificateAuthority {
  const ca = loadCa(pair);
  return ca.endsAt - now > AUTHORITY_LEFT_MS ? ca : ca.renewed(now);
}

function loadPair(pair: KeyPair): CertificateAuthority {
  const certificate = new X509Certificate(pair.certPem);
  const key = createPrivateKey(pair.keyPem);
  if (!certificate.ca) throw new RuntimeError('bad-certificate', 'certificate: not a CA');
  if (!certificate.checkPrivateKey(key))
    throw new RuntimeError('bad-certificate', 'certificate: the key does not belong to the certificate');
  if (key.asymmetricKeyType !== 'ec' && key.asymmetricKeyType !== 'ed25519')
    throw new RuntimeError('bad-certificate', 'certificate: only ECDSA and Ed25519 CAs are supported');
  const fields = readDer(
    readDer(readDer(certificate.raw)[0]?.content ?? new Uint8Array())[0]?.content ?? new Uint8Array(),
  );
  // version [0], serial, algorithm, issuer, validity, subject
  const subject = fields[5];
  if (subject === undefined) throw new RuntimeError('bad-certificate', 'certificate: no subject');
  const endsAt = Date.parse(certificate.validTo);
  return new CertificateAuthority(pair, { key, name: subject.whole, keyId: keyIdentifier(certificate), endsAt });
}

/** The subject key identifier as written in the certificate: leaves must name the issuer's key by exactly this. */
function keyIdentifier(certificate: X509Certificate): Uint8Array {
  const wanted = Buffer.from(objectIdentifier(SUBJECT_KEY_IDENTIFIER));
  const raw = certificate.raw;
  const at = raw.indexOf(wanted);
  if (at < 0) return keyDigest(publicKeyInfo(certificate.publicKey));
  const value = readDer(
    raw.subarray(at + wanted.length, at + wanted.length + 2 + (raw[at + wanted.length + 1] ?? 0)),
  )[0];
  return readDer(value?.content ?? new Uint8Array())[0]?.content ?? new Uint8Array();
}

function build(template: Template, issuer: Issuer | undefined): { pair: KeyPair; issuer: Issuer } {
  const key = newKey(template.keyFrom);
  const info = publicKeyInfo(key);
  const now = template.now ?? Date.now();
  const endsAt = wholeSeconds(now + (template.validForMs ?? template.defaultValidForMs));
  const own = { key, name: template.subject, keyId: keyDigest(info), endsAt };
  const pair = {
    certPem: certificatePem(template, info, issuer ?? own),
    keyPem: privateKeyPem(key),
  };
  return { pair, issuer: own };
}

function certificatePem(template: Template, info: Uint8Array, issuer: Issuer): string {
  const now = template.now ?? Date.now();
  const validity = sequence(
    time(now - (template.earlyMs ?? EARLY_MS)),
    time(now + (template.validForMs ?? template.defaultValidForMs)),
  );
  const body = sequence(
    explicit(0, unsignedInteger(Uint8Array.of(2))),
    unsignedInteger(serialNumber(template.random)),
    signatureAlgorithm(issuer.key),
    issuer.name,
    validity,
    template.subject,
    info,
    explicit(3, sequence(...template.extensions(keyDigest(info), issuer.keyId))),
  );
  return pem('CERTIFICATE', signedWith(issuer.key, body));
}

function serialNumber(random: Random | undefined): Uint8Array {
  const bytes = Uint8Array.from(random === undefined ? randomBytes(16) : random.bytes(16));
  // Positive and never zero, at full length.
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}
