import type { Client } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import { Cloud } from '../../cloud/cloud.js';
import { isLiving } from '../../cloud/instance.js';
import { collectorProcess } from '../../scenarios/processes.js';
import { machineSnapshot, nodeControllers } from '../../scenarios/machine-api.js';
import { machineNodes } from '../../scenarios/machine-nodes.js';
import { IN_MACHINE_API, machineSetObject } from '../../scenarios/machine-objects.js';
import { World } from '../../world/world.js';
import { operatorProcess } from '../runtime/process.js';
import { findCondition } from './conditions.js';
import { machineApiOperator } from './operator.js';
import { CONTROL_PLANE_MACHINE_SETS, MACHINE_SETS, MACHINES, NODES, PODS } from './resources.js';
import type { Machine, MachineSet } from './resources.js';

const MINUTE = 60_000;

class Stage {
  readonly world: World;
  readonly cloud: Cloud;
  client!: Client;

  private constructor(world: World) {
    this.world = world;
    this.cloud = new Cloud({ clock: world.timeline.clock(), random: world.random.split('cloud') });
  }

  static async open(hasAuthority: boolean): Promise<Stage> {
    const stage = new Stage(new World({ seed: 7, snapshot: await machineSnapshot(hasAuthority) }));
    const { cloud, world } = stage;
    for (const process of [
      operatorProcess(machineApiOperator(cloud), { args: ['--sync-period=1m'] }),
      machineNodes(cloud),
      nodeControllers,
      collectorProcess(),
    ])
      world.spawn(process);
    world.spawn({ name: 'user', isReliable: true, start: ({ client }) => void (stage.client = client) });
    await stage.pass(1000);
    return stage;
  }

  pass(ms: number): Promise<void> {
    return this.world.runUntil(this.world.elapsed + ms);
  }

  /** Does something, and lets time pass for it. */
  async act<T>(doing: Promise<T>, ms = 1000): Promise<T> {
    await this.pass(ms);
    return doing;
  }

  async machines(): Promise<readonly Machine[]> {
    return (await this.act(this.client.list<Machine>(MACHINES, IN_MACHINE_API))).items;
  }

  living(): readonly string[] {
    return this.cloud.instances.filter(isLiving).map(({ name }) => name);
  }

  setStatus(name: string, status: object): Promise<unknown> {
    const patch = { type: 'merge', value: { status } } as const;
    return this.act(this.client.patch(MACHINES, name, patch, { ...IN_MACHINE_API, subresource: 'status' }));
  }
}

const withAuthority = (set: string, authoritativeAPI: string): MachineSet => {
  const object = machineSetObject(set, 1) as MachineSet;
  const template = { ...object.spec?.template, spec: { ...object.spec?.template?.spec, authoritativeAPI } };
  return { ...object, spec: { ...object.spec, template } };
};

describe('Machine API in virtual time', { timeout: 60_000 }, () => {
  it('asks nothing of the cloud for a machine that is not its own, until it is', async () => {
    const stage = await Stage.open(true);
    await stage.act(stage.client.create(MACHINE_SETS, withAuthority('theirs', 'ClusterAPI')), 5 * MINUTE);
    const [before] = await stage.machines();
    const name = before?.metadata.name ?? '';
    expect(before?.status?.authoritativeAPI).toBe('ClusterAPI');
    expect(findCondition(before?.status?.conditions, 'Paused')).toMatchObject({
      status: 'True',
      reason: 'AuthoritativeAPINotMachineAPI',
      message: "The AuthoritativeAPI status is set to 'ClusterAPI'",
    });
    expect(before?.metadata.finalizers ?? []).toEqual([]);
    expect(stage.cloud.log).toEqual([]);

    await stage.setStatus(name, { authoritativeAPI: 'Migrating' });
    await stage.pass(MINUTE);
    expect(stage.cloud.log).toEqual([]);
    await stage.setStatus(name, { authoritativeAPI: 'MachineAPI' });
    await stage.pass(5 * MINUTE);
    const [after] = await stage.machines();
    expect(after?.status?.phase).toBe('Running');
    expect(findCondition(after?.status?.conditions, 'Paused')).toMatchObject({
      status: 'False',
      severity: 'Info',
      reason: 'AuthoritativeAPIMachineAPI',
    });
    expect(stage.living()).toEqual([name]);

    await stage.setStatus(name, { authoritativeAPI: 'Migrating' });
    await stage.pass(MINUTE);
    const calls = stage.cloud.log.length;
    await stage.act(stage.client.delete(MACHINES, name, IN_MACHINE_API), 10 * MINUTE);
    expect(stage.cloud.log.filter(({ caller }) => caller !== '').length).toBeLessThanOrEqual(calls);
    expect(stage.living()).toEqual([name]);
  });

  it('needs no word on authority where the kinds have none', async () => {
    const stage = await Stage.open(false);
    await stage.act(stage.client.create(MACHINE_SETS, machineSetObject('plain', 2)), 5 * MINUTE);
    const machines = await stage.machines();
    expect(machines.map(({ status }) => status?.phase)).toEqual(['Running', 'Running']);
    expect(machines[0]?.status).not.toHaveProperty('authoritativeAPI');
    expect(findCondition(machines[0]?.status?.conditions, 'Paused')).toBeUndefined();
    expect(machines[0]).toMatchObject({
      metadata: {
        labels: {
          'machine.openshift.io/instance-type': 'm6i.xlarge',
          'machine.openshift.io/region': 'us-east-1',
          'machine.openshift.io/zone': 'us-east-1a',
        },
        annotations: { 'machine.openshift.io/instance-state': 'running' },
        finalizers: ['machine.machine.openshift.io'],
      },
      status: { providerStatus: { kind: 'AWSMachineProviderStatus', instanceState: 'running' } },
    });
    const set = await stage.act(stage.client.get<MachineSet>(MACHINE_SETS, 'plain', IN_MACHINE_API));
    expect(set.status).toMatchObject({ replicas: 2, readyReplicas: 2, availableReplicas: 2, fullyLabeledReplicas: 2 });
  });

  it('drains a machine between its hooks, and lets it go after them', async () => {
    const stage = await Stage.open(true);
    const object = machineSetObject('held', 1) as MachineSet;
    const hook = (name: string) => [{ name, owner: 'test' }];
    const lifecycleHooks = { preDrain: hook('wait'), preTerminate: hook('backup') };
    const template = { ...object.spec?.template, spec: { ...object.spec?.template?.spec, lifecycleHooks } };
    await stage.act(stage.client.create(MACHINE_SETS, { ...object, spec: { ...object.spec, template } }), 5 * MINUTE);
    const [machine] = await stage.machines();
    const name = machine?.metadata.name ?? '';
    const nodeName = machine?.status?.nodeRef?.name ?? '';
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'default' } };
    const containers = [{ name: 'main', image: 'i' }];
    await stage.act(stage.client.create(PODS, { ...pod, spec: { nodeName, containers } }), MINUTE);
    const has = async (what: 'p' | 'node'): Promise<boolean> => {
      const { items } = await stage.act(stage.client.list(what === 'p' ? PODS : NODES));
      return items.some(({ metadata }) => metadata.name === (what === 'p' ? 'p' : nodeName));
    };
    const free = (hooks: object): Promise<unknown> => {
      const patch = { type: 'merge', value: { spec: { lifecycleHooks: hooks } } } as const;
      return stage.act(stage.client.patch(MACHINES, name, patch, IN_MACHINE_API), 5 * MINUTE);
    };

    await stage.act(stage.client.delete(MACHINES, name, IN_MACHINE_API), 5 * MINUTE);
    expect(await has('p')).toBe(true);
    await free({ preDrain: null });
    expect(await has('p')).toBe(false);
    expect(stage.living()).toContain(name);
    await free({ preTerminate: null });
    expect(stage.living()).not.toContain(name);
    expect(await has('node')).toBe(false);
  });

  it('replaces the machines of a control plane one at a time', async () => {
    const stage = await Stage.open(true);
    const labels = {
      'machine.openshift.io/cluster-api-cluster': 'demo-x7k2p',
      'machine.openshift.io/cluster-api-machine-role': 'master',
      'machine.openshift.io/cluster-api-machine-type': 'master',
    };
    const value = (zone: string, instanceType: string) => ({
      ...(machineSetObject('x', 0) as MachineSet).spec?.template?.spec?.providerSpec?.value,
      instanceType,
      placement: { region: 'us-east-1', availabilityZone: zone },
    });
    const spec = (zone: string, type: string) => ({
      metadata: { labels: { 'node-role.kubernetes.io/master': '' } },
      providerSpec: { value: value(zone, type) },
    });
    const zones = ['us-east-1a', 'us-east-1b', 'us-east-1c'];
    for (const [index, zone] of zones.entries()) {
      const metadata = { name: `demo-master-${index}`, ...IN_MACHINE_API, labels };
      const object = { apiVersion: 'machine.openshift.io/v1beta1', kind: 'Machine', metadata };
      await stage.act(stage.client.create(MACHINES, { ...object, spec: spec(zone, 'm6i.xlarge') }));
    }
    await stage.pass(5 * MINUTE);
    const template = (type: string) => ({
      machineType: 'machines_v1beta1_machine_openshift_io',
      machines_v1beta1_machine_openshift_io: {
        metadata: { labels },
        spec: spec('us-east-1a', type),
        failureDomains: {
          platform: 'AWS',
          aws: zones.map((availabilityZone) => ({ placement: { availabilityZone } })),
        },
      },
    });
    const cpms = {
      apiVersion: 'machine.openshift.io/v1',
      kind: 'ControlPlaneMachineSet',
      metadata: { name: 'cluster', ...IN_MACHINE_API },
      spec: {
        state: 'Active',
        replicas: 3,
        strategy: { type: 'RollingUpdate' },
        selector: { matchLabels: labels },
        template: template('m6i.xlarge'),
      },
    };
    await stage.act(stage.client.create(CONTROL_PLANE_MACHINE_SETS, cpms), 2 * MINUTE);
    expect((await stage.machines()).map(({ metadata }) => metadata.name)).toEqual(
      zones.map((_, at) => `demo-master-${at}`),
    );

    let most = 0;
    stage.cloud.subscribe(() => (most = Math.max(most, stage.living().length)));
    const patch = { type: 'merge', value: { spec: { template: template('m6i.4xlarge') } } } as const;
    await stage.act(stage.client.patch(CONTROL_PLANE_MACHINE_SETS, 'cluster', patch, IN_MACHINE_API), 40 * MINUTE);
    const machines = await stage.machines();
    const seen = machines.map((each) => {
      const wanted = each.spec?.providerSpec?.value as ReturnType<typeof value> | undefined;
      return `${each.metadata.name?.at(-1) ?? ''} ${wanted?.placement.availabilityZone ?? ''} ${wanted?.instanceType ?? ''}`;
    });
    expect(new Set(seen)).toEqual(
      new Set(['0 us-east-1a m6i.4xlarge', '1 us-east-1b m6i.4xlarge', '2 us-east-1c m6i.4xlarge']),
    );
    expect(most).toBe(4);
    expect(stage.living()).toHaveLength(3);
    const status = (await stage.act(stage.client.get(CONTROL_PLANE_MACHINE_SETS, 'cluster', IN_MACHINE_API)))['status'];
    expect(status).toMatchObject({ replicas: 3, readyReplicas: 3, updatedReplicas: 3, unavailableReplicas: 0 });
  });
});
