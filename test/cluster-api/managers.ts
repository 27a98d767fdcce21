import type { Client } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { NAMESPACE } from '@capstan/simulation/testing';
import { expect } from 'vitest';
import { canElect, LEASE_NAME, OriginalManager } from '@capstan/tools';
import type { ServerAccess } from '@capstan/tools';
import type { PrivateFront } from './private-front.js';

const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };
/** What a manager writes when it leads. */
const LEADS = 'successfully acquired lease';

interface Lease extends KubeObject {
  readonly spec: { readonly holderIdentity?: string; readonly renewTime?: string; readonly leaseTransitions?: number };
}

interface ManagersOptions {
  /** The way past any proxy. */
  readonly direct: Client;
  readonly until: (what: string, holds: () => Promise<boolean>) => Promise<void>;
  /** Through which they see the server. */
  readonly front: PrivateFront | undefined;
}

/**
 * The upstream manager at work. Behind a proxy there are two of it where the machine allows that: one holds the lease, the
 * other waits for it, and takes over in the middle of the scenario.
 */
export class Managers {
  readonly #first: OriginalManager;
  readonly #second: OriginalManager | undefined;
  readonly #options: ManagersOptions;
  #leader = '';

  constructor(first: OriginalManager, options: ManagersOptions) {
    this.#first = first;
    this.#second = options.front !== undefined && canElect() ? new OriginalManager() : undefined;
    this.#options = options;
  }

  /** Starts the first, and when it leads the second. */
  async begin(access: ServerAccess, client: Client): Promise<void> {
    const { front, until } = this.#options;
    const electsIn = this.#second === undefined ? undefined : NAMESPACE;
    await this.#first.start(access, client, { admits: front === undefined, electsIn });
    if (this.#second === undefined) return;
    await until('the first manager leads', async () => (await this.#holder()) !== undefined);
    this.#leader = (await this.#holder()) ?? '';
    await this.#second.start(access, client, { admits: false, electsIn });
  }

  /** Sees that the second has waited, ends the first, and waits for the second to lead. */
  async pass(): Promise<void> {
    if (this.#second === undefined) return;
    const { front, until } = this.#options;
    const before = await this.#lease();
    await until('the lease is renewed', async () => {
      const { spec } = (await this.#lease()) ?? {};
      return spec?.renewTime !== before?.spec.renewTime;
    });
    expect([await this.#holder(), this.#second.logTail().includes(LEADS)]).toEqual([this.#leader, false]);
    await this.#first.stop();
    await until('the second manager leads', async () => {
      const holder = await this.#holder();
      return holder !== undefined && holder !== this.#leader;
    });
    expect((await this.#lease())?.spec.leaseTransitions).toBe((before?.spec.leaseTransitions ?? 0) + 1);
    front?.handedOver?.();
  }

  async end(): Promise<void> {
    await this.#first.stop();
    await this.#second?.stop();
  }

  /** The end of the log of the manager that worked last. */
  logTail(): string {
    return (this.#second ?? this.#first).logTail();
  }

  async #holder(): Promise<string | undefined> {
    return (await this.#lease())?.spec.holderIdentity;
  }

  /** As the server has it: the managers wrote it through the proxy. */
  async #lease(): Promise<Lease | undefined> {
    return this.#options.direct.get<Lease>(LEASES, LEASE_NAME, { namespace: NAMESPACE }).catch(ignoreNotFound);
  }
}
