import { createServer } from 'node:https';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { ContainerUnreachable, type NodeStreams } from '../streams.js';
import { isApiServer, refusalOf, type KubeletCaller } from './access.js';
import { readLogQuery, sendLogs } from './logs.js';
import { refuse } from './refuse.js';
import { readRoute, type KubeletRoute } from './route.js';
import type { Upgrades } from './upgrades.js';

export interface KubeletServerOptions {
  readonly tls: {
    /** PEM; the chain when there is one. */
    readonly cert: string;
    readonly key: string;
    /** PEM of the CAs that vouch for callers. */
    readonly clientCa: string;
  };
  /** 127.0.0.1 unless given. */
  readonly host?: string | undefined;
  /** 0, the default, takes any free one. */
  readonly port?: number | undefined;
  /** Which of the users that the CAs authenticate are allowed; administrators and API servers by default. */
  readonly allows?: ((caller: KubeletCaller) => boolean) | undefined;
  /** Called with failures that are no caller's fault. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** Go keeps idle connections for 90 s, and would else meet one that is just being closed. */
const KEEP_ALIVE_MS = 120_000;

/** A kubelet that can be asked. */
export interface KubeletServer {
  readonly host: string;
  readonly port: number;
  /** Cuts whatever is under way. */
  close(): Promise<void>;
}

/** Serves logs, exec, attach and port-forward of a node's containers, as a kubelet does. */
export async function serveKubelet(streams: NodeStreams, options: KubeletServerOptions): Promise<KubeletServer> {
  const { host = '127.0.0.1', port = 0, allows = isApiServer, tls } = options;
  const report = options.onError ?? (() => {});
  let upgrades: Promise<Upgrades> | undefined;
  const server = createServer({
    cert: tls.cert,
    key: tls.key,
    ca: tls.clientCa,
    requestCert: true,
    // Answered in words, not in the handshake.
    rejectUnauthorized: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
  });
  server.on('request', (request, response) => {
    void answer(streams, request, response, allows).catch((error: unknown) => fail(response, error, report));
  });
  server.on('upgrade', (request, socket, head) => {
    const refusal = refusalOf(request, allows);
    if (refusal !== undefined) return refuse(socket, refusal.status, refusal.text);
    const route = readRoute(request.url ?? '');
    // A client that disconnects while they are loaded is no failure.
    socket.on('error', () => {});
    upgrades ??= loadUpgrades(streams, report);
    upgrades
      .then((loaded) => loaded.begin(route, request, socket, head))
      .catch((error: unknown) => {
        report(error);
        socket.destroy();
      });
  });
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.removeListener('error', reject);
      server.on('error', report);
      resolve();
    });
  });
  return {
    host,
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** Loaded with the first who asks: most nodes are never asked for streams. */
async function loadUpgrades(streams: NodeStreams, report: (error: unknown) => void): Promise<Upgrades> {
  const { Upgrades: Loaded } = await import('./upgrades.js');
  return new Loaded(streams, report);
}

async function answer(
  streams: NodeStreams,
  request: IncomingMessage,
  response: ServerResponse,
  allows: (caller: KubeletCaller) => boolean,
): Promise<void> {
  const refusal = refusalOf(request, allows);
  if (refusal !== undefined) return say(response, refusal.status, refusal.text);
  const route = readRoute(request.url ?? '');
  if (route.type === 'health') return say(response, 200, 'ok');
  if (route.type === 'unknown') return say(response, 404, '404 page not found\n');
  if (route.type !== 'logs') return say(response, 400, 'unable to upgrade: missing upgrade headers in request');
  return logs(streams, route, response);
}

function logs(
  streams: NodeStreams,
  route: KubeletRoute & { readonly type: 'logs' },
  response: ServerResponse,
): Promise<void> | void {
  const query = readLogQuery(route.query);
  if (query === undefined) return say(response, 400, '{"message": "Unable to decode query."}');
  return sendLogs(streams, route.target, query, response);
}

function say(response: ServerResponse, status: number, text: string): void {
  const type = 'text/plain; charset=utf-8';
  response.writeHead(status, { 'Content-Type': type, 'Content-Length': Buffer.byteLength(text) }).end(text);
}

function fail(response: ServerResponse, error: unknown, report: (error: unknown) => void): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const isUnreachable = error instanceof ContainerUnreachable;
  if (!isUnreachable) report(error);
  say(response, isUnreachable ? error.status : 500, error instanceof Error ? error.message : String(error));
}
