import { resolve } from 'node:path';
import type {
  ApiServer,
  ApiServerOptions,
  AuditOptions,
  CertificateSubject,
  ComputedResource,
} from '@capstan/apiserver';
import type { CertificateAuthority, Logger } from '@capstan/kube';
import type { Clock, KubeObject, Random, UserInfo } from '@capstan/meta';
import { dialAddress, servingNames } from './addresses.js';
import { connectNodes, type NodeConnections } from './connect-nodes.js';
import type { OpenData } from '../data/index.js';
import { serverIdentity } from './identity.js';

export interface ApiserverOptions {
  readonly port: number;
  readonly host: string;
  /** Where to keep the state; absent: nowhere. */
  readonly data?: string | undefined;
  readonly kubeconfigOut?: string | undefined;
  readonly token?: string | undefined;
  readonly tokenFile?: string | undefined;
  readonly clientCaFile?: string | undefined;
  readonly serviceAccountSigningKeyFile?: string | undefined;
  readonly audit?: AuditOptions | undefined;
  readonly controllers: boolean;
  /** How many nodes run pods. */
  readonly nodes: number;
  /** Serves metrics.k8s.io for the pods of its nodes. */
  readonly servesUsage?: boolean | undefined;
  readonly enableFaultInjection?: boolean | undefined;
  readonly historyMinEvents?: number | undefined;
  /** Milliseconds. */
  readonly historyMinAge?: number | undefined;
  readonly verbose?: boolean | undefined;
}

/** Finds what serves behind a port of a service; undefined: not in this process. */
export type FindService = (
  namespace: string,
  name: string,
  port: number,
) => { readonly host: string; readonly port: number } | undefined;

/** A server that listens. */
export interface StartedServer {
  readonly server: ApiServer;
  /** Where kubelets are plugged in. */
  readonly connections: NodeConnections;
  readonly clock: Clock;
  readonly random: Random;
  readonly url: string;
  readonly caPem: string;
  /** Issues its certificate; client certificates it issues are believed. */
  readonly ca: CertificateAuthority;
  readonly token: string;
  /** The Kubernetes release it behaves as. */
  readonly version: string;
  /** Whether what is written is stored at present, as far as it is to be. */
  readonly isStoring: () => boolean;
  /** Lets webhooks behind services be found where they really listen. */
  findServicesBy(find: FindService | undefined): void;
  /** Serves nobody any more, and keeps what is to be kept. */
  close(): Promise<void>;
}

const HTTPS_PORT = 443;
const ADMINISTRATOR: UserInfo = { username: 'capstan-admin', groups: ['system:masters', 'system:authenticated'] };

type Libraries = readonly [typeof import('@capstan/apiserver'), typeof import('@capstan/kube/basics')];

/** Starts an API server over TLS; others than the holder of the token may do what roles allow them. */
export async function startServer(options: ApiserverOptions, logger: Logger): Promise<StartedServer> {
  // Loaded while the database is read; nobody waits for the one before the other.
  const libraries = Promise.all([import('@capstan/apiserver'), import('@capstan/kube/basics')]);
  const data = options.data === undefined ? undefined : await openDirectory(options.data, logger);
  try {
    const serving = await serve(options, logger, data, await libraries);
    return { ...serving, isStoring: () => data?.journal.failure === undefined };
  } catch (error) {
    await data?.journal.close();
    throw error;
  }
}

/** The database is loaded only for those who keep something. */
async function openDirectory(path: string, logger: Logger): Promise<OpenData> {
  const { openData, logReport } = await import('../data/index.js');
  return openData(resolve(path), logReport(logger, resolve(path)));
}

async function serve(
  options: ApiserverOptions,
  logger: Logger,
  data: OpenData | undefined,
  [apiserver, kube]: Libraries,
): Promise<Omit<StartedServer, 'isStoring'>> {
  const { host } = options;
  const [clock, random] = [kube.systemClock(), kube.systemRandom()];
  const { ca, clientCaPem, signingKeyPem, token } = serverIdentity(options, kube);
  const serving = ca.issueServing({ commonName: 'capstan-apiserver', ...servingNames(host) });
  // Discovery contains the address, which is known only once the port is; nothing is served before.
  const served: { server?: ApiServer } = {};
  const http = await apiserver.serveHttp(
    { handle: handler(served, options, logger), streamsBody: (target) => served.server?.streamsBody(target) === true },
    {
      port: options.port,
      host,
      tls: { cert: serving.certPem, key: serving.keyPem, clientCa: clientCaPem },
      userFromCertificate,
      onError: (error, request) => logger.warn('request failed', { ...request, error: kube.errorText(error) }),
    },
  );
  const services: { find?: FindService | undefined } = {};
  const webhooks = new apiserver.HttpsCaller({
    resolveService: ({ name, namespace, port }) => services.find?.(namespace, name, port || HTTPS_PORT),
  });
  const close = async (): Promise<void> => {
    await http.close();
    await connections.close();
    webhooks.close();
    await data?.journal.close();
  };
  const connections = connectNodes(apiserver, {
    onError: (error) => logger.warn('kubelet failed', { error: kube.errorText(error) }),
  });
  const address = dialAddress(host, http.port);
  const server = new apiserver.ApiServer({
    clock,
    random,
    authenticate: apiserver.tokenAuthenticator(new Map([[token, ADMINISTRATOR]])),
    authorization: 'rbac',
    nodes: connections.nodes,
    pods: connections.pods,
    webhooks,
    // Without controllers nobody makes the accounts that pods are to have.
    serviceAccounts: { signingKey: signingKeyPem, admission: options.controllers },
    ...(options.audit === undefined ? {} : { audit: options.audit }),
    serverAddress: address,
    ...(options.servesUsage === true ? { computed: await usageIn(served, clock) } : {}),
    faultsEndpoint: options.enableFaultInjection === true,
    history: historyLimits(options),
    ...(data === undefined ? {} : { durable: data }),
    onError: (error) => logger.error('internal error', { error: kube.errorText(error) }),
  });
  served.server = server;
  server.metrics.include(http.metrics);
  // A failure to store has been logged by then, and stored objects can still be read.
  await data?.journal.flushed()?.catch(() => undefined);
  const { major, minor, patch } = apiserver.KUBERNETES_VERSION;
  const version = `v${major}.${minor}.${patch}`;
  const findServicesBy = (find: FindService | undefined): void => {
    services.find = find;
  };
  const url = `https://${address}`;
  const caPem = ca.certPem;
  return { server, connections, clock, random, url, caPem, ca, token, version, findServicesBy, close };
}

/** What the pods of a server use, read from its store. */
async function usageIn(served: { readonly server?: ApiServer }, clock: Clock): Promise<readonly ComputedResource[]> {
  const [{ usageResources }, { timestamp }] = await Promise.all([import('./usage.js'), import('@capstan/kube')]);
  const all = (resource: string): readonly KubeObject[] =>
    served.server?.store.list(resource).items.map((stored) => stored.object()) ?? [];
  return usageResources({ pods: () => all('/pods'), nodes: () => all('/nodes'), now: () => timestamp(clock) });
}

/** As Kubernetes reads certificates: the name is the user, the organizations are the groups. */
function userFromCertificate({ commonName, organizations }: CertificateSubject): UserInfo | undefined {
  return commonName === '' ? undefined : { username: commonName, groups: [...organizations, 'system:authenticated'] };
}

function handler(
  served: { readonly server?: ApiServer },
  { verbose }: ApiserverOptions,
  logger: Logger,
): ApiServer['handle'] {
  const handle: ApiServer['handle'] = (request) => (served.server as ApiServer).handle(request);
  if (verbose !== true) return handle;
  return (request) => {
    logger.debug('request', { method: request.method, target: request.target });
    return handle(request);
  };
}

function historyLimits({ historyMinAge, historyMinEvents }: ApiserverOptions): ApiServerOptions['history'] & object {
  return {
    ...(historyMinEvents === undefined ? {} : { minEvents: historyMinEvents }),
    ...(historyMinAge === undefined ? {} : { minAgeMs: historyMinAge }),
  };
}
