import type { Cache, Client, ResourceRef } from '@capstan/kube';
import { nodesOf } from './decisions.js';
import type { ApprovableMachine } from './decisions.js';

/** Finds Machines by the node they may be of. */
const NODE_INDEX = 'node';

export interface KnownMachinesOptions {
  readonly kinds: readonly ResourceRef[];
  readonly namespace: string | undefined;
  readonly cache: Cache;
  /** Reads past the cache. */
  readonly client: Client;
}

/** The Machines of all groups that count. */
export class KnownMachines {
  readonly #options: KnownMachinesOptions;

  constructor(options: KnownMachinesOptions) {
    this.#options = options;
    for (const kind of options.kinds) options.cache.addIndexer<ApprovableMachine>(kind, NODE_INDEX, nodesOf);
  }

  #of(kind: ResourceRef, node: string): ApprovableMachine[] {
    const { cache, namespace } = this.#options;
    return cache.informer<ApprovableMachine>(kind, { namespace }).store.byIndex(NODE_INDEX, node);
  }

  /** Those that may belong to a node, from the caches. */
  seen(node: string): readonly ApprovableMachine[] {
    return this.#options.kinds.flatMap((kind) => this.#of(kind, node));
  }

  /** How many there are at all. */
  async count(signal: AbortSignal): Promise<number> {
    const { client, kinds, namespace } = this.#options;
    const lists = await Promise.all(kinds.map((kind) => client.list(kind, { namespace, signal })));
    return lists.reduce((count, { items }) => count + items.length, 0);
  }
}
