import { createPrivateKey, generateKeyPairSync, randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CertificateAuthority } from '@capstan/kube';
import { writeWhole } from '../data/directory.js';
import { CliError } from '../errors.js';

/** What makes a server the same one to its clients. */
export interface ServerIdentity {
  readonly authority: CertificateAuthority;
  /** PEM of all authorities whose client certificates are believed. */
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

type Certs = Pick<typeof import('@capstan/kube/basics'), 'createAuthority' | 'loadAuthority'>;

const FILE = 'identity.json';
const TOKEN_BYTES = 24;

/** The identity of a server: the one its data directory has, or a new one. */
export function serverIdentity(options: IdentityOptions, certs: Certs): ServerIdentity {
  const kept = options.data === undefined ? made(certs) : keptIn(options.data, certs);
  const authority = certs.loadAuthority({ certPem: kept.caCert, keyPem: kept.caKey });
  const { clientCaFile, serviceAccountSigningKeyFile: keyFile } = options;
  const others = clientCaFile === undefined ? '' : readCertificates(clientCaFile);
  return {
    authority,
    clientCaPem: `${kept.caCert}\n${others}`,
    signingKeyPem: keyFile === undefined ? kept.signingKey : readSigningKey(keyFile),
    token: options.token ?? kept.token,
  };
}

function made({ createAuthority }: Certs): Kept {
  const authority = createAuthority({ commonName: 'capstan-ca' });
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
  return {
    caCert: authority.certPem,
    caKey: authority.keyPem,
    signingKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    token: randomBytes(TOKEN_BYTES).toString('base64url'),
  };
}

function keptIn(directory: string, certs: Certs): Kept {
  const path = join(directory, FILE);
  if (!existsSync(path)) {
    const kept = made(certs);
    writeWhole(directory, FILE, `${JSON.stringify(kept)}\n`);
    return kept;
  }
  const parsed = parsedFile(readFileSync(path, 'utf8'));
  if (parsed === undefined)
    throw new CliError(
      `${path} is not what was written there`,
      'restore it from a backup, or remove it: clients then need the new kubeconfig and new service account tokens',
    );
  return parsed;
}

function parsedFile(text: string): Kept | undefined {
  try {
    const { caCert, caKey, signingKey, token } = JSON.parse(text) as Partial<Record<keyof Kept, unknown>>;
    const isWhole = [caCert, caKey, signingKey, token].every((each) => typeof each === 'string' && each !== '');
    return isWhole ? ({ caCert, caKey, signingKey, token } as Kept) : undefined;
  } catch {
    return undefined;
  }
}

function readCertificates(path: string): string {
  const text = readFile(path, '--client-ca-file');
  if (!text.includes('-----BEGIN CERTIFICATE-----'))
    throw new CliError(`${path} holds no certificate`, 'name a file of certificates in PEM with --client-ca-file');
  return text;
}

function readSigningKey(path: string): string {
  const text = readFile(path, '--service-account-signing-key-file');
  try {
    const { asymmetricKeyType, asymmetricKeyDetails } = createPrivateKey(text);
    if (asymmetricKeyType === 'rsa' || asymmetricKeyDetails?.namedCurve === 'prime256v1') return text;
  } catch {
    // Said below, without what the file holds.
  }
  throw new CliError(
    `${path} holds no key that tokens can be signed with`,
    'name a file with an RSA or P-256 private key in PEM with --service-account-signing-key-file',
  );
}

function readFile(path: string, option: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch (error) {
    throw new CliError(`cannot read ${path}`, `name a file you may read with ${option}`, { cause: error });
  }
}
