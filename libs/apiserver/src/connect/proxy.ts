import { connect as tlsConnect } from 'node:tls';
import type { Duplex } from 'node:stream';
import { apiErrors, goQuote } from '@capstan/meta';
import type { ApiResponse } from '@capstan/meta';
import type { Flow } from '../registry/effects.js';
import { EMPTY } from '../response/payload.js';
import type { Call } from '../verbs/context.js';
import { askBackend, endToEndHeaders, type BackendRequest } from './backend.js';
import { findKubelet, findPod, hostPort } from './locate.js';
import { reach, refuseDryRun, requireWay, upgradeHeaders } from './reach.js';
import { findServiceEndpoint } from './service-endpoint.js';

/** Somebody to pass requests on to. */
interface Backend {
  readonly host: string;
  dial(): Promise<Duplex>;
}

/** `name`, `name:port` or `scheme:name:port`. */
interface ProxyName {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

const PROXY_PATH = /^\/api\/v1\/(?:namespaces\/[^/?]+\/(?:pods|services)|nodes)\/[^/?]+\/proxy(?:[/?]|$)/;

/** Whether a request is only passed on. */
export function isProxyTarget(target: string): boolean {
  return PROXY_PATH.test(target);
}

const MAX_PORT = 65_535;

function readName(text: string, what: string): ProxyName {
  const parts = text.split(':');
  const [scheme = '', name = '', port = ''] = parts.length === 3 ? parts : ['', ...parts];
  if (parts.length > 3 || name === '' || !['', 'http', 'https'].includes(scheme))
    throw apiErrors.badRequest(`invalid ${what} request ${goQuote(text)}`);
  return { scheme, name, port };
}

/** pods/NAME/proxy, services/NAME/proxy and nodes/NAME/proxy: any request, passed on. */
export function* proxy(call: Call): Flow<ApiResponse> {
  const { info, request } = call;
  refuseDryRun(info);
  const backend = BACKENDS[info.resource]?.(call);
  if (backend === undefined) throw apiErrors.resourceNotServed();
  const [path = '', query] = request.target.split(/\?(.*)/s);
  const isRoot = !/\/proxy\//.test(path);
  const upgrade = upgradeHeaders(request);
  const queryText = query === undefined ? '' : `?${query}`;
  // Relative links of the page behind would lead nowhere.
  if (isRoot && upgrade === undefined && (request.method === 'GET' || request.method === 'HEAD'))
    return { status: 301, headers: { location: `${path}/${queryText}` }, body: EMPTY };
  const below = isRoot ? '/' : path.slice(path.indexOf('/proxy/') + '/proxy'.length);
  return yield* reach(() => passOn(backend, passedRequest(call, backend.host, below + queryText)));
}

function passedRequest({ request }: Call, host: string, target: string): BackendRequest {
  // The credentials were for this server; the page behind must not learn them.
  const { authorization: _ours, ...headers } = endToEndHeaders(request.headers);
  for (const name of Object.keys(headers)) if (name.startsWith('impersonate-')) delete headers[name];
  const { body, method, signal } = request;
  return { method, target, host, headers: { ...headers, ...upgradeHeaders(request) }, body, signal };
}

async function passOn(backend: Backend, asked: BackendRequest): Promise<ApiResponse> {
  try {
    return await askBackend(await backend.dial(), asked);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw apiErrors.serviceUnavailable(`error trying to reach service: ${text}`);
  }
}

const BACKENDS: Readonly<Record<string, (call: Call) => Backend>> = {
  pods: podBackend,
  services: serviceBackend,
  nodes: nodeBackend,
};

function podBackend(call: Call): Backend {
  const { scheme, name, port } = readName(call.info.name, 'pod');
  const pod = findPod(call, name);
  const declared = pod.spec?.containers?.find(({ ports = [] }) => ports.length > 0)?.ports?.[0]?.containerPort;
  const ip = pod.status?.podIPs?.[0]?.ip ?? pod.status?.podIP ?? '';
  if (ip === '') throw apiErrors.badRequest('address not allowed');
  const number = port === '' ? (declared ?? (scheme === 'https' ? 443 : 80)) : Number(port);
  if (!Number.isInteger(number) || number < 1 || number > MAX_PORT)
    throw apiErrors.serviceUnavailable(`error trying to reach service: dial tcp: address ${port}: invalid port`);
  const node = pod.spec?.nodeName ?? '';
  return backendOf(call, scheme, { namespace: call.namespace, pod: name, node, ip, port: number });
}

function serviceBackend(call: Call): Backend {
  const asked = readName(call.info.name, 'service');
  const endpoint = findServiceEndpoint(call, asked, call.info.name);
  const node = findPod(call, endpoint.pod).spec?.nodeName ?? '';
  return backendOf(call, asked.scheme, { namespace: call.namespace, node, ...endpoint });
}

function backendOf(
  { ways }: Call,
  scheme: string,
  pod: Parameters<NonNullable<Call['ways']['pods']>['dial']>[0],
): Backend {
  const way = requireWay(ways.pods);
  return {
    host: hostPort(pod.ip, pod.port),
    async dial() {
      const connection = await way.dial(pod);
      return scheme === 'https' ? secured(connection) : connection;
    },
  };
}

/** Pods' certificates are nobody's business here, as with the real server. */
function secured(connection: Duplex): Promise<Duplex> {
  return new Promise((resolve, reject) => {
    const secure = tlsConnect({ socket: connection, rejectUnauthorized: false });
    secure.once('error', reject);
    secure.once('secureConnect', () => {
      secure.removeListener('error', reject);
      resolve(secure);
    });
  });
}

function nodeBackend(call: Call): Backend {
  const { name } = readName(call.info.name, 'node');
  const kubelet = findKubelet(call, name);
  const way = requireWay(call.ways.nodes);
  return { host: hostPort(kubelet.host, kubelet.port), dial: () => way.dial(kubelet) };
}
