import type { Headers } from '@capstan/translate';

/** Headers that are about one connection, not about the request or response. */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What of a client never reaches the server: who it is, and what we say ourselves. */
const OURS: ReadonlySet<string> = new Set(['authorization', 'content-length', 'expect', 'host', 'http2-settings']);

/** A WebSocket client may hide its token among the protocols it speaks. */
const TOKEN_PROTOCOL = 'base64url.bearer.authorization.k8s.io.';

const NOTHING_NAMED: readonly string[] = [];

/** Names that a `Connection` header takes with it. */
export function namedByConnection(value: string | readonly string[] | undefined): readonly string[] {
  // What nearly all say takes nothing with it.
  if (value === undefined || value === 'keep-alive' || value === 'close') return NOTHING_NAMED;
  return String(value)
    .toLowerCase()
    .split(',')
    .map((name) => name.trim());
}

/** Whether a header is about the connection it came by. */
export function isOfConnection(name: string, named: readonly string[]): boolean {
  return HOP_BY_HOP.has(name) || named.includes(name);
}

/** A client that impersonates; the server would check the proxy's own permissions. */
export function impersonates(headers: Headers): string | undefined {
  for (const name in headers) if (name.startsWith('impersonate-')) return name;
  return undefined;
}

/** How the body of a request is delimited. */
export type Framing =
  | { readonly type: 'none' }
  | { readonly type: 'length'; readonly bytes: number }
  | { readonly type: 'chunked'; readonly trailers?: string | undefined };

/** What the head of a request to the server is made of. */
export interface UpstreamHead {
  readonly method: string;
  readonly target: string;
  /** Of the server, with its port. */
  readonly host: string;
  /** Of the client, translated. */
  readonly headers: Headers;
  readonly credentials: Headers;
  readonly framing: Framing;
  /** The protocol to change to. */
  readonly upgrade?: string | undefined;
}

/** The head of a request as it is sent. */
export function upstreamHead({ method, target, host, headers, credentials, framing, upgrade }: UpstreamHead): string {
  const named = namedByConnection(headers['connection']);
  let text = `${method} ${target} HTTP/1.1\r\nhost: ${host}\r\n`;
  for (const name in headers) {
    if (isOfConnection(name, named) || OURS.has(name) || credentials[name] !== undefined) continue;
    text += name === 'sec-websocket-protocol' ? lines(name, withoutToken(headers[name])) : lines(name, headers[name]);
  }
  for (const name in credentials) text += lines(name, credentials[name]);
  if (framing.type === 'length') text += `content-length: ${framing.bytes}\r\n`;
  else if (framing.type === 'chunked') {
    text += 'transfer-encoding: chunked\r\n';
    if (framing.trailers !== undefined) text += lines('trailer', framing.trailers);
  }
  return upgrade === undefined ? `${text}\r\n` : `${text}connection: Upgrade\r\nupgrade: ${upgrade}\r\n\r\n`;
}

function lines(name: string, value: string | readonly string[] | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string') return `${name}: ${value}\r\n`;
  return value.map((one) => `${name}: ${one}\r\n`).join('');
}

function withoutToken(value: string | readonly string[] | undefined): string | undefined {
  const left = String(value)
    .split(',')
    .map((protocol) => protocol.trim())
    .filter((protocol) => !protocol.startsWith(TOKEN_PROTOCOL));
  return left.length === 0 ? undefined : left.join(', ');
}
