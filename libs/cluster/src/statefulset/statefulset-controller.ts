import {
  apiErrorOf,
  controllerOf,
  ignoreNotFound,
  isAlreadyExists,
  isNamespaceTerminating,
  isNotFound,
  minOf,
} from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { errorText, NAMESPACE_INDEX } from '@capstan/kube';
import type { Informer, WorkResult } from '@capstan/kube';
import { claim } from '../workload/claim.js';
import { availableAtMs } from '../workload/pods.js';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { CONTROLLER_REVISIONS, PERSISTENT_VOLUME_CLAIMS, PODS, STATEFUL_SETS } from '../workload/resources.js';
import type { Pod } from '../workload/resources.js';
import { RevisionHistory, revisionTemplate } from '../workload/revisions.js';
import type { ControllerRevision } from '../workload/revisions.js';
import { decideOwners } from './claim-retention.js';
import { condemnedPods, decideStep, ordinalOf, REVISION_LABEL, statefulSetStatus } from './decide.js';
import type { NewPod, StatefulSet } from './decide.js';
import { makePod, podClaims } from './objects.js';

/** Keeps the numbered pods of each StatefulSet, in order. Names are fixed, so that a stale cache can do nothing twice. */
export class StatefulSetController extends QueueController {
  readonly #sets: Informer<StatefulSet>;
  readonly #pods: Informer<Pod>;
  readonly #claims: Informer<KubeObject>;
  readonly #history: RevisionHistory;

  constructor(options: WorkloadOptions) {
    super(options, 'statefulset-controller');
    this.#sets = this.informers.of<StatefulSet>(STATEFUL_SETS);
    this.#pods = this.informers.of<Pod>(PODS);
    this.#claims = this.informers.of(PERSISTENT_VOLUME_CLAIMS);
    const revisions = this.informers.of<ControllerRevision>(CONTROLLER_REVISIONS);
    this.#history = new RevisionHistory(options.client, revisions);
    this.follow(this.#sets);
    const podChanged = (pod: Pod): void => {
      const set = this.owner(pod, this.#sets, 'StatefulSet');
      if (set !== undefined) this.enqueue(set);
    };
    this.#pods.addHandler({
      add: podChanged,
      update: (old, pod) => {
        if (controllerOf(old)?.uid !== controllerOf(pod)?.uid) podChanged(old);
        podChanged(pod);
      },
      delete: podChanged,
    });
  }

  protected async sync(key: string): Promise<WorkResult> {
    const set = this.living(this.#sets, key);
    if (set === undefined) return 'done';
    const candidates = this.#pods.store
      .byIndex(NAMESPACE_INDEX, set.metadata.namespace ?? '')
      .filter((pod) => ordinalOf(set, pod) >= 0);
    const owned = { client: this.client, owner: set, ownerResource: STATEFUL_SETS, selector: set.spec.selector };
    const pods = await claim({ ...owned, resource: PODS, candidates });
    if (set.metadata.deletionTimestamp != null) return 'done';
    const kept = this.#history.kept(set);
    const update = await this.#history.ensure(set, kept, (collisionCount) =>
      this.writeStatus(STATEFUL_SETS, set, { ...set.status, replicas: set.status?.replicas ?? 0, collisionCount }),
    );
    const current = kept.find(({ metadata }) => metadata.name === set.status?.currentRevision) ?? update;
    const names = { current: current.metadata.name ?? '', update: update.metadata.name ?? '' };
    const step = decideStep(set, pods, names, this.clock.now());
    const status = statefulSetStatus(set, pods, names, this.clock.now());
    await this.#holdClaims(set, pods);
    for (const pod of step.create) await this.#create(set, pod, pod.revision === names.update ? update : current);
    for (const pod of step.remove) await this.#remove(set, pod);
    await this.writeStatus(STATEFUL_SETS, set, status);
    const live = new Set([status.currentRevision, names.update, ...pods.map(revisionLabel)]);
    await this.#history.cut(set, kept, ({ metadata }) => live.has(metadata.name));
    return this.#next(set, pods);
  }

  /** Pods become available without anybody touching them. */
  #next(set: StatefulSet, pods: readonly Pod[]): WorkResult {
    const now = this.clock.now();
    const times = pods.map((pod) => (availableAtMs(pod, set.spec.minReadySeconds ?? 0) ?? 0) - now);
    const ahead = times.filter((ms) => ms > 0);
    return ahead.length === 0 ? 'done' : { afterMs: minOf(ahead) };
  }

  /** Sets the owners whose deletion deletes the claims, before anything is deleted. */
  async #holdClaims(set: StatefulSet, pods: readonly Pod[]): Promise<void> {
    if ((set.spec.volumeClaimTemplates ?? []).length === 0) return;
    const condemned = new Set(condemnedPods(set, pods));
    for (const pod of pods) {
      for (const { metadata } of podClaims(set, pod.metadata.name ?? '').values()) {
        const found = this.#claims.store.get(`${metadata.namespace ?? ''}/${metadata.name ?? ''}`);
        const ownerReferences = found && decideOwners(set, pod, found, condemned.has(pod));
        if (found === undefined || ownerReferences === undefined) continue;
        const held = { ...found, metadata: { ...found.metadata, ownerReferences } };
        await this.client.update(PERSISTENT_VOLUME_CLAIMS, held).catch(ignoreNotFound);
      }
    }
  }

  async #create(set: StatefulSet, wanted: NewPod, revision: ControllerRevision): Promise<void> {
    const pod = makePod(set, revisionTemplate(revision), wanted);
    const text = `Pod ${pod.metadata.name} in StatefulSet ${set.metadata.name}`;
    try {
      for (const claimed of podClaims(set, pod.metadata.name ?? '').values())
        await this.client.create(PERSISTENT_VOLUME_CLAIMS, claimed).catch(ignoreExisting);
      await this.client.create(PODS, pod);
      this.record(set, 'Normal', 'SuccessfulCreate', `create ${text} successful`);
    } catch (error) {
      // The cache does not know it yet.
      if (isAlreadyExists(error) || isNamespaceTerminating(error)) return;
      const reason = apiErrorOf(error)?.message ?? errorText(error);
      this.record(set, 'Warning', 'FailedCreate', `create ${text} failed error: ${reason}`);
      throw error;
    }
  }

  async #remove(set: StatefulSet, pod: Pod): Promise<void> {
    const { name = '', namespace, uid } = pod.metadata;
    try {
      await this.client.delete(PODS, name, { namespace, preconditions: { uid } });
      const text = `delete Pod ${name} in StatefulSet ${set.metadata.name} successful`;
      this.record(set, 'Normal', 'SuccessfulDelete', text);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

function revisionLabel(pod: Pod): string | undefined {
  return pod.metadata.labels?.[REVISION_LABEL];
}

function ignoreExisting(error: unknown): void {
  if (!isAlreadyExists(error)) throw error;
}
