import type { Endpoint, EndpointReply, EndpointRequest } from '../http/endpoint-server.js';
import { errorText } from '../runtime/logger.js';
import type { Logger } from '../runtime/logger.js';

/** Throws or rejects when something is not well. */
export type HealthCheck = () => void | Promise<void>;

const ping: HealthCheck = () => {};

interface Outcome {
  readonly name: string;
  readonly error: string | undefined;
  readonly excluded: boolean;
}

/** The checks behind `/healthz` or `/readyz`: all together there, each on a path of its own below. */
export class HealthChecks {
  readonly #name: string;
  readonly #logger: Logger;
  readonly #checks = new Map<string, HealthCheck>();

  /** `name`: `healthz`, `readyz`. */
  constructor(name: string, logger: Logger) {
    this.#name = name;
    this.#logger = logger;
  }

  add(name: string, check: HealthCheck): void {
    this.#checks.set(name, check);
  }

  /** Answers `/<name>` and `/<name>/<check>`. */
  readonly endpoint: Endpoint = (request) => {
    const [, , name = ''] = request.path.split('/');
    return name === '' ? this.#all(request) : this.#one(name);
  };

  async #one(name: string): Promise<EndpointReply> {
    const check = this.#known().get(name);
    if (check === undefined) return { status: 404, body: '404 page not found\n' };
    const { error } = await run(name, check, false);
    if (error === undefined) return { status: 200, body: 'ok' };
    return { status: 500, body: `internal server error: ${error}\n` };
  }

  async #all({ query }: EndpointRequest): Promise<EndpointReply> {
    const excluded = new Set(query.getAll('exclude'));
    const running = [...this.#known()].map(([name, check]) => run(name, check, excluded.has(name)));
    const outcomes = (await Promise.all(running)).toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const failed = outcomes.filter(({ error }) => error !== undefined);
    for (const { name, error } of failed) this.#logger.info(`${this.#name} check failed`, { check: name, error });
    if (failed.length === 0 && !query.has('verbose')) return { status: 200, body: 'ok' };
    const lines = outcomes.map(lineOf);
    for (const { name } of outcomes) excluded.delete(name);
    if (excluded.size > 0)
      lines.push(`warn: some health checks cannot be excluded: no matches for ${quoted(excluded)}`);
    lines.push(`${this.#name} check ${failed.length === 0 ? 'passed' : 'failed'}`);
    return { status: failed.length === 0 ? 200 : 500, body: `${lines.join('\n')}\n` };
  }

  /** A process that can answer at all is well, where nobody knows better. */
  #known(): ReadonlyMap<string, HealthCheck> {
    return this.#checks.size === 0 ? new Map([['ping', ping]]) : this.#checks;
  }
}

function lineOf({ name, error, excluded }: Outcome): string {
  if (excluded) return `[+]${name} excluded: ok`;
  // Why it failed is in the log: an unauthenticated client need not know.
  return error === undefined ? `[+]${name} ok` : `[-]${name} failed: reason withheld`;
}

function quoted(names: Iterable<string>): string {
  return [...names].map((name) => JSON.stringify(name)).join(',');
}

async function run(name: string, check: HealthCheck, excluded: boolean): Promise<Outcome> {
  if (excluded) return { name, error: undefined, excluded };
  try {
    await check();
    return { name, error: undefined, excluded };
  } catch (error) {
    return { name, error: errorText(error), excluded };
  }
}
