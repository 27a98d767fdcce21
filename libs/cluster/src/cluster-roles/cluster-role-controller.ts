import { deepEqual, ignoreNotFound } from '@capstan/meta';
import type { Informer, WorkResult } from '@capstan/kube';
import { QueueController } from '../workload/queue-controller.js';
import type { WorkloadOptions } from '../workload/queue-controller.js';
import { CLUSTER_ROLES } from '../workload/resources.js';
import { aggregatedRules } from './aggregate.js';
import type { ClusterRole } from './aggregate.js';

const MANAGER = 'clusterrole-aggregation-controller';

/** Gives ClusterRoles with an aggregation rule the rules of the roles they select. */
export class ClusterRoleController extends QueueController {
  readonly #roles: Informer<ClusterRole>;

  constructor(options: WorkloadOptions) {
    super(options, MANAGER);
    this.#roles = this.informers.of<ClusterRole>(CLUSTER_ROLES);
    const all = (): void => this.#enqueueAggregated();
    this.#roles.addHandler({ add: all, update: all, delete: all });
  }

  protected async sync(name: string): Promise<WorkResult> {
    const role = this.#roles.store.get(name);
    const rules = role === undefined ? undefined : aggregatedRules(role, this.#roles.store.list());
    if (role === undefined || rules === undefined || deepEqual(rules, role.rules ?? [])) return 'done';
    const value = { apiVersion: role.apiVersion, kind: role.kind, metadata: { name }, rules };
    await this.client
      .patch(CLUSTER_ROLES, name, { type: 'apply', value }, { fieldManager: MANAGER, force: true })
      .catch(ignoreNotFound);
    return 'done';
  }

  #enqueueAggregated(): void {
    for (const role of this.#roles.store.list()) if (role.aggregationRule !== undefined) this.enqueue(role);
  }
}
