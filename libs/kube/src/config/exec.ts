import { spawn } from 'node:child_process';
import type { Clock } from '@capstan/meta';
import { bearerHeaders } from './credentials.js';
import type { Credentials, CredentialSource } from './credentials.js';
import { ConfigError, Fields } from './fields.js';

/** A credential plugin as a kubeconfig names it. */
export interface ExecPlugin {
  readonly file: string;
  readonly field: string;
  readonly apiVersion: 'client.authentication.k8s.io/v1' | 'client.authentication.k8s.io/v1beta1';
  readonly command: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  readonly installHint?: string | undefined;
  /** Handed to the plugin when it asked to know where it is going. */
  readonly cluster?: Readonly<Record<string, unknown>> | undefined;
  /** It may talk to the user at the terminal. */
  readonly isInteractive?: boolean | undefined;
}

/** A credential is renewed this long before the plugin's own expiry. */
const EXPIRY_MARGIN_MS = 10_000;
const PLUGIN_TIMEOUT_MS = 60_000;

interface Cached {
  readonly credentials: Credentials;
  readonly expiresAt: number;
}

/** Runs the plugin when nothing valid is cached; concurrent requests share one run. */
export function execCredentials(
  plugin: ExecPlugin,
  clock: Clock,
  headers: Credentials['headers'] = {},
): CredentialSource {
  let cached: Cached | undefined;
  let running: Promise<Credentials> | undefined;
  const run = async (): Promise<Credentials> => {
    try {
      cached = parseCredential(await runPlugin(plugin), plugin, headers);
      return cached.credentials;
    } finally {
      running = undefined;
    }
  };
  return {
    get: () => (cached !== undefined && clock.now() < cached.expiresAt ? cached.credentials : (running ??= run())),
    refresh: () => {
      cached = undefined;
      return true;
    },
  };
}

const LONGEST_OUTPUT_BYTES = 8 * 1024 * 1024;

function runPlugin(plugin: ExecPlugin): Promise<string> {
  const interactive = plugin.isInteractive === true;
  const info = {
    kind: 'ExecCredential',
    apiVersion: plugin.apiVersion,
    spec: { ...(plugin.cluster === undefined ? {} : { cluster: plugin.cluster }), interactive },
  };
  const env = { ...process.env, ...plugin.env, KUBERNETES_EXEC_INFO: JSON.stringify(info) };
  return new Promise((resolve, reject) => {
    const child = spawn(plugin.command, [...plugin.args], {
      env,
      // A user who is asked for a password may take their time, and reads the prompt.
      ...(interactive ? {} : { timeout: PLUGIN_TIMEOUT_MS }),
      stdio: [interactive ? 'inherit' : 'ignore', 'pipe', interactive ? 'inherit' : 'pipe'],
    });
    const output: Buffer[] = [];
    const errorOutput: Buffer[] = [];
    const keep = (chunks: Buffer[]) => (chunk: Buffer) => {
      chunks.push(chunk);
      if (chunks.reduce((sum, { length }) => sum + length, 0) > LONGEST_OUTPUT_BYTES) child.kill('SIGKILL');
    };
    child.stdout?.on('data', keep(output));
    child.stderr?.on('data', keep(errorOutput));
    const failed = (how: number | string | null, error?: Error): void => {
      const hint = how === 'ENOENT' && plugin.installHint !== undefined ? `\n${plugin.installHint}` : '';
      const detail = Buffer.concat(errorOutput).toString('utf8').trim();
      const problem = `credential plugin "${plugin.command}" failed (${how ?? 'unknown'})${detail === '' ? '' : `: ${detail}`}${hint}`;
      reject(pluginProblem(plugin, problem, error));
    };
    child.on('error', (error: NodeJS.ErrnoException) => failed(error.code ?? error.message, error));
    child.on('close', (code, signal) => {
      if (code === 0) resolve(Buffer.concat(output).toString('utf8'));
      else failed(code ?? signal);
    });
  });
}

function parseCredential(output: string, plugin: ExecPlugin, headers: Credentials['headers']): Cached {
  let document: unknown;
  try {
    document = JSON.parse(output);
  } catch (error) {
    throw pluginProblem(plugin, `credential plugin "${plugin.command}" did not print JSON`, error);
  }
  const root = new Fields(document, plugin.file, `${plugin.field} output`);
  if (root.string('kind') !== 'ExecCredential') throw root.problem('kind', 'expected ExecCredential');
  if (root.string('apiVersion') !== plugin.apiVersion) {
    throw root.problem('apiVersion', `expected ${plugin.apiVersion}, found ${root.string('apiVersion') ?? 'nothing'}`);
  }
  const status = root.mapping('status');
  if (status === undefined) throw root.problem('status', 'must be set');
  const token = status.string('token');
  const certPem = status.string('clientCertificateData');
  const keyPem = status.string('clientKeyData');
  if ((certPem === undefined) !== (keyPem === undefined)) {
    throw status.problem('clientCertificateData', 'must come together with clientKeyData');
  }
  if (token === undefined && certPem === undefined)
    throw status.problem('token', 'neither a token nor a certificate was given');
  const certificate = certPem !== undefined && keyPem !== undefined ? { certPem, keyPem } : undefined;
  return {
    credentials: { headers: token === undefined ? headers : { ...headers, ...bearerHeaders(token) }, certificate },
    expiresAt: expiry(status),
  };
}

function expiry(status: Fields): number {
  const text = status.string('expirationTimestamp');
  // No expiry: good for the life of the process, or until the server refuses it.
  if (text === undefined) return Number.POSITIVE_INFINITY;
  const at = Date.parse(text);
  if (Number.isNaN(at)) throw status.problem('expirationTimestamp', `"${text}" is not a time`);
  return at - EXPIRY_MARGIN_MS;
}

function pluginProblem(plugin: ExecPlugin, problem: string, cause: unknown): ConfigError {
  return new ConfigError(problem, { file: plugin.file, field: plugin.field }, cause);
}
