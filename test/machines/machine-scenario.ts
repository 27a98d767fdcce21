import type { Client } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { MACHINE_API_NAMESPACE, machineSetObject } from '@capstan/simulation';
import { isLiving } from '@capstan/upstream';
import type { Cloud } from '@capstan/upstream';
import { expect } from 'vitest';

const v1beta1 = (plural: string) => ({ group: 'machine.openshift.io', version: 'v1beta1', plural, namespaced: true });
const MACHINES = v1beta1('machines');
const SETS = v1beta1('machinesets');
const CHECKS = v1beta1('machinehealthchecks');
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const PODS = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const CONFIG_MAPS = { ...PODS, plural: 'configmaps' };
const HERE = { namespace: MACHINE_API_NAMESPACE };
const SIZE = 'machine.openshift.io/cluster-api-autoscaler-node-group';
/** Keeps pods of others off: on a real server there may be some. */
const TAINT = { key: 'capstan.dev/scenario', effect: 'NoSchedule' };

interface Machine extends KubeObject {
  readonly spec?: { readonly providerID?: string };
  readonly status?: { readonly phase?: string; readonly nodeRef?: { readonly name: string } };
}

/** The cluster in which the scenario runs. */
export interface Fixture {
  readonly client: Client;
  readonly cloud: Cloud;
  /** Waits until a look finds it so. */
  readonly until: (what: string, look: () => Promise<boolean>) => Promise<void>;
}

class Scenario {
  readonly #fixture: Fixture;

  constructor(fixture: Fixture) {
    this.#fixture = fixture;
  }

  async machines(): Promise<readonly Machine[]> {
    return (await this.#fixture.client.list<Machine>(MACHINES, HERE)).items;
  }

  /** So many machines run, each with an instance and a node of its own, and nothing else is there. */
  async running(what: string, count: number): Promise<readonly Machine[]> {
    const { client, cloud, until } = this.#fixture;
    await until(what, async () => {
      const machines = await this.machines();
      const nodes = new Set((await client.list(NODES)).items.map(({ metadata }) => metadata.name));
      const living = cloud.instances.filter(isLiving).map(({ providerId }) => providerId);
      return (
        machines.length === count &&
        machines.every(({ metadata }) => metadata.deletionTimestamp == null) &&
        living.length === count &&
        machines.every(({ spec, status }) => status?.phase === 'Running' && living.includes(spec?.providerID ?? '')) &&
        machines.every(({ status }) => nodes.has(status?.nodeRef?.name ?? ''))
      );
    });
    return this.machines();
  }

  scale(replicas: number): Promise<unknown> {
    const patch = { type: 'merge', value: { spec: { replicas } } } as const;
    return this.#fixture.client.patch(SETS, 'scenario', patch, { ...HERE, subresource: 'scale' });
  }

  async replicas(): Promise<number> {
    const scale = await this.#fixture.client.get(SETS, 'scenario', { ...HERE, subresource: 'scale' });
    return (scale as unknown as { spec: { replicas: number } }).spec.replicas;
  }
}

/** From nothing to three machines; one is deleted and one is lost, and both come back. */
export async function describeMachines(fixture: Fixture): Promise<void> {
  const { client, cloud } = fixture;
  const scenario = new Scenario(fixture);
  const set = machineSetObject('scenario', 0);
  const spec = set['spec'] as { template: { spec: object } };
  const template = { ...spec.template, spec: { ...spec.template.spec, taints: [TAINT] } };
  await client.create(SETS, { ...set, spec: { ...spec, template } });
  await scenario.scale(3);
  const first = await scenario.running('three machines run', 3);

  const [deleted] = first;
  await client.delete(MACHINES, deleted?.metadata.name ?? '', HERE);
  const second = await scenario.running('another has come for the one that was deleted', 3);
  expect(second.map(({ metadata }) => metadata.uid)).not.toContain(deleted?.metadata.uid);

  const check = {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineHealthCheck',
    metadata: { name: 'scenario', ...HERE },
    spec: { selector: {}, unhealthyConditions: [{ type: 'Ready', status: 'Unknown', timeout: '60s' }] },
  };
  await client.create(CHECKS, check);
  const lost = second.find(({ metadata }) => metadata.uid !== undefined);
  const gone = cloud.instances.find(({ providerId }) => providerId === lost?.spec?.providerID);
  cloud.lose(gone?.id ?? '');
  await fixture.until('the lost machine is gone', async () =>
    (await scenario.machines()).every(({ metadata }) => metadata.uid !== lost?.metadata.uid),
  );
  await scenario.running('another has come for the one that was lost', 3);
  await client.delete(CHECKS, 'scenario', HERE);
}

/** A pod that has no place makes a node come; when it is gone, nodes go until as few are left as may be. */
export async function describeScaling(fixture: Fixture): Promise<void> {
  const { client, until } = fixture;
  const scenario = new Scenario(fixture);
  const annotations = { [`${SIZE}-min-size`]: '1', [`${SIZE}-max-size`]: '5' };
  const resources = { requests: { cpu: '3', memory: '1Gi' } };
  const pod = (name: string, nodeName?: string): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...HERE, annotations: { 'cluster-autoscaler.kubernetes.io/safe-to-evict': 'true' } },
    spec: {
      containers: [{ name: 'main', image: 'app:1', resources }],
      tolerations: [{ key: TAINT.key, operator: 'Exists' }],
      serviceAccountName: 'default',
      automountServiceAccountToken: false,
      ...(nodeName === undefined ? {} : { nodeName }),
    },
  });
  const machines = await scenario.machines();
  for (const { status } of machines)
    await client.create(PODS, pod(`on-${status?.nodeRef?.name ?? ''}`, status?.nodeRef?.name));
  await client.create(PODS, pod('homeless'));
  const conditions = [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: 'no room' }];
  await client.patch(
    PODS,
    'homeless',
    { type: 'merge', value: { status: { conditions } } },
    { ...HERE, subresource: 'status' },
  );
  await client.patch(SETS, 'scenario', { type: 'merge', value: { metadata: { annotations } } }, HERE);
  await until('the set grows for the pod', async () => (await scenario.replicas()) === 4);
  await scenario.running('four machines run', 4);

  for (const { metadata } of (await client.list(PODS, HERE)).items)
    await client.delete(PODS, metadata.name ?? '', { ...HERE, gracePeriodSeconds: 0 });
  await until('the set shrinks when no pod needs its nodes', async () => (await scenario.replicas()) === 1);
  await scenario.running('one machine is left', 1);
  const found = await client.get(CONFIG_MAPS, 'cluster-autoscaler-status', HERE);
  expect(found['data']).toMatchObject({
    status: expect.stringContaining('- name: MachineSet/openshift-machine-api/scenario\n') as unknown,
  });
  await client.patch(
    SETS,
    'scenario',
    { type: 'merge', value: { metadata: { annotations: { [`${SIZE}-max-size`]: '0', [`${SIZE}-min-size`]: '0' } } } },
    HERE,
  );
}

/** Nothing is left: no machine, no instance, no node. */
export async function describeDeletion(fixture: Fixture): Promise<void> {
  const scenario = new Scenario(fixture);
  await scenario.scale(0);
  await scenario.running('nothing is left', 0);
  await fixture.client.delete(SETS, 'scenario', HERE).catch(ignoreNotFound);
  expect(fixture.cloud.instances.filter(isLiving)).toEqual([]);
  expect(fixture.cloud.instances.length).toBeGreaterThanOrEqual(6);
}
