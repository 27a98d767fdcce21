import { readFile } from 'node:fs/promises';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import { trimEndOf } from '@capstan/meta/trim';
import type { Clock } from '@capstan/meta';
import { systemClock } from '../runtime/clock.js';
import type { Connection, ServerTrust } from './connection.js';
import {
  anonymous,
  bearerHeaders,
  fixedCredentials,
  tokenFileCredentials,
  withCertificateFiles,
} from './credentials.js';
import type { CertificatePaths, ClientCertificate, Credentials, CredentialSource } from './credentials.js';
import { readKubeconfig, selectContext } from './document.js';
import type { FileReader, KubeconfigDocument, KubeconfigLocation } from './document.js';
import { execCredentials } from './exec.js';
import type { ExecPlugin } from './exec.js';
import { ConfigError } from './fields.js';
import type { Fields } from './fields.js';
import { environmentProxy, isProxyUrl } from './proxy.js';

export interface LoadOptions extends KubeconfigLocation {
  /** Context to use instead of `current-context`. */
  readonly context?: string | undefined;
  readonly clock?: Clock | undefined;
  /** Where a pod finds its service account. */
  readonly serviceAccountDir?: string | undefined;
  /** Whether a user can be asked at a terminal. Default: whether the standard input is one. */
  readonly isTerminal?: boolean | undefined;
}

const SERVICE_ACCOUNT_DIR = '/var/run/secrets/kubernetes.io/serviceaccount';

/**
 * Finds a connection as kubectl does: the explicit file, `KUBECONFIG`, `~/.kube/config`, else the pod's own service
 * account. The file is trusted, commands and all: it is the user's own. For kubeconfigs that a cluster holds
 * there is `untrustedConnection`.
 */
export async function loadConnection(options: LoadOptions = {}): Promise<Connection> {
  const document = await readKubeconfig(options);
  if (document !== undefined) return connectionFromKubeconfig(document, options);
  const env = options.env ?? process.env;
  if (env['KUBERNETES_SERVICE_HOST'] !== undefined && options.context === undefined)
    return inClusterConnection(options);
  throw new ConfigError('no kubeconfig found: give a path, set KUBECONFIG or create ~/.kube/config');
}

/** The connection a pod has by itself. */
export async function inClusterConnection(options: LoadOptions = {}): Promise<Connection> {
  const env = options.env ?? process.env;
  const [host, port] = [env['KUBERNETES_SERVICE_HOST'], env['KUBERNETES_SERVICE_PORT']];
  if (host === undefined || port === undefined) {
    throw new ConfigError('not in a cluster: KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT must be set');
  }
  const folder = options.serviceAccountDir ?? SERVICE_ACCOUNT_DIR;
  const { clock = systemClock(), files } = options;
  const credentials = tokenFileCredentials(join(folder, 'token'), clock, { files });
  // Read once now, so that a missing token is reported here and not at the first request.
  await credentials.get();
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`;
  return {
    server,
    proxyUrl: environmentProxy(server, env),
    trust: { caPem: await readPem(join(folder, 'ca.crt'), files), caFile: onDisk(join(folder, 'ca.crt'), files) },
    credentials,
    namespace: await textOf(join(folder, 'namespace'), files).then(
      (text) => text.trim(),
      () => 'default',
    ),
  };
}

/** Turns one context of the user's own kubeconfig into a connection. */
async function connectionFromKubeconfig(document: KubeconfigDocument, options: LoadOptions): Promise<Connection> {
  const { cluster, context, name, user } = selectContext(document, options.context);
  const server = serverUrl(cluster);
  const { clock = systemClock(), files } = options;
  const trust = await serverTrust(cluster, files);
  const proxy = proxyUrl(cluster, server, options.env ?? process.env);
  const namespace = context.string('namespace') ?? 'default';
  // A token must never cross the wire in clear: kubectl, too, drops the user of a plain-HTTP cluster.
  const credentials =
    user === undefined || server.startsWith('http:')
      ? anonymous()
      : await userCredentials(user, {
          server,
          trust,
          clock,
          files,
          proxyUrl: cluster.string('proxy-url'),
          isTerminal: options.isTerminal ?? process.stdin.isTTY,
        });
  return { server, trust, proxyUrl: proxy, credentials, namespace, context: name };
}

function serverUrl(cluster: Fields): string {
  const text = cluster.required('server');
  let url: URL;
  try {
    url = new URL(text.includes('://') ? text : `https://${text}`);
  } catch (error) {
    throw cluster.problem('server', `"${text}" is not a URL`, error);
  }
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    throw cluster.problem('server', `"${text}" must be an http or https URL`);
  return `${url.origin}${trimEndOf(url.pathname, '/')}`;
}

/** The proxy of the cluster's own entry goes before those of the environment. */
function proxyUrl(cluster: Fields, server: string, env: NonNullable<LoadOptions['env']>): string | undefined {
  const text = cluster.string('proxy-url');
  if (text === undefined || text === '') return environmentProxy(server, env);
  if (!isProxyUrl(text))
    throw cluster.problem('proxy-url', `unsupported scheme in "${text}", must be http, https, or socks5`);
  return text;
}

async function serverTrust(cluster: Fields, files?: FileReader): Promise<ServerTrust> {
  const insecure = cluster.boolean('insecure-skip-tls-verify');
  const caPem = await pemField(cluster, 'certificate-authority', files);
  if (insecure && caPem !== undefined) {
    throw cluster.problem('insecure-skip-tls-verify', 'cannot be combined with a CA');
  }
  const path = cluster.base64('certificate-authority-data') === undefined && cluster.string('certificate-authority');
  const caFile = typeof path === 'string' ? onDisk(relativeTo(cluster, path), files) : undefined;
  return { caPem, caFile, insecureSkipVerify: insecure, serverName: cluster.string('tls-server-name') };
}

/** What the credentials of a user, credential plugins among them, know of the cluster they are for. */
interface UserTarget {
  readonly server: string;
  readonly trust: ServerTrust;
  readonly clock: Clock;
  readonly files: FileReader | undefined;
  readonly proxyUrl: string | undefined;
  readonly isTerminal: boolean;
}

async function userCredentials(user: Fields, target: UserTarget): Promise<CredentialSource> {
  const { clock, files } = target;
  if (user.mapping('auth-provider') !== undefined) {
    throw user.problem('auth-provider', 'auth providers were removed from Kubernetes: use an exec plugin');
  }
  const headers = impersonation(user);
  const certificate = await clientCertificate(user, files);
  const exec = user.mapping('exec');
  const tokenFile = user.string('tokenFile');
  const authorization = authorizationHeaders(user);
  if (exec !== undefined) {
    // Files from elsewhere than the disk are those of a pod within this process: a command would run outside of it.
    if (files !== undefined) throw user.problem('exec', 'refused: a pod of this process runs no commands; use a token');
    if (tokenFile !== undefined || authorization !== undefined || certificate !== undefined) {
      throw user.problem('exec', 'cannot be combined with other credentials');
    }
    return execCredentials(execPlugin(exec, target), clock, headers);
  }
  // The file is the one that is renewed, so it wins over the inline copy.
  const source =
    tokenFile === undefined
      ? fixedCredentials({ headers: { ...headers, ...authorization }, certificate })
      : tokenFileCredentials(relativeTo(user, tokenFile), clock, { headers, certificate, files });
  // Only those on the disk are watched for a renewal.
  const paths = files === undefined ? certificatePaths(user) : undefined;
  return paths === undefined || certificate === undefined
    ? source
    : withCertificateFiles(source, paths, certificate, clock);
}

/** Where the client certificate is renewed; what is written in the kubeconfig itself is not. */
function certificatePaths(user: Fields): CertificatePaths | undefined {
  const file = (name: string): string | undefined => {
    const path = user.base64(`${name}-data`) === undefined ? user.string(name) : undefined;
    return path === undefined ? undefined : relativeTo(user, path);
  };
  const [certFile, keyFile] = [file('client-certificate'), file('client-key')];
  return certFile === undefined || keyFile === undefined ? undefined : { certFile, keyFile };
}

function authorizationHeaders(user: Fields): Record<string, string> | undefined {
  const [token, username] = [user.string('token'), user.string('username')];
  if (username === undefined) return token === undefined ? undefined : bearerHeaders(token);
  if (token !== undefined || user.string('tokenFile') !== undefined) {
    throw user.problem('username', 'cannot be combined with a token');
  }
  return { authorization: `Basic ${Buffer.from(`${username}:${user.string('password') ?? ''}`).toString('base64')}` };
}

function impersonation(user: Fields): Credentials['headers'] {
  const headers: Record<string, string | string[]> = {};
  const [as, uid, groups] = [user.string('as'), user.string('as-uid'), user.strings('as-groups')];
  if (as === undefined && (uid !== undefined || groups.length > 0))
    throw user.problem('as', 'must be set when impersonating a uid or groups');
  if (as !== undefined) headers['impersonate-user'] = as;
  if (uid !== undefined) headers['impersonate-uid'] = uid;
  if (groups.length > 0) headers['impersonate-group'] = groups;
  const extra = user.mapping('as-user-extra');
  for (const [key] of extra?.entries() ?? []) {
    headers[`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`] = extra?.strings(key) ?? [];
  }
  return headers;
}

async function clientCertificate(user: Fields, files?: FileReader): Promise<ClientCertificate | undefined> {
  const certPem = await pemField(user, 'client-certificate', files);
  const keyPem = await pemField(user, 'client-key', files);
  if (certPem === undefined && keyPem === undefined) return undefined;
  if (certPem === undefined) throw user.problem('client-certificate', 'must be set when client-key is');
  if (keyPem === undefined) throw user.problem('client-key', 'must be set when client-certificate is');
  return { certPem, keyPem };
}

function execPlugin(exec: Fields, target: UserTarget): ExecPlugin {
  const apiVersion = exec.required('apiVersion');
  if (apiVersion !== 'client.authentication.k8s.io/v1' && apiVersion !== 'client.authentication.k8s.io/v1beta1') {
    throw exec.problem('apiVersion', `"${apiVersion}" is not supported: use client.authentication.k8s.io/v1`);
  }
  const isInteractive = interactiveMode(exec, apiVersion, target.isTerminal);
  const command = exec.required('command');
  return {
    file: exec.file,
    field: exec.path,
    apiVersion,
    // A bare name is looked up in PATH; anything with a slash counts from the kubeconfig.
    command: command.includes('/') ? relativeTo(exec, command) : command,
    args: exec.strings('args'),
    env: Object.fromEntries(
      exec.mappings('env').map((variable) => [variable.required('name'), variable.string('value') ?? '']),
    ),
    installHint: exec.string('installHint'),
    cluster: exec.boolean('provideClusterInfo') ? clusterInfo(target) : undefined,
    isInteractive,
  };
}

/** Whether the plugin may ask the user; in the older version of the interface an absent field means: if available. */
function interactiveMode(exec: Fields, apiVersion: string, isTerminal: boolean): boolean {
  const mode = exec.string('interactiveMode') ?? (apiVersion.endsWith('/v1beta1') ? 'IfAvailable' : undefined);
  if (mode === undefined) throw exec.problem('interactiveMode', 'must be set to Never, IfAvailable or Always');
  if (mode === 'Always' && !isTerminal)
    throw exec.problem('interactiveMode', 'Always needs a terminal, and there is none here');
  if (mode !== 'Never' && mode !== 'IfAvailable' && mode !== 'Always')
    throw exec.problem('interactiveMode', `"${mode}" is not one of Never, IfAvailable, Always`);
  return mode !== 'Never' && isTerminal;
}

function clusterInfo({ server, trust, proxyUrl: proxy = '' }: UserTarget): Record<string, unknown> {
  return {
    server,
    ...(trust.serverName === undefined ? {} : { 'tls-server-name': trust.serverName }),
    ...(trust.insecureSkipVerify === true ? { 'insecure-skip-tls-verify': true } : {}),
    ...(trust.caPem === undefined ? {} : { 'certificate-authority-data': Buffer.from(trust.caPem).toString('base64') }),
    ...(proxy === '' ? {} : { 'proxy-url': proxy }),
  };
}

/** A PEM given inline (`<name>-data`) or by file; inline wins, as with kubectl. */
async function pemField(fields: Fields, name: string, files?: FileReader): Promise<string | undefined> {
  const data = fields.base64(`${name}-data`);
  if (data !== undefined) return data.toString('utf8');
  const path = fields.string(name);
  if (path === undefined) return undefined;
  const file = relativeTo(fields, path);
  return textOf(file, files).catch((error: unknown) => {
    throw fields.problem(name, `cannot read ${file}`, error);
  });
}

function textOf(file: string, files?: FileReader): Promise<string> {
  return files?.read(file) ?? readFile(file, 'utf8');
}

function readPem(file: string, files?: FileReader): Promise<string> {
  return textOf(file, files).catch((error: unknown) => {
    throw new ConfigError('cannot be read', { file }, error);
  });
}

/** Only what is on the disk can be looked at again later. */
function onDisk(path: string, files: FileReader | undefined): string | undefined {
  return files === undefined ? path : undefined;
}

function relativeTo(fields: Fields, path: string): string {
  return isAbsolute(path) ? path : resolve(dirname(fields.file), path);
}
