import { randomBytes } from 'node:crypto';
import { mkdir, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { stringify } from 'yaml';
import type { KeyPair } from '../certs/certificates.js';

export interface WriteKubeconfigOptions {
  /** The file to write or replace. */
  readonly path: string;
  readonly server: string;
  /** Authority of the server's certificate. */
  readonly caPem?: string | undefined;
  readonly token?: string | undefined;
  readonly clientCert?: KeyPair | undefined;
  readonly namespace?: string | undefined;
  /** Names the cluster, the context and the user. */
  readonly name?: string | undefined;
  /** User name when it should differ from `name`. */
  readonly userName?: string | undefined;
  readonly insecureSkipVerify?: boolean | undefined;
}

/** The text of a kubeconfig with one cluster, one user and one context. */
export function kubeconfigText(options: Omit<WriteKubeconfigOptions, 'path'>): string {
  const name = options.name ?? 'capstan';
  const userName = options.userName ?? name;
  const base64 = (text: string): string => Buffer.from(text).toString('base64');
  const { caPem, clientCert, namespace, token } = options;
  return stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        {
          name,
          cluster: {
            server: options.server,
            ...(caPem === undefined ? {} : { 'certificate-authority-data': base64(caPem) }),
            ...(options.insecureSkipVerify === true ? { 'insecure-skip-tls-verify': true } : {}),
          },
        },
      ],
      users: [
        {
          name: userName,
          user: {
            ...(token === undefined ? {} : { token }),
            ...(clientCert === undefined
              ? {}
              : {
                  'client-certificate-data': base64(clientCert.certPem),
                  'client-key-data': base64(clientCert.keyPem),
                }),
          },
        },
      ],
      contexts: [
        { name, context: { cluster: name, user: userName, ...(namespace === undefined ? {} : { namespace }) } },
      ],
      'current-context': name,
    },
    { lineWidth: 0 },
  );
}

/** Writes a kubeconfig only its owner can read; a reader sees the old file or the new one, never half of it. */
export async function writeKubeconfig(options: WriteKubeconfigOptions): Promise<void> {
  await mkdir(dirname(options.path), { recursive: true, mode: 0o700 });
  const temporary = `${options.path}.${randomBytes(6).toString('hex')}.tmp`;
  try {
    const file = await open(temporary, 'wx', 0o600);
    try {
      await file.writeFile(kubeconfigText(options));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, options.path);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}
