import { apiErrorOf, formatMicroTime, ignoreNotFound, isAlreadyExists, isConflict, isNotFound } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import { errorText, sleep, timestamp } from '@capstan/kube';
import type { Client, Logger } from '@capstan/kube';
import { LEASES, NODES } from '../workload/resources.js';
import type { Node } from '../workload/resources.js';
import { nodeObject, nodeStatus } from './node-object.js';
import type { NodeDescription } from './node-object.js';

export interface HeartbeatOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly description: NodeDescription;
  /** True while the node is to be silent. */
  readonly isLost: () => boolean;
  /** Another controller removes the taint of a new node when it is healthy, as the controllers of a cluster do. */
  readonly leavesTaint?: boolean | undefined;
}

interface Lease extends KubeObject {
  readonly spec?: Readonly<Record<string, unknown>>;
}

const LEASE_NAMESPACE = 'kube-node-lease';
const LEASE_SECONDS = 40;
const RENEW_MS = 10_000;
const STATUS_MS = 300_000;
const FIRST_RETRY_MS = 200;
const LAST_RETRY_MS = 7_000;
/** Put on new nodes by the server, until the node is healthy. */
const NOT_READY_TAINT = 'node.kubernetes.io/not-ready';

/** Registers a node and renews its lease. */
export class Heartbeat {
  readonly #options: HeartbeatOptions;
  #node: Node | undefined;
  /** As it was written last. */
  #lease: Lease | undefined;
  /** The node was made here, and its lease not yet. */
  #isNew = false;
  #statusAtMs = 0;

  constructor(options: HeartbeatOptions) {
    this.#options = options;
  }

  /** Makes the Node and its Lease, or takes over those there are. */
  async register(): Promise<void> {
    const { client, clock, description } = this.#options;
    try {
      this.#node = await client.create<Node>(NODES, nodeObject(description, clock));
      this.#lease = undefined;
      this.#isNew = true;
    } catch (error) {
      if (!isAlreadyExists(error)) throw error;
      await this.#writeStatus();
    }
    this.#statusAtMs = clock.now();
    await this.#takeTaintOff();
    await this.#renew();
  }

  /** Registers the node however long a server that cannot take it needs, as kubelets do. */
  async join(signal: AbortSignal): Promise<void> {
    const { clock, description, logger } = this.#options;
    for (let delayMs = FIRST_RETRY_MS; ; delayMs = Math.min(2 * delayMs, LAST_RETRY_MS)) {
      try {
        await this.register();
        return;
      } catch (error) {
        if (!isServerError(error)) throw error;
        if (delayMs === FIRST_RETRY_MS)
          logger.warn('cannot register the node, trying again', { node: description.name, error: errorText(error) });
      }
      if ((await sleep(clock, delayMs, signal)) === 'aborted') return;
    }
  }

  /** Runs until the signal aborts. */
  async run(signal: AbortSignal): Promise<void> {
    const { clock, isLost, logger } = this.#options;
    let wasLost = false;
    while ((await sleep(clock, RENEW_MS, signal)) === 'elapsed') {
      if (isLost()) {
        wasLost = true;
        continue;
      }
      try {
        // Controllers have written conditions and taints of the silent node meanwhile.
        await (wasLost ? this.recover() : this.#beat());
        wasLost = false;
      } catch (error) {
        logger.warn('node heartbeat failed', { node: this.#options.description.name, error: errorText(error) });
      }
    }
  }

  async #beat(): Promise<void> {
    const { clock } = this.#options;
    await this.#renew();
    if (clock.now() - this.#statusAtMs < STATUS_MS) return;
    this.#statusAtMs = clock.now();
    await this.#writeStatus().catch(async (error: unknown) => {
      // It was deleted: a kubelet that still runs registers again.
      if (!isNotFound(error)) throw error;
      await this.register();
    });
  }

  /** Reports now that the node is healthy, after controllers may have written otherwise. */
  async recover(): Promise<void> {
    await this.#writeStatus();
    await this.#takeTaintOff();
    await this.#renew();
  }

  async #writeStatus(): Promise<void> {
    const { client, clock, description } = this.#options;
    const current = await client.get<Node>(NODES, description.name);
    const status = nodeStatus(description, clock);
    const before = new Map(current.status?.conditions?.map((condition) => [condition.type, condition]));
    const conditions = (status.conditions ?? []).map((condition) => {
      const old = before.get(condition.type);
      const since =
        old?.status === condition.status ? (old['lastTransitionTime'] ?? timestamp(clock)) : timestamp(clock);
      return { ...condition, lastTransitionTime: since };
    });
    const value = { status: { ...status, conditions } };
    const patch = { type: 'strategic', value } as const;
    this.#node = await client.patch<Node>(NODES, description.name, patch, { subresource: 'status' });
  }

  async #takeTaintOff(): Promise<void> {
    const { client, description, leavesTaint = false } = this.#options;
    if (leavesTaint) return;
    const taints = this.#node?.spec?.taints ?? [];
    if (!taints.some(({ key }) => key === NOT_READY_TAINT)) return;
    const value = { spec: { taints: taints.filter(({ key }) => key !== NOT_READY_TAINT) } };
    this.#node = await client.patch<Node>(NODES, description.name, { type: 'merge', value });
  }

  /** Replaces the lease as it was written last; where that is not known, or no more, finds out. */
  async #renew(): Promise<void> {
    const renewTime = formatMicroTime(this.#options.clock.now());
    try {
      const lease = this.#lease ?? (await this.#findLease());
      this.#lease = await (lease === undefined ? this.#makeLease(renewTime) : this.#replaceLease(lease, renewTime));
    } catch (error) {
      this.#lease = undefined;
      if (!isConflict(error) && !isNotFound(error) && !isAlreadyExists(error)) throw error;
      // Another client wrote or deleted it.
      const found = await this.#findLease();
      this.#lease = await (found === undefined ? this.#makeLease(renewTime) : this.#replaceLease(found, renewTime));
    }
  }

  async #findLease(): Promise<Lease | undefined> {
    // A node that has just been made has none.
    if (this.#isNew) {
      this.#isNew = false;
      return undefined;
    }
    const { client, description } = this.#options;
    return client.get<Lease>(LEASES, description.name, { namespace: LEASE_NAMESPACE }).catch(ignoreNotFound);
  }

  #replaceLease(lease: Lease, renewTime: string): Promise<Lease> {
    return this.#options.client.update<Lease>(LEASES, { ...lease, spec: { ...lease.spec, renewTime } });
  }

  #makeLease(renewTime: string): Promise<Lease> {
    const { client, description } = this.#options;
    const { name } = description;
    const owner = { apiVersion: 'v1', kind: 'Node', name, uid: this.#node?.metadata.uid ?? '' };
    return client.create<Lease>(LEASES, {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name, namespace: LEASE_NAMESPACE, ownerReferences: [owner] },
      spec: { holderIdentity: name, leaseDurationSeconds: LEASE_SECONDS, renewTime },
    });
  }
}

function isServerError(error: unknown): boolean {
  return (apiErrorOf(error)?.code ?? 0) >= 500;
}
