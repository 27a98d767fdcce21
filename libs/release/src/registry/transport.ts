import { request as overHttp } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as overTls } from 'node:https';
import { ReleaseError } from '../errors.js';

/** A question to a registry. */
export interface RegistryRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal | undefined;
}

/** Its answer. The body is read to its end or left, never both. */
export interface RegistryResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: AsyncIterable<Uint8Array>;
}

/** The way to registries. Rejects when there is none. */
export type RegistryTransport = (request: RegistryRequest) => Promise<RegistryResponse>;

export interface SocketTransportOptions {
  /** CAs trusted besides those of the machine, as PEM. */
  readonly ca?: string | readonly string[] | undefined;
  /** How long a registry may be silent. Default 30 s. */
  readonly idleTimeoutMs?: number | undefined;
}

/** Over sockets: TLS, but for registries of this machine. */
export function socketTransport(options: SocketTransportOptions = {}): RegistryTransport {
  const { ca, idleTimeoutMs = 30_000 } = options;
  const cas = ca === undefined ? {} : { ca: typeof ca === 'string' ? ca : [...ca] };
  return ({ headers, signal, url }) =>
    new Promise((resolve, reject) => {
      const isPlain = url.startsWith('http:');
      const given = { headers, signal, timeout: idleTimeoutMs };
      const answered = (message: IncomingMessage): void =>
        resolve({ status: message.statusCode ?? 0, headers: plainHeaders(message), body: message });
      const sent = isPlain ? overHttp(url, given, answered) : overTls(url, { ...given, ...cas }, answered);
      sent.on('timeout', () => sent.destroy(new ReleaseError('Unreachable', `no answer in ${idleTimeoutMs} ms`)));
      sent.on('error', reject);
      sent.end();
    });
}

function plainHeaders({ headers }: IncomingMessage): Readonly<Record<string, string | undefined>> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]),
  );
}

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])(?::\d+)?$/;

/** Where a registry is asked. */
export function registryUrl(registry: string): string {
  // Docker's own name leads to a web page; its registry has another.
  const host = registry === 'docker.io' ? 'registry-1.docker.io' : registry;
  return `${LOOPBACK.test(host) ? 'http' : 'https'}://${host}`;
}
