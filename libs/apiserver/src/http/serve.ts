import { createServer as createPlainServer } from 'node:http';
import type { Server as PlainServer, ServerOptions } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { CertificateReader } from './client-certificate.js';
import { Exchange } from './exchange.js';
import { FrontEnd } from './front-end.js';
import { Incoming } from './http-request.js';
import { DEFAULT_HTTP_LIMITS } from './options.js';
import type { HttpLimits, HttpOptions, HttpServer, RequestHandler, TlsOptions } from './options.js';

const MAX_SWEEP_MS = 1_000;

type NodeServer = PlainServer<typeof Incoming, typeof Exchange>;

/** Serves the handler over HTTP/1.1, with TLS when a certificate is given. Resolves once it listens. */
export async function serveHttp(handler: RequestHandler, options: HttpOptions): Promise<HttpServer> {
  const { host = '127.0.0.1', tls } = options;
  const limits = { ...DEFAULT_HTTP_LIMITS, ...options.limits };
  const vouches = options.vouchForCertificate !== undefined;
  const readsCertificates = vouches || (tls?.clientCa !== undefined && options.userFromCertificate !== undefined);
  const front = new FrontEnd({
    handler,
    limits,
    certificates: readsCertificates ? new CertificateReader(options) : undefined,
    onError: options.onError,
  });
  const server = await createServer(tls, limits, vouches);
  const sockets = wire(server, front);
  handler.metrics?.include(front.traffic.metrics);
  const sweeping = setInterval(() => front.sweep(performance.now()), sweepEveryMs(limits));
  sweeping.unref();
  const attached = await options.attach?.(options.port, server);
  if (attached === undefined) await listen(server, options.port, host);
  const port = attached === undefined ? (server.address() as AddressInfo).port : options.port;
  let closing: Promise<void> | undefined;
  return {
    port,
    url: `${tls === undefined ? 'http' : 'https'}://${host.includes(':') ? `[${host}]` : host}:${port}`,
    metrics: front.traffic.metrics,
    close: () => (closing ??= close(server, front, sockets, attached).finally(() => clearInterval(sweeping))),
  };
}

/** Often enough that who is late is cut no more than a quarter of the time too late. */
function sweepEveryMs({ requestMs, watchStallMs }: HttpLimits): number {
  return Math.min(MAX_SWEEP_MS, requestMs / 4, watchStallMs / 4);
}

async function createServer(tls: TlsOptions | undefined, limits: HttpLimits, vouches: boolean): Promise<NodeServer> {
  const http: ServerOptions<typeof Incoming, typeof Exchange> = {
    IncomingMessage: Incoming,
    ServerResponse: Exchange,
    keepAliveTimeout: limits.keepAliveMs,
    headersTimeout: limits.headersMs,
    // Seen to by the front end, with an answer; whatever escapes it is cut here.
    requestTimeout: Math.max(limits.requestMs, limits.headersMs) + limits.lingerMs + 2 * sweepEveryMs(limits),
    connectionsCheckingInterval: Math.min(30_000, limits.headersMs),
    maxHeaderSize: limits.headerBytes,
    // Answered by us, in the words of the real server.
    requireHostHeader: false,
    noDelay: true,
  };
  if (tls === undefined) return createPlainServer(http);
  const { createServer: createTlsServer } = await import('node:https');
  const asksCertificate = tls.clientCa !== undefined;
  return createTlsServer({
    ...http,
    cert: tls.cert,
    key: tls.key,
    minVersion: 'TLSv1.2',
    ALPNProtocols: ['http/1.1'],
    // A certificate nobody vouches for is answered 401, as the API does, not refused in the handshake.
    ...(asksCertificate || vouches ? { requestCert: true, rejectUnauthorized: false } : {}),
    ...(asksCertificate ? { ca: tls.clientCa } : {}),
  }) as unknown as NodeServer;
}

/** Connects server and front end; gives the set of all open connections, those in their TLS handshake included. */
function wire(server: NodeServer, front: FrontEnd): Set<Socket> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  server.maxConnections = front.limits.connections;
  server.on('drop', () => front.traffic.dropped());
  server.on('request', (incoming, response) => front.begin(incoming, response as Exchange));
  server.on('checkContinue', (incoming, response) => front.beginExpecting(incoming, response as Exchange));
  server.on('upgrade', (incoming, socket, head) => front.beginUpgrade(incoming, socket as Socket, head));
  server.on('clientError', answerMalformed);
  return sockets;
}

const MALFORMED: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** What could not be read as a request at all. */
function answerMalformed(
  error: NodeJS.ErrnoException,
  socket: NodeJS.WritableStream & { destroy(): void; destroySoon?(): void },
): void {
  if (!socket.writable || error.code === 'ECONNRESET') {
    socket.destroy();
    return;
  }
  const text = MALFORMED[error.code ?? ''] ?? '400 Bad Request';
  socket.end(`HTTP/1.1 ${text}\r\nContent-Type: text/plain; charset=utf-8\r\nConnection: close\r\n\r\n${text}`, () =>
    socket.destroy(),
  );
}

function listen(server: NodeServer, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.removeListener('error', reject);
      // Failures to accept one connection (no file descriptors left) end nothing else.
      server.on('error', () => {});
      resolve();
    });
  });
}

async function close(
  server: NodeServer,
  front: FrontEnd,
  sockets: ReadonlySet<Socket>,
  attached: { close(): Promise<void> } | undefined,
): Promise<void> {
  front.isClosing = true;
  const closed = attached?.close() ?? new Promise<void>((resolve) => server.close(() => resolve()));
  front.endEndless();
  if (front.active > 0) {
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, front.limits.closeMs);
      front.onIdle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
  server.closeAllConnections();
  for (const socket of sockets) socket.destroy();
  await closed;
}
