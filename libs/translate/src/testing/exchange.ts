import { CLUSTER_API_RULES, GroupMapping } from '../groups/mapping.js';
import type { Headers } from '../requests/headers.js';
import type { Refusal } from '../requests/refusal.js';
import { refusalOf } from '../requests/refusal.js';
import { translate } from '../requests/translator.js';
import type { Body } from '../requests/types.js';

/** The mapping that tests use. */
export const MAPPING = new GroupMapping(CLUSTER_API_RULES);

const translator = translate(MAPPING);

/** A document cut into pieces. */
export function cutAt(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const ends = [...cuts, bytes.length];
  return ends.map((end, index) => bytes.subarray(ends[index - 1] ?? 0, end));
}

/** Runs chunks through a body. */
export function run(body: Body, chunks: readonly Uint8Array[]): Buffer {
  if (body === 'pass') return Buffer.concat(chunks);
  return Buffer.concat([...chunks.flatMap((chunk) => body.push(chunk)), ...body.end()]);
}

/** A request of a test. */
export interface Sent {
  readonly method?: string;
  readonly target: string;
  readonly headers?: Headers;
  readonly body?: string;
}

function translated(sent: Sent): ReturnType<typeof translator.request> {
  return translator.request({ method: sent.method ?? 'GET', target: sent.target, headers: sent.headers ?? {} });
}

function accepted(sent: Sent): Exclude<ReturnType<typeof translator.request>, { refuse: Refusal }> {
  const request = translated(sent);
  if ('refuse' in request) throw new TypeError(`refused: ${Buffer.from(request.refuse.body).toString()}`);
  return request;
}

/** Every cut in two of a short document, some of a longer one. */
function cuttings(length: number): number[][] {
  const step = length <= 256 ? 1 : Math.ceil(length / 32);
  return Array.from({ length: Math.floor(length / step) + 1 }, (_, index) => [index * step]);
}

function everyWay(make: () => Body, text: string): string {
  const bytes = Buffer.from(text);
  const whole = run(make(), [bytes]).toString();
  for (const cuts of cuttings(bytes.length)) {
    const cut = run(make(), cutAt(bytes, cuts)).toString();
    if (cut !== whole) throw new TypeError(`cut at ${cuts.join()}: ${cut} instead of ${whole}`);
  }
  return whole;
}

/** The target that the server gets. */
export const targetOf = (target: string, method = 'GET'): string => accepted({ target, method }).target;

/** The headers that the server gets. */
export const headersOf = (sent: Sent): Headers => accepted(sent).headers;

/** The body that the server gets, however it is cut. */
export const sentBody = (sent: Sent): string => everyWay(() => accepted(sent).body(), sent.body ?? '');

/** The body that the client gets, however it is cut. */
export function receivedBody(
  sent: Sent,
  body: string,
  { status = 200, headers = {} }: { status?: number; headers?: Headers } = {},
): string {
  const head = { 'content-type': 'application/json', ...headers };
  return everyWay(() => accepted(sent).response(status, head).body, body);
}

/** The headers that the client gets. */
export const receivedHeaders = (sent: Sent, headers: Headers, status = 200): Headers =>
  accepted(sent).response(status, headers).headers;

/** The Status that a client gets instead of an answer of the server. */
export function refusedWith(sent: Sent): unknown {
  const request = translated(sent);
  if ('refuse' in request) return JSON.parse(Buffer.from(request.refuse.body).toString());
  try {
    run(request.body(), [Buffer.from(sent.body ?? '')]);
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    return JSON.parse(Buffer.from(refusal.body).toString());
  }
  return undefined;
}

/** A text in which the two names of every group are exchanged, wherever they are: only for texts of which all are to be. */
export function swapAll(text: string): string {
  return text.replaceAll(/(?<![a-z])(?:cluster\.x-k8s\.io|cluster\.hypershift\.openshift\.io)/g, (name) =>
    MAPPING.swap(name),
  );
}
