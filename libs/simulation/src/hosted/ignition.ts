import type { FetchIgnition } from '../guests/user-data.js';
import { SimulationError } from '../errors.js';

/** Serves the payload of a token; undefined for an unknown token. */
export type IgnitionHandler = (token: string) => Promise<string | undefined>;

/** The ignition servers of this process, by the hosts in the user data that lead to them. */
export class IgnitionServers {
  readonly #handlers = new Map<string, IgnitionHandler>();

  /** Gives the function that forgets it. */
  add(host: string, handler: IgnitionHandler): () => void {
    this.#handlers.set(host, handler);
    return () => {
      if (this.#handlers.get(host) === handler) this.#handlers.delete(host);
    };
  }

  /** How instances fetch what their user data points to. Hostnames of routes lead to the server that knows the token. */
  readonly fetch: FetchIgnition = async (url, headers) => {
    const { hostname } = new URL(url);
    const [, encoded = ''] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
    const token = Buffer.from(encoded, 'base64').toString('utf8');
    const named = this.#handlers.get(hostname);
    for (const handler of named === undefined ? this.#handlers.values() : [named]) {
      const answer = await handler(token);
      if (answer !== undefined) return answer;
    }
    throw new SimulationError('NO_IGNITION', `no ignition server at ${hostname} has the token`);
  };
}
