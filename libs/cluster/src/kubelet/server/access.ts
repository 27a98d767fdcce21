import type { IncomingMessage } from 'node:http';
import { TLSSocket } from 'node:tls';

/** Whom a verified client certificate names. */
export interface KubeletCaller {
  readonly username: string;
  readonly groups: readonly string[];
}

/** Why a caller is turned away. */
export interface Refusal {
  readonly status: 401 | 403;
  readonly text: string;
}

/** The user name API servers are given for their way to the kubelets. */
export const KUBELET_CLIENT_USER = 'kube-apiserver-kubelet-client';

/** Administrators, and API servers by their name. */
export function isApiServer({ username, groups }: KubeletCaller): boolean {
  return groups.includes('system:masters') || username === KUBELET_CLIENT_USER;
}

const VERBS: Readonly<Record<string, string>> = {
  POST: 'create',
  GET: 'get',
  HEAD: 'get',
  PUT: 'update',
  PATCH: 'patch',
  DELETE: 'delete',
};

/** Who asks is known by certificate alone; nothing is answered to anybody else. */
export function refusalOf(request: IncomingMessage, allows: (caller: KubeletCaller) => boolean): Refusal | undefined {
  const caller = callerOf(request);
  if (caller === undefined) return { status: 401, text: 'Unauthorized' };
  if (allows(caller)) return undefined;
  const verb = VERBS[request.method ?? ''] ?? 'get';
  const text = `Forbidden (user=${caller.username}, verb=${verb}, resource=nodes, subresource(s)=[proxy])`;
  return { status: 403, text };
}

function callerOf({ socket }: IncomingMessage): KubeletCaller | undefined {
  if (!(socket instanceof TLSSocket) || !socket.authorized) return undefined;
  const { subject } = socket.getPeerCertificate() as { subject?: Readonly<Record<string, unknown>> };
  const [username] = texts(subject?.['CN']).slice(-1);
  return username === undefined ? undefined : { username, groups: texts(subject?.['O']) };
}

/** An attribute that occurs more than once comes as a list. */
function texts(attribute: unknown): readonly string[] {
  if (Array.isArray(attribute)) return attribute.map(String);
  return typeof attribute === 'string' ? [attribute] : [];
}
