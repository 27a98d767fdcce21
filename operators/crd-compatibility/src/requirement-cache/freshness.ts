import { AdmissionUnavailable, errorText } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { REQUIREMENTS } from '../kinds.js';
import { CHECKER } from '../names.js';
import type { Requirements } from './requirements.js';

/** Half of what a server waits for a webhook. */
const LIMIT_MS = 5000;

/**
 * Makes a replica check writes against what is stored, however far behind its cache is: it lists the requirements of
 * the server, and waits until its cache has them all. So every replica enforces a requirement from the moment
 * it is stored.
 */
export class Freshness {
  readonly #client: Client;
  readonly #requirements: Requirements;

  constructor(client: Client, requirements: Requirements) {
    this.#client = client;
    this.#requirements = requirements;
  }

  /** The uids of all requirements there are, every one of them known here in its newest generation. */
  async present(signal: AbortSignal): Promise<ReadonlySet<string>> {
    const { items } = await this.#list(signal);
    const isKnown = ({ metadata: { generation = 0, name = '', uid } }: KubeObject): boolean => {
      const known = this.#requirements.get(name)?.metadata;
      return known?.uid === uid && (known?.generation ?? 0) >= generation;
    };
    if (!(await this.#requirements.until(() => items.every(isKnown), LIMIT_MS)))
      throw new AdmissionUnavailable(`${CHECKER}: this replica does not know all requirements yet; try again`);
    return new Set(items.map(({ metadata: { uid = '' } }) => uid));
  }

  async #list(signal: AbortSignal): Promise<{ readonly items: readonly KubeObject[] }> {
    try {
      return await this.#client.list(REQUIREMENTS, { metadataOnly: true, signal });
    } catch (error) {
      throw new AdmissionUnavailable(`${CHECKER}: the requirements cannot be read: ${errorText(error)}`);
    }
  }
}
