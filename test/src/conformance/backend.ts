import { inject } from 'vitest';
import { ApiServer, HttpsCaller, serveHttp, tokenAuthenticator } from '@capstan/apiserver';
import { HttpTransport, createAuthority, fixedCredentials, systemClock, systemRandom } from '@capstan/kube';
import type { Transport, UserInfo } from '@capstan/meta';

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
  /** The same server for somebody with another token, or with none. */
  as(token: string | undefined): Transport;
}

interface RealKube {
  readonly version: string;
  readonly url: string;
  readonly token: string;
  readonly ca: string;
}

const ADMIN: UserInfo = { username: 'admin', uid: 'admin', groups: ['system:masters', 'system:authenticated'] };
const TOKEN = 'admin-token';
const AUTHENTICATE = tokenAuthenticator(new Map([[TOKEN, ADMIN]]));

function once<T>(start: () => Promise<T>): () => Promise<T> {
  let started: Promise<T> | undefined;
  return () => (started ??= start());
}

/** An embedded server of its own, for tests that turn its knobs. */
export function embeddedServer(options: Partial<ConstructorParameters<typeof ApiServer>[0]> = {}): ApiServer {
  return new ApiServer({ clock: systemClock(), random: systemRandom(), webhooks: new HttpsCaller(), ...options });
}

/** Puts a server behind TLS and a token, and gives the way to it. */
export async function overHttps(server: ApiServer): Promise<Connected & { close(): Promise<void> }> {
  const authority = createAuthority({ commonName: 'conformance' });
  const pair = authority.issueServing({ commonName: 'apiserver', ipAddresses: ['127.0.0.1'] });
  const http = await serveHttp(server, { port: 0, tls: { cert: pair.certPem, key: pair.keyPem } });
  const as = (token: string | undefined): HttpTransport => httpTransport(http.url, token, authority.certPem);
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

const inProcess: Backend = {
  name: 'in-process',
  kind: 'in-process',
  connect: once(async () => {
    const server = embeddedServer({ authenticate: AUTHENTICATE, authorization: 'rbac' });
    const as = (token: string | undefined): Transport => ({
      send: (request) =>
        server.send({ ...request, headers: { ...request.headers, authorization: token && `Bearer ${token}` } }),
    });
    return { transport: as(TOKEN), as };
  }),
};

const https: Backend = {
  name: 'https',
  kind: 'https',
  connect: once(async () => {
    return overHttps(embeddedServer({ authenticate: AUTHENTICATE, authorization: 'rbac' }));
  }),
};

/** Where the real server is: started for the project by its configuration, or one that runs already. */
function realKube(): RealKube | undefined {
  const started = inject('realKube' as never) as RealKube | undefined;
  if (started !== undefined) return started;
  const { CAPSTAN_REAL_URL: url, CAPSTAN_REAL_VERSION: version = 'v1.36' } = process.env;
  if (url === undefined) return undefined;
  return { url, version, token: process.env['CAPSTAN_REAL_TOKEN'] ?? '', ca: process.env['CAPSTAN_REAL_CA'] ?? '' };
}

function realBackend(kube: RealKube): Backend {
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

/** True when this run is for real servers. */
export const isReal = process.env['CAPSTAN_BACKEND'] === 'real';

let known: readonly Backend[] | undefined;

/** The servers of this run: the embedded one both ways, or with CAPSTAN_BACKEND=real the real one. */
export function backends(): readonly Backend[] {
  if (known !== undefined) return known;
  if (!isReal) return (known = [inProcess, https]);
  const kube = realKube();
  known = kube === undefined ? [] : [realBackend(kube)];
  return known;
}
