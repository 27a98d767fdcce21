import { ignoreNotFound, isNotFound } from '@capstan/meta';
import { timestamp } from '@capstan/kube';
import type { Informer, WorkResult } from '@capstan/kube';
import type { Node } from '../daemon-set/placement.js';
import { isFinished } from '../workload/pods.js';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { NODES, PODS } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';
import { disruptedConditions } from './decide.js';

export interface PodGarbageCollectorOptions extends WorkloadOptions {
  /** How long a node must have been missing before its pods are given up. Default 40 s. */
  readonly quarantineMs?: number | undefined;
}

/** Why no kubelet will ever finish a pod; undefined while one may. */
export function decideOrphan(pod: Pod, hasNode: boolean): 'node' | 'unscheduled' | undefined {
  const isBound = (pod.spec?.nodeName ?? '') !== '';
  if (isBound) return hasNode ? undefined : 'node';
  return pod.metadata.deletionTimestamp == null ? undefined : 'unscheduled';
}

/** Removes the pods of nodes that are gone, and pods that were deleted before they had a node. */
export class PodGarbageCollector extends QueueController {
  readonly #nodes: Informer<Node>;
  readonly #pods: Informer<Pod>;
  readonly #quarantineMs: number;
  /** Since when a node has been missing. */
  readonly #missing = new Map<string, number>();

  constructor(options: PodGarbageCollectorOptions) {
    super(options, 'pod-garbage-collector');
    this.#quarantineMs = options.quarantineMs ?? 40_000;
    this.#nodes = this.informers.of<Node>(NODES);
    this.#pods = this.informers.of<Pod>(PODS);
    this.follow(this.#pods);
    this.#nodes.addHandler({
      add: ({ metadata }) => this.#missing.delete(metadata.name ?? ''),
      delete: ({ metadata }) => {
        for (const pod of this.#pods.store.list()) if (pod.spec?.nodeName === metadata.name) this.enqueue(pod);
      },
    });
  }

  protected async sync(key: string): Promise<WorkResult> {
    const pod = this.#pods.store.get(key);
    if (pod === undefined) return 'done';
    const node = pod.spec?.nodeName ?? '';
    const why = decideOrphan(pod, this.#nodes.store.get(node) !== undefined);
    if (why === undefined) return 'done';
    if (why === 'unscheduled') await this.#remove(pod);
    else if (this.manages({ apiVersion: 'v1', kind: 'Node', metadata: { name: node } })) return this.#lost(pod, node);
    return 'done';
  }

  async #lost(pod: Pod, node: string): Promise<WorkResult> {
    const now = this.clock.monotonic();
    const since = this.#missing.get(node) ?? now;
    this.#missing.set(node, since);
    if (now - since < this.#quarantineMs) return { afterMs: Math.ceil(this.#quarantineMs - (now - since)) };
    if (await this.#exists(node)) return 'retry';
    if (!isFinished(pod)) {
      const message = 'PodGC: node no longer exists';
      const conditions = disruptedConditions(pod, 'DeletionByPodGC', message, timestamp(this.clock));
      const status = { ...pod.status, phase: 'Failed', conditions };
      await this.client.update<Pod>(PODS, { ...pod, status }, { subresource: 'status' }).catch(ignoreNotFound);
    }
    await this.#remove(pod);
    return 'done';
  }

  async #exists(node: string): Promise<boolean> {
    try {
      await this.client.get(NODES, node);
      return true;
    } catch (error) {
      if (isNotFound(error)) return false;
      throw error;
    }
  }

  async #remove({ metadata: { name = '', namespace, uid } }: Pod): Promise<void> {
    const options = { namespace, gracePeriodSeconds: 0, preconditions: { uid } };
    await this.client.delete(PODS, name, options).catch(ignoreNotFound);
  }
}
