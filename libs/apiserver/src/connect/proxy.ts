import { apiErrors, goQuote } from '@capstan/meta';
import type { ApiResponse } from '@capstan/meta';
import type { Flow } from '../registry/effects.js';
import { EMPTY } from '../response/payload.js';
import type { Call } from '../verbs/context.js';
import { admittedOptions, type OptionsKind } from './admitted-options.js';
import { endToEndHeaders, type BackendRequest } from '../verbs/backend-request.js';
import { findKubelet, findPod, hostPort, type PodParts } from './locate.js';
import { reach, refuseDryRun, requireWay, upgradeHeaders } from './reach.js';
import { findServiceEndpoint } from './service-endpoint.js';
import type { PodAddress } from '../verbs/connectors.js';

/** A backend to pass requests on to. */
interface Backend {
  readonly host: string;
  ask(request: BackendRequest): Promise<ApiResponse>;
}

/** `name`, `name:port` or `scheme:name:port`. */
interface ProxyName {
  readonly scheme: string;
  readonly name: string;
  readonly port: string;
}

const PROXY_PATH = /^\/api\/v1\/(?:namespaces\/[^/?]+\/(?:pods|services)|nodes)\/[^/?]+\/proxy(?=[/?]|$)/;

/** Whether a request is only passed on. */
export function isProxyTarget(target: string): boolean {
  return PROXY_PATH.test(target);
}

const MAX_PORT = 65_535;
const HTTP_PORT = 80;
const HTTPS_PORT = 443;

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
  const kind = KINDS[info.resource];
  if (kind === undefined) throw apiErrors.resourceNotServed();
  const [path = '', query] = request.target.split(/\?(.*)/s);
  const asked = decodeURIComponent(path.replace(PROXY_PATH, ''));
  const admitted = yield* admittedOptions(call, kind.options, asked === '' ? {} : { path: asked });
  const backend = kind.backend(call);
  const wanted = pathBehind(path, asked, (admitted as { path?: string }).path ?? '');
  const isRoot = wanted === '';
  const upgrade = upgradeHeaders(request);
  const queryText = query === undefined ? '' : `?${query}`;
  // Relative links of the page behind would lead nowhere.
  if (isRoot && upgrade === undefined && (request.method === 'GET' || request.method === 'HEAD'))
    return { status: 301, headers: { location: `${path}/${queryText}` }, body: EMPTY };
  const below = isRoot ? '/' : wanted;
  return yield* reach(() => passOn(backend, passedRequest(call, backend.host, below + queryText)));
}

/** As the client spelled it, unless admission wants another. */
function pathBehind(rawPath: string, asked: string, admitted: string): string {
  if (admitted === asked) return rawPath.replace(PROXY_PATH, '');
  return encodeURI(admitted.startsWith('/') ? admitted : `/${admitted}`);
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
    return await backend.ask(asked);
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    throw apiErrors.serviceUnavailable(`error trying to reach service: ${text}`);
  }
}

/** What can be reached, and as what admission is asked about it. */
const KINDS: Readonly<Record<string, { readonly options: OptionsKind; backend(call: Call): Backend }>> = {
  pods: { options: 'PodProxyOptions', backend: podBackend },
  services: { options: 'ServiceProxyOptions', backend: serviceBackend },
  nodes: { options: 'NodeProxyOptions', backend: nodeBackend },
};

function podBackend(call: Call): Backend {
  const { scheme, name, port } = readName(call.info.name, 'pod');
  const pod = findPod(call, name);
  const { podIPs = [], podIP = '' } = pod.status ?? {};
  const ip = podIPs[0]?.ip ?? podIP;
  if (ip === '') throw apiErrors.badRequest('address not allowed');
  const place = { namespace: call.namespace, pod: name, node: pod.spec?.nodeName ?? '', ip };
  const isSecure = scheme === 'https';
  return backendOf(call, { ...place, port: readPort(port) ?? usualPort(pod, isSecure), isSecure });
}

function readPort(text: string): number | undefined {
  if (text === '') return undefined;
  const port = Number(text);
  if (Number.isInteger(port) && port >= 1 && port <= MAX_PORT) return port;
  throw apiErrors.serviceUnavailable(`error trying to reach service: dial tcp: address ${text}: invalid port`);
}

/** The first port any container declares, or that of the protocol. */
function usualPort({ spec }: PodParts, isSecure: boolean): number {
  const [declared] = (spec?.containers ?? []).flatMap(({ ports = [] }) => ports);
  return declared?.containerPort ?? (isSecure ? HTTPS_PORT : HTTP_PORT);
}

function serviceBackend(call: Call): Backend {
  const asked = readName(call.info.name, 'service');
  const endpoint = findServiceEndpoint(call, asked, call.info.name);
  const node = findPod(call, endpoint.pod).spec?.nodeName ?? '';
  return backendOf(call, { namespace: call.namespace, node, ...endpoint, isSecure: asked.scheme === 'https' });
}

function backendOf({ ways }: Call, pod: PodAddress): Backend {
  const way = requireWay(ways.pods);
  return { host: hostPort(pod.ip, pod.port), ask: (request) => way.ask(pod, request) };
}

function nodeBackend(call: Call): Backend {
  const { name } = readName(call.info.name, 'node');
  const kubelet = findKubelet(call, name);
  const way = requireWay(call.ways.nodes);
  return { host: hostPort(kubelet.host, kubelet.port), ask: (request) => way.ask(kubelet, request) };
}
