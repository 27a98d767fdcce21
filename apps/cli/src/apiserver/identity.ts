import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CertificateAuthority } from '@capstan/kube';
import { caProblem, isSigningKey, missingText, readKept } from '../data/kept-file.js';
import { CliError } from '../errors.js';
import { unusable } from '../files.js';

/** What makes a server the same one to its clients. */
export interface ServerIdentity {
  readonly ca: CertificateAuthority;
  /** PEM of all CAs whose client certificates are believed. */
  readonly clientCaPem: string;
  /** PEM of the key that service account tokens are signed with. */
  readonly signingKeyPem: string;
  /** Of the administrator. */
  readonly token: string;
}

/** Files that take the place of what would be made up. */
export interface IdentityOptions {
  /** Where to keep what is made up; absent: nowhere. */
  readonly data?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly clientCaFile?: string | undefined;
  readonly serviceAccountSigningKeyFile?: string | undefined;
}

/** How the identity of a data directory is kept: one file, so that it is there whole or not at all. */
interface Kept {
  readonly caCert: string;
  readonly caKey: string;
  readonly signingKey: string;
  readonly token: string;
}

type Certs = Pick<typeof import('@capstan/kube/basics'), 'createCa' | 'keptCa' | 'loadCa' | 'writeWholeFile'>;

const FILE = 'identity.json';
const HINT =
  'restore it from a backup, or remove it: clients then need the new kubeconfig and new service account tokens';
const TOKEN_BYTES = 24;

/** The identity of a server: the one its data directory has, or a new one. */
export function serverIdentity(options: IdentityOptions, certs: Certs): ServerIdentity {
  const kept = options.data === undefined ? made(certs) : keptIn(options.data, certs);
  const ca = certs.keptCa({ certPem: kept.caCert, keyPem: kept.caKey }, Date.now());
  if (options.data !== undefined && ca.certPem !== kept.caCert)
    keepRenewed(options.data, { ...kept, caCert: ca.certPem }, certs);
  const { clientCaFile, serviceAccountSigningKeyFile: keyFile, tokenFile } = options;
  const others = clientCaFile === undefined ? '' : readCertificates(clientCaFile);
  return {
    ca,
    clientCaPem: `${ca.certPem}\n${others}`,
    signingKeyPem: keyFile === undefined ? kept.signingKey : readSigningKey(keyFile),
    token: options.token ?? (tokenFile === undefined ? kept.token : readToken(tokenFile)),
  };
}

/** On a disk that cannot be written the next start renews it again: the key stays the same. */
function keepRenewed(directory: string, kept: Kept, { writeWholeFile }: Certs): void {
  try {
    writeWholeFile(join(directory, FILE), `${JSON.stringify(kept)}\n`);
  } catch {
    // See above.
  }
}

function made({ createCa }: Certs): Kept {
  const ca = createCa({ commonName: 'capstan-ca' });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return {
    caCert: ca.certPem,
    caKey: ca.keyPem,
    signingKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    token: randomBytes(TOKEN_BYTES).toString('base64url'),
  };
}

function keptIn(directory: string, certs: Certs): Kept {
  const found = readKept<Kept>({
    path: join(directory, FILE),
    problem: (fields) => problemOf(fields, certs),
    hint: HINT,
  });
  if (found !== undefined) return found;
  const kept = made(certs);
  try {
    certs.writeWholeFile(join(directory, FILE), `${JSON.stringify(kept)}\n`);
  } catch (error) {
    throw unusable('data directory', directory, error, 'name a directory you may write with --data');
  }
  return kept;
}

function problemOf(fields: Readonly<Record<string, unknown>>, { loadCa }: Certs): string | undefined {
  const missing = missingText(fields, ['caCert', 'caKey', 'signingKey', 'token']);
  if (missing !== undefined) return missing;
  const { caCert, caKey, signingKey } = fields as unknown as Kept;
  if (!isSigningKey(signingKey)) return 'signingKey is no RSA or P-256 private key in PEM';
  return caProblem(loadCa, { certPem: caCert, keyPem: caKey }, 'caCert and caKey');
}

function readCertificates(path: string): string {
  const text = readFile(path, '--client-ca-file');
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new CliError(`${path} holds no certificate`, 'name a file of certificates in PEM with --client-ca-file');
  return text;
}

function readSigningKey(path: string): string {
  const text = readFile(path, '--service-account-signing-key-file');
  if (isSigningKey(text)) return text;
  throw new CliError(
    `${path} holds no key that tokens can be signed with`,
    'name a file with an RSA or P-256 private key in PEM with --service-account-signing-key-file',
  );
}

/** One token, and no line end: what `echo` and editors leave there is no part of it. */
function readToken(path: string): string {
  const token = readFile(path, '--token-file').trim();
  if (/^[\x21-\x7e]{1,4096}$/.test(token)) return token;
  throw new CliError(`${path} holds no token`, 'name a file of one line, without spaces, with --token-file');
}

function readFile(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CliError(`cannot read ${path}`, `name a file you may read with ${option}`, { cause: error });
  }
}
