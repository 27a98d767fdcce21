import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { clientVersion } from './client-version.js';
import { CliError } from './errors.js';
import type { Io } from './io.js';
import type { ClusterOptions } from './options.js';
import { formatObject } from './output.js';

export interface VersionOptions extends ClusterOptions {
  readonly client?: boolean | undefined;
  readonly output?: 'json' | 'yaml' | undefined;
}

const SERVER_TIMEOUT_MS = 10_000;

/** Prints the client's version and, where a cluster is configured, the server's. A silent server is an error, after the client's version. */
export async function runVersion(options: VersionOptions, io: Io): Promise<void> {
  const client = {
    version: `v${clientVersion()}`,
    node: process.version,
    platform: `${process.platform}/${process.arch}`,
  };
  const asks = options.client !== true && namesCluster(options, io);
  const asked: Asked = asks ? await serverVersion(options, io).then(found, failed) : {};
  if (options.output === undefined) {
    io.out(`Client Version: ${client.version}\n`);
    if (asked.found !== undefined) io.out(`Server Version: ${String(asked.found['gitVersion'])}\n`);
  } else {
    const both = { clientVersion: client, ...(asked.found === undefined ? {} : { serverVersion: asked.found }) };
    io.out(await formatObject(both, options.output));
  }
  if (asked.failure !== undefined) throw asked.failure;
}

type ServerVersion = Readonly<Record<string, unknown>>;

interface Asked {
  readonly found?: ServerVersion;
  readonly failure?: unknown;
}

const found = (version: ServerVersion): Asked => ({ found: version });
const failed = (failure: unknown): Asked => ({ failure });

/** Whether the user has a cluster at all; having none is no reason to complain. */
function namesCluster({ kubeconfig, context }: ClusterOptions, { env }: Io): boolean {
  if (kubeconfig !== undefined || context !== undefined) return true;
  if ((env['KUBECONFIG'] ?? '') !== '' || env['KUBERNETES_SERVICE_HOST'] !== undefined) return true;
  return existsSync(join(env['HOME'] ?? homedir(), '.kube', 'config'));
}

async function serverVersion({ kubeconfig, context }: ClusterOptions, { env }: Io): Promise<ServerVersion> {
  const { Client, HttpTransport, loadConnection } = await import('@capstan/kube');
  const connection = await loadConnection({ path: kubeconfig, context, env, home: env['HOME'] });
  const transport = new HttpTransport(connection, {
    requestTimeoutMs: SERVER_TIMEOUT_MS,
    connectTimeoutMs: SERVER_TIMEOUT_MS,
  });
  try {
    const { body } = await new Client(transport, { maxRetries: 0 }).request({ method: 'GET', target: '/version' });
    const version = body.type === 'payload' ? body.value() : undefined;
    if (typeof version !== 'object' || version === null || !('gitVersion' in version)) {
      throw new CliError(
        `${connection.server} does not answer like a Kubernetes API server`,
        'check the server address in the kubeconfig',
      );
    }
    return version as ServerVersion;
  } finally {
    await transport.close();
  }
}
