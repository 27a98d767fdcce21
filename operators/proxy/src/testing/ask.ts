import { Agent, request } from 'node:http';
import type { ClientRequest, IncomingHttpHeaders, IncomingMessage } from 'node:http';

/** A request of a test. */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  readonly body?: string | Uint8Array;
  readonly agent?: Agent;
}

/** What came back. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly rawHeaders: readonly string[];
  readonly trailers: NodeJS.Dict<string>;
  readonly bytes: Buffer;
  readonly text: string;
}

/** A response whose head has come. */
export interface Opened {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
}

/** Asks, and resolves at the head of the answer. */
export function open(url: string, { method = 'GET', headers = {}, body, agent }: Asked = {}): Promise<Opened> {
  return new Promise((resolve, reject) => {
    const list = Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, typeof value === 'string' ? value : [...value]]),
    );
    const asked = request(url, { method, headers: list, agent: agent ?? new Agent() });
    asked.once('response', (response) => resolve({ request: asked, response }));
    asked.once('error', reject);
    asked.end(body);
  });
}

/** Asks, and resolves with the whole answer; rejects when it breaks off. */
export async function ask(url: string, asked: Asked = {}): Promise<Answer> {
  const { response } = await open(url, asked);
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    trailers: response.trailers,
    bytes,
    text: bytes.toString(),
  };
}

/** Waits until something is so; the test's own time limit ends the wait. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}
