import { Agent, request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import type { Answer, Ask, Asked } from '../translate/through.js';

/** A response whose head has come. */
export interface Opened {
  readonly request: ClientRequest;
  readonly response: IncomingMessage;
}

/** Asks over a socket, and resolves at the head of the answer. */
export function open(url: string, target: string, asked: Asked = {}, agent?: Agent): Promise<Opened> {
  const { accept = 'application/json', body, headers, method = 'GET', type = 'application/json' } = asked;
  return new Promise((resolve, reject) => {
    // The target as it is: a URL would be rewritten.
    const { hostname, port } = new URL(url);
    const sent = request({
      hostname,
      port,
      path: target,
      method,
      headers: { accept, ...(body === undefined ? {} : { 'content-type': type }), ...headers },
      agent: agent ?? new Agent(),
    });
    sent.once('response', (response) => resolve({ request: sent, response }));
    sent.once('error', reject);
    sent.end(body);
  });
}

/** All that is to come of a body. */
export async function bytesOf({ response }: Opened): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of response as AsyncIterable<Buffer>) chunks.push(chunk);
  return Buffer.concat(chunks);
}

/** Sends requests to the server that listens there, over one connection after the other. */
export function askOverHttp(url: string): Ask {
  return async (target, asked): Promise<Answer> => {
    const opened = await open(url, target, asked);
    const text = (await bytesOf(opened)).toString();
    const { headersDistinct, statusCode = 0 } = opened.response;
    const headers = Object.fromEntries(
      Object.entries(headersDistinct).map(([name, values = []]) => [name, values.length === 1 ? values[0] : values]),
    );
    return { status: statusCode, text, headers };
  };
}

/** The lines of a stream as they come. */
export class Lines {
  readonly #lines: string[] = [];
  readonly #waiting = new Set<() => void>();
  #end: 'whole' | 'broken' | undefined;

  constructor(response: IncomingMessage) {
    let rest = '';
    response.setEncoding('utf8');
    response.on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      this.#lines.push(...lines);
      this.#wake();
    });
    const end = (how: 'whole' | 'broken') => (): void => {
      this.#end ??= how;
      this.#wake();
    };
    response.on('end', end('whole')).on('error', end('broken')).on('close', end('broken'));
  }

  get all(): readonly string[] {
    return this.#lines;
  }

  /** How it ended, once it has. */
  get end(): 'whole' | 'broken' | undefined {
    return this.#end;
  }

  /** Resolves when what is looked for is there. */
  async until(isThere: (lines: readonly string[], end: 'whole' | 'broken' | undefined) => boolean): Promise<void> {
    while (!isThere(this.#lines, this.#end)) await new Promise<void>((resolve) => this.#waiting.add(resolve));
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
    this.#waiting.clear();
  }
}
