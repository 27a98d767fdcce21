import type { IncomingMessage } from 'node:http';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Timer } from '@capstan/meta';
import type { TranslatedRequest } from '@capstan/translate';
import { ProxyError } from '../errors.js';
import type { ResponseHeaders } from '../upstream/response-head.js';
import type { Wire, WireListener } from '../upstream/wire.js';
import { answerOf, rawAnswer, refusalFrom } from './answers.js';
import type { ProxyContext } from './context.js';
import { Observation } from './observation.js';
import { isOfConnection, namedByConnection, upstreamHead } from './request-head.js';

/** What a client asked for when it asked for another protocol. */
export interface TunnelRequest {
  readonly request: IncomingMessage;
  readonly client: Socket;
  /** What it sent before anybody agreed. */
  readonly early: Buffer;
  readonly translated: TranslatedRequest;
}

/** A connection that speaks another protocol with the server: its bytes pass as they are, each way until its own end. */
export class Tunnel implements WireListener {
  readonly #context: ProxyContext;
  readonly #asked: TunnelRequest;
  readonly #observation: Observation;
  readonly #done: () => void;
  #wire: Wire | undefined;
  #server: Duplex | undefined;
  #timer: Timer | undefined;
  #isAnswering = false;
  #isOver = false;

  constructor(context: ProxyContext, asked: TunnelRequest, done: () => void) {
    this.#context = context;
    this.#asked = asked;
    this.#done = done;
    const { client, request, translated } = asked;
    this.#observation = new Observation(context, request.method ?? 'GET', request.url ?? '');
    this.#observation.route = translated.route;
    client.on('error', () => this.destroy()).on('close', this.#onClose);
  }

  /** Asks the server; errors become answers. */
  async run(): Promise<void> {
    try {
      await this.#send();
    } catch (error) {
      this.onError(error instanceof ProxyError ? error : new ProxyError('unreachable', String(error), error));
    }
  }

  /** Ends it at once, both ways. */
  destroy(): void {
    this.#wire?.destroy();
    this.#server?.destroy();
    this.#asked.client.destroy();
  }

  onUpgrade(headers: ResponseHeaders, rest: Buffer): void {
    const { client, early } = this.#asked;
    const server = this.#wire?.detach();
    this.#wire = undefined;
    if (server === undefined) return;
    this.#server = server;
    this.#timer?.cancel();
    this.#observation.tunnelled(101);
    server.on('error', () => this.destroy()).on('close', () => this.#onServerClose());
    client.write(headText(101, headers, `connection: Upgrade\r\nupgrade: ${String(headers['upgrade'])}\r\n`), 'latin1');
    if (rest.length > 0) client.write(rest);
    if (early.length > 0) server.write(early);
    client.pipe(server);
    server.pipe(client);
  }

  onHead(status: number, headers: ResponseHeaders): void {
    this.#timer?.cancel();
    this.#observation.status = status;
    this.#isAnswering = true;
    this.#asked.client.write(headText(status, headers, 'connection: close\r\n'), 'latin1');
  }

  onData(chunk: Buffer): void {
    const { client } = this.#asked;
    if (client.write(chunk)) return;
    this.#wire?.pause();
    client.once('drain', () => this.#wire?.resume());
  }

  onRead(): void {}

  onDrain(): void {}

  onEnd(): void {
    this.#wire = undefined;
    this.#asked.client.end();
  }

  onError(error: ProxyError): void {
    const { client } = this.#asked;
    this.#timer?.cancel();
    if (this.#isOver) return;
    this.#observation.failed(error, 'response');
    if (this.#isAnswering) {
      client.resetAndDestroy();
      return;
    }
    const answer = answerOf(error);
    this.#observation.status = answer.status;
    client.end(rawAnswer(refusalFrom(answer), STATUS_CODES[answer.status] ?? ''));
  }

  async #send(): Promise<void> {
    const { pool, clock, responseTimeoutMs, prefix, host } = this.#context;
    const { request, translated } = this.#asked;
    const credentials = await pool.credentials();
    const wire = await pool.dial(credentials.certificate, true);
    if (this.#isOver) {
      wire.destroy();
      return;
    }
    this.#wire = wire;
    const length = request.headers['content-length'];
    const head = upstreamHead({
      method: request.method ?? 'GET',
      target: prefix + translated.target,
      host,
      headers: translated.headers,
      credentials: credentials.headers,
      framing: length === undefined ? { type: 'none' } : { type: 'length', bytes: 0 },
      upgrade: request.headers.upgrade,
    });
    wire.send(head, true, this, { isHead: request.method === 'HEAD', isUpgrade: true });
    this.#timer = clock.after(responseTimeoutMs, () => {
      this.#wire?.destroy();
      this.onError(new ProxyError('timeout', `no answer within ${responseTimeoutMs / 1000} s`));
    });
  }

  /** Closed by the server without having ended: so is the client's side, lest it believe in an end. */
  #onServerClose(): void {
    const { client } = this.#asked;
    if (this.#server?.readableEnded !== true) client.destroy();
    else if (!client.writableEnded) client.end();
  }

  readonly #onClose = (): void => {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#timer?.cancel();
    this.#wire?.destroy();
    this.#server?.destroy();
    if (this.#observation.status === 0) this.#observation.abandoned();
    this.#observation.end();
    this.#done();
  };
}

function headText(status: number, headers: ResponseHeaders, connection: string): string {
  const named = namedByConnection(headers['connection']);
  const lines = Object.entries(headers).flatMap(([name, value]) =>
    isOfConnection(name, named) ? [] : [value].flat().map((one) => `${name}: ${one}\r\n`),
  );
  return `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n${lines.join('')}${connection}\r\n`;
}
