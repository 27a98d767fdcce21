import { createServer, STATUS_CODES } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { AttachServer } from '@capstan/kube/connect';
import type { Clock, Timer } from '@capstan/meta';
import type { Refusal } from '@capstan/translate';
import type { Listen, ProxyOptions } from '../config.js';
import { admit } from '../exchange/admit.js';
import type { Answer } from '../exchange/answers.js';
import { rawAnswer, refusalFrom } from '../exchange/answers.js';
import type { ProxyContext } from '../exchange/context.js';
import { announcesBody } from '../exchange/client.js';
import type { Asked, Reply } from '../exchange/client.js';
import { Exchange } from '../exchange/exchange.js';
import { Observation } from '../exchange/observation.js';
import { Tunnel } from '../exchange/tunnel.js';
import { HeadReader } from './head-reader.js';
import { hostsOf, NodeAsked, NodeReply } from './node-client.js';
import { OpenConnections } from './open-connections.js';
import { PlainConnection } from './plain-connection.js';
import { Roster } from './roster.js';

/** Servers of Go take heads up to here. */
const MAX_HEADER_BYTES = 1024 * 1024;
/** Clients of Go drop idle connections after 90 s: the side that closes first makes the other's next request fail. */
const KEEP_ALIVE_MS = 130_000;

/** How long the head of a request may take. */
const HEAD_MS = 60_000;
/** How long a client that was refused may go on sending. */
const LINGER_MS = 2_000;
/** How often connections are looked at that nobody uses. */
const SWEEP_MS = 5_000;

/** How connections are taken. */
type InboundOptions = Pick<ProxyOptions, 'network' | 'readsPlainRequests'>;

/** What is under way. */
export interface Underway {
  readonly exchanges: Roster<Exchange>;
  readonly tunnels: ReadonlySet<Tunnel>;
}

/** The side of the proxy that clients see. */
export class Inbound implements Underway {
  readonly exchanges = new Roster<Exchange>();
  readonly tunnels = new Set<Tunnel>();
  /** Of clients. */
  readonly connections = new OpenConnections();
  readonly #server: Server;
  /** Connections that the HTTP server no longer knows. */
  readonly #detached = new Set<Duplex>();
  readonly #busy = new WeakSet<Duplex>();
  /** Connections on which nothing unusual was asked so far. */
  readonly #plain = new Set<PlainConnection>();
  /** What Node does with a connection. */
  readonly #toNode: (socket: Socket) => void;
  #sweeping: Timer | undefined;
  #context: ProxyContext | undefined;
  #onIdle: (() => void) | undefined;
  #attached: { close(): Promise<void> } | undefined;
  #isClosing = false;

  constructor() {
    this.#server = createServer({
      maxHeaderSize: MAX_HEADER_BYTES,
      requireHostHeader: false,
      keepAliveTimeout: KEEP_ALIVE_MS,
      // Watches and slow uploads are nobody's fault; that a head comes in time is still seen to.
      requestTimeout: 0,
      headersTimeout: HEAD_MS,
    });
    this.#server.on('request', this.#serveNode).on('checkContinue', this.#serveNode);
    const [toNode] = this.#server.listeners('connection');
    this.#toNode = (socket) => void toNode?.call(this.#server, socket);
    this.#server.on('upgrade', (request, socket, early) => {
      this.#upgrade(request, socket as Socket, early).catch(() => socket.destroy());
    });
    this.#server.on('connect', (_request, socket) => {
      this.#detached.add(socket);
      refuseRaw(
        socket.on('close', () => this.#detached.delete(socket)),
        UNREADABLE,
      );
    });
    this.#server.on('clientError', this.#unreadable);
  }

  /** Takes connections; gives the URL. */
  async listen(context: ProxyContext, { host, port }: Listen, options: InboundOptions = {}): Promise<string> {
    this.#context = context;
    const server = this.#server;
    if (options.readsPlainRequests !== false) this.#readOurselves(context);
    server.on('connection', (socket) => this.connections.add(socket));
    if (options.network !== undefined) {
      this.#attached = await options.network.attach(port, this.#attachable());
      return `http://${host}:${port}`;
    }
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, host, () => {
        server.removeListener('error', reject);
        resolve();
      });
    });
    const address = server.address() as AddressInfo;
    return `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`;
  }

  /** Requests that are beyond doubt are read here; Node reads the others. */
  #readOurselves(context: ProxyContext): void {
    const home = {
      clock: context.clock,
      keepAliveSeconds: KEEP_ALIVE_MS / 1000,
      heads: new HeadReader(),
      serve: (asked: Asked, reply: Reply) => this.#serve(context, asked, reply, () => {}),
      handOver: this.#toNode,
      closed: (connection: PlainConnection) => void this.#plain.delete(connection),
    };
    this.#server.removeAllListeners('connection');
    this.#server.on('connection', (socket) => void this.#plain.add(new PlainConnection(socket, home)));
    this.#sweep(context.clock);
  }

  /** Ends connections that nobody uses, now and then. */
  #sweep(clock: Clock): void {
    this.#sweeping = clock.after(SWEEP_MS, () => this.#sweep(clock));
    const now = clock.monotonic();
    for (const connection of this.#plain) {
      if (connection.isBusy) continue;
      const resting = now - connection.restingSince;
      if (connection.hasAsked && resting > KEEP_ALIVE_MS) connection.socket.destroy();
      else if (!connection.hasAsked && resting > HEAD_MS) {
        connection.leave();
        refuseRaw(connection.socket, LATE);
      }
    }
  }

  /** Takes no more; ends watches at once, lets everything else finish until the time is up, then cuts it. */
  async close(limitMs: number): Promise<void> {
    this.#isClosing = true;
    const closed = new Promise<void>((resolve) => void this.#server.close(() => resolve()));
    this.#sweeping?.cancel();
    this.#server.closeIdleConnections();
    for (const { isBusy, socket } of this.#plain) if (!isBusy) socket.destroy();
    for (const exchange of this.exchanges) exchange.endWatch();
    await this.#idle(limitMs);
    for (const socket of this.#detached) socket.destroy();
    for (const { socket } of this.#plain) socket.destroy();
    this.#server.closeAllConnections();
    await this.#attached?.close();
    await closed;
  }

  /** The server as a network that is not this machine's sees it. */
  #attachable(): Parameters<AttachServer>[1] {
    return {
      emit: (event, connection) => {
        // The network goes on listening while requests under way are finished.
        if (this.#isClosing) connection.destroy();
        return this.#isClosing || this.#server.emit(event, connection);
      },
    };
  }

  #idle(limitMs: number): Promise<void> {
    if (this.exchanges.size + this.tunnels.size === 0 || limitMs <= 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = this.#context?.clock.after(limitMs, resolve);
      this.#onIdle = () => {
        timer?.cancel();
        resolve();
      };
    });
  }

  #finished(): void {
    if (this.exchanges.size + this.tunnels.size === 0) this.#onIdle?.();
  }

  readonly #serveNode = (request: IncomingMessage, response: ServerResponse): void => {
    if (this.#context === undefined) return;
    const { socket } = request;
    this.#busy.add(socket);
    const { clock } = this.#context;
    this.#serve(this.#context, new NodeAsked(request), new NodeReply(response), () => {
      this.#busy.delete(socket);
      // It was answered before it was whole: nobody waits for the rest as long as the client likes.
      if (!request.complete) clock.after(KEEP_ALIVE_MS, () => void (request.complete || socket.destroy()));
    });
  };

  #serve(context: ProxyContext, asked: Asked, reply: Reply, done: () => void): void {
    const exchange = new Exchange(context, asked, reply, () => {
      this.exchanges.remove(exchange);
      done();
      this.#finished();
    });
    this.exchanges.add(exchange);
    exchange.run();
  }

  async #upgrade(request: IncomingMessage, client: Socket, early: Buffer): Promise<void> {
    const context = this.#context;
    if (context === undefined) return;
    this.#detached.add(client);
    client.on('error', () => client.destroy()).on('close', () => this.#detached.delete(client));
    const refused = admit(context.access, { headers: request.headers, hosts: hostsOf(request) });
    if (refused !== undefined) {
      refuseRaw(client, refused);
      return;
    }
    const { headers, method = 'GET', url: target = '/' } = request;
    await context.encodings.prepare(headers);
    const translated = context.encodings.translator.request({ method, target, headers });
    if ('refuse' in translated) {
      new Observation(context, method, target).refused(translated.refuse);
      sendRaw(client, translated.refuse);
    } else if (translated.route.class !== 'passthrough' || headers.upgrade?.toLowerCase() === 'h2c')
      this.#withoutUpgrade(request, client, early);
    else if (announcesBody(headers)) refuseRaw(client, NO_BODY);
    else {
      const tunnel = new Tunnel(context, { request, client, early, translated }, () => {
        this.tunnels.delete(tunnel);
        this.#finished();
      });
      this.tunnels.add(tunnel);
      void tunnel.run();
    }
  }

  /** An offer that need not be taken, such as HTTP/2: the request is served as if it had not been made. */
  #withoutUpgrade(request: IncomingMessage, client: Socket, early: Buffer): void {
    const { rawHeaders, method, url, httpVersion } = request;
    let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
    for (let at = 0; at < rawHeaders.length; at += 2)
      if (!/^(?:upgrade|http2-settings|connection)$/i.test(rawHeaders[at] ?? ''))
        head += `${rawHeaders[at]}: ${rawHeaders[at + 1]}\r\n`;
    client.unshift(Buffer.concat([Buffer.from(`${head}\r\n`, 'latin1'), early]));
    this.#toNode(client);
  }

  readonly #unreadable = (error: Error & { readonly code?: string }, socket: Duplex): void => {
    if (error.code === 'ECONNRESET' || !socket.writable || this.#busy.has(socket)) socket.destroy();
    else
      refuseRaw(
        socket,
        BY_CODE[error.code ?? ''] ?? { ...UNREADABLE, message: `${UNREADABLE.message}: ${error.message}` },
      );
  };
}

const UNREADABLE: Answer = { status: 400, reason: 'BadRequest', message: 'the request cannot be read' };
const NO_BODY: Answer = { ...UNREADABLE, message: 'a request for another protocol cannot have a body' };
const LATE: Answer = { status: 408, reason: 'Timeout', message: 'the head of the request did not come in time' };
const BY_CODE: Readonly<Record<string, Answer>> = {
  HPE_HEADER_OVERFLOW: {
    status: 431,
    reason: 'BadRequest',
    message: `the head of the request is larger than ${MAX_HEADER_BYTES} bytes: ask for less at a time`,
  },
  HPE_CHUNK_EXTENSIONS_OVERFLOW: { status: 413, reason: 'RequestEntityTooLarge', message: 'Request entity too large' },
  ERR_HTTP_REQUEST_TIMEOUT: LATE,
};

function refuseRaw(socket: Duplex, answer: Answer): void {
  sendRaw(socket, refusalFrom(answer));
}

function sendRaw(socket: Duplex, refusal: Refusal): void {
  // What the client still sends is read away, lest the answer be lost to a reset; nobody waits for its end for long.
  const late = setTimeout(() => socket.destroy(), LINGER_MS);
  late.unref();
  socket.on('error', () => socket.destroy()).on('end', () => socket.destroy());
  socket.on('close', () => clearTimeout(late));
  socket.end(rawAnswer(refusal, STATUS_CODES[refusal.status] ?? ''));
  socket.resume();
}
