import { X509Certificate } from 'node:crypto';
import type { Connection } from './connection.js';
import { bearerHeaders, fixedCredentials } from './credentials.js';
import type { ClientCertificate } from './credentials.js';
import { jsonOf, kubeconfigOf, selectContext } from './document.js';
import type { KubeconfigDocument } from './document.js';
import { ConfigError, UntrustedConfigError } from './fields.js';
import type { Fields } from './fields.js';
import { environmentProxy } from './proxy.js';
import { loadYaml } from './yaml-library.js';

/*
 * A kubeconfig out of a Secret, a status or a mounted file was written by any client with access to it. It is data: it may
 * say where a server is, how that server proves itself and with which token or certificate to ask. It may not make this
 * process run a command, read a file, send requests elsewhere or act as another user.
 */

/** What a kubeconfig of others comes down to once everything but data was refused. */
export interface UntrustedKubeconfig {
  readonly context: string;
  readonly userName: string | undefined;
  /** `https://host:port`, possibly with a path prefix, no trailing slash. */
  readonly server: string;
  /** PEM bundle; absent = the system's CAs. */
  readonly caPem: string | undefined;
  /** Name checked instead of the host of the URL. */
  readonly serverName: string | undefined;
  readonly token: string | undefined;
  readonly clientCert: ClientCertificate | undefined;
  readonly namespace: string | undefined;
}

export interface UntrustedOptions {
  /** Where the text came from, as messages name it: `Secret clusters-a/admin-kubeconfig`. */
  readonly origin: string;
  /** Whose `HTTPS_PROXY` counts. Default: `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
}

/** Ours have 4 kB; a bundle of every public CA has 200 kB as base64. */
export const MAX_UNTRUSTED_BYTES = 256 * 1024;
/** YAML is read in time that grows with its tokens; a kubeconfig of ten contexts has 600. */
const MAX_TOKENS = 20_000;
const MAX_DEPTH = 16;
/** Kubeconfigs need none of these, and each makes a short text long to read. */
const REFUSED_TOKENS: Readonly<Record<string, string>> = {
  alias: 'aliases (*)',
  anchor: 'anchors (&)',
  'explicit-key-ind': 'explicit keys (?)',
  tag: 'tags (!)',
};

const CREDENTIALS = 'put a token, or client-certificate-data and client-key-data, into it';
const REFUSED_OF_CLUSTERS: Readonly<Record<string, string>> = {
  'certificate-authority': 'may not name files: put the CA itself into certificate-authority-data',
  'insecure-skip-tls-verify': 'may not turn verification off: put the CA of the server into certificate-authority-data',
  'proxy-url': 'may not choose a proxy: set HTTPS_PROXY in the environment of this process instead',
};
const REFUSED_OF_USERS: Readonly<Record<string, string>> = {
  exec: `may not run commands: ${CREDENTIALS}`,
  'auth-provider': `may not load auth providers: ${CREDENTIALS}`,
  tokenFile: `may not name files: ${CREDENTIALS}`,
  'client-certificate': 'may not name files: put the certificate itself into client-certificate-data',
  'client-key': 'may not name files: put the key itself into client-key-data',
  as: `may not impersonate: ${CREDENTIALS}`,
  'as-uid': `may not impersonate: ${CREDENTIALS}`,
  'as-groups': `may not impersonate: ${CREDENTIALS}`,
  'as-user-extra': `may not impersonate: ${CREDENTIALS}`,
  username: `may not use basic authentication: ${CREDENTIALS}`,
  password: `may not use basic authentication: ${CREDENTIALS}`,
};

/** The connection that a kubeconfig of others describes. Rejects with {@link UntrustedConfigError}. */
export async function untrustedConnection(text: string, options: UntrustedOptions): Promise<Connection> {
  const { caPem, clientCert, context, namespace, server, serverName, token } = await untrustedKubeconfig(text, options);
  return {
    server,
    trust: { caPem, serverName },
    proxyUrl: environmentProxy(server, options.env ?? process.env),
    credentials: fixedCredentials({
      headers: token === undefined ? {} : bearerHeaders(token),
      certificate: clientCert,
    }),
    namespace: namespace ?? 'default',
    context,
  };
}

/** Reads a kubeconfig of others. What is more than data is refused, also where no context uses it. */
export async function untrustedKubeconfig(text: string, { origin }: UntrustedOptions): Promise<UntrustedKubeconfig> {
  try {
    await checkBounds(text, origin);
    return staticOf(await kubeconfigOf(text, origin));
  } catch (error) {
    throw error instanceof ConfigError ? new UntrustedConfigError(error.message, error) : error;
  }
}

async function checkBounds(text: string, file: string): Promise<void> {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_UNTRUSTED_BYTES)
    throw new ConfigError(`has ${bytes} bytes; a kubeconfig may have ${MAX_UNTRUSTED_BYTES}`, { file });
  // JSON has none of what is looked for, and is read in one go.
  if (jsonOf(text) !== undefined) return;
  const { yamlTokens } = await loadYaml();
  let [tokens, depth] = [0, 0];
  for (const type of yamlTokens(text)) {
    const refused = REFUSED_TOKENS[type];
    if (refused !== undefined) throw new ConfigError(`not a kubeconfig: YAML with ${refused} is refused`, { file });
    if (/^flow-.*-start$/.test(type)) depth += 1;
    if (/^flow-.*-end$/.test(type)) depth -= 1;
    if ((tokens += 1) > MAX_TOKENS || depth > MAX_DEPTH)
      throw new ConfigError('not a kubeconfig: too many or too deep YAML values', { file });
  }
}

function staticOf(document: KubeconfigDocument): UntrustedKubeconfig {
  for (const cluster of document.clusters.values()) refuse(cluster, REFUSED_OF_CLUSTERS);
  for (const user of document.users.values()) refuse(user, REFUSED_OF_USERS);
  const { cluster, context, name, user } = selectContext(document);
  return {
    context: name,
    userName: context.string('user'),
    server: httpsServer(cluster),
    caPem: certificates(cluster, 'certificate-authority-data'),
    serverName: cluster.string('tls-server-name'),
    token: user?.string('token'),
    clientCert: user === undefined ? undefined : clientCertificate(user),
    namespace: context.string('namespace'),
  };
}

function refuse(fields: Fields, refused: Readonly<Record<string, string>>): void {
  for (const [name, why] of Object.entries(refused))
    if (fields.isSet(name)) throw fields.problem(name, `refused: a kubeconfig that a cluster holds ${why}`);
}

/** Only HTTPS, so that nothing is sent before the server has proved itself; and nothing that hides where it leads. */
function httpsServer(cluster: Fields): string {
  const text = cluster.required('server');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || url.protocol !== 'https:')
    throw cluster.problem('server', 'refused: a kubeconfig that a cluster holds must name an https:// URL');
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw cluster.problem('server', 'refused: the URL may have no user, query or fragment; name host, port and path');
  return `${url.origin}${url.pathname.replace(/\/+$/, '')}`;
}

/** Without this check a bundle of nothing would silently mean the CAs of the system. */
function certificates(fields: Fields, name: string): string | undefined {
  const pem = fields.base64(name)?.toString('utf8');
  if (pem === undefined) return undefined;
  try {
    void new X509Certificate(pem);
  } catch (error) {
    throw fields.problem(name, 'holds no certificate in PEM', error);
  }
  return pem;
}

function clientCertificate(user: Fields): ClientCertificate | undefined {
  const certPem = certificates(user, 'client-certificate-data');
  const keyPem = user.base64('client-key-data')?.toString('utf8');
  if (certPem === undefined && keyPem === undefined) return undefined;
  if (certPem === undefined) throw user.problem('client-certificate-data', 'must be set when client-key-data is');
  if (keyPem === undefined) throw user.problem('client-key-data', 'must be set when client-certificate-data is');
  return { certPem, keyPem };
}
