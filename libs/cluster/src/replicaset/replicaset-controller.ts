import { controllerOf, isNamespaceTerminating } from '@capstan/meta';
import { NAMESPACE_INDEX, objectKey, timestamp } from '@capstan/kube';
import type { Informer, WorkResult } from '@capstan/kube';
import { claim } from '../workload/claim.js';
import { Expectations } from '../workload/expectations.js';
import { isActive, isFinished, isReady } from '../workload/pods.js';
import { messageOf, PodControl } from '../workload/pod-control.js';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { PODS, REPLICA_SETS } from '../workload/resources.js';
import type { Pod, ReplicaSet } from '../workload/resources.js';
import { controlledBy } from '../workload/shared-informers.js';
import { slowStart } from '../workload/slow-start.js';
import { podFromTemplate } from '../workload/templates.js';
import { decideReplicas, nextAvailabilityMs, replicaSetStatus, selects } from './decide.js';
import type { ReplicaFailure } from './decide.js';

/** Keeps as many pods as each ReplicaSet asks for. */
export class ReplicaSetController extends QueueController {
  readonly #sets: Informer<ReplicaSet>;
  readonly #pods: Informer<Pod>;
  readonly #expectations: Expectations;
  readonly #control: PodControl;

  constructor(options: WorkloadOptions) {
    super(options, 'replicaset-controller');
    this.#expectations = new Expectations(options.clock);
    this.#control = new PodControl(this.client, (...event) => this.record(...event));
    this.#sets = this.informers.of<ReplicaSet>(REPLICA_SETS);
    this.#pods = this.informers.of<Pod>(PODS);
    this.follow(this.#sets);
    this.#sets.addHandler({ delete: (set) => this.#expectations.forget(objectKey(set)) });
    this.#pods.addHandler({
      add: (pod) => this.#podAdded(pod),
      update: (old, pod) => this.#podChanged(old, pod),
      delete: (pod) => this.#podDeleted(pod),
    });
  }

  protected async sync(key: string): Promise<WorkResult> {
    const set = this.living(this.#sets, key);
    if (set === undefined) return 'done';
    const mayAct = this.#expectations.satisfied(key) && set.metadata.deletionTimestamp == null;
    const all = this.#pods.store.byIndex(NAMESPACE_INDEX, set.metadata.namespace ?? '');
    const candidates = all.filter((pod) => !isFinished(pod));
    const claimed = await claim({
      client: this.client,
      owner: set,
      ownerResource: REPLICA_SETS,
      selector: set.spec.selector,
      resource: PODS,
      candidates,
    });
    const active = claimed.filter(isActive);
    const failure = mayAct ? await this.#manage(key, set, active) : undefined;
    const nowMs = this.clock.now();
    const terminating = claimed.length - active.length;
    const now = timestamp(this.clock);
    const { conditions } = set.status ?? {};
    const status = replicaSetStatus({ set, active, terminating, failure: failure?.condition, nowMs, now });
    // A round that did nothing knows of no failure, and of no end of one.
    if (!mayAct && conditions !== undefined) status.conditions = conditions;
    await this.writeStatus(REPLICA_SETS, set, status);
    if (failure !== undefined) throw failure.error;
    const afterMs = nextAvailabilityMs(set, active, nowMs);
    return afterMs === undefined ? 'done' : { afterMs };
  }

  async #manage(
    key: string,
    set: ReplicaSet,
    active: readonly Pod[],
  ): Promise<{ condition: ReplicaFailure; error: unknown } | undefined> {
    const decision = decideReplicas(set, active, () => this.#related(set), this.clock.now());
    if (decision.create > 0) {
      this.#expectations.expect(key, decision.create);
      const { done, error } = await slowStart(decision.create, () => this.#create(set));
      this.#expectations.created(key, decision.create - done);
      return error === undefined ? undefined : failed('FailedCreate', error);
    }
    if (decision.remove.length === 0) return undefined;
    this.#expectations.expect(key, 0, decision.remove.map(podId));
    const results = await Promise.allSettled(decision.remove.map((pod) => this.#remove(key, set, pod)));
    const refused = results.find((result) => result.status === 'rejected');
    return refused === undefined ? undefined : failed('FailedDelete', refused.reason);
  }

  /** Makes a pod, or nothing in a namespace that goes: it would be refused as often as it is tried, until the set is gone. */
  async #create(set: ReplicaSet): Promise<void> {
    try {
      await this.#control.create(set, podFromTemplate(set, set.spec.template));
    } catch (error) {
      if (!isNamespaceTerminating(error)) throw error;
    }
  }

  async #remove(key: string, set: ReplicaSet, pod: Pod): Promise<void> {
    let outcome: 'removed' | 'gone' = 'gone';
    try {
      outcome = await this.#control.remove(set, pod);
    } finally {
      // What was not deleted now is not waited for.
      if (outcome === 'gone') this.#expectations.deleted(key, podId(pod));
    }
  }

  /** The active pods of all ReplicaSets of the same controller. */
  #related(set: ReplicaSet): Pod[] {
    const owner = controllerOf(set);
    const siblings =
      owner === undefined
        ? [set]
        : this.#sets.store
            .byIndex(NAMESPACE_INDEX, set.metadata.namespace ?? '')
            .filter((other) => controllerOf(other)?.uid === owner.uid);
    return siblings.flatMap((sibling) => controlledBy(this.#pods, sibling)).filter(isActive);
  }

  #setOf(pod: Pod): ReplicaSet | undefined {
    return this.owner(pod, this.#sets, 'ReplicaSet');
  }

  #podAdded(pod: Pod): void {
    // Seen for the first time when it is already going: no creation, and perhaps an awaited deletion.
    if (pod.metadata.deletionTimestamp != null) {
      this.#podDeleted(pod);
      return;
    }
    if (controllerOf(pod) === undefined) {
      this.#enqueueTakers(pod);
      return;
    }
    const set = this.#setOf(pod);
    if (set === undefined) return;
    this.#expectations.created(objectKey(set));
    this.enqueue(set);
  }

  #podChanged(old: Pod, pod: Pod): void {
    if (pod.metadata.deletionTimestamp != null) {
      this.#podDeleted(pod);
      return;
    }
    const before = this.#setOf(old);
    const set = this.#setOf(pod);
    if (before !== undefined && before !== set) this.enqueue(before);
    if (set !== undefined) {
      this.enqueue(set);
      const { minReadySeconds = 0 } = set.spec;
      if (minReadySeconds > 0 && !isReady(old) && isReady(pod)) this.enqueue(set, (minReadySeconds + 1) * 1000);
    } else if (controllerOf(pod) === undefined) this.#enqueueTakers(pod);
  }

  #podDeleted(pod: Pod): void {
    const set = this.#setOf(pod);
    if (set === undefined) return;
    this.#expectations.deleted(objectKey(set), podId(pod));
    this.enqueue(set);
  }

  #enqueueTakers(pod: Pod): void {
    for (const set of this.#sets.store.byIndex(NAMESPACE_INDEX, pod.metadata.namespace ?? ''))
      if (selects(set, pod)) this.enqueue(set);
  }
}

/** A pod's uid is its own; its name may come again. */
function podId(pod: Pod): string {
  return pod.metadata.uid ?? '';
}

function failed(reason: ReplicaFailure['reason'], error: unknown): { condition: ReplicaFailure; error: unknown } {
  return { condition: { reason, message: messageOf(error) }, error };
}
