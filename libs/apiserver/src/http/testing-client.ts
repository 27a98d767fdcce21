import { request as plainRequest } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent, request as tlsRequest } from 'node:https';
import { connect } from 'node:net';
import { once } from 'node:events';
import type { ApiRequest, ApiResponse, PayloadBody, WatchBody, WatchFrame, WatchSink } from '@capstan/meta';
import { testCertificates } from './testing-certificates.js';
import type { HttpServer } from './options.js';

/** What a test client got back. */
export interface Reply {
  readonly status: number;
  readonly phrase: string;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly bytes: Buffer;
  readonly text: string;
}

export interface Call {
  readonly method?: string;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: Buffer | string;
  readonly client?: { readonly cert: string; readonly key: string };
  readonly agent?: Agent;
}

/** Sends a request and gives the response as soon as its head is there. */
export async function open(server: HttpServer, path: string, call: Call = {}): Promise<IncomingMessage> {
  const isTls = server.url.startsWith('https:');
  const tls = isTls
    ? { ca: testCertificates.ca, ...call.client, agent: call.agent ?? new Agent({ keepAlive: false }) }
    : {};
  const send = isTls ? tlsRequest : plainRequest;
  const request = send({
    host: '127.0.0.1',
    port: server.port,
    path,
    method: call.method ?? 'GET',
    headers: call.headers,
    ...tls,
  });
  request.end(call.body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return response;
}

/** Sends a request and reads the whole response. */
export async function fetchReply(server: HttpServer, path: string, call: Call = {}): Promise<Reply> {
  const response = await open(server, path, call);
  const pieces: Buffer[] = [];
  for await (const piece of response) pieces.push(piece as Buffer);
  const bytes = Buffer.concat(pieces);
  const { statusCode = 0, statusMessage = '', headers, rawHeaders } = response;
  return { status: statusCode, phrase: statusMessage, headers, rawHeaders, bytes, text: bytes.toString() };
}

/** Writes raw text to a plain server and gives everything it sends until it closes the connection. */
export async function rawExchange(server: HttpServer, text: string | Buffer): Promise<string> {
  const socket = connect(server.port, '127.0.0.1');
  let received = '';
  socket.setEncoding('latin1').on('data', (piece: string) => (received += piece));
  socket.on('error', () => {});
  socket.write(text);
  await once(socket, 'close');
  return received;
}

/** A payload of these chunks. */
export function payload(...texts: readonly (string | Uint8Array)[]): PayloadBody {
  const chunks = texts.map((text) => (typeof text === 'string' ? Buffer.from(text) : text));
  return { type: 'payload', chunks: () => chunks, value: () => Buffer.concat(chunks).toString() };
}

/** A plain answer. */
export function ok(text: string, headers: ApiResponse['headers'] = { 'content-type': 'text/plain' }): ApiResponse {
  return { status: 200, headers, body: payload(text) };
}

/** A watch the test feeds by hand. */
export class FedWatch implements WatchBody {
  readonly type = 'watch';
  sink: WatchSink | undefined;
  stops = 0;
  readonly #initial: readonly string[];

  constructor(...initial: readonly string[]) {
    this.#initial = initial;
  }

  start(sink: WatchSink): void {
    this.sink = sink;
    for (const text of this.#initial) this.say(text, true);
  }

  stop(): void {
    this.stops += 1;
  }

  say(text: string, isPast = false): void {
    this.sink?.frame(frame(text), isPast);
  }
}

function frame(text: string): WatchFrame {
  const bytes = Buffer.from(`${text}\n`);
  return { type: 'ADDED', object: () => text, bytes: () => bytes };
}

/** A handler that is one function. */
export function handler(handle: (request: ApiRequest) => ApiResponse | Promise<ApiResponse>): {
  handle: typeof handle;
} {
  return { handle };
}

/** Waits until a number is the same four times in a row, and returns it. */
export async function steady(what: string, read: () => number): Promise<number> {
  let [last, times] = [Number.NaN, 0];
  const end = Date.now() + 10_000;
  while (times < 4) {
    if (Date.now() > end) throw new Error(`changes without end: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const now = read();
    [last, times] = [now, now === last ? times + 1 : 1];
  }
  return last;
}

/** Waits until the condition holds; fails after five seconds. */
export async function until(what: string, condition: () => boolean): Promise<void> {
  const end = Date.now() + 5_000;
  while (!condition()) {
    if (Date.now() > end) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
