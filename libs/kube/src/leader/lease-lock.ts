import { formatMicroTime, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Client } from '../client/client.js';
import type { ResourceRef } from '../client/resource.js';

const LEASES: ResourceRef = {
  group: 'coordination.k8s.io',
  version: 'v1',
  plural: 'leases',
  namespaced: true,
};

/** Who holds a lease, and since when. */
export interface LeaseRecord {
  /** Empty when it was given up. */
  readonly holder: string;
  readonly durationSeconds: number;
  readonly acquireTime: string;
  readonly renewTime: string;
  readonly transitions: number;
}

/** A record as the server has it. */
export interface Observed {
  readonly record: LeaseRecord;
  /** Equal texts, equal records. */
  readonly raw: string;
}

interface Lease extends KubeObject {
  spec?: {
    holderIdentity?: string;
    leaseDurationSeconds?: number;
    acquireTime?: string;
    renewTime?: string;
    leaseTransitions?: number;
  };
}

/** Reads and writes one Lease; a write only ever replaces what was read last. */
export class LeaseLock {
  readonly #client: Client;
  readonly #namespace: string;
  readonly #name: string;
  #lease: Lease | undefined;

  constructor(client: Client, namespace: string, name: string) {
    this.#client = client;
    this.#namespace = namespace;
    this.#name = name;
  }

  /** Undefined when there is no such lease. */
  async get(signal: AbortSignal): Promise<Observed | undefined> {
    let lease: Lease;
    try {
      lease = await this.#client.get<Lease>(LEASES, this.#name, { namespace: this.#namespace, signal });
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
    this.#remember(lease, signal);
    return { record: recordOf(lease), raw: JSON.stringify(lease.spec ?? {}) };
  }

  async create(record: LeaseRecord, signal: AbortSignal): Promise<void> {
    const lease: Lease = {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: this.#name, namespace: this.#namespace },
      spec: specOf(record),
    };
    this.#remember(await this.#client.create<Lease>(LEASES, lease, { signal }), signal);
  }

  async update(record: LeaseRecord, signal: AbortSignal): Promise<void> {
    if (this.#lease === undefined) throw new TypeError('a lease must be read before it is written');
    const lease: Lease = { ...this.#lease, spec: { ...this.#lease.spec, ...specOf(record) } };
    this.#remember(await this.#client.update<Lease>(LEASES, lease, { signal }), signal);
  }

  /** An answer that came after its caller had left must not stand behind a later write: nobody looked at it. */
  #remember(lease: Lease, signal: AbortSignal): void {
    if (!signal.aborted) this.#lease = lease;
  }
}

function recordOf({ spec = {} }: Lease): LeaseRecord {
  return {
    holder: spec.holderIdentity ?? '',
    durationSeconds: spec.leaseDurationSeconds ?? 0,
    acquireTime: spec.acquireTime ?? '',
    renewTime: spec.renewTime ?? '',
    transitions: spec.leaseTransitions ?? 0,
  };
}

function specOf(record: LeaseRecord): NonNullable<Lease['spec']> {
  return {
    holderIdentity: record.holder,
    leaseDurationSeconds: record.durationSeconds,
    acquireTime: record.acquireTime,
    renewTime: record.renewTime,
    leaseTransitions: record.transitions,
  };
}

/** A time as leases have it. */
export function leaseTime(epochMs: number): string {
  return formatMicroTime(epochMs);
}
