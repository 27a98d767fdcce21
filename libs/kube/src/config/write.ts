import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { KeyPair } from '../certs/options.js';
import { writeWholeFile } from './whole-file.js';

export interface WriteKubeconfigOptions {
  /** The file to write or replace. */
  readonly path: string;
  readonly server: string;
  /** CA of the server's certificate. */
  readonly caPem?: string | undefined;
  /** Name in that certificate when it is not the host of the URL. */
  readonly serverName?: string | undefined;
  readonly token?: string | undefined;
  readonly clientCert?: KeyPair | undefined;
  readonly namespace?: string | undefined;
  /** Names the cluster, the context and the user. */
  readonly name?: string | undefined;
  /** User name when it should differ from `name`. */
  readonly userName?: string | undefined;
  readonly insecureSkipVerify?: boolean | undefined;
}

/** The text of a kubeconfig with one cluster, one user and one context. Its shape is fixed: that needs no YAML library. */
export function kubeconfigText(options: Omit<WriteKubeconfigOptions, 'path'>): string {
  const name = options.name ?? 'capstan';
  const userName = options.userName ?? name;
  const base64 = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : Buffer.from(text).toString('base64');
  const { caPem, clientCert, namespace, token } = options;
  return [
    'apiVersion: v1',
    'kind: Config',
    'clusters:',
    ...entry(name, 'cluster', {
      server: options.server,
      'certificate-authority-data': base64(caPem),
      'tls-server-name': options.serverName,
      'insecure-skip-tls-verify': options.insecureSkipVerify === true ? true : undefined,
    }),
    'users:',
    ...entry(userName, 'user', {
      token,
      'client-certificate-data': base64(clientCert?.certPem),
      'client-key-data': base64(clientCert?.keyPem),
    }),
    'contexts:',
    ...entry(name, 'context', { cluster: name, user: userName, namespace }),
    `current-context: ${JSON.stringify(name)}`,
    '',
  ].join('\n');
}

/** The same as JSON, which every reader of kubeconfigs takes and which is read without a YAML library. */
export function kubeconfigJson(options: Omit<WriteKubeconfigOptions, 'path'>): string {
  const { caPem, clientCert, insecureSkipVerify, name = 'capstan', namespace, server, token } = options;
  const user = options.userName ?? name;
  const base64 = (text: string | undefined): string | undefined =>
    text === undefined ? undefined : Buffer.from(text).toString('base64');
  const cluster = {
    server,
    'certificate-authority-data': base64(caPem),
    'tls-server-name': options.serverName,
    'insecure-skip-tls-verify': insecureSkipVerify === true ? true : undefined,
  };
  const credentials = {
    token,
    'client-certificate-data': base64(clientCert?.certPem),
    'client-key-data': base64(clientCert?.keyPem),
  };
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name, cluster }],
    users: [{ name: user, user: credentials }],
    contexts: [{ name, context: { cluster: name, user, namespace } }],
    'current-context': name,
  });
}

/** A JSON string is a YAML string, whatever is in it. */
function entry(name: string, kind: string, fields: Readonly<Record<string, string | boolean | undefined>>): string[] {
  const lines = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([field, value]) => `      ${field}: ${JSON.stringify(value)}`);
  const body = lines.length === 0 ? [`    ${kind}: {}`] : [`    ${kind}:`, ...lines];
  return [`  - name: ${JSON.stringify(name)}`, ...body];
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}

/** Node's own recursion never ends where a file system refuses with ENOENT. */
async function makeFolders(path: string): Promise<void> {
  try {
    await mkdir(path, 0o700);
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return;
    const parent = dirname(path);
    if (codeOf(error) !== 'ENOENT' || parent === path) throw error;
    await makeFolders(parent);
    await mkdir(path, 0o700);
  }
}

/** Writes a kubeconfig only its owner can read; a reader sees the old file or the new one, never half of it. */
export async function writeKubeconfig(options: WriteKubeconfigOptions): Promise<void> {
  await makeFolders(dirname(options.path));
  writeWholeFile(options.path, kubeconfigText(options));
}
