import { once } from 'node:events';
import { Agent, request } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { Agent as TlsAgent, request as tlsRequest } from 'node:https';
import type { Behind } from './programs.js';

/** One connection to a server, or to a proxy before it. */
export class Line {
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #agent: Agent;
  readonly #isTls: boolean;

  constructor(url: string, behind?: Behind) {
    this.#url = url;
    this.#isTls = url.startsWith('https:');
    this.#agent = this.#isTls
      ? new TlsAgent({ keepAlive: true, maxSockets: 1, ca: behind?.caPem })
      : new Agent({ keepAlive: true, maxSockets: 1 });
    this.#headers = this.#isTls ? { authorization: `Bearer ${behind?.token}` } : {};
  }

  /** A request whose answer has begun. */
  async open(method: string, path: string, body?: string, type = 'application/json'): Promise<IncomingMessage> {
    const headers = {
      ...this.#headers,
      accept: 'application/json',
      ...(body === undefined ? {} : { 'content-type': type }),
    };
    const options = { method, headers, agent: this.#agent };
    const sent: ClientRequest = (this.#isTls ? tlsRequest : request)(`${this.#url}${path}`, options);
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    if ((response.statusCode ?? 500) >= 300) throw new Error(`${method} ${path} answered ${response.statusCode}`);
    return response;
  }

  /** A request and all of its answer; gives how long it took, in milliseconds. */
  async ask(method: string, path: string, body?: string, type?: string): Promise<number> {
    const begin = performance.now();
    const response = await this.open(method, path, body, type);
    response.resume();
    await once(response, 'end');
    return performance.now() - begin;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Of times the one that so many of a hundred do not pass. */
export function percentile(times: readonly number[], percent: number): number {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor((sorted.length * percent) / 100))] ?? 0;
}

/** Nothing that can be measured takes no time at all. */
const LEAST_MS = 0.001;

/** By how much one way is slower than the other at so many of a hundred, asked by turns. */
export async function added(
  times: number,
  { direct, proxied }: { direct: () => Promise<number>; proxied: () => Promise<number> },
  percent = 95,
): Promise<number> {
  const [one, other]: [number[], number[]] = [[], []];
  for (let time = 0; time < times; time += 1) {
    one.push(await direct());
    other.push(await proxied());
  }
  return Math.max(LEAST_MS, percentile(other, percent) - percentile(one, percent));
}
