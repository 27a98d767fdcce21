import type { KubeObject } from '@capstan/meta';
import { kindOf, PRIVATE, STANDARD } from '../fixture.js';
import type { MigrationFixture } from '../fixture.js';
import { DEPLOYMENTS, TEST_SIDECAR } from '../hosted.js';
import { providerId } from './history.js';
import { machineOf } from './machines.js';

const CHANGED = 'test/changed';

interface MachineSet extends KubeObject {
  readonly spec: { readonly replicas?: number; readonly template: { readonly spec: object } };
}

interface Scaled extends KubeObject {
  readonly status?: { readonly replicas?: number };
}

/** As much of Cluster API and a provider as loses machines when a migration makes a mistake, on whichever group it reads. */
export class PlayedControllers {
  /** Those that live. */
  readonly instances = new Set<string>();
  /** What was asked of the cloud. */
  readonly calls: string[] = [];
  /** Whether the private controllers replace a machine, scale up, and report a failure. */
  changes = false;
  /** Whether the pods of a Machine that is deleted still keep its instance. */
  isDraining: (machine: KubeObject) => boolean = () => false;
  readonly #fixture: MigrationFixture;
  #created = 0;

  constructor(fixture: MigrationFixture) {
    this.#fixture = fixture;
  }

  /** The group that they act on; undefined while they are stopped or paused. */
  async group(): Promise<string | undefined> {
    const { client } = this.#fixture;
    const at = { namespace: this.#fixture.namespace };
    const deployment = await client.get<Scaled>(DEPLOYMENTS, 'cluster-api', at);
    if ((deployment.status?.replicas ?? 0) === 0) return undefined;
    const group = TEST_SIDECAR.has(deployment) ? PRIVATE : STANDARD;
    const [cluster] = await this.#fixture.list(kindOf(group, 'Cluster'));
    return cluster === undefined || (cluster['spec'] as { paused?: boolean }).paused === true ? undefined : group;
  }

  /** One reconcile of everything, if they run. */
  async act(): Promise<void> {
    const group = await this.group();
    if (group === undefined) return;
    const [cluster] = await this.#fixture.list(kindOf(group, 'Cluster'));
    if (cluster === undefined) return;
    if (this.changes && group === PRIVATE) await this.#change(cluster);
    await this.#observe(group);
    await this.#reconcile(group);
  }

  async #observe(group: string): Promise<void> {
    const { client, namespace } = this.#fixture;
    const [cluster] = await this.#fixture.list(kindOf(group, 'Cluster'));
    const { generation: observedGeneration, name = '' } = cluster?.metadata ?? {};
    const value = { status: { observedGeneration } };
    const options = { namespace, subresource: 'status' };
    await client.patch(kindOf(group, 'Cluster'), name, { type: 'merge', value }, options);
  }

  async #change(cluster: KubeObject): Promise<void> {
    const { client } = this.#fixture;
    const at = { namespace: this.#fixture.namespace };
    if (cluster.metadata.annotations?.[CHANGED] !== undefined) return;
    const merge = (value: object) => ({ type: 'merge', value }) as const;
    const [CLUSTER, SET, MACHINE] = [
      kindOf(PRIVATE, 'Cluster'),
      kindOf(PRIVATE, 'MachineSet'),
      kindOf(PRIVATE, 'Machine'),
    ];
    const { spec } = (await client.get(SET, 'workers', at)) as MachineSet;
    await client.patch(SET, 'workers', merge({ spec: { replicas: (spec.replicas ?? 1) + 1 } }), at);
    await client.delete(MACHINE, 'workers-1', at);
    const failed = merge({ status: { phase: 'Failed' } });
    await client.patch(CLUSTER, 'infra-a', failed, { ...at, subresource: 'status' });
    await client.patch(CLUSTER, 'infra-a', merge({ metadata: { annotations: { [CHANGED]: 'true' } } }), at);
  }

  async #reconcile(group: string): Promise<void> {
    const { client } = this.#fixture;
    const MACHINE = kindOf(group, 'Machine');
    const machines = await this.#fixture.list(MACHINE);
    for (const { metadata, ...machine } of machines) {
      if (metadata.deletionTimestamp == null || this.isDraining({ ...machine, metadata })) continue;
      const id = providerId({ ...machine, metadata });
      if (this.instances.delete(id)) this.calls.push(`terminate ${id}`);
      const value = { metadata: { finalizers: null } };
      await client.patch(
        MACHINE,
        metadata.name ?? '',
        { type: 'merge', value },
        { namespace: this.#fixture.namespace },
      );
    }
    const living = machines.filter(({ metadata }) => metadata.deletionTimestamp == null).length;
    const [set] = (await this.#fixture.list(kindOf(group, 'MachineSet'))) as readonly MachineSet[];
    if (set === undefined || set.metadata.deletionTimestamp != null) return;
    for (let count = living; count < (set.spec.replicas ?? 1); count += 1) await this.#createMachine(group, set);
  }

  async #createMachine(group: string, set: MachineSet): Promise<void> {
    this.#created += 1;
    const machine = machineOf(set, `workers-new-${this.#created}`, set.spec.template.spec);
    const id = providerId(machine as KubeObject);
    // A Machine names its instance once there is one.
    this.instances.add(id);
    this.calls.push(`create ${id}`);
    await this.#fixture.create(kindOf(group, 'Machine'), machine);
  }
}
