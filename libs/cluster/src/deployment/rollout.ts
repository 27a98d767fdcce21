import {
  apiErrorOf,
  deepEqual,
  ignoreNotFound,
  isAlreadyExists,
  isControlledBy,
  isNamespaceTerminating,
  isNotFound,
} from '@capstan/meta';
import { errorText, timestamp } from '@capstan/kube';
import type { Client, EventText, WorkResult } from '@capstan/kube';
import type { Clock } from '@capstan/meta';
import { findCondition, withCondition } from '../workload/conditions.js';
import type { WorkloadCondition } from '../workload/conditions.js';
import { isFinished } from '../workload/pods.js';
import { DEPLOYMENTS, REPLICA_SETS } from '../workload/resources.js';
import type { Deployment, DeploymentStatus, Pod, ReplicaSet } from '../workload/resources.js';
import { sameTemplate } from '../workload/templates.js';
import { REVISION } from './annotations.js';
import { makeNewSet, newSetAnnotations, nextRevision, sizeAnnotations, splitSets, surplusHistory } from './new-set.js';
import { activeSets, isRolling, replicasOf, resizeNew, resizeOld, resizeScaled, wasScaled } from './replicas.js';
import type { Resize } from './replicas.js';
import {
  countedStatus,
  deadlineCheckMs,
  hasDeadline,
  isComplete,
  pauseCondition,
  plainStatus,
  progressing,
  rolloutStatus,
} from './status.js';
import type { Moment } from './status.js';

export interface RolloutOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly deployment: Deployment;
  readonly sets: readonly ReplicaSet[];
  /** The pods of those ReplicaSets. */
  readonly pods: (set: ReplicaSet) => readonly Pod[];
  readonly record: (type: EventText['type'], reason: string, message: string) => void;
  /** Called when the server no longer has the Deployment. */
  readonly gone: () => void;
}

/** The name a new ReplicaSet should have belongs to another one. */
class NameTakenError extends Error {
  override readonly name = 'NameTakenError';

  constructor(taken: string) {
    super(`replica set name ${taken} is taken; another one will be tried`);
  }
}

/** One look at one Deployment: at most one step of its rollout, and its status. */
export class Rollout {
  readonly #options: RolloutOptions;
  readonly #now: Moment;
  #deployment: Deployment;
  #newSet: ReplicaSet | undefined;
  readonly #old: ReplicaSet[];

  constructor(options: RolloutOptions) {
    this.#options = options;
    this.#now = { ms: options.clock.now(), text: timestamp(options.clock) };
    this.#deployment = options.deployment;
    const { newSet, old } = splitSets(options.deployment, options.sets);
    this.#newSet = newSet;
    this.#old = old;
  }

  async run(): Promise<WorkResult> {
    const { deployment } = this.#options;
    if (deployment.metadata.deletionTimestamp != null) return this.#writeRolloutless();
    const pause = pauseCondition(deployment, this.#now);
    if (pause !== undefined) await this.#annotate({}, pause);
    if (deployment.spec.paused === true || wasScaled(deployment, this.#all)) return this.#scale();
    return isRolling(deployment) ? this.#roll() : this.#recreate();
  }

  get #all(): ReplicaSet[] {
    return this.#newSet === undefined ? this.#old : [...this.#old, this.#newSet];
  }

  async #scale(): Promise<WorkResult> {
    await this.#adoptNewSet();
    for (const resize of resizeScaled(this.#deployment, this.#newSet, this.#old)) await this.#resize(resize);
    if (this.#deployment.spec.paused === true) await this.#cleanUp();
    return this.#writeRolloutless();
  }

  async #roll(): Promise<WorkResult> {
    const newSet = await this.#ensureNewSet();
    const up = resizeNew(this.#deployment, newSet, this.#old);
    const steps = up === undefined ? resizeOld(this.#deployment, newSet, this.#old) : [up];
    for (const step of steps) await this.#resize(step);
    return this.#finish(steps.length > 0);
  }

  async #recreate(): Promise<WorkResult> {
    await this.#adoptNewSet();
    const steps = activeSets(this.#old).map((set) => ({ set, replicas: 0 }));
    for (const step of steps) await this.#resize(step);
    if (steps.length > 0 || this.#oldPodsRun()) return this.#finish(true);
    const newSet = await this.#ensureNewSet();
    const replicas = replicasOf(this.#deployment);
    const grows = replicasOf(newSet) !== replicas;
    if (grows) await this.#resize({ set: newSet, replicas });
    return this.#finish(grows);
  }

  #oldPodsRun(): boolean {
    return this.#old.some(
      (set) => (set.status?.replicas ?? 0) > 0 || this.#options.pods(set).some((pod) => !isFinished(pod)),
    );
  }

  async #finish(moved: boolean): Promise<WorkResult> {
    if (!moved && isComplete(this.#deployment, this.#deployment.status ?? {})) await this.#cleanUp();
    const status = plainStatus(rolloutStatus(this.#deployment, this.#newSet, this.#all, this.#now));
    await this.#write(status);
    const afterMs = deadlineCheckMs(this.#deployment, status, this.#now);
    return afterMs === undefined ? 'done' : { afterMs };
  }

  /** The status without a word on the rollout: nothing moves it. */
  async #writeRolloutless(): Promise<WorkResult> {
    await this.#write(plainStatus(countedStatus(this.#deployment, this.#newSet, this.#all, this.#now)));
    return 'done';
  }

  async #write(status: DeploymentStatus): Promise<void> {
    if (deepEqual(this.#deployment.status ?? {}, status)) return;
    await this.#update({ ...this.#deployment, status });
  }

  async #update(deployment: Deployment): Promise<void> {
    try {
      const written = await this.#options.client.update<Deployment>(DEPLOYMENTS, deployment, { subresource: 'status' });
      this.#deployment = written;
    } catch (error) {
      if (!isNotFound(error)) throw error;
      this.#options.gone();
    }
  }

  /** Writes annotations and a condition at once: the status of a Deployment carries its annotations with it. */
  async #annotate(annotations: Record<string, string>, condition: WorkloadCondition | undefined): Promise<void> {
    const { metadata, status = {} } = this.#deployment;
    const before = metadata.annotations ?? {};
    const changed = Object.entries(annotations).some(([name, value]) => before[name] !== value);
    if (!changed && condition === undefined) return;
    const conditions = condition === undefined ? status.conditions : withCondition(status.conditions ?? [], condition);
    await this.#update({
      ...this.#deployment,
      metadata: { ...metadata, annotations: { ...before, ...annotations } },
      status: conditions === undefined ? status : { ...status, conditions },
    });
  }

  /** Brings the new ReplicaSet, if there is one, and the Deployment to the revision they are. */
  async #adoptNewSet(): Promise<ReplicaSet | undefined> {
    const newSet = this.#newSet;
    if (newSet === undefined) return undefined;
    const { minReadySeconds = 0 } = this.#deployment.spec;
    const annotations = newSetAnnotations(this.#deployment, newSet, nextRevision(this.#old));
    let current = newSet;
    if (
      !deepEqual(annotations, newSet.metadata.annotations ?? {}) ||
      (newSet.spec.minReadySeconds ?? 0) !== minReadySeconds
    )
      current = await this.#options.client.update<ReplicaSet>(REPLICA_SETS, {
        ...newSet,
        metadata: { ...newSet.metadata, annotations },
        spec: { ...newSet.spec, minReadySeconds },
      });
    this.#newSet = current;
    const isNews =
      hasDeadline(this.#deployment) && findCondition(this.#deployment.status?.conditions, 'Progressing') === undefined;
    const message = `Found new replica set "${current.metadata.name}"`;
    await this.#annotate(
      { [REVISION]: current.metadata.annotations?.[REVISION] ?? '' },
      isNews ? progressing('True', 'FoundNewReplicaSet', message, this.#now) : undefined,
    );
    return current;
  }

  async #ensureNewSet(): Promise<ReplicaSet> {
    return (await this.#adoptNewSet()) ?? this.#createNewSet();
  }

  async #createNewSet(): Promise<ReplicaSet> {
    const { client, record } = this.#options;
    const wanted = makeNewSet(this.#deployment, this.#old);
    const name = wanted.metadata.name ?? '';
    const revision = { [REVISION]: wanted.metadata.annotations?.[REVISION] ?? '' };
    try {
      this.#newSet = await client.create<ReplicaSet>(REPLICA_SETS, wanted);
    } catch (error) {
      if (isAlreadyExists(error)) return this.#meet(wanted);
      if (!isNamespaceTerminating(error)) {
        const message = `Failed to create new replica set "${name}": ${apiErrorOf(error)?.message ?? errorText(error)}`;
        record('Warning', 'ReplicaSetCreateError', message);
        const failed = progressing('False', 'ReplicaSetCreateError', message, this.#now);
        if (hasDeadline(this.#deployment)) await this.#annotate({}, failed);
      }
      throw error;
    }
    const size = replicasOf(wanted);
    if (size > 0) record('Normal', 'ScalingReplicaSet', `Scaled up replica set ${name} from 0 to ${size}`);
    const message = `Created new replica set "${name}"`;
    const created = progressing('True', 'NewReplicaSetCreated', message, this.#now);
    await this.#annotate(revision, hasDeadline(this.#deployment) ? created : undefined);
    return this.#newSet;
  }

  /** The name is taken: by our own of an earlier look the cache does not know, or by another template of the same hash. */
  async #meet(wanted: ReplicaSet): Promise<ReplicaSet> {
    const { name = '', namespace } = wanted.metadata;
    const existing = await this.#options.client.get<ReplicaSet>(REPLICA_SETS, name, { namespace });
    if (isControlledBy(existing, this.#deployment) && sameTemplate(existing.spec.template, wanted.spec.template)) {
      this.#newSet = existing;
      return (await this.#adoptNewSet()) ?? existing;
    }
    const { status = {} } = this.#deployment;
    const collisionCount = (status.collisionCount ?? 0) + 1;
    await this.#update({ ...this.#deployment, status: { ...status, collisionCount } });
    throw new NameTakenError(name);
  }

  async #resize({ set, replicas }: Resize): Promise<void> {
    const annotations = { ...set.metadata.annotations, ...sizeAnnotations(this.#deployment) };
    const before = replicasOf(set);
    if (before === replicas && deepEqual(annotations, set.metadata.annotations ?? {})) return;
    const resized = await this.#options.client.update<ReplicaSet>(REPLICA_SETS, {
      ...set,
      metadata: { ...set.metadata, annotations },
      spec: { ...set.spec, replicas },
    });
    if (set === this.#newSet) this.#newSet = resized;
    else this.#old.splice(this.#old.indexOf(set), 1, resized);
    if (before === replicas) return;
    const direction = before < replicas ? 'up' : 'down';
    const name = set.metadata.name ?? '';
    this.#options.record(
      'Normal',
      'ScalingReplicaSet',
      `Scaled ${direction} replica set ${name} from ${before} to ${replicas}`,
    );
  }

  async #cleanUp(): Promise<void> {
    for (const set of surplusHistory(this.#deployment, this.#old)) {
      const { name = '', namespace } = set.metadata;
      await this.#options.client.delete(REPLICA_SETS, name, { namespace }).catch(ignoreNotFound);
    }
  }
}
