import { controllerOf, deepEqual, isNamespaceTerminating, minOf } from '@capstan/meta';
import { NAMESPACE_INDEX, objectKey } from '@capstan/kube';
import type { Informer, WorkResult } from '@capstan/kube';
import { claim } from '../workload/claim.js';
import { Expectations } from '../workload/expectations.js';
import { availableAtMs } from '../workload/pods.js';
import { PodControl } from '../workload/pod-control.js';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { CONTROLLER_REVISIONS, DAEMON_SETS, NODES, PODS } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';
import { REVISION_HASH, RevisionHistory } from '../workload/revisions.js';
import type { ControllerRevision } from '../workload/revisions.js';
import { slowStart } from '../workload/slow-start.js';
import { podFromTemplate } from '../workload/templates.js';
import { daemonSetStatus, decideDaemons, REVISION_LABEL } from './decide.js';
import type { DaemonSet, DaemonStep } from './decide.js';
import { specForNode } from './placement.js';
import type { Node } from './placement.js';

/** Keeps one pod of each DaemonSet on every node that is for it. */
export class DaemonSetController extends QueueController {
  readonly #sets: Informer<DaemonSet>;
  readonly #pods: Informer<Pod>;
  readonly #nodes: Informer<Node>;
  readonly #history: RevisionHistory;
  readonly #expectations: Expectations;
  readonly #control: PodControl;

  constructor(options: WorkloadOptions) {
    super(options, 'daemonset-controller');
    this.#expectations = new Expectations(options.clock);
    this.#control = new PodControl(this.client, (...event) => this.record(...event));
    this.#sets = this.informers.of<DaemonSet>(DAEMON_SETS);
    this.#pods = this.informers.of<Pod>(PODS);
    this.#nodes = this.informers.of<Node>(NODES);
    const revisions = this.informers.of<ControllerRevision>(CONTROLLER_REVISIONS);
    this.#history = new RevisionHistory(options.client, revisions);
    this.follow(this.#sets);
    this.#sets.addHandler({ delete: (set) => this.#expectations.forget(objectKey(set)) });
    const nodeChanged = (): void => {
      for (const set of this.#sets.store.list()) this.enqueue(set);
    };
    this.#nodes.addHandler({
      add: nodeChanged,
      update: (old, node) => {
        // Nodes say all the time that they are alive.
        if (!deepEqual(old.spec, node.spec) || !deepEqual(old.metadata.labels, node.metadata.labels)) nodeChanged();
      },
      delete: nodeChanged,
    });
    this.#pods.addHandler({
      add: (pod) => this.#podSeen(pod, true),
      update: (old, pod) => {
        if (controllerOf(old)?.uid !== controllerOf(pod)?.uid) this.#podSeen(old);
        this.#podSeen(pod);
      },
      delete: (pod) => this.#podSeen({ ...pod, metadata: { ...pod.metadata, deletionTimestamp: '-' } }),
    });
  }

  protected async sync(key: string): Promise<WorkResult> {
    const set = this.living(this.#sets, key);
    if (set === undefined) return 'done';
    const owned = { client: this.client, owner: set, ownerResource: DAEMON_SETS, selector: set.spec.selector };
    const candidates = this.#pods.store.byIndex(NAMESPACE_INDEX, set.metadata.namespace ?? '');
    const pods = await claim({ ...owned, resource: PODS, candidates });
    if (set.metadata.deletionTimestamp != null) return 'done';
    const kept = this.#history.kept(set);
    const update = await this.#history.ensure(set, kept, (collisionCount) =>
      this.writeStatus(DAEMON_SETS, set, { ...zeroStatus, ...set.status, collisionCount }),
    );
    const hash = update.metadata.labels?.[REVISION_HASH] ?? '';
    const nodes = this.#nodes.store.list();
    const input = { set, pods, nodes: [...nodes], hash, nowMs: this.clock.now() };
    const error = this.#expectations.satisfied(key) ? await this.#act(key, set, decideDaemons(input), hash) : undefined;
    await this.writeStatus(DAEMON_SETS, set, daemonSetStatus(input));
    const live = new Set(pods.map(({ metadata }) => metadata.labels?.[REVISION_LABEL]));
    await this.#history.cut(set, kept, (revision) => {
      return revision === update || live.has(revision.metadata.labels?.[REVISION_HASH]);
    });
    if (error !== undefined) throw error;
    return this.#next(set, pods);
  }

  #next(set: DaemonSet, pods: readonly Pod[]): WorkResult {
    const now = this.clock.now();
    const times = pods.map((pod) => (availableAtMs(pod, set.spec.minReadySeconds ?? 0) ?? 0) - now);
    const ahead = times.filter((ms) => ms > 0);
    return ahead.length === 0 ? 'done' : { afterMs: minOf(ahead) };
  }

  /** Gives the first failure, when the status is written. */
  async #act(key: string, set: DaemonSet, { create, failed, remove }: DaemonStep, hash: string): Promise<unknown> {
    if (create.length === 0 && remove.length === 0) return undefined;
    this.#expectations.expect(key, create.length, remove.map(podId));
    for (const { metadata, spec } of failed) {
      const text = `Found failed daemon pod ${metadata.namespace}/${metadata.name} on node ${spec?.nodeName}, will try to kill it`;
      this.record(set, 'Warning', 'FailedDaemonPod', text);
    }
    const { done, error } = await slowStart(create.length, (at) => this.#create(set, create[at] ?? '', hash));
    this.#expectations.created(key, create.length - done);
    const results = await Promise.allSettled(remove.map((pod) => this.#remove(key, set, pod)));
    const refused = results.find((result) => result.status === 'rejected');
    if (error !== undefined) return isNamespaceTerminating(error) ? undefined : error;
    return refused?.reason as unknown;
  }

  async #create(set: DaemonSet, node: string, hash: string): Promise<void> {
    const { metadata, ...rest } = podFromTemplate(set, set.spec.template);
    const labels = { ...metadata.labels, [REVISION_LABEL]: hash };
    const generation = set.metadata.annotations?.['deprecated.daemonset.template.generation'];
    if (generation !== undefined) Object.assign(labels, { 'pod-template-generation': generation });
    const spec = specForNode(set.spec.template.spec, node);
    await this.#control.create(set, { ...rest, metadata: { ...metadata, labels }, spec });
  }

  async #remove(key: string, set: DaemonSet, pod: Pod): Promise<void> {
    let outcome: 'removed' | 'gone' = 'gone';
    try {
      outcome = await this.#control.remove(set, pod);
    } finally {
      // What was not deleted now is not waited for.
      if (outcome === 'gone') this.#expectations.deleted(key, podId(pod));
    }
  }

  #podSeen(pod: Pod, isFirst = false): void {
    const set = this.owner(pod, this.#sets, 'DaemonSet');
    if (set === undefined) return;
    const key = objectKey(set);
    if (pod.metadata.deletionTimestamp != null) this.#expectations.deleted(key, podId(pod));
    else if (isFirst) this.#expectations.created(key);
    this.enqueue(set);
  }
}

const zeroStatus = { currentNumberScheduled: 0, numberMisscheduled: 0, desiredNumberScheduled: 0, numberReady: 0 };

function podId(pod: Pod): string {
  return pod.metadata.uid ?? '';
}
