import type { Client } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { NAMESPACE } from '@capstan/simulation/testing';
import { expect } from 'vitest';
import { LEASE_NAME, OriginalManager } from './original-manager.js';
import type { ServerAccess } from './original-manager.js';

const LEASES = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };
/** What a manager writes when it leads. */
const LEADS = 'successfully acquired lease';

interface Lease extends KubeObject {
  readonly spec: { readonly holderIdentity?: string; readonly renewTime?: string; readonly leaseTransitions?: number };
}

/** Two managers before one server: one holds the lease, the other waits for it. */
export class Succession {
  readonly #direct: Client;
  readonly #until: (what: string, holds: () => Promise<boolean>) => Promise<void>;
  readonly #second = new OriginalManager();
  #first = '';

  constructor(direct: Client, until: (what: string, holds: () => Promise<boolean>) => Promise<void>) {
    this.#direct = direct;
    this.#until = until;
  }

  /** Waits for the first to lead, and starts the second. */
  async begin(access: ServerAccess, client: Client): Promise<void> {
    await this.#until('the first manager leads', async () => (await this.#holder()) !== undefined);
    this.#first = (await this.#holder()) ?? '';
    await this.#second.start(access, client, { admits: false, electsIn: NAMESPACE });
  }

  /** Sees that the second has waited, ends the first, and waits for the second to lead. */
  async pass(endFirst: () => Promise<void> | undefined): Promise<void> {
    const before = await this.#lease();
    await this.#until('the lease is renewed', async () => {
      const { spec } = (await this.#lease()) ?? {};
      return spec?.renewTime !== before?.spec.renewTime;
    });
    expect([await this.#holder(), this.#second.logTail().includes(LEADS)]).toEqual([this.#first, false]);
    await endFirst();
    await this.#until('the second manager leads', async () => {
      const holder = await this.#holder();
      return holder !== undefined && holder !== this.#first;
    });
    expect((await this.#lease())?.spec.leaseTransitions).toBe((before?.spec.leaseTransitions ?? 0) + 1);
  }

  end(): Promise<void> {
    return this.#second.stop();
  }

  /** Of the second: it works when things go wrong that the first did not see. */
  logTail(): string | undefined {
    return this.#second.logTail();
  }

  async #holder(): Promise<string | undefined> {
    return (await this.#lease())?.spec.holderIdentity;
  }

  /** As the server has it: the managers wrote it through the proxy. */
  async #lease(): Promise<Lease | undefined> {
    try {
      return await this.#direct.get<Lease>(LEASES, LEASE_NAME, { namespace: NAMESPACE });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }
}
