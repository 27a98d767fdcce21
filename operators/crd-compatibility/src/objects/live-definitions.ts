import { liveDefinition } from '@capstan/crd-compat';
import type { LiveDefinition, ServerRelease } from '@capstan/crd-compat';
import { AdmissionUnavailable, errorText } from '@capstan/kube';
import type { Client, Informer } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { DEFINITIONS } from '../kinds.js';
import { CHECKER } from '../names.js';

interface Kept {
  readonly uid: string;
  readonly generation: number;
  readonly live: LiveDefinition;
}

export interface LiveDefinitionsOptions {
  readonly client: Client;
  /** Metadata alone: CRDs are large, and only those that requirements are about are ever looked into. */
  readonly informer: Informer<KubeObject>;
  readonly server: () => Promise<ServerRelease | undefined>;
}

/** The CRDs as they are served, for the checks of their objects. */
export class LiveDefinitions {
  readonly #options: LiveDefinitionsOptions;
  readonly #kept = new Map<string, Kept>();

  constructor(options: LiveDefinitionsOptions) {
    this.#options = options;
    options.informer.addHandler({ delete: ({ metadata: { name = '' } }) => void this.#kept.delete(name) });
  }

  /** The CRD of that name, as far as this replica has observed it; undefined when there is none. */
  async get(name: string, signal: AbortSignal): Promise<LiveDefinition | undefined> {
    const observed = this.#options.informer.store.get(name)?.metadata;
    // Should it exist by now: an object that violates is checked once more against what the server has.
    if (observed === undefined && this.#options.informer.hasSynced) return undefined;
    const kept = this.#kept.get(name);
    if (kept !== undefined && kept.uid === observed?.uid && kept.generation >= (observed.generation ?? 0))
      return kept.live;
    return (await this.#fetch(name, signal))?.live;
  }

  /** As {@link get}, past all caches; undefined when nothing has changed since. */
  async getNewer(name: string, signal: AbortSignal): Promise<LiveDefinition | undefined> {
    const before = this.#kept.get(name);
    const now = await this.#fetch(name, signal);
    return before?.uid === now?.uid && before?.generation === now?.generation ? undefined : now?.live;
  }

  async #fetch(name: string, signal: AbortSignal): Promise<Kept | undefined> {
    const { client, server } = this.#options;
    const found = await client.get(DEFINITIONS, name, { signal }).catch((error: unknown) => {
      if (!isNotFound(error)) throw new AdmissionUnavailable(`${CHECKER}: ${name} cannot be read: ${errorText(error)}`);
    });
    if (found === undefined) {
      this.#kept.delete(name);
      return undefined;
    }
    const { generation = 0, uid = '' } = found.metadata;
    const known = this.#kept.get(name);
    if (known?.uid === uid && known.generation >= generation) return known;
    const kept = { uid, generation, live: liveDefinition(found, await server()) };
    this.#kept.set(name, kept);
    return kept;
  }
}
