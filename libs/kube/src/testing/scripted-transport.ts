import type { ApiRequest, ApiResponse, Transport, WatchBody, WatchEventType, WatchSink } from '@capstan/meta';

/** A watch whose events the test sends. */
export class ScriptedWatch implements WatchBody {
  readonly type = 'watch';
  readonly request: ApiRequest;
  #sink: WatchSink | undefined;
  #stopped = false;

  constructor(request: ApiRequest) {
    this.request = request;
  }

  get started(): boolean {
    return this.#sink !== undefined;
  }

  get stopped(): boolean {
    return this.#stopped;
  }

  start(sink: WatchSink): void {
    this.#sink = sink;
  }

  stop(): void {
    this.#stopped = true;
  }

  send(type: WatchEventType, object: unknown): void {
    if (this.#stopped) return;
    this.#sink?.frame({
      type,
      object: () => object,
      bytes: () => Buffer.from(`${JSON.stringify({ type, object })}\n`),
    });
  }

  end(error?: Error): void {
    this.#sink?.end(error);
  }
}

/** A response with a JSON body. */
export function json(value: unknown, status = 200, headers: Record<string, string | string[]> = {}): ApiResponse {
  return {
    status,
    headers: { 'content-type': 'application/json', ...headers },
    body: { type: 'payload', chunks: () => [Buffer.from(JSON.stringify(value))], value: () => value },
  };
}

/** A failure Status. */
export function failed(code: number, reason: string, details: Record<string, unknown> = {}): ApiResponse {
  const status = {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: `${reason} (${code})`,
    reason,
    details,
    code,
  };
  return json(status, code);
}

/** Answers by a function, and remembers what was asked. */
export class ScriptedTransport implements Transport {
  readonly requests: ApiRequest[] = [];
  readonly watches: ScriptedWatch[] = [];
  readonly #answer: (request: ApiRequest, url: URL) => ApiResponse | Promise<ApiResponse> | undefined;

  /** Watches the function does not answer are opened and left to the test. */
  constructor(answer: (request: ApiRequest, url: URL) => ApiResponse | Promise<ApiResponse> | undefined) {
    this.#answer = answer;
  }

  /** Method and target of every request so far. */
  get log(): string[] {
    return this.requests.map(({ method, target }) => `${method} ${target}`);
  }

  async send(request: ApiRequest): Promise<ApiResponse> {
    this.requests.push(request);
    const url = new URL(request.target, 'http://server');
    const answer = await this.#answer(request, url);
    if (answer !== undefined) return answer;
    if (url.searchParams.get('watch') !== 'true') return failed(404, 'NotFound');
    const body = new ScriptedWatch(request);
    this.watches.push(body);
    return { status: 200, headers: {}, body };
  }
}
