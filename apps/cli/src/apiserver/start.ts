import { randomBytes } from 'node:crypto';
import type { ApiServer, HttpServer } from '@capstan/apiserver';
import type { Logger } from '@capstan/kube';
import type { Clock, Random, UserInfo } from '@capstan/meta';
import { dialAddress, servingNames } from './addresses.js';

export interface ApiserverOptions {
  readonly port: number;
  readonly host: string;
  readonly kubeconfigOut?: string | undefined;
  readonly token?: string | undefined;
  readonly controllers: boolean;
  readonly enableFaultInjection?: boolean | undefined;
  readonly historyMinEvents?: number | undefined;
  /** Milliseconds. */
  readonly historyMinAge?: number | undefined;
  readonly verbose?: boolean | undefined;
}

/** A server that listens. */
export interface StartedServer {
  readonly server: ApiServer;
  readonly http: HttpServer;
  readonly clock: Clock;
  readonly random: Random;
  readonly url: string;
  readonly caPem: string;
  readonly token: string;
  /** The Kubernetes release it behaves as. */
  readonly version: string;
}

const ADMINISTRATOR: UserInfo = { username: 'capstan-admin', groups: ['system:masters', 'system:authenticated'] };
const TOKEN_BYTES = 24;

/** Starts an API server over TLS with a fresh authority; others than the holder of the token may do what roles allow them. */
export async function startServer(options: ApiserverOptions, logger: Logger): Promise<StartedServer> {
  const [apiserver, kube] = await Promise.all([import('@capstan/apiserver'), import('@capstan/kube')]);
  const { host } = options;
  const [clock, random] = [kube.systemClock(), kube.systemRandom()];
  const token = options.token ?? randomBytes(TOKEN_BYTES).toString('base64url');
  const ca = kube.createAuthority({ commonName: 'capstan-ca' });
  const serving = ca.issueServing({ commonName: 'capstan-apiserver', ...servingNames(host) });
  // Discovery tells clients the address, which is known only once the port is; nothing is served before.
  const served: { server?: ApiServer } = {};
  const handle: ApiServer['handle'] = (request) => (served.server as ApiServer).handle(request);
  const loggedHandle: ApiServer['handle'] = (request) => {
    logger.debug('request', { method: request.method, target: request.target });
    return handle(request);
  };
  const http = await apiserver.serveHttp(
    { handle: options.verbose === true ? loggedHandle : handle },
    {
      port: options.port,
      host,
      tls: { cert: serving.certPem, key: serving.keyPem },
      onError: (error, request) => logger.warn('request failed', { ...request, error: kube.errorText(error) }),
    },
  );
  const address = dialAddress(host, http.port);
  const { historyMinAge, historyMinEvents } = options;
  const server = new apiserver.ApiServer({
    clock,
    random,
    authenticate: apiserver.tokenAuthenticator(new Map([[token, ADMINISTRATOR]])),
    authorization: 'rbac',
    serverAddress: address,
    faultsEndpoint: options.enableFaultInjection === true,
    history: {
      ...(historyMinEvents === undefined ? {} : { minEvents: historyMinEvents }),
      ...(historyMinAge === undefined ? {} : { minAgeMs: historyMinAge }),
    },
    onError: (error) => logger.error('internal error', { error: kube.errorText(error) }),
  });
  served.server = server;
  const { major, minor, patch } = apiserver.KUBERNETES_VERSION;
  const version = `v${major}.${minor}.${patch}`;
  return { server, http, clock, random, url: `https://${address}`, caPem: ca.certPem, token, version };
}
