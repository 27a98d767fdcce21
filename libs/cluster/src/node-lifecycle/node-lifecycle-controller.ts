import { ignoreNotFound, isConflict, isNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { timestamp } from '@capstan/kube';
import type { Informer, WorkResult } from '@capstan/kube';
import type { Node } from '../daemon-set/placement.js';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { isReady } from '../workload/pods.js';
import { LEASES, NODES, PODS } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';
import { decideTaints, readyCondition, unknownConditions } from './decide.js';

export interface NodeLifecycleOptions extends WorkloadOptions {
  /** How long a node may be silent before nobody knows how it is. Default 40 s. */
  readonly gracePeriodMs?: number | undefined;
}

const LEASE_NAMESPACE = 'kube-node-lease';

interface Sign {
  readonly lease: string;
  readonly heartbeat: string;
}

interface LastSign {
  readonly sign: Sign;
  readonly atMs: number;
}

/** Notices nodes that have fallen silent, and taints nodes by the state they are in. */
export class NodeLifecycleController extends QueueController {
  readonly #nodes: Informer<Node>;
  readonly #leases: Informer<KubeObject>;
  readonly #pods: Informer<Pod>;
  readonly #gracePeriodMs: number;
  /** When each node last gave a sign of life, by the clock here: those of nodes may be wrong. */
  readonly #lastSigns = new Map<string, LastSign>();
  /** Nodes that will be looked at when they have been silent for too long. */
  readonly #awaited = new Set<string>();
  /** The version of each node that was last given other taints: until its successor is seen, there is no more to do. */
  readonly #tainted = new Map<string, string | undefined>();

  constructor(options: NodeLifecycleOptions) {
    super(options, 'node-controller');
    this.#gracePeriodMs = options.gracePeriodMs ?? 40_000;
    this.#nodes = this.informers.of<Node>(NODES);
    this.#leases = this.informers.of(LEASES);
    this.#pods = this.informers.of<Pod>(PODS);
    this.follow(this.#nodes);
    this.#nodes.addHandler({
      delete: ({ metadata: { name = '' } }) => {
        this.#lastSigns.delete(name);
        this.#awaited.delete(name);
        this.#tainted.delete(name);
      },
    });
    const renewed = ({ metadata }: KubeObject): void => {
      const node = this.#nodes.store.get(metadata.name ?? '');
      if (metadata.namespace !== LEASE_NAMESPACE || node === undefined) return;
      // Who is well and looked at in time anyway need not be looked at now.
      if (this.#awaited.has(metadata.name ?? '')) this.#lastSignMs(node);
      else this.enqueue(node);
    };
    this.#leases.addHandler({ add: renewed, update: (_, lease) => renewed(lease) });
  }

  protected async sync(name: string): Promise<WorkResult> {
    this.#awaited.delete(name);
    const node = this.#nodes.store.get(name);
    if (node === undefined) return 'done';
    const silentMs = this.clock.monotonic() - this.#lastSignMs(node);
    const isSilent = silentMs >= this.#gracePeriodMs;
    const known = isSilent ? await this.#giveUp(node) : node;
    const taints = decideTaints(known, timestamp(this.clock));
    const { resourceVersion } = known.metadata;
    if (taints !== undefined && this.#tainted.get(name) !== resourceVersion) {
      // Others taint nodes too: only from the version that was looked at.
      const value = { metadata: { resourceVersion }, spec: { taints } };
      await this.client.patch(NODES, name, { type: 'merge', value }).catch(ignoreNotFound);
      this.#tainted.set(name, resourceVersion);
    }
    if (readyCondition(known)?.status !== 'True') await this.#markPods(name);
    // Whole milliseconds: what is left may be too little for a clock of fractions to move at all.
    if (isSilent) return 'done';
    this.#awaited.add(name);
    return { afterMs: Math.ceil(this.#gracePeriodMs - silentMs) };
  }

  /** Any change of its lease or of its own heartbeat is a sign of life. */
  #lastSignMs(node: Node): number {
    const { name = '' } = node.metadata;
    const before = this.#lastSigns.get(name);
    const sign = signOf(node, this.#leases.store.get(`${LEASE_NAMESPACE}/${name}`));
    // What was written here about a lost node is no sign of it.
    const isSame =
      before?.sign.lease === sign.lease &&
      (before.sign.heartbeat === sign.heartbeat || readyCondition(node)?.status === 'Unknown');
    if (before !== undefined && isSame) return before.atMs;
    const lastSign = { sign, atMs: this.clock.monotonic() };
    this.#lastSigns.set(name, lastSign);
    return lastSign.atMs;
  }

  async #giveUp(node: Node): Promise<Node> {
    const ready = readyCondition(node);
    if (ready?.status === 'Unknown') return node;
    this.record(node, 'Normal', 'NodeNotReady', `Node ${node.metadata.name} status is now: NodeNotReady`);
    const status = { ...node.status, conditions: unknownConditions(node, timestamp(this.clock)) };
    return this.client.update<Node>(NODES, { ...node, status }, { subresource: 'status' });
  }

  /** Nobody is to be sent to pods on a node that does not answer. */
  async #markPods(name: string): Promise<void> {
    for (const pod of this.#pods.store.list()) {
      if (pod.spec?.nodeName !== name || !isReady(pod) || !this.manages(pod)) continue;
      const now = timestamp(this.clock);
      const conditions = (pod.status?.conditions ?? []).map((condition) =>
        condition.type === 'Ready' ? { ...condition, status: 'False', lastTransitionTime: now } : condition,
      );
      this.record(pod, 'Warning', 'NodeNotReady', 'Node is not ready');
      const next = { ...pod, status: { ...pod.status, conditions } };
      await this.client.update<Pod>(PODS, next, { subresource: 'status' }).catch((error: unknown) => {
        if (!isNotFound(error) && !isConflict(error)) throw error;
      });
    }
  }
}

function signOf(node: Node, lease: KubeObject | undefined): Sign {
  const { renewTime = '' } = (lease?.['spec'] ?? {}) as { renewTime?: string };
  return { lease: renewTime, heartbeat: readyCondition(node)?.lastHeartbeatTime ?? '' };
}
