import { deepEqual, isNotFound } from '@capstan/meta';
import { timestamp } from '@capstan/kube';
import type { Informer, WorkResult } from '@capstan/kube';
import type { Node } from '../daemon-set/placement.js';
import { isFinished } from '../workload/pods.js';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { NODES, PODS } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';
import { disruptedConditions, leavesInMs } from './decide.js';

/** Deletes the pods that do not bear the taints of their node, when they have borne them for as long as they would. */
export class TaintEvictionController extends QueueController {
  readonly #nodes: Informer<Node>;
  readonly #pods: Informer<Pod>;

  constructor(options: WorkloadOptions) {
    super(options, 'taint-eviction-controller');
    this.#nodes = this.informers.of<Node>(NODES);
    this.#pods = this.informers.of<Pod>(PODS);
    this.follow(this.#pods);
    const tainted = ({ metadata }: Node): void => {
      for (const pod of this.#pods.store.list()) if (pod.spec?.nodeName === metadata.name) this.enqueue(pod);
    };
    this.#nodes.addHandler({
      add: tainted,
      update: (old, node) => {
        if (!deepEqual(old.spec?.taints, node.spec?.taints)) tainted(node);
      },
    });
  }

  protected async sync(key: string): Promise<WorkResult> {
    const pod = this.#pods.store.get(key);
    const node = pod && this.#nodes.store.get(pod.spec?.nodeName ?? '');
    if (pod === undefined || node === undefined) return 'done';
    const afterMs = leavesInMs(pod, node, this.clock.now());
    if (afterMs === undefined) return 'done';
    if (afterMs > 0) return { afterMs };
    await this.#evict(pod);
    return 'done';
  }

  async #evict(pod: Pod): Promise<void> {
    const { name = '', namespace, uid } = pod.metadata;
    this.record(pod, 'Normal', 'TaintManagerEviction', `Marking for deletion Pod ${namespace}/${name}`);
    const message = 'Taint manager: deleting due to NoExecute taint';
    const conditions = disruptedConditions(pod, 'DeletionByTaintManager', message, timestamp(this.clock));
    try {
      if (!isFinished(pod)) {
        const status = { ...pod.status, conditions };
        await this.client.update<Pod>(PODS, { ...pod, status }, { subresource: 'status' });
      }
      await this.client.delete(PODS, name, { namespace, preconditions: { uid } });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}
