import { createPrivateKey, createPublicKey } from 'node:crypto';
import { ipText, rememberCertificateRequest } from '@capstan/meta';
import type { Random } from '@capstan/meta';
import { implicit, objectIdentifier, sequence, sequenceOf, setOf, tlv, unsignedInteger } from './der.js';
import { ipBytes } from './ip.js';
import {
  alternativeNames,
  distinguishedName,
  extension,
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
  readonly emailAddresses?: readonly string[] | undefined;
  readonly uris?: readonly string[] | undefined;
  /** The key to be certified; a fresh one unless given. */
  readonly keyPem?: string | undefined;
  /** Draws the fresh key, for simulations: who knows the seed knows the key. Default: P-256 from the system. */
  readonly keyFrom?: Random | undefined;
}

const LABEL = 'CERTIFICATE REQUEST';
const EXTENSION_REQUEST = '1.2.840.113549.1.9.14';
const SUBJECT_ALTERNATIVE_NAME = '2.5.29.17';

/** A PKCS10 request and the key it is for. */
export function createCertificateRequest(options: CertificateRequestOptions): {
  readonly requestPem: string;
  readonly keyPem: string;
} {
  const key = options.keyPem === undefined ? newKey(options.keyFrom) : createPrivateKey(options.keyPem);
  const publicKey = createPublicKey(key);
  const keyInfo = publicKeyInfo(publicKey);
  const { commonName, dnsNames = [], emailAddresses = [], ipAddresses = [], organizations = [], uris = [] } = options;
  const names = [
    ...alternativeNames(dnsNames, ipAddresses),
    ...emailAddresses.map((address) => implicit(1, Buffer.from(address))),
    ...uris.map((uri) => implicit(6, Buffer.from(uri))),
  ];
  const wanted = sequence(extension(SUBJECT_ALTERNATIVE_NAME, false, sequenceOf(names)));
  const attributes = names.length === 0 ? [] : [sequence(objectIdentifier(EXTENSION_REQUEST), setOf(wanted))];
  const body = sequence(
    unsignedInteger(Uint8Array.of(0)),
    distinguishedName(commonName, organizations),
    keyInfo,
    tlv(0xa0, ...attributes),
  );
  const requestPem = pem(LABEL, signedWith(key, body));
  // A reader in this very process need not verify the signature of the key.
  rememberCertificateRequest(requestPem, {
    commonName,
    organizations,
    dnsNames,
    ipAddresses: ipAddresses.map((address) => ipText(ipBytes(address))),
    emailAddresses,
    uris,
    otherNames: 0,
    publicKey,
    keyInfo,
  });
  return {
    requestPem,
    keyPem: privateKeyPem(key),
  };
}
