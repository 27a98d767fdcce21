import type { KubeObject } from '@capstan/meta';
import { kindOf, ownedBy, PRIVATE, STANDARD } from '../fixture.js';
import type { MigrationFixture } from '../fixture.js';
import { DEPLOYMENTS, TEST_SIDECAR } from '../hosted.js';
import { providerId } from './history.js';

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
  readonly #fixture: MigrationFixture;

  constructor(fixture: MigrationFixture, instances: readonly string[]) {
    this.#fixture = fixture;
    for (const id of instances) this.instances.add(id);
  }

  /** One reconcile of everything, if they run. */
  async act(): Promise<void> {
    const { client } = this.#fixture;
    const at = { namespace: this.#fixture.namespace };
    const deployment = await client.get<Scaled>(DEPLOYMENTS, 'cluster-api', at);
    if ((deployment.status?.replicas ?? 0) === 0) return;
    const group = TEST_SIDECAR.has(deployment) ? PRIVATE : STANDARD;
    const [cluster] = await this.#fixture.list(kindOf(group, 'Cluster'));
    if (cluster === undefined || (cluster['spec'] as { paused?: boolean }).paused === true) return;
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
    await client.patch(SET, 'workers', merge({ spec: { replicas: 2 } }), at);
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
      if (metadata.deletionTimestamp == null) continue;
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
    const number = this.calls.length + 2;
    const id = `aws:///us-east-1a/i-${number}`;
    const metadata = {
      name: `workers-${number}`,
      namespace: this.#fixture.namespace,
      labels: { set: 'workers', 'cluster.x-k8s.io/cluster-name': 'infra-a' },
      finalizers: ['machine.cluster.x-k8s.io'],
      ownerReferences: ownedBy(set),
    };
    const spec = { ...set.spec.template.spec, providerID: id };
    const status = { phase: 'Running', nodeRef: { name: `ip-10-0-0-${number}` } };
    await this.#fixture.create(kindOf(group, 'Machine'), { metadata, spec, status });
    this.instances.add(id);
    this.calls.push(`create ${id}`);
  }
}
