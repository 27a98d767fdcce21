import { compileLabelSelector, controllerOf } from '@capstan/meta';
import { NAMESPACE_INDEX } from '@capstan/kube';
import type { Informer, WorkResult } from '@capstan/kube';
import { claim } from '../workload/claim.js';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { DEPLOYMENTS, PODS, REPLICA_SETS } from '../workload/resources.js';
import type { Deployment, Pod, ReplicaSet } from '../workload/resources.js';
import { controlledBy } from '../workload/shared-informers.js';
import { Rollout } from './rollout.js';

/** Carries each Deployment from one template to the next by growing and shrinking ReplicaSets. */
export class DeploymentController extends QueueController {
  readonly #deployments: Informer<Deployment>;
  readonly #sets: Informer<ReplicaSet>;
  readonly #pods: Informer<Pod>;

  constructor(options: WorkloadOptions) {
    super(options, 'deployment-controller');
    this.#deployments = this.informers.of<Deployment>(DEPLOYMENTS);
    this.#sets = this.informers.of<ReplicaSet>(REPLICA_SETS);
    this.#pods = this.informers.of<Pod>(PODS);
    this.follow(this.#deployments);
    this.#sets.addHandler({
      add: (set) => this.#setChanged(set),
      update: (old, set) => {
        if (controllerOf(old)?.uid !== controllerOf(set)?.uid) this.#setChanged(old);
        this.#setChanged(set);
      },
      delete: (set) => this.#setChanged(set),
    });
    this.#pods.addHandler({ delete: (pod) => this.#podDeleted(pod) });
  }

  protected async sync(key: string): Promise<WorkResult> {
    const deployment = this.living(this.#deployments, key);
    if (deployment === undefined) return 'done';
    if (compileLabelSelector(deployment.spec.selector).isEmpty()) {
      const message = 'This deployment is selecting all pods. A non-empty selector is required.';
      this.record(deployment, 'Warning', 'SelectingAll', message);
      return 'done';
    }
    const sets = await claim({
      client: this.client,
      owner: deployment,
      ownerResource: DEPLOYMENTS,
      selector: deployment.spec.selector,
      resource: REPLICA_SETS,
      candidates: this.#sets.store.byIndex(NAMESPACE_INDEX, deployment.metadata.namespace ?? ''),
    });
    return new Rollout({
      client: this.client,
      clock: this.clock,
      deployment,
      sets,
      pods: (set) => controlledBy(this.#pods, set),
      record: (type, reason, message) => this.record(deployment, type, reason, message),
      gone: () => this.markGone(deployment),
    }).run();
  }

  #setChanged(set: ReplicaSet): void {
    const deployment = this.owner(set, this.#deployments, 'Deployment');
    if (deployment !== undefined) this.enqueue(deployment);
    if (controllerOf(set) !== undefined) return;
    for (const candidate of this.#deployments.store.byIndex(NAMESPACE_INDEX, set.metadata.namespace ?? ''))
      if (compileLabelSelector(candidate.spec.selector).matches(set.metadata.labels ?? {})) this.enqueue(candidate);
  }

  /** Recreation goes on when the last old pod has gone. */
  #podDeleted(pod: Pod): void {
    const set = this.owner(pod, this.#sets, 'ReplicaSet');
    const deployment = set === undefined ? undefined : this.owner(set, this.#deployments, 'Deployment');
    if (deployment?.spec.strategy?.type === 'Recreate') this.enqueue(deployment);
  }
}
