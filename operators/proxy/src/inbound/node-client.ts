import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Headers } from '@capstan/translate';
import { valueOf } from '../exchange/client.js';
import type { Asked, BodyReader, Reply, ReplyHead, ReplyHeaders, ReplyListener } from '../exchange/client.js';

/** A request that Node has read. */
export class NodeAsked implements Asked {
  readonly method: string;
  readonly target: string;
  readonly headers: Headers;
  readonly #message: IncomingMessage;
  #reader: BodyReader | undefined;

  constructor(message: IncomingMessage) {
    this.#message = message;
    this.method = message.method ?? 'GET';
    this.target = message.url ?? '/';
    this.headers = message.headers;
  }

  get hosts(): number {
    return hostsOf(this.#message);
  }

  get isWhole(): boolean {
    return this.#message.complete;
  }

  get trailers(): Readonly<Record<string, string | undefined>> {
    return this.#message.trailers;
  }

  read(reader: BodyReader): void {
    const isFirst = this.#reader === undefined;
    this.#reader = reader;
    if (!isFirst) return;
    this.#message.on('data', (chunk: Buffer) => this.#reader?.data(chunk));
    this.#message.on('end', () => this.#reader?.end()).on('close', () => this.#reader?.gone());
  }

  pause(): void {
    this.#message.pause();
  }

  resume(): void {
    this.#message.resume();
  }
}

/** How many Host headers a message has. */
export function hostsOf({ rawHeaders }: Pick<IncomingMessage, 'rawHeaders'>): number {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) if (rawHeaders[at]?.toLowerCase() === 'host') count += 1;
  return count;
}

/** An answer that Node writes. */
export class NodeReply implements Reply {
  listener: ReplyListener | undefined;
  readonly isWaiting = false;
  readonly #response: ServerResponse;

  constructor(response: ServerResponse) {
    this.#response = response;
    response.on('close', () => this.listener?.onReplyClose());
    response.on('drain', () => this.listener?.onReplyDrain());
  }

  get hasBegun(): boolean {
    return this.#response.headersSent;
  }

  get isSent(): boolean {
    return this.#response.writableFinished;
  }

  get isGone(): boolean {
    return this.#response.destroyed;
  }

  get isFlushed(): boolean {
    // Node gathers what is written in one turn.
    return false;
  }

  goOn(): void {
    this.#response.writeContinue();
  }

  interim(status: number, headers: ReplyHeaders): void {
    const link = valueOf(headers, 'link');
    if (status === 102) this.#response.writeProcessing();
    else if (status === 103 && link !== undefined) this.#hint(link);
  }

  begin({ status, headers, length, hasDate, isLast }: ReplyHead): void {
    const list = [...headers];
    if (length !== undefined && valueOf(headers, 'content-length') === undefined)
      list.push('content-length', String(length));
    if (isLast) list.push('connection', 'close');
    this.#response.sendDate = hasDate;
    this.#response.writeHead(status, list);
  }

  flush(): void {
    this.#response.flushHeaders();
  }

  write(piece: Uint8Array): boolean {
    return this.#response.write(piece);
  }

  end(piece?: Uint8Array, trailers?: readonly (readonly [name: string, value: string])[]): void {
    if (trailers !== undefined)
      this.#response.addTrailers(trailers.map(([name, value]): [string, string] => [name, value]));
    this.#response.end(piece);
  }

  destroy(): void {
    this.#response.destroy();
  }

  #hint(link: string): void {
    try {
      this.#response.writeEarlyHints({ link });
    } catch {
      // Node refuses some links; hints may be lost.
    }
  }
}
