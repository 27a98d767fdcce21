import {
  compileLabelSelector,
  controllerOf,
  deepEqual,
  ignoreNotFound,
  isNotFound,
  parseApiVersion,
} from '@capstan/meta';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import { Discovery, NAMESPACE_INDEX, timestamp } from '@capstan/kube';
import type { Informer, WorkResult } from '@capstan/kube';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { DEPLOYMENTS, DISRUPTION_BUDGETS, PODS, REPLICA_SETS, STATEFUL_SETS } from '../workload/resources.js';
import type { Deployment, Pod, ReplicaSet } from '../workload/resources.js';
import { budgetStatus, needsScale } from './decide.js';
import type { DisruptionBudget, SyncFailure } from './decide.js';

interface Scaled extends KubeObject {
  spec?: { replicas?: number };
}

/** Writes into the status of each PodDisruptionBudget how many pods may be evicted now. */
export class DisruptionController extends QueueController {
  readonly #budgets: Informer<DisruptionBudget>;
  readonly #pods: Informer<Pod>;
  readonly #sets: Informer<ReplicaSet>;
  readonly #deployments: Informer<Deployment>;
  readonly #statefulSets: Informer<Scaled>;
  readonly #discovery: Discovery;

  constructor(options: WorkloadOptions) {
    super(options, 'controllermanager');
    this.#discovery = new Discovery(options.client, { clock: options.clock });
    this.#budgets = this.informers.of<DisruptionBudget>(DISRUPTION_BUDGETS);
    this.#pods = this.informers.of<Pod>(PODS);
    this.#sets = this.informers.of<ReplicaSet>(REPLICA_SETS);
    this.#deployments = this.informers.of<Deployment>(DEPLOYMENTS);
    this.#statefulSets = this.informers.of<Scaled>(STATEFUL_SETS);
    this.follow(this.#budgets);
    this.#pods.addHandler({
      add: (pod) => this.#podChanged(pod),
      update: (old, pod) => {
        this.#podChanged(old);
        this.#podChanged(pod);
      },
      delete: (pod) => this.#podChanged(pod),
    });
    // A change of size changes what is expected, even before a pod changes.
    for (const informer of [this.#sets, this.#deployments, this.#statefulSets] as Informer<Scaled>[])
      informer.addHandler({
        update: (old, object) => {
          if (old.spec?.replicas !== object.spec?.replicas) this.#namespaceChanged(object);
        },
      });
  }

  protected async sync(key: string): Promise<WorkResult> {
    const budget = this.#budgets.store.get(key);
    if (budget === undefined) return 'done';
    const matcher = compileLabelSelector(budget.spec.selector);
    const pods = this.#pods.store
      .byIndex(NAMESPACE_INDEX, budget.metadata.namespace ?? '')
      .filter((pod) => matcher.matches(pod.metadata.labels ?? {}));
    if (pods.length === 0) this.record(budget, 'Normal', 'NoPods', 'No matching pods found');
    const scale = needsScale(budget) ? await this.#expectedScale(pods) : 0;
    const { recheckMs, status } = budgetStatus({
      budget,
      pods,
      expectedScale: () => scale,
      nowMs: this.clock.now(),
      now: timestamp(this.clock),
    });
    if (!deepEqual(budget.status ?? {}, status))
      await this.client
        .update<DisruptionBudget>(DISRUPTION_BUDGETS, { ...budget, status }, { subresource: 'status' })
        .catch(ignoreNotFound);
    return recheckMs === undefined ? 'done' : { afterMs: recheckMs };
  }

  /** The sum of the sizes of the controllers of the pods. Pods without controller are not expected by anybody. */
  async #expectedScale(pods: readonly Pod[]): Promise<number | SyncFailure> {
    const sizes = new Map<string, number>();
    for (const pod of pods) {
      const reference = controllerOf(pod);
      if (reference === undefined) continue;
      const scale = this.#scaleOf(pod) ?? (await this.#foreignScale(pod, reference));
      if (scale === undefined)
        return { failure: `found no controllers for pod ${JSON.stringify(pod.metadata.name ?? '')}` };
      sizes.set(scale.metadata.uid ?? '', scale.spec?.replicas ?? 1);
    }
    return [...sizes.values()].reduce((sum, size) => sum + size, 0);
  }

  #scaleOf(pod: Pod): Scaled | undefined {
    const set = this.owner(pod, this.#sets, 'ReplicaSet');
    if (set === undefined) return this.owner(pod, this.#statefulSets, 'StatefulSet');
    return this.owner(set, this.#deployments, 'Deployment') ?? set;
  }

  /** A controller of any other kind has its size in its scale subresource, if there is one. */
  async #foreignScale(pod: Pod, { apiVersion, kind, name, uid }: OwnerReference): Promise<Scaled | undefined> {
    const { group, version } = parseApiVersion(apiVersion);
    const resource = await this.#discovery.resourceFor({ group, kind, version });
    if (resource?.subresources.some((subresource) => subresource.name === 'scale') !== true) return undefined;
    const { namespace } = pod.metadata;
    try {
      const scale = await this.client.get<Scaled>(resource, name, { namespace, subresource: 'scale' });
      return scale.metadata.uid === uid ? scale : undefined;
    } catch (error) {
      if (isNotFound(error)) return undefined;
      throw error;
    }
  }

  #podChanged(pod: Pod): void {
    for (const budget of this.#budgets.store.byIndex(NAMESPACE_INDEX, pod.metadata.namespace ?? ''))
      if (compileLabelSelector(budget.spec.selector).matches(pod.metadata.labels ?? {})) this.enqueue(budget);
  }

  #namespaceChanged(object: KubeObject): void {
    for (const budget of this.#budgets.store.byIndex(NAMESPACE_INDEX, object.metadata.namespace ?? ''))
      this.enqueue(budget);
  }
}
