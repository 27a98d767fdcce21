import type { CompatibilityRequirement } from '@capstan/api/apiextensions';
import type { ServerRelease } from '@capstan/crd-compat';
import { sleep } from '@capstan/kube';
import type { Informer } from '@capstan/kube';
import type { Clock } from '@capstan/meta';
import { readRequirement } from './read.js';
import type { Reading } from './read.js';

interface Remembered {
  readonly generation: number;
  readonly reading: Promise<Reading>;
}

export interface RequirementsOptions {
  readonly informer: Informer<CompatibilityRequirement>;
  readonly clock: Clock;
  /** The release of the server, which decides what some formats mean. */
  readonly server?: (() => Promise<ServerRelease | undefined>) | undefined;
}

/** All requirements there are, each read once for as long as it stays the same. */
export class Requirements {
  readonly #informer: Informer<CompatibilityRequirement>;
  readonly #clock: Clock;
  readonly #server: () => Promise<ServerRelease | undefined>;
  /** By uid. */
  readonly #remembered = new Map<string, Remembered>();
  #waiting: (() => void)[] = [];

  constructor({ clock, informer, server }: RequirementsOptions) {
    this.#informer = informer;
    this.#clock = clock;
    this.#server = server ?? (() => Promise.resolve(undefined));
    const changed = (): void => {
      for (const resume of this.#waiting.splice(0)) resume();
    };
    informer.addHandler({
      add: changed,
      update: changed,
      delete: ({ metadata: { uid = '' } }) => {
        this.#remembered.delete(uid);
        changed();
      },
    });
  }

  get hasSynced(): boolean {
    return this.#informer.hasSynced;
  }

  get(name: string): CompatibilityRequirement | undefined {
    return this.#informer.store.get(name);
  }

  all(): Iterable<CompatibilityRequirement> {
    return this.#informer.store.list();
  }

  /** The parsed requirement. */
  read(requirement: CompatibilityRequirement): Promise<Reading> {
    const { generation = 0, uid = '' } = requirement.metadata;
    const known = this.#remembered.get(uid);
    if (known?.generation === generation) return known.reading;
    const reading = this.#server().then((server) => readRequirement(requirement.spec, server));
    // An older one may come late, of a request that began earlier: it must not push out the newer.
    if (known === undefined || known.generation < generation) {
      this.#remembered.set(uid, { generation, reading });
      reading.catch(() => this.#remembered.delete(uid));
    }
    return reading;
  }

  /** Waits until the cached requirements fulfil the predicate; false when that takes too long. */
  async until(isSo: () => boolean, limitMs: number): Promise<boolean> {
    if (this.hasSynced && isSo()) return true;
    const giving = new AbortController();
    let isLate = false;
    const late = sleep(this.#clock, limitMs, giving.signal).then(() => (isLate = true));
    try {
      void this.#informer.whenSynced().then(() => this.#waiting.splice(0).forEach((resume) => resume()));
      while (!isLate) {
        await Promise.race([new Promise<void>((resolve) => this.#waiting.push(resolve)), late]);
        if (this.hasSynced && isSo()) return true;
      }
      return false;
    } finally {
      giving.abort();
    }
  }
}
