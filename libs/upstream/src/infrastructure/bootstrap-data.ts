import type { Manager } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

const SECRETS = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
/** No longer than a call may be on its way: the machines of a set come all at once, and have the same. */
const SHARED_MS = 1_000;

interface BootstrapSecret extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

interface Reading {
  readonly data: Promise<string | undefined>;
  readonly until: number;
}

/** The bootstrap data of machines. Read past the cache, so that not every Secret is kept in memory. */
export class BootstrapData {
  readonly #manager: Pick<Manager, 'apiReader' | 'clock'>;
  readonly #readings = new Map<string, Reading>();

  constructor(manager: Pick<Manager, 'apiReader' | 'clock'>) {
    this.#manager = manager;
  }

  /** Undefined when there is none. */
  read(namespace: string, name: string): Promise<string | undefined> {
    const key = `${namespace}/${name}`;
    const now = this.#manager.clock.monotonic();
    for (const [each, { until }] of this.#readings) if (until <= now) this.#readings.delete(each);
    const known = this.#readings.get(key);
    if (known !== undefined) return known.data;
    const data = this.#ask(namespace, name);
    this.#readings.set(key, { data, until: now + SHARED_MS });
    const forget = (): void => void this.#readings.delete(key);
    // Only what is there is shared: who found nothing looks again.
    void data.then((found) => found ?? forget(), forget);
    return data;
  }

  async #ask(namespace: string, name: string): Promise<string | undefined> {
    const secret = await this.#manager.apiReader
      .get<BootstrapSecret>(SECRETS, name, { namespace })
      .catch(ignoreNotFound);
    const value = secret?.data?.['value'];
    return value === undefined ? undefined : Buffer.from(value, 'base64').toString('utf8');
  }
}
