import { createPrivateKey, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Clock } from '@capstan/meta';
import type { FileReader } from './document.js';
import { ConfigError } from './fields.js';

/** What a request is authenticated with at this moment. */
export interface Credentials {
  /** Lower case; a list where the header repeats. */
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** The identity object itself shows whether a new connection is needed: same object, same certificate. */
  readonly certificate?: ClientCertificate | undefined;
}

export interface ClientCertificate {
  readonly certPem: string;
  readonly keyPem: string;
}

/** Gives credentials for each request; `refresh` is called when the server refused them. */
export interface CredentialSource {
  get(): Credentials | Promise<Credentials>;
  /** Forgets what is cached. False when asking again would give the same. */
  refresh(): boolean;
}

/** Credentials that never change. */
export function fixedCredentials(credentials: Credentials): CredentialSource {
  return { get: () => credentials, refresh: () => false };
}

/** Every request goes out unauthenticated. */
export function anonymous(): CredentialSource {
  return fixedCredentials({ headers: {} });
}

/** `Authorization: Bearer`. */
export function bearerHeaders(token: string): Record<string, string> {
  return { authorization: `Bearer ${token}` };
}

/** How long a file is trusted without looking at it again. */
const FILE_TTL_MS = 10_000;

/** A token that another process renews in a file, like a projected service account token. */
export function tokenFileCredentials(
  path: string,
  clock: Clock,
  rest: {
    headers?: Credentials['headers'];
    certificate?: ClientCertificate | undefined;
    files?: FileReader | undefined;
  } = {},
): CredentialSource {
  let cached: Credentials | undefined;
  let checkedAt = 0;
  let stamp = '';
  const read = async (): Promise<Credentials> => {
    try {
      const seen = rest.files === undefined ? await stampOf(path) : await rest.files.read(path);
      if (cached === undefined || seen !== stamp) {
        const token = (rest.files === undefined ? await readFile(path, 'utf8') : seen).trim();
        if (token === '') throw new ConfigError('the file is empty');
        cached = { headers: { ...rest.headers, ...bearerHeaders(token) }, certificate: rest.certificate };
        stamp = seen;
      }
      checkedAt = clock.monotonic();
    } catch (error) {
      // A rotation may catch the file half way: the old token is better than none.
      if (cached === undefined) throw new ConfigError(`cannot read the token: ${text(error)}`, { file: path }, error);
    }
    return cached;
  };
  return {
    get: () => (cached !== undefined && clock.monotonic() - checkedAt < FILE_TTL_MS ? cached : read()),
    refresh: () => {
      checkedAt = Number.NEGATIVE_INFINITY;
      return true;
    },
  };
}

/** Changes whenever the file does. */
async function stampOf(path: string): Promise<string> {
  const { mtimeMs, ino, size } = await stat(path);
  return `${mtimeMs}:${ino}:${size}`;
}

/** Where a client certificate and its key are kept. */
export interface CertificatePaths {
  readonly certFile: string;
  readonly keyFile: string;
}

/** Credentials whose client certificate another process renews in its files. */
export function withCertificateFiles(
  source: CredentialSource,
  { certFile, keyFile }: CertificatePaths,
  first: ClientCertificate,
  clock: Clock,
): CredentialSource {
  let certificate = first;
  let checkedAt = clock.monotonic();
  const look = async (): Promise<void> => {
    checkedAt = clock.monotonic();
    try {
      const [certPem, keyPem] = await Promise.all([readFile(certFile, 'utf8'), readFile(keyFile, 'utf8')]);
      if (certPem === certificate.certPem && keyPem === certificate.keyPem) return;
      if (new X509Certificate(certPem).checkPrivateKey(createPrivateKey(keyPem))) certificate = { certPem, keyPem };
    } catch {
      // A renewal may catch the files half way: the old certificate is better than none.
    }
  };
  return {
    get: async () => {
      if (clock.monotonic() - checkedAt >= FILE_TTL_MS) await look();
      return { ...(await source.get()), certificate };
    },
    refresh: () => {
      checkedAt = Number.NEGATIVE_INFINITY;
      source.refresh();
      return true;
    },
  };
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
