import { apiErrors } from '@capstan/meta';
import type { ApiResponse } from '@capstan/meta';
import type { Flow } from '../registry/effects.js';
import { EMPTY } from '../response/payload.js';
import { formOf, type Call } from '../verbs/context.js';
import { admittedOptions, type OptionsKind } from './admitted-options.js';
import { endToEndHeaders } from '../verbs/backend-request.js';
import { findContainer, findKubelet, findPod, hostPort } from './locate.js';
import {
  attachOptions,
  commandQuery,
  execOptions,
  logQuery,
  portForwardOptions,
  portForwardQuery,
  type AttachOptions,
} from './options.js';
import { refuseDryRun, reach, requireWay, upgradeHeaders } from './reach.js';
import type { KubeletAddress } from '../verbs/connectors.js';

/** How much of a kubelet's complaint is repeated. */
const MAX_COMPLAINT_BYTES = 50_000;
const OK_CODES = { first: 200, last: 206 } as const;

/** GET pods/NAME/log. */
export function* podLogs(call: Call): Flow<ApiResponse> {
  const { info, request } = call;
  const { accepted } = formOf(call);
  const query = logQuery(info.query, info.name);
  const pod = findPod(call, info.name);
  const container = findContainer(pod, info.query.get('container') ?? '');
  const node = pod.spec?.nodeName ?? '';
  const kubelet = node === '' ? undefined : findKubelet(call, node);
  // A stream has no metadata; the real server finds that out when it has one.
  if (accepted.as !== undefined) throw apiErrors.unclassified('object does not implement the Object interfaces');
  // Nothing runs yet, so there is no log.
  if (kubelet === undefined) return { status: 204, headers: {}, body: EMPTY };
  const path = kubeletPath(['containerLogs', call.namespace, info.name, container], query);
  const way = requireWay(call.ways.nodes);
  const answer = yield* reach(async () => {
    const host = hostPort(kubelet.host, kubelet.port);
    try {
      const asked = { method: 'GET', target: path, host, headers: {}, signal: request.signal };
      return await checked(await way.ask(kubelet, asked), info.name);
    } catch (error) {
      throw refusedBy(error, (text) => `Get "https://${host}${path}": ${text}`);
    }
  });
  return { status: 200, headers: { 'content-type': 'text/plain' }, body: answer.body };
}

function refusedBy(error: unknown, messageOf: (text: string) => string): unknown {
  if (!(error instanceof Error) || error.name === 'ApiError') return error;
  return apiErrors.unclassified(messageOf(error.message));
}

/** Rewrites a refusal of the kubelet in the words of this server. */
async function checked(answer: ApiResponse, name: string): Promise<ApiResponse> {
  const { status, body } = answer;
  if (status >= OK_CODES.first && status <= OK_CODES.last) return answer;
  const text = body.type === 'stream' ? await complaint(body.read()) : '';
  if (status === 500) throw apiErrors.internal(text);
  if (status === 400) throw apiErrors.badRequest(text);
  throw apiErrors.genericServerResponse(status, {
    resource: { group: '', resource: 'pods/log' },
    name,
    serverMessage: text,
  });
}

async function complaint(body: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body) {
    pieces.push(piece);
    size += piece.length;
    if (size >= MAX_COMPLAINT_BYTES) break;
  }
  return Buffer.concat(pieces).subarray(0, MAX_COMPLAINT_BYTES).toString('utf8');
}

/** exec and attach: GET for WebSockets, POST for the rest. */
export function podCommand(call: Call): Flow<ApiResponse> {
  return call.info.subresource === 'exec' ? stream(call, EXEC) : stream(call, ATTACH);
}

/** portforward. */
export function podPortForward(call: Call): Flow<ApiResponse> {
  return stream(call, PORT_FORWARD);
}

/** One kind of stream into a pod. */
interface StreamKind<T extends object> {
  readonly kind: OptionsKind;
  read(query: URLSearchParams): T;
  readonly kubeletRoot: string;
  kubeletQuery(options: T): URLSearchParams;
  /** What follows the pod in the kubelet's path. */
  below(pod: ReturnType<typeof findPod>, options: T): readonly string[];
}

const chosenContainer = (pod: ReturnType<typeof findPod>, { container = '' }: AttachOptions): readonly string[] => [
  findContainer(pod, container),
];
const EXEC: StreamKind<ReturnType<typeof execOptions>> = {
  kind: 'PodExecOptions',
  read: execOptions,
  kubeletRoot: 'exec',
  kubeletQuery: commandQuery,
  below: chosenContainer,
};
const ATTACH: StreamKind<AttachOptions> = {
  kind: 'PodAttachOptions',
  read: attachOptions,
  kubeletRoot: 'attach',
  kubeletQuery: commandQuery,
  below: chosenContainer,
};
const PORT_FORWARD: StreamKind<ReturnType<typeof portForwardOptions>> = {
  kind: 'PodPortForwardOptions',
  read: portForwardOptions,
  kubeletRoot: 'portForward',
  kubeletQuery: portForwardQuery,
  below: () => [],
};

function* stream<T extends object>(call: Call, of: StreamKind<T>): Flow<ApiResponse> {
  const { info, request } = call;
  refuseDryRun(info);
  const options = yield* admittedOptions(call, of.kind, of.read(info.query));
  // WebSockets can only be opened by GET, but permission to read does not include permission to act.
  if (info.verb !== 'create') requireCreate(call);
  const pod = findPod(call, info.name);
  const rest = of.below(pod, options);
  const node = pod.spec?.nodeName ?? '';
  if (node === '') throw apiErrors.badRequest(`pod ${info.name} does not have a host assigned`);
  const kubelet = findKubelet(call, node);
  const upgrade = upgradeHeaders(request);
  if (upgrade === undefined) throw apiErrors.badRequest('Upgrade request required');
  const target = kubeletPath([of.kubeletRoot, call.namespace, info.name, ...rest], of.kubeletQuery(options));
  return yield* reach(() => upgradeAt(call, kubelet, target, upgrade));
}

/** Asked once more, and refused in fewer words. */
function requireCreate({ info, user, access, served }: Call): void {
  const { allowed, reason = '' } = access.authorize(user, { ...info, verb: 'create' });
  if (!allowed) throw apiErrors.forbidden(served.groupResource, info.name, reason);
}

async function upgradeAt(
  { ways, request }: Call,
  kubelet: KubeletAddress,
  target: string,
  upgrade: Readonly<Record<string, string>>,
): Promise<ApiResponse> {
  try {
    const { authorization: _ours, ...headers } = endToEndHeaders(request.headers);
    return await requireWay(ways.nodes).ask(kubelet, {
      method: request.method,
      target,
      host: hostPort(kubelet.host, kubelet.port),
      headers: { ...headers, ...upgrade },
      signal: request.signal,
    });
  } catch (error) {
    throw refusedBy(error, (text) => `error dialing backend: ${text}`);
  }
}

function kubeletPath(segments: readonly string[], query: URLSearchParams): string {
  const text = query.toString();
  return `/${segments.map(encodeURIComponent).join('/')}${text === '' ? '' : `?${text}`}`;
}
