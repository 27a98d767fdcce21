import { Client, errorText, sleep } from '@capstan/kube';
import { ignoreNotFound, isConditionTrue } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import type { HostedGuests, ProcessDefinition } from '@capstan/simulation';

const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const CONFIG_MAPS = { group: '', version: 'v1', plural: 'configmaps', namespaced: true };
const AT = { namespace: 'default' };
const NAME = 'written-by-a-user';
const EVERY_MS = 1_000;
const USER = { username: 'system:admin', groups: ['system:masters', 'system:authenticated'] };

interface Written extends KubeObject {
  readonly data?: Readonly<Record<string, string>>;
}

/** A user of a hosted cluster who writes and reads without a pause, and looks at the nodes: what went wrong for them. */
export class GuestProbe {
  /** Requests that failed, and values that were not what had been written; a line each, with the time. */
  readonly failures: string[] = [];
  /** Nodes that were not ready at some time, though they had been. */
  readonly lostNodes = new Set<string>();
  requests = 0;
  readonly #guests: HostedGuests;
  readonly #namespace: string;
  readonly #ready = new Set<string>();

  constructor(guests: HostedGuests, namespace: string) {
    this.#guests = guests;
    this.#namespace = namespace;
  }

  /** One request of each kind a second, each sent once only. */
  process(): ProcessDefinition {
    return {
      name: `user of ${this.#namespace}`,
      isReliable: true,
      isPartOfEnvironment: true,
      start: async ({ clock, random, signal }) => {
        // Through the server that is up, or is not: its store would always answer.
        const client = new Client(
          { send: async (request) => this.#guests.ensure(this.#namespace).handle(request) },
          { clock, random, user: USER, maxRetries: 0 },
        );
        for (let count = 1; !signal.aborted; count += 1) {
          const at = `after ${Math.round(clock.monotonic() / 1_000)} s`;
          await this.#use(client, count).catch((error: unknown) => this.failures.push(`${at}: ${errorText(error)}`));
          await sleep(clock, EVERY_MS);
        }
      },
    };
  }

  async #use(client: Client, count: number): Promise<void> {
    const wanted = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: NAME, ...AT },
      data: { count: `${count}` },
    };
    const before = await client.get<Written>(CONFIG_MAPS, NAME, AT).catch(ignoreNotFound);
    if (before === undefined) await client.create(CONFIG_MAPS, wanted);
    else await client.patch(CONFIG_MAPS, NAME, { type: 'merge', value: { data: wanted.data } }, AT);
    const { data } = await client.get<Written>(CONFIG_MAPS, NAME, AT);
    if (data?.['count'] !== `${count}`) throw new Error(`read ${data?.['count']}, though ${count} was written`);
    const { items } = await client.list(NODES);
    this.requests += 4;
    for (const { metadata, status } of items) {
      const { name = '' } = metadata;
      const { conditions } = (status ?? {}) as { readonly conditions?: readonly Condition[] };
      if (isConditionTrue(conditions, 'Ready')) this.#ready.add(name);
      else if (this.#ready.has(name)) this.lostNodes.add(name);
    }
  }
}
