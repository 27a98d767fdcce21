import { Client, isAborted } from '@capstan/kube';
import { apiErrorOf } from '@capstan/meta';
import type { Clock } from '@capstan/meta';
import { DEFINITIONS } from '../kinds.js';
import { CHECKER, FIELD_OWNER, PATHS } from '../names.js';
import type { ApiServerAccess, ApiServers } from './api-servers.js';
import { PROBE_DEFINITION, probeDefinition } from './probe-definition.js';

/** A configuration by its name and content. */
export interface Probed {
  readonly name: string;
  readonly hash: string;
}

const PREFIX = `${CHECKER} probed: `;

/** The answer of the probe's webhook, sent as a warning, for the path it is called on. */
export function probeAnswer(path: string): string {
  return `${PREFIX}${path.slice(PATHS.probe.length + 1)}`;
}

/** What one API server was observed to use. */
interface Observed {
  /** Contents by the names of configurations. */
  readonly used: Map<string, string>;
  wasReached: boolean;
  /** Before that it is not tried again. */
  retryAt: number;
}

/** When a server that could not be reached by itself is tried again. */
const UNREACHED_MS = 300_000;

/**
 * Finds out which configurations the API servers really use. Servers pick them up a while after they are written, and
 * nothing in the API shows when. So a CRD is written as a dry run that names a configuration, and every configuration
 * has a webhook that is asked about its own: one that answers is in use. Where there are several servers each is asked
 * by itself; one that never could be reached so, across a network that does not let us, is not waited for.
 */
export class Probe {
  readonly #servers: ApiServers;
  readonly #clock: Clock;
  readonly #observed = new Map<string, Observed>();
  #asking: Promise<void> | undefined;

  constructor(servers: ApiServers, clock: Clock) {
    this.#servers = servers;
    this.#clock = clock;
  }

  /** Whether every server that can be asked was seen to use this content. */
  isUsed(probed: Probed): boolean {
    return this.#servers.known.every((server, at) => this.#isSeen(server, probed, at === 0));
  }

  /** Whatever was seen of a configuration no longer counts: it was written or deleted. */
  forget(name: string): void {
    for (const { used } of this.#observed.values()) used.delete(name);
  }

  /** Asks the servers, unless it is known already; gives whether they use this content. */
  async ask(probed: Probed, signal?: AbortSignal): Promise<boolean> {
    await this.#servers.find(signal);
    if (this.isUsed(probed)) return true;
    await this.#askOnce(probed, signal);
    return this.isUsed(probed);
  }

  #isSeen({ name }: ApiServerAccess, probed: Probed, isFirst: boolean): boolean {
    const observed = this.#of(name);
    if (!isFirst && !observed.wasReached && observed.retryAt > this.#clock.now()) return true;
    return observed.used.get(probed.name) === probed.hash;
  }

  #of(server: string): Observed {
    let observed = this.#observed.get(server);
    if (observed === undefined)
      this.#observed.set(server, (observed = { used: new Map(), wasReached: false, retryAt: 0 }));
    return observed;
  }

  /** One at a time: an answer comes as a warning, which does not name the request it belongs to. */
  async #askOnce(probed: Probed, signal?: AbortSignal): Promise<void> {
    // A failure of the other request is reported to its own caller.
    while (this.#asking !== undefined) await this.#asking.catch(() => {});
    this.#asking = this.#askAll(probed, signal).finally(() => (this.#asking = undefined));
    await this.#asking;
  }

  async #askAll(probed: Probed, signal?: AbortSignal): Promise<void> {
    const unsure = this.#servers.known.filter((server, at) => !this.#isSeen(server, probed, at === 0));
    await Promise.all(unsure.map((server) => this.#ask(server, probed, signal)));
  }

  async #ask(server: ApiServerAccess, probed: Probed, signal?: AbortSignal): Promise<void> {
    const observed = this.#of(server.name);
    const isFirst = server.name === this.#servers.known[0]?.name;
    try {
      await send(server, probed.name, observed, signal);
      observed.wasReached = true;
    } catch (error) {
      if (isFirst || observed.wasReached || isAborted(error) || apiErrorOf(error) !== undefined) throw error;
      observed.retryAt = this.#clock.now() + UNREACHED_MS;
    }
  }
}

async function send(
  { transport }: ApiServerAccess,
  configuration: string,
  { used }: Observed,
  signal?: AbortSignal,
): Promise<void> {
  const answers: string[] = [];
  const onWarning = (text: string): void => {
    if (text.startsWith(PREFIX)) answers.push(text.slice(PREFIX.length));
  };
  const client = new Client(transport, { userAgent: FIELD_OWNER, onWarning, maxRetries: 0 });
  try {
    await client.patch(
      DEFINITIONS,
      PROBE_DEFINITION,
      { type: 'apply', value: probeDefinition(configuration) },
      { dryRun: true, force: true, fieldManager: FIELD_OWNER, signal },
    );
  } catch (error) {
    // The webhook of another owner may deny it; ours were called all the same.
    if (apiErrorOf(error) === undefined || answers.length === 0) throw error;
  }
  for (const each of answers) {
    const [name = '', hash = ''] = each.split('/');
    used.set(name, hash);
  }
}
