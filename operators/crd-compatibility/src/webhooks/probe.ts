import { Client } from '@capstan/kube';
import { apiErrorOf } from '@capstan/meta';
import type { Transport } from '@capstan/meta';
import { DEFINITIONS } from '../kinds.js';
import { CHECKER, FIELD_OWNER, PATHS } from '../names.js';
import { PROBE_DEFINITION, probeDefinition } from './probe-definition.js';

/** A configuration by its name and content. */
export interface Probed {
  readonly name: string;
  readonly hash: string;
}

const PREFIX = `${CHECKER} hears of: `;

/** What the probe's webhook answers, told as a warning, for the path it is asked on. */
export function probeAnswer(path: string): string {
  return `${PREFIX}${path.slice(PATHS.probe.length + 1)}`;
}

/**
 * Finds out which configurations the API server really uses. Servers take them up a while after they are written, and
 * nothing in the API says when. So a definition is written as a dry run that names a configuration, and every configuration
 * has a webhook that is asked about its own: one that answers is in use.
 */
export class Probe {
  readonly #client: Client;
  readonly #used = new Map<string, string>();
  #heard: string[] = [];
  #asking: Promise<void> | undefined;

  constructor(transport: Transport) {
    const onWarning = (text: string): void => {
      if (text.startsWith(PREFIX)) this.#heard.push(text.slice(PREFIX.length));
    };
    this.#client = new Client(transport, { userAgent: FIELD_OWNER, onWarning, maxRetries: 0 });
  }

  /** Whether the server was seen to use this content. */
  isUsed(probed: Probed): boolean {
    return this.#used.get(probed.name) === probed.hash;
  }

  /** Whatever was seen of a configuration no longer counts: it was written or deleted. */
  forget(name: string): void {
    this.#used.delete(name);
  }

  /** Asks the server, unless it is known already; gives whether it uses this content. */
  async ask(probed: Probed, signal?: AbortSignal): Promise<boolean> {
    if (this.isUsed(probed)) return true;
    await this.#askOnce(probed.name, signal);
    return this.isUsed(probed);
  }

  /** One at a time: an answer comes as a warning, which says of itself to whom. */
  async #askOnce(name: string, signal?: AbortSignal): Promise<void> {
    // What becomes of somebody else's is theirs to hear.
    while (this.#asking !== undefined) await this.#asking.catch(() => {});
    this.#asking = this.#send(name, signal).finally(() => (this.#asking = undefined));
    await this.#asking;
  }

  async #send(configuration: string, signal?: AbortSignal): Promise<void> {
    this.#heard = [];
    try {
      await this.#client.patch(
        DEFINITIONS,
        PROBE_DEFINITION,
        { type: 'apply', value: probeDefinition(configuration) },
        { dryRun: true, force: true, fieldManager: FIELD_OWNER, signal },
      );
    } catch (error) {
      // Somebody else's webhook may refuse it; ours were asked all the same.
      if (apiErrorOf(error) === undefined || this.#heard.length === 0) throw error;
    }
    for (const each of this.#heard) {
      const [name = '', hash = ''] = each.split('/');
      this.#used.set(name, hash);
    }
  }
}
