import { Recent } from '@capstan/meta';
import { createPrivateKey, createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import type { Random } from '@capstan/meta';
import { RuntimeError } from '../runtime/errors.js';
import { objectIdentifier, readAll, sequence, setOf, tlv, unsignedInteger } from './der.js';
import type { DerValue } from './der.js';
import { ipBytes } from './ip.js';
import {
  alternativeNames,
  distinguishedName,
  extension,
  fromPem,
  newKey,
  pem,
  privateKeyPem,
  publicKeyInfo,
  signedWith,
} from './x509.js';

export interface CertificateRequestOptions {
  readonly commonName: string;
  readonly organizations?: readonly string[] | undefined;
  readonly dnsNames?: readonly string[] | undefined;
  readonly ipAddresses?: readonly string[] | undefined;
  /** The key to be certified; a fresh one unless given. */
  readonly keyPem?: string | undefined;
  /** Draws the fresh key, for simulations: who knows the seed knows the key. Default: P-256 from the system. */
  readonly keyFrom?: Random | undefined;
}

/** What somebody asks to be certified. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  /** Alternative names of any other kind: mail addresses, URIs. */
  readonly otherNames: number;
  readonly publicKey: KeyObject;
}

const LABEL = 'CERTIFICATE REQUEST';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';
const COMMON_NAME = hex(objectIdentifier('2.5.4.3'));
const ORGANIZATION = hex(objectIdentifier('2.5.4.10'));

/** A PKCS10 request and the key it is for. */
export function createCertificateRequest(options: CertificateRequestOptions): {
  readonly requestPem: string;
  readonly keyPem: string;
} {
  const key = options.keyPem === undefined ? newKey(options.keyFrom) : createPrivateKey(options.keyPem);
  const publicKey = createPublicKey(key);
  const keyInfo = publicKeyInfo(publicKey);
  const names = alternativeNames(options.dnsNames, options.ipAddresses);
  const wanted = sequence(extension(SUBJECT_ALTERNATIVE_NAME, false, sequence(...names)));
  const attributes = names.length === 0 ? [] : [sequence(objectIdentifier(EXTENSION_REQUEST), setOf(wanted))];
  const body = sequence(
    unsignedInteger(Uint8Array.of(0)),
    distinguishedName(options.commonName, options.organizations),
    keyInfo,
    tlv(0xa0, ...attributes),
  );
  const requestPem = pem(LABEL, signedWith(key, body));
  const { commonName, dnsNames = [], ipAddresses = [], organizations = [] } = options;
  const ips = ipAddresses.map((address) => ipText(ipBytes(address)));
  // Whoever reads it in this very process need not find out that it is signed by its key.
  remember(requestPem, { commonName, organizations, dnsNames, ipAddresses: ips, otherNames: 0, publicKey }, keyInfo);
  return {
    requestPem,
    keyPem: privateKeyPem(key),
  };
}

/** Whoever approves a request, signs it or looks after either reads it, most of them several times. */
const remembered = new Recent<string, ReadRequest>(4_096);

/** A request, and the SubjectPublicKeyInfo of the key it is for. */
interface ReadRequest {
  readonly request: CertificateRequest;
  readonly keyInfo: Uint8Array;
}

/** Reads a PKCS10 request. Throws when it is none, or not signed by the key it is for. */
export function readCertificateRequest(text: string): CertificateRequest {
  return readToSign(text).request;
}

/** As {@link readCertificateRequest}, for who is to sign it. */
export function readToSign(text: string): ReadRequest {
  return remembered.get(text) ?? readAnew(text);
}

function remember(text: string, request: CertificateRequest, keyInfo: Uint8Array): ReadRequest {
  const read = { request, keyInfo };
  remembered.set(text, read);
  return read;
}

function readAnew(text: string): ReadRequest {
  const [body, , signature] = children(readAll(fromPem(LABEL, text))[0]);
  const [, subject, info, attributes] = children(body);
  if (body === undefined || subject === undefined || info === undefined)
    throw new RuntimeError('bad-certificate', 'certificate: malformed request');
  const publicKey = createPublicKey({ key: Buffer.from(info.whole), format: 'der', type: 'spki' });
  const algorithm = publicKey.asymmetricKeyType === 'ed25519' ? null : 'sha256';
  if (!verify(algorithm, body.whole, publicKey, signature?.content.subarray(1) ?? new Uint8Array()))
    throw new RuntimeError('bad-certificate', 'certificate: the request is not signed by its key');
  const names = requestedNames(attributes);
  const request = {
    commonName: attributesOf(subject, COMMON_NAME).at(-1) ?? '',
    organizations: attributesOf(subject, ORGANIZATION),
    dnsNames: names.filter(({ tag }) => tag === 0x82).map(({ content }) => textOf(content)),
    ipAddresses: names.filter(({ tag }) => tag === 0x87).map(({ content }) => ipText(content)),
    otherNames: names.filter(({ tag }) => tag !== 0x82 && tag !== 0x87).length,
    publicKey,
  };
  return remember(text, request, info.whole);
}

function children(value: DerValue | undefined): DerValue[] {
  return value === undefined ? [] : readAll(value.content);
}

function attributesOf(name: DerValue, oid: string): string[] {
  return children(name)
    .flatMap((set) => children(set).map(children))
    .filter(([type]) => type !== undefined && hex(type.whole) === oid)
    .map(([, value]) => textOf(value?.content ?? new Uint8Array()));
}

/** The alternative names among the extensions a request asks for. */
function requestedNames(attributes: DerValue | undefined): DerValue[] {
  const wanted = hex(objectIdentifier(SUBJECT_ALTERNATIVE_NAME));
  const isRequest = (attribute: DerValue[]): boolean =>
    attribute[0] !== undefined && hex(attribute[0].whole) === hex(objectIdentifier(EXTENSION_REQUEST));
  const extensions = children(attributes)
    .map(children)
    .filter(isRequest)
    .flatMap(([, values]) => children(values).flatMap(children).map(children));
  const found = extensions.find(([oid]) => oid !== undefined && hex(oid.whole) === wanted);
  return children(readAll(found?.at(-1)?.content ?? new Uint8Array())[0]);
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}

function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('utf8');
}

/** As Go writes it: the longest run of zeros of an IPv6 address is left out. */
function ipText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
