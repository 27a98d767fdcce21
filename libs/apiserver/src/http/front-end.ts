import { apiErrors } from '@capstan/meta';
import type { Socket } from 'node:net';
import type { ApiResponse, RequestBody } from '@capstan/meta';
import type { CertificateReader } from './client-certificate.js';
import { answerLimitMs, StalledReader } from './deadline.js';
import { Exchange } from './exchange.js';
import { refusedHost } from './host-header.js';
import { HttpRequest, type Incoming } from './http-request.js';
import { tooLateText } from '../request/time-limit.js';
import type { HttpLimits, HttpOptions, RequestHandler } from './options.js';
import { readTarget } from './target.js';
import { Traffic } from './traffic.js';
import { readUpgradeBody } from './upgrade-body.js';
import { WriteBatch, type WatchWriter } from './watch-writer.js';

const PLAIN = 'text/plain; charset=utf-8';
const NOTHING: ApiResponse = { status: 200, headers: {}, body: { type: 'empty' } };

/** Takes requests off the wire, hands them to the handler, and knows what is under way. */
export class FrontEnd {
  readonly limits: HttpLimits;
  readonly batch = new WriteBatch();
  readonly traffic: Traffic;
  readonly watches = new Set<WatchWriter>();
  readonly #underway = new Set<Exchange>();
  /** Log streams and proxied answers under way. */
  readonly streams = new Set<Exchange>();
  /** Connections of clients that speak to a backend of this server. */
  readonly tunnels = new Set<Socket>();
  isClosing = false;
  /** Called when the last request under way is over. */
  onIdle: (() => void) | undefined = undefined;
  readonly #handler: RequestHandler;
  readonly #certificates: CertificateReader | undefined;
  readonly #onError: HttpOptions['onError'];

  constructor(parts: {
    handler: RequestHandler;
    limits: HttpLimits;
    certificates: CertificateReader | undefined;
    onError: HttpOptions['onError'];
  }) {
    this.limits = parts.limits;
    this.traffic = new Traffic(parts.limits);
    this.#handler = parts.handler;
    this.#certificates = parts.certificates;
    this.#onError = parts.onError;
  }

  /** Requests, watches among them, that are not answered to the end. */
  get active(): number {
    return this.#underway.size;
  }

  /** Begins one request; its body may still be on the way. */
  begin(incoming: Incoming, exchange: Exchange): void {
    this.#enter(exchange);
    if (this.isClosing) exchange.shouldKeepAlive = false;
    if (!this.#admits(incoming, exchange)) return;
    const { headers } = incoming;
    if (headers['content-length'] === undefined && headers['transfer-encoding'] === undefined) {
      return this.#dispatch(exchange, undefined);
    }
    if (this.#handler.streamsBody?.(exchange.target) === true) {
      return this.#dispatch(exchange, { type: 'stream', read: () => incoming });
    }
    if (Number(headers['content-length'] ?? 0) > this.limits.bodyBytes) return this.#tooLarge(exchange);
    incoming.exchange = exchange;
    incoming.on('data', onData);
    incoming.on('end', onEnd);
  }

  /** A request that waits for leave to send its body: too large a one is refused unsent. */
  beginExpecting(incoming: Incoming, exchange: Exchange): void {
    const length = Number(incoming.headers['content-length'] ?? 0);
    if (length <= this.limits.bodyBytes) exchange.writeContinue();
    this.begin(incoming, exchange);
  }

  /**
   * A request that would go on in another protocol. Node gives no response for it, so one is made; whatever it is
   * answered, the connection is over afterwards.
   */
  beginUpgrade(incoming: Incoming, socket: Socket, head: Buffer): void {
    const exchange = new Exchange(incoming);
    exchange.assignSocket(socket);
    exchange.shouldKeepAlive = false;
    exchange.upgradable = socket;
    socket.on('error', () => {});
    exchange.on('finish', () => socket.destroySoon());
    if (head.length > 0) socket.unshift(head);
    this.#enter(exchange);
    if (this.#admits(incoming, exchange)) this.#dispatchUpgrade(exchange, socket);
  }

  #enter(exchange: Exchange): void {
    this.#underway.add(exchange);
    exchange.front = this;
    exchange.begunMs = performance.now();
    exchange.on('close', onClosed);
  }

  #dispatchUpgrade(exchange: Exchange, socket: Socket): void {
    const { headers } = exchange.req;
    const length = Number(headers['content-length'] ?? 0);
    if (headers['transfer-encoding'] !== undefined)
      return exchange.status(apiErrors.badRequest('a request for another protocol cannot have a chunked body'));
    if (length === 0) return this.#dispatch(exchange, undefined);
    if (length > this.limits.bodyBytes) return exchange.status(apiErrors.bodyTooLarge(this.limits.bodyBytes));
    void readUpgradeBody(socket, length).then((bytes) => {
      if (bytes !== undefined) this.#dispatch(exchange, { type: 'bytes', bytes });
    });
  }

  /** Ends what would not end by itself. */
  endEndless(): void {
    for (const watch of this.watches) watch.finish();
    for (const exchange of this.streams) exchange.stream?.cancel();
    for (const socket of this.tunnels) socket.destroy();
  }

  /** Cuts clients whose time is over. */
  sweep(nowMs: number): void {
    for (const exchange of this.#underway) {
      const { watch } = exchange;
      if (watch !== undefined) watch.cutIfStalled(nowMs, this.limits.watchStallMs);
      else if (this.#isLate(exchange, nowMs)) this.#cutLate(exchange);
    }
  }

  /** Answers that are not taken, and bodies that do not come. Handlers see to their own time. */
  #isLate(exchange: Exchange, nowMs: number): boolean {
    const isOurs = exchange.headersSent ? exchange.stream === undefined : exchange.request === undefined;
    return isOurs && nowMs - exchange.begunMs > answerLimitMs(exchange.target, this.limits.requestMs);
  }

  #cutLate(exchange: Exchange): void {
    if (!exchange.headersSent) return exchange.refuse(504, PLAIN, tooLateText());
    this.traffic.cut('deadline');
    this.report(new StalledReader(this.limits.requestMs), exchange);
    exchange.destroy();
  }

  /** More of a body has come. */
  bodyData(incoming: Incoming, exchange: Exchange, piece: Buffer): void {
    incoming.size += piece.length;
    if (incoming.size > this.limits.bodyBytes) {
      incoming.pieces = [];
      incoming.removeListener('data', onData);
      incoming.removeListener('end', onEnd);
      return this.#tooLarge(exchange);
    }
    incoming.pieces.push(piece);
  }

  /** The body is complete. */
  bodyEnd(incoming: Incoming, exchange: Exchange): void {
    const { pieces, size } = incoming;
    const bytes = pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces, size);
    incoming.pieces = [];
    this.#dispatch(exchange, bytes.length === 0 ? undefined : { type: 'bytes', bytes });
  }

  /** The exchange is over: answered, or the client left. */
  closed(exchange: Exchange): void {
    const { watch } = exchange;
    if (watch !== undefined) {
      watch.closed();
      this.watches.delete(watch);
    }
    this.streams.delete(exchange);
    exchange.stream?.cancel();
    if (!exchange.writableFinished) exchange.request?.abort();
    this.traffic.hold(exchange, 0);
    this.#underway.delete(exchange);
    if (this.#underway.size === 0) this.onIdle?.();
  }

  /** Reports a failure to the owner of the server. The owner's own failures must not become the server's. */
  report(error: unknown, exchange: Exchange): void {
    try {
      this.#onError?.(error, { method: exchange.req.method ?? '', target: exchange.target });
    } catch {
      // There is nobody left to report it to.
    }
  }

  /** Reads who asks for what; false when that is answered already. */
  #admits(incoming: Incoming, exchange: Exchange): boolean {
    const refused = refusedHost(incoming);
    if (refused !== undefined) {
      exchange.refuse(400, PLAIN, refused);
      return false;
    }
    const raw = incoming.url ?? '';
    const target = readTarget(raw);
    if (target === undefined) {
      if (raw === '*' && incoming.method === 'OPTIONS') exchange.answer(NOTHING);
      else exchange.refuse(400, PLAIN, '400 Bad Request');
      return false;
    }
    exchange.target = target;
    return this.#identify(exchange);
  }

  /** Sets the user by the connection's certificate; false when it is refused. */
  #identify(exchange: Exchange): boolean {
    const certificates = this.#certificates;
    if (certificates === undefined || exchange.req.socket === null) return true;
    const user = certificates.userOf(exchange.req.socket);
    if (user === 'refused') {
      exchange.refuse(401, 'application/json', JSON.stringify(apiErrors.unauthorized().status));
      return false;
    }
    exchange.user = user;
    return true;
  }

  #tooLarge(exchange: Exchange): void {
    exchange.refuse(413, 'application/json', JSON.stringify(apiErrors.bodyTooLarge(this.limits.bodyBytes).status));
  }

  #dispatch(exchange: Exchange, body: RequestBody | undefined): void {
    try {
      exchange.request = new HttpRequest(exchange, exchange.target, body);
      const response = this.#handler.handle(exchange.request);
      if ('then' in response) void settle(exchange, response);
      else exchange.answer(response);
    } catch (error) {
      exchange.fail(error);
    }
  }
}

async function settle(exchange: Exchange, pending: Promise<ApiResponse>): Promise<void> {
  try {
    exchange.answer(await pending);
  } catch (error) {
    exchange.fail(error);
  }
}

// One function each for all requests: what they need hangs on the objects themselves.

function onClosed(this: Exchange): void {
  this.front?.closed(this);
}

function onData(this: Incoming, piece: Buffer): void {
  const { exchange } = this;
  exchange?.front?.bodyData(this, exchange, piece);
}

function onEnd(this: Incoming): void {
  const { exchange } = this;
  exchange?.front?.bodyEnd(this, exchange);
}
