import { deepEqual, ignoreNotFound, isConflict, isNotFound } from '@capstan/meta';
import { objectKey, timestamp } from '@capstan/kube';
import type { Informer, WorkResult } from '@capstan/kube';
import { specOf } from '../workload/pod-spec.js';
import { isFinished } from '../workload/pods.js';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { NODES, PODS } from '../workload/resources.js';
import type { Node, Pod } from '../workload/resources.js';
import { place } from './decide.js';
import { NodeLedger } from './node-ledger.js';

const DEFAULT_NAME = 'default-scheduler';
/** Bindings under way at once. */
const BINDINGS = 64;

export interface SchedulerOptions extends WorkloadOptions {
  /** The nodes it may choose, by name. Default: all. */
  readonly nodes?: ((name: string) => boolean) | undefined;
}

/** Gives every pod that has none a node: the fitting one with the fewest pods. Never evicts another for it. */
export class Scheduler extends QueueController {
  readonly #pods: Informer<Pod>;
  readonly #ledger = new NodeLedger();
  readonly #mayUse: (node: string) => boolean;
  /** Pods no node would do for; a change of nodes or of their use brings them back. */
  readonly #waiting = new Set<string>();

  constructor(options: SchedulerOptions) {
    super({ workers: BINDINGS, ...options }, DEFAULT_NAME);
    this.#mayUse = options.nodes ?? (() => true);
    this.#pods = this.informers.of<Pod>(PODS);
    const nodes = this.informers.of<Node>(NODES);
    this.#pods.addHandler({
      add: (pod) => this.#podChanged(pod),
      update: (old, pod) => {
        if (!deepEqual(old.spec ?? {}, pod.spec ?? {})) this.#waiting.delete(objectKey(pod));
        this.#podChanged(pod);
      },
      delete: (pod) => this.#podGone(pod),
    });
    nodes.addHandler({
      add: (node) => this.#nodeChanged(node),
      update: (old, node) => {
        if (mattersToPods(old, node)) this.#nodeChanged(node);
        else this.#setNode(node);
      },
      delete: (node) => this.#ledger.removeNode(node.metadata.name ?? ''),
    });
  }

  protected async sync(key: string): Promise<WorkResult> {
    const pod = this.#pods.store.get(key);
    if (pod === undefined || !needsNode(pod)) return 'done';
    const placement = place(pod, this.#ledger.nodes());
    if ('failure' in placement) {
      this.#waiting.add(key);
      await this.#refuse(pod, placement.failure);
      return 'done';
    }
    this.#ledger.charge(pod, placement.node);
    try {
      await this.#bind(pod, placement.node);
    } catch (error) {
      this.#ledger.removePod(pod.metadata.uid ?? '');
      // Deleted, or bound by another: the watch brings the event.
      if (isNotFound(error) || isConflict(error)) return 'done';
      throw error;
    }
    return 'done';
  }

  async #bind(pod: Pod, node: string): Promise<void> {
    const { name = '', namespace = '', uid } = pod.metadata;
    const binding = {
      apiVersion: 'v1',
      kind: 'Binding',
      metadata: { name, namespace, ...(uid === undefined ? {} : { uid }) },
      target: { apiVersion: 'v1', kind: 'Node', name: node },
    };
    await this.client.create(PODS, binding, { name, namespace, subresource: 'binding' });
    this.record(pod, 'Normal', 'Scheduled', `Successfully assigned ${namespace}/${name} to ${node}`);
  }

  /** Reports why there is no node, once for each reason. */
  async #refuse(pod: Pod, message: string): Promise<void> {
    const current = pod.status?.conditions?.find(({ type }) => type === 'PodScheduled');
    if (current?.status === 'False' && current.reason === 'Unschedulable' && current.message === message) return;
    this.record(pod, 'Warning', 'FailedScheduling', message);
    const { name = '', namespace, generation } = pod.metadata;
    const condition = {
      type: 'PodScheduled',
      status: 'False',
      reason: 'Unschedulable',
      message,
      lastProbeTime: null,
      lastTransitionTime: current?.status === 'False' ? current.lastTransitionTime : timestamp(this.clock),
      ...(generation === undefined ? {} : { observedGeneration: generation }),
    };
    const value = { status: { conditions: [condition] } };
    await this.client
      .patch(PODS, name, { type: 'strategic', value }, { namespace, subresource: 'status' })
      .catch(ignoreNotFound);
  }

  #podChanged(pod: Pod): void {
    this.#ledger.setPod(pod);
    if (needsNode(pod)) {
      // Its own condition, just written, is no reason to look again.
      if (!this.#waiting.has(objectKey(pod))) this.enqueue(pod);
      return;
    }
    this.#waiting.delete(objectKey(pod));
    if (isFinished(pod)) this.#retryWaiting();
  }

  #podGone(pod: Pod): void {
    this.#waiting.delete(objectKey(pod));
    if (this.#ledger.removePod(pod.metadata.uid ?? '')) this.#retryWaiting();
  }

  #nodeChanged(node: Node): void {
    this.#setNode(node);
    this.#retryWaiting();
  }

  #setNode(node: Node): void {
    if (this.#mayUse(node.metadata.name ?? '')) this.#ledger.setNode(node);
  }

  #retryWaiting(): void {
    const keys = [...this.#waiting];
    this.#waiting.clear();
    for (const key of keys) this.queue.add(key);
  }
}

function needsNode(pod: Pod): boolean {
  const { nodeName = '', schedulerName = DEFAULT_NAME, schedulingGates = [] } = specOf(pod);
  return (
    nodeName === '' &&
    schedulerName === DEFAULT_NAME &&
    schedulingGates.length === 0 &&
    pod.metadata.deletionTimestamp == null &&
    !isFinished(pod)
  );
}

/** Heartbeats are no reason to try again. */
function mattersToPods(old: Node, node: Node): boolean {
  return !(
    deepEqual(old.spec ?? {}, node.spec ?? {}) &&
    deepEqual(old.metadata.labels ?? {}, node.metadata.labels ?? {}) &&
    deepEqual(old.status?.allocatable ?? {}, node.status?.allocatable ?? {})
  );
}
