import { isDeepStrictEqual } from 'node:util';
import { setTimeout as delay } from 'node:timers/promises';
import { parseJson } from '@capstan/meta';
import type { ApiResponse, KubeObject, RequestBody, WatchFrame } from '@capstan/meta';
import type { Backend, Connected } from './backend.js';
import type { Step } from './goldens.js';
import { Masker } from './mask.js';

export interface CallOptions {
  /** A JSON value; handed over as it is where the server lives in this process. */
  readonly body?: unknown;
  /** The body byte for byte. */
  readonly raw?: string | Uint8Array;
  /** Content type; JSON unless given. */
  readonly type?: string;
  readonly accept?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A finished exchange. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  readonly text: string;
  /** The body byte for byte. */
  readonly bytes: Uint8Array;
  /** The parsed body; the text when it is not JSON. */
  readonly body: unknown;
  /** The body as an object; throws when it is none. */
  object(): KubeObject;
}

export const MERGE = 'application/merge-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const JSON_PATCH = 'application/json-patch+json';
export const APPLY = 'application/apply-patch+yaml';
export const TABLE = 'application/json;as=Table;v=v1;g=meta.k8s.io';
export const METADATA = 'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io';
export const METADATA_LIST = 'application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io';

/** What the managers of fields are named after. */
const USER_AGENT = 'conformance/1.0 (suite)';

const SHOWN_HEADERS = [
  'content-type',
  'cache-control',
  'retry-after',
  'warning',
  'x-content-type-options',
  'allow',
  'location',
  'vary',
];
/** Headers that nearly every answer has, which are therefore not recorded. */
const USUAL: Readonly<Record<string, string>> = {
  'content-type': 'application/json',
  'cache-control': 'no-cache, private',
};

const OPENING_STORAGE = 'storage is (re)initializing';
const OPENING_RETRY_MS = 50;
const OPENING_LIMIT_MS = 30_000;

/** What one test does to one server, written down as it goes. `{ns}` in paths and bodies is the test's own namespace. */
export class Session {
  readonly backend: Backend;
  readonly ns: string;
  readonly steps: Step[];
  /** Done after each write, before anything is asked again. */
  afterWrite: ((method: string, target: string, answer: Answer) => Promise<void>) | undefined;
  readonly #connected: Connected;
  readonly #masker: Masker;
  readonly #watches: Watching[] = [];

  constructor(backend: Backend, connected: Connected, ns: string, steps: Step[] = []) {
    this.steps = steps;
    this.backend = backend;
    this.#connected = connected;
    this.ns = ns;
    this.#masker = new Masker(ns, Date.now());
  }

  /** The same session for a client with another token, or with none; it writes into the same transcript. */
  as(token: string | undefined): Session {
    return new Session(this.backend, { ...this.#connected, transport: this.#connected.as(token) }, this.ns, this.steps);
  }

  /** Sends a request and writes down the masked answer. */
  async call(method: string, target: string, options: CallOptions = {}): Promise<Answer> {
    const answer = await this.quiet(method, target, options);
    const type =
      method === 'PATCH' && options.type !== undefined
        ? ` (${/[a-z]+/.exec(options.type.replace('application/', ''))?.[0]})`
        : '';
    const headers = this.#shownHeaders(answer.headers);
    this.steps.push({
      request: this.#masker.text(`${method} ${target.length > 300 ? `${target.slice(0, 300)}…` : target}${type}`),
      status: answer.status,
      ...(Object.keys(headers).length === 0 ? {} : { headers }),
      ...(answer.text === '' ? {} : { body: this.#masker.value(answer.body) }),
    });
    return answer;
  }

  /** Sends a request without writing it down. */
  async quiet(method: string, target: string, options: CallOptions = {}): Promise<Answer> {
    const deadline = performance.now() + OPENING_LIMIT_MS;
    for (;;) {
      const response = await this.#send(method, target, options);
      if (response.body.type === 'watch') {
        response.body.stop();
        throw new Error(`${method} ${target} is a watch`);
      }
      const answer = finished(response);
      // A real server answers 429 while it opens the storage of a resource that is new or has changed.
      const isOpening = this.backend.kind === 'real' && answer.status === 429 && answer.text.includes(OPENING_STORAGE);
      if (!isOpening) {
        if (method !== 'GET') await this.afterWrite?.(method, target, answer);
        return answer;
      }
      if (performance.now() > deadline) throw new Error(`${method} ${target}: ${answer.text}`);
      await delay(OPENING_RETRY_MS);
    }
  }

  get(target: string, options?: CallOptions): Promise<Answer> {
    return this.call('GET', target, options);
  }

  post(target: string, body: unknown, options: CallOptions = {}): Promise<Answer> {
    return this.call('POST', target, { body, ...options });
  }

  put(target: string, body: unknown, options: CallOptions = {}): Promise<Answer> {
    return this.call('PUT', target, { body, ...options });
  }

  merge(target: string, body: unknown, options: CallOptions = {}): Promise<Answer> {
    return this.call('PATCH', target, { body, type: MERGE, ...options });
  }

  /** Applies a configuration as a manager; further query parameters follow. */
  apply(target: string, manager: string, body: unknown, query = ''): Promise<Answer> {
    const at = `${target}?fieldManager=${manager}${query === '' ? '' : `&${query}`}`;
    return this.call('PATCH', at, { body, type: APPLY });
  }

  delete(target: string, body?: unknown, options: CallOptions = {}): Promise<Answer> {
    return this.call('DELETE', target, body === undefined ? options : { body, ...options });
  }

  /** Opens a watch; a refusal is written down like any answer and gives no events. */
  async watch(target: string, options: CallOptions = {}): Promise<Watching> {
    const response = await this.#send('GET', target, options);
    const watching = new Watching(response);
    this.#watches.push(watching);
    return watching;
  }

  /** Writes down the events a watch has brought so far. */
  note(title: string, watching: Watching): void {
    const { status } = watching.response;
    if (response(watching) === undefined) {
      this.steps.push({ request: title, status, events: watching.events.map((event) => this.#masker.value(event)) });
      return;
    }
    const { body } = finished(watching.response);
    this.steps.push({ request: title, status, body: this.#masker.value(body) });
  }

  /** Writes down something that was found out rather than answered. */
  remark(title: string, body: unknown): void {
    this.steps.push({ request: title, status: 0, body: this.#masker.value(body) });
  }

  close(): void {
    for (const watching of this.#watches) watching.stop();
  }

  async #send(method: string, target: string, options: CallOptions): Promise<ApiResponse> {
    const headers: Record<string, string> = {
      accept: options.accept ?? 'application/json',
      'user-agent': USER_AGENT,
      ...options.headers,
    };
    const body = this.#body(options);
    if (body !== undefined) headers['content-type'] = options.type ?? 'application/json';
    return this.#connected.transport.send({ method, target: target.replaceAll('{ns}', this.ns), headers, body });
  }

  #body({ body, raw }: CallOptions): RequestBody | undefined {
    if (raw !== undefined) {
      return {
        type: 'bytes',
        bytes: typeof raw === 'string' ? new TextEncoder().encode(raw.replaceAll('{ns}', this.ns)) : raw,
      };
    }
    if (body === undefined) return undefined;
    const text = JSON.stringify(body).replaceAll('{ns}', this.ns);
    if (this.backend.kind === 'in-process')
      return { type: 'value', value: parseJson(new TextEncoder().encode(text)).value };
    return { type: 'bytes', bytes: new TextEncoder().encode(text) };
  }

  #shownHeaders(headers: Answer['headers']): Record<string, unknown> {
    const shown: Record<string, unknown> = {};
    for (const name of SHOWN_HEADERS) {
      const value = headers[name];
      if (value === undefined || value === USUAL[name]) continue;
      // It may repeat, and transports differ in how they show one of it.
      shown[name] = this.#masker.value(name === 'warning' && typeof value === 'string' ? [value] : value);
    }
    return shown;
  }
}

function response(watching: Watching): ApiResponse | undefined {
  return watching.response.body.type === 'watch' ? undefined : watching.response;
}

function finished({ status, headers, body }: ApiResponse): Answer {
  if (body.type === 'watch') throw new Error(`a watch, answered with ${status}, does not finish`);
  const bytes = Buffer.concat(body.type === 'payload' ? body.chunks() : []);
  const text = bytes.toString('utf8');
  const isJson = String(headers['content-type']).includes('json');
  const parsed: unknown = isJson && text !== '' ? parseJson(new TextEncoder().encode(text)).value : text;
  // Callers in process see values, all others bytes: they must say the same.
  if (
    body.type === 'payload' &&
    isJson &&
    !isDeepStrictEqual(JSON.parse(JSON.stringify(body.value(), bigints)), JSON.parse(JSON.stringify(parsed, bigints)))
  ) {
    throw new Error(`the value and the bytes of an answer differ: ${JSON.stringify(body.value(), bigints)} ${text}`);
  }
  const object = (): KubeObject => {
    if (parsed === null || typeof parsed !== 'object') throw new Error(`not an object: ${text}`);
    return parsed as KubeObject;
  };
  return { status, headers, text, bytes, body: parsed, object };
}

/** A float beyond 2^53 is read back from bytes as a large integer: both are shown by their digits. */
function bigints(_key: string, value: unknown): unknown {
  const isLarge = typeof value === 'number' && Number.isInteger(value) && !Number.isSafeInteger(value);
  return isLarge || typeof value === 'bigint' ? String(BigInt(value)) : value;
}

/** An open watch and what came over it. */
export class Watching {
  readonly response: ApiResponse;
  readonly events: { type: string; object: unknown }[] = [];
  isOver = false;
  error: Error | undefined;
  #wake: () => void = () => {};

  constructor(opened: ApiResponse) {
    this.response = opened;
    if (opened.body.type !== 'watch') {
      this.isOver = true;
      return;
    }
    opened.body.start({
      frame: (frame) => {
        this.events.push(readFrame(frame));
        this.#wake();
      },
      end: (error) => {
        this.isOver = true;
        this.error = error;
        this.#wake();
      },
    });
  }

  /** Waits until so many events have come; throws when they do not. */
  async until(count: number, timeoutMs = 8000): Promise<void> {
    await this.#wait(() => this.events.length >= count, timeoutMs);
    if (this.events.length < count)
      throw new Error(`${this.events.length} events instead of ${count}: ${JSON.stringify(this.events)}`);
  }

  /** Waits until the server ends the stream. */
  async ended(timeoutMs = 8000): Promise<void> {
    await this.#wait(() => this.isOver, timeoutMs);
    if (!this.isOver)
      throw new Error(`the watch goes on after ${timeoutMs} ms, with ${this.events.length} events so far`);
  }

  stop(): void {
    if (this.response.body.type === 'watch') this.response.body.stop();
  }

  async #wait(isDone: () => boolean, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (!isDone() && !this.isOver) {
      const left = deadline - performance.now();
      if (left <= 0) return;
      const woken = new Promise<void>((resolve) => (this.#wake = resolve));
      await Promise.race([woken, delay(Math.min(left, 250))]);
    }
  }
}

function readFrame(frame: WatchFrame): { type: string; object: unknown } {
  const parsed = parseJson(frame.bytes()).value as { type: string; object: unknown };
  if (
    !isDeepStrictEqual(
      JSON.parse(JSON.stringify(frame.object(), bigints)),
      JSON.parse(JSON.stringify(parsed.object, bigints)),
    )
  ) {
    throw new Error(
      `the value and the bytes of an event differ: ${JSON.stringify(frame.object(), bigints)} ${JSON.stringify(parsed, bigints)}`,
    );
  }
  return parsed;
}
