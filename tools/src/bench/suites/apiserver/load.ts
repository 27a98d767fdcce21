import { Pool } from 'undici';
import type { BenchContext } from '../../model.js';

const CONNECTIONS = 16;

/** Where requests go, with what they need to be let in. */
export interface Target {
  readonly url: string;
  readonly token: string;
  readonly caPem: string;
}

/** The one client of all HTTPS rows: keep-alive connections, as many requests under way as connections. */
export class Load {
  readonly #pool: Pool;
  readonly #headers: Record<string, string>;
  #count = 0;

  constructor(target: Target) {
    this.#pool = new Pool(target.url, { connections: CONNECTIONS, pipelining: 1, connect: { ca: target.caPem } });
    this.#headers = { authorization: `Bearer ${target.token}`, 'content-type': 'application/json' };
  }

  /** One request, its body read to the end; gives the body's size. */
  async send(method: 'GET' | 'POST' | 'DELETE', path: string, body?: string): Promise<number> {
    const response = await this.#pool.request({
      method,
      path,
      headers: this.#headers,
      ...(body === undefined ? {} : { body }),
    });
    const bytes = await response.body.arrayBuffer();
    if (response.statusCode >= 300)
      throw new Error(`${method} ${path}: ${response.statusCode} ${Buffer.from(bytes).toString('utf8').slice(0, 200)}`);
    return bytes.byteLength;
  }

  /** A server-side apply. */
  async apply(path: string, config: string): Promise<number> {
    const headers = { ...this.#headers, 'content-type': 'application/apply-patch+yaml' };
    const response = await this.#pool.request({ method: 'PATCH', path, headers, body: config });
    const bytes = await response.body.arrayBuffer();
    if (response.statusCode >= 300)
      throw new Error(`apply ${path}: ${response.statusCode} ${Buffer.from(bytes).toString('utf8').slice(0, 200)}`);
    return bytes.byteLength;
  }

  /** Names never seen before, however often a row runs. */
  nextName(): string {
    this.#count += 1;
    return `c-${this.#count}`;
  }

  rate(context: BenchContext, work: () => Promise<unknown>): Promise<number> {
    return context.rateAsync(work, CONNECTIONS);
  }

  /** Fills a namespace, several requests at a time. */
  async fill(count: number, create: (index: number) => Promise<unknown>): Promise<void> {
    let next = 0;
    const worker = async (): Promise<void> => {
      while (next < count) {
        next += 1;
        await create(next);
      }
    };
    await Promise.all(Array.from({ length: CONNECTIONS }, worker));
  }

  close(): Promise<void> {
    return this.#pool.destroy();
  }
}

/** A ConfigMap of 2 KB. */
export function configMap(name: string): string {
  return JSON.stringify({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { name }, data: { key: 'v'.repeat(1880) } });
}
