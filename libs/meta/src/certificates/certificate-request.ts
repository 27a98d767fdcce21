import { createPublicKey, verify } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { Recent } from '../recent.js';
import { CertificateRequestError, readDer } from './der.js';
import type { DerValue } from './der.js';
import { pemBlocks } from './pem.js';

/** What a PKCS10 request asks to be certified. */
export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
  readonly emailAddresses: readonly string[];
  readonly uris: readonly string[];
  /** Alternative names of any other kind. */
  readonly otherNames: number;
  readonly publicKey: KeyObject;
  /** The SubjectPublicKeyInfo of that key. */
  readonly keyInfo: Uint8Array;
}

const COMMON_NAME = '550403';
const ORGANIZATION = '55040a';
const SUBJECT_ALTERNATIVE_NAME = '551d11';
const EXTENSION_REQUEST = '2a864886f70d01090e';
/** How signatures are made, by the object identifier of the algorithm. */
const ALGORITHMS: Readonly<Record<string, { readonly key: 'ec' | 'ed25519' | 'rsa'; readonly digest: string | null }>> =
  {
    '2a8648ce3d0401': { key: 'ec', digest: 'sha1' },
    '2a8648ce3d040302': { key: 'ec', digest: 'sha256' },
    '2a8648ce3d040303': { key: 'ec', digest: 'sha384' },
    '2a8648ce3d040304': { key: 'ec', digest: 'sha512' },
    '2a864886f70d010105': { key: 'rsa', digest: 'sha1' },
    '2a864886f70d01010b': { key: 'rsa', digest: 'sha256' },
    '2a864886f70d01010c': { key: 'rsa', digest: 'sha384' },
    '2a864886f70d01010d': { key: 'rsa', digest: 'sha512' },
    '2b6570': { key: 'ed25519', digest: null },
  };
const NOT_SIGNED = {
  ec: 'x509: ECDSA verification failure',
  ed25519: 'x509: Ed25519 verification failure',
  rsa: 'crypto/rsa: verification error',
};

/** The server, the approver and the signer read the same requests, each several times. */
const remembered = new Recent<string, CertificateRequest>(4_096);

/** Remembers the content of a request created by this process, which need not verify it. */
export function rememberCertificateRequest(text: string, request: CertificateRequest): void {
  remembered.set(text, request);
}

/**
 * Reads a PKCS10 request in PEM: its first block, as Go does. Throws a {@link CertificateRequestError} when it is none,
 * or not signed by the key it is for.
 */
export function readCertificateRequest(text: string): CertificateRequest {
  const known = remembered.get(text);
  if (known !== undefined) return known;
  const request = parseRequest(text);
  remembered.set(text, request);
  return request;
}

function parseRequest(text: string): CertificateRequest {
  const [block] = pemBlocks(text);
  if (block?.type !== 'CERTIFICATE REQUEST')
    throw new CertificateRequestError('PEM block type must be CERTIFICATE REQUEST');
  const [outer, ...trailing] = readDer(block.der);
  if (trailing.length > 0) throw new CertificateRequestError('asn1: syntax error: trailing data');
  const [body, algorithm, signature] = children(outer);
  const [, subject, info, attributes] = children(body);
  if (body === undefined || subject === undefined || info === undefined || signature === undefined)
    throw new CertificateRequestError('asn1: syntax error: sequence truncated');
  const publicKey = publicKeyOf(info.whole);
  const request = {
    commonName: attributesOf(subject, COMMON_NAME).at(-1) ?? '',
    organizations: attributesOf(subject, ORGANIZATION),
    ...namesIn(requestedNames(attributes)),
    publicKey,
    keyInfo: info.whole,
  };
  requireSigned(publicKey, body.whole, oidOf(children(algorithm)[0]), signature.content.subarray(1));
  return request;
}

function publicKeyOf(info: Uint8Array): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(info), format: 'der', type: 'spki' });
  } catch (error) {
    throw new CertificateRequestError('x509: malformed public key', { cause: error });
  }
}

function requireSigned(publicKey: KeyObject, body: Uint8Array, oid: string, signature: Uint8Array): void {
  const algorithm = Object.hasOwn(ALGORITHMS, oid) ? ALGORITHMS[oid] : undefined;
  if (algorithm === undefined || publicKey.asymmetricKeyType !== algorithm.key)
    throw new CertificateRequestError('x509: cannot verify signature: algorithm unimplemented');
  if (!verify(algorithm.digest, body, publicKey, signature))
    throw new CertificateRequestError(NOT_SIGNED[algorithm.key]);
}

function children(value: DerValue | undefined): DerValue[] {
  return value === undefined ? [] : readDer(value.content);
}

function oidOf(value: DerValue | undefined): string {
  return value?.tag === 0x06 ? Buffer.from(value.content).toString('hex') : '';
}

function attributesOf(name: DerValue, oid: string): string[] {
  return children(name)
    .flatMap((set) => children(set).map(children))
    .filter(([type]) => oidOf(type) === oid)
    .map(([, value]) => (value === undefined ? '' : stringOf(value)));
}

/** BMPString is UTF-16; every other string that names have is read as UTF-8. */
function stringOf({ content, tag }: DerValue): string {
  if (tag !== 0x1e) return Buffer.from(content).toString('utf8');
  if (content.length % 2 !== 0) throw new CertificateRequestError('pkcs12: odd-length BMP string');
  return Buffer.from(content).swap16().toString('utf16le');
}

/** The alternative names among the extensions a request asks for. */
function requestedNames(attributes: DerValue | undefined): DerValue[] {
  const extensions = children(attributes)
    .map(children)
    .filter(([type]) => oidOf(type) === EXTENSION_REQUEST)
    .flatMap(([, values]) => children(children(values)[0]).map(children));
  const ids = extensions.map(([id]) => oidOf(id));
  if (new Set(ids).size !== ids.length)
    throw new CertificateRequestError('x509: certificate request contains duplicate requested extensions');
  const found = extensions[ids.indexOf(SUBJECT_ALTERNATIVE_NAME)];
  return children(readDer(found?.at(-1)?.content ?? new Uint8Array())[0]);
}

type Names = Pick<CertificateRequest, 'dnsNames' | 'emailAddresses' | 'ipAddresses' | 'otherNames' | 'uris'>;

function namesIn(names: readonly DerValue[]): Names {
  const of = (tag: number): DerValue[] => names.filter((name) => name.tag === tag);
  const texts = (tag: number): string[] => of(tag).map(({ content }) => Buffer.from(content).toString('utf8'));
  const [emailAddresses, dnsNames, uris] = [texts(0x81), texts(0x82), texts(0x86)];
  const ipAddresses = of(0x87).map(({ content }) => ipText(content));
  const known = emailAddresses.length + dnsNames.length + uris.length + ipAddresses.length;
  return { dnsNames, emailAddresses, ipAddresses, uris, otherNames: names.length - known };
}

/** As Go writes it: the longest run of zeros of an IPv6 address is left out. */
export function ipText(bytes: Uint8Array): string {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) throw new CertificateRequestError(`x509: cannot parse IP address of length ${bytes.length}`);
  const groups = Array.from({ length: 8 }, (_, index) =>
    (((bytes[index * 2] ?? 0) << 8) | (bytes[index * 2 + 1] ?? 0)).toString(16),
  );
  return new URL(`http://[${groups.join(':')}]`).hostname.slice(1, -1);
}
