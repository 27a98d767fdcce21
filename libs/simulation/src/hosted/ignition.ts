import type { FetchIgnition } from '../guests/user-data.js';
import { SimulationError } from '../errors.js';

/** Answers who comes with a token; undefined when nobody knows it. */
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

  /** How instances fetch what their user data only points to. */
  readonly fetch: FetchIgnition = async (url, headers) => {
    const { host } = new URL(url);
    const handler = this.#handlers.get(host);
    if (handler === undefined) throw new SimulationError('NO_IGNITION', `nobody serves ${host}`);
    const [, encoded = ''] = /^Bearer (.+)$/.exec(headers['authorization'] ?? '') ?? [];
    const answer = await handler(Buffer.from(encoded, 'base64').toString('utf8'));
    if (answer === undefined) throw new SimulationError('NO_IGNITION', `${host} does not know the token`);
    return answer;
  };
}
