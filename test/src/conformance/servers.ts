import { ApiServer, HttpsCaller, serveHttp, tokenAuthenticator } from '@capstan/apiserver';
import { HttpTransport, createCa, fixedCredentials, systemClock, systemRandom } from '@capstan/kube';
import type { Transport, UserInfo } from '@capstan/meta';

/* The servers that suites and other programs run on; nothing here needs the test runner. */

export type BackendKind = 'in-process' | 'https' | 'real';

/** One server the suite runs on. */
export interface Backend {
  /** `in-process`, `https` or `real-1.36`. */
  readonly name: string;
  readonly kind: BackendKind;
  /** Starts the server when it is first asked for; afterwards the same one. */
  connect(): Promise<Connected>;
}

/** A server that is up. */
export interface Connected {
  readonly transport: Transport;
  /** The same server for a client with another token, or with none. */
  as(token: string | undefined): Transport;
}

/** Where a real server is that runs already. */
export interface RealServer {
  readonly version: string;
  readonly url: string;
  readonly token: string;
  readonly ca: string;
}

const ADMIN: UserInfo = { username: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] };
/** Of the administrator. */
export const TOKEN = 'admin-token';
/** Knows the administrator alone. */
export const AUTHENTICATE = tokenAuthenticator(new Map([[TOKEN, ADMIN]]));

/** Starts when it is first asked for. */
export function once<T>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => (started ??= start());
}

/** An embedded server of its own, for tests that turn its knobs. */
export function embeddedServer(options: Partial<ConstructorParameters<typeof ApiServer>[0]> = {}): ApiServer {
  return new ApiServer({ clock: systemClock(), random: systemRandom(), webhooks: new HttpsCaller(), ...options });
}

/** Puts a server behind TLS and a token, and gives the way to it. */
export async function overHttps(server: ApiServer): Promise<Connected & { close(): Promise<void> }> {
  const ca = createCa({ commonName: 'conformance' });
  const pair = ca.issueServing({ commonName: 'apiserver', ipAddresses: ['127.0.0.1'] });
  const http = await serveHttp(server, { port: 0, tls: { cert: pair.certPem, key: pair.keyPem } });
  const as = (token: string | undefined): HttpTransport => httpTransport(http.url, token, ca.certPem);
  const transport = as(TOKEN);
  const close = async (): Promise<void> => {
    await transport.close();
    await http.close();
  };
  return { transport, as, close };
}

function httpTransport(server: string, token: string | undefined, caPem: string): HttpTransport {
  const credentials = fixedCredentials({ headers: token === undefined ? {} : { authorization: `Bearer ${token}` } });
  return new HttpTransport({ server, trust: { caPem }, credentials, namespace: 'default' });
}

/** An embedded server behind TLS, which starts when it is first asked for. */
export function embeddedBackend(): Backend {
  return {
    name: 'https',
    kind: 'https',
    connect: once(async () => {
      return overHttps(embeddedServer({ authenticate: AUTHENTICATE, authorization: 'rbac' }));
    }),
  };
}

/** The real server that the environment names. */
export function namedRealServer(): RealServer | undefined {
  const { CAPSTAN_REAL_URL: url, CAPSTAN_REAL_VERSION: version = 'v1.36' } = process.env;
  if (url === undefined) return undefined;
  return { url, version, token: process.env['CAPSTAN_REAL_TOKEN'] ?? '', ca: process.env['CAPSTAN_REAL_CA'] ?? '' };
}

/** A real server as a back end. */
export function realBackend(kube: RealServer): Backend {
  const [, minor = 'unknown'] = /^v?(\d+\.\d+)/.exec(kube.version) ?? [];
  return {
    name: `real-${minor}`,
    kind: 'real',
    connect: once(async () => {
      const as = (token: string | undefined): Transport => httpTransport(kube.url, token, kube.ca);
      return { transport: as(kube.token), as };
    }),
  };
}
