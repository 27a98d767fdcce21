import type { Client } from '@capstan/kube';
import { Cloud, isLiving, machineApiOperator } from '@capstan/upstream';
import {
  CONTROL_PLANE_MACHINE_SETS,
  findCondition,
  MACHINE_SETS,
  MACHINES,
  NODES,
  PODS,
} from '@capstan/upstream/machine-api';
import type { Machine, MachineSet } from '@capstan/upstream/machine-api';
import { describe, expect, it } from 'vitest';
import { collectorProcess } from './processes.js';
import { machineSnapshot, nodeControllers } from './machine-api.js';
import { machineNodes } from './machine-nodes.js';
import { IN_MACHINE_API, machineSetObject } from './machine-objects.js';
import { Simulation } from '../engine/simulation.js';
import { operatorProcess } from '../runtime/process.js';

const MINUTE = 60_000;

class Fixture {
  readonly simulation: Simulation;
  readonly cloud: Cloud;
  client!: Client;

  private constructor(simulation: Simulation) {
    this.simulation = simulation;
    this.cloud = new Cloud({ clock: simulation.timeline.clock(), random: simulation.random.split('cloud') });
  }

  static async open(hasAuthority: boolean): Promise<Fixture> {
    const fixture = new Fixture(new Simulation({ seed: 7, snapshot: await machineSnapshot(hasAuthority) }));
    const { cloud, simulation } = fixture;
    for (const process of [
      operatorProcess(machineApiOperator(cloud), { args: ['--sync-period=1m'] }),
      machineNodes(cloud),
      nodeControllers,
      collectorProcess(),
    ])
      simulation.spawn(process);
    simulation.spawn({ name: 'user', isReliable: true, start: ({ client }) => void (fixture.client = client) });
    await fixture.pass(1000);
    return fixture;
  }

  pass(ms: number): Promise<void> {
    return this.simulation.runUntil(this.simulation.elapsed + ms);
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
    const fixture = await Fixture.open(true);
    await fixture.act(fixture.client.create(MACHINE_SETS, withAuthority('theirs', 'ClusterAPI')), 5 * MINUTE);
    const [before] = await fixture.machines();
    const name = before?.metadata.name ?? '';
    expect(before?.status?.authoritativeAPI).toBe('ClusterAPI');
    expect(findCondition(before?.status?.conditions, 'Paused')).toMatchObject({
      status: 'True',
      reason: 'AuthoritativeAPINotMachineAPI',
      message: "The AuthoritativeAPI status is set to 'ClusterAPI'",
    });
    expect(before?.metadata.finalizers ?? []).toEqual([]);
    expect(fixture.cloud.log).toEqual([]);

    await fixture.setStatus(name, { authoritativeAPI: 'Migrating' });
    await fixture.pass(MINUTE);
    expect(fixture.cloud.log).toEqual([]);
    await fixture.setStatus(name, { authoritativeAPI: 'MachineAPI' });
    await fixture.pass(5 * MINUTE);
    const [after] = await fixture.machines();
    expect(after?.status?.phase).toBe('Running');
    expect(findCondition(after?.status?.conditions, 'Paused')).toMatchObject({
      status: 'False',
      severity: 'Info',
      reason: 'AuthoritativeAPIMachineAPI',
    });
    expect(fixture.living()).toEqual([name]);

    await fixture.setStatus(name, { authoritativeAPI: 'Migrating' });
    await fixture.pass(MINUTE);
    const calls = fixture.cloud.log.length;
    await fixture.act(fixture.client.delete(MACHINES, name, IN_MACHINE_API), 10 * MINUTE);
    expect(fixture.cloud.log.filter(({ caller }) => caller !== '').length).toBeLessThanOrEqual(calls);
    expect(fixture.living()).toEqual([name]);
  });

  it('needs no word on authority where the kinds have none', async () => {
    const fixture = await Fixture.open(false);
    await fixture.act(fixture.client.create(MACHINE_SETS, machineSetObject('plain', 2)), 5 * MINUTE);
    const machines = await fixture.machines();
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
    const set = await fixture.act(fixture.client.get<MachineSet>(MACHINE_SETS, 'plain', IN_MACHINE_API));
    expect(set.status).toMatchObject({ replicas: 2, readyReplicas: 2, availableReplicas: 2, fullyLabeledReplicas: 2 });
  });

  it('drains a machine between its hooks, and lets it go after them', async () => {
    const fixture = await Fixture.open(true);
    const object = machineSetObject('held', 1) as MachineSet;
    const hook = (name: string) => [{ name, owner: 'test' }];
    const lifecycleHooks = { preDrain: hook('wait'), preTerminate: hook('backup') };
    const template = { ...object.spec?.template, spec: { ...object.spec?.template?.spec, lifecycleHooks } };
    await fixture.act(
      fixture.client.create(MACHINE_SETS, { ...object, spec: { ...object.spec, template } }),
      5 * MINUTE,
    );
    const [machine] = await fixture.machines();
    const name = machine?.metadata.name ?? '';
    const nodeName = machine?.status?.nodeRef?.name ?? '';
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace: 'default' } };
    const containers = [{ name: 'main', image: 'i' }];
    await fixture.act(fixture.client.create(PODS, { ...pod, spec: { nodeName, containers } }), MINUTE);
    const has = async (what: 'p' | 'node'): Promise<boolean> => {
      const { items } = await fixture.act(fixture.client.list(what === 'p' ? PODS : NODES));
      return items.some(({ metadata }) => metadata.name === (what === 'p' ? 'p' : nodeName));
    };
    const free = (hooks: object): Promise<unknown> => {
      const patch = { type: 'merge', value: { spec: { lifecycleHooks: hooks } } } as const;
      return fixture.act(fixture.client.patch(MACHINES, name, patch, IN_MACHINE_API), 5 * MINUTE);
    };

    await fixture.act(fixture.client.delete(MACHINES, name, IN_MACHINE_API), 5 * MINUTE);
    expect(await has('p')).toBe(true);
    await free({ preDrain: null });
    expect(await has('p')).toBe(false);
    expect(fixture.living()).toContain(name);
    await free({ preTerminate: null });
    expect(fixture.living()).not.toContain(name);
    expect(await has('node')).toBe(false);
  });

  it('replaces the machines of a control plane one at a time', async () => {
    const fixture = await Fixture.open(true);
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
      await fixture.act(fixture.client.create(MACHINES, { ...object, spec: spec(zone, 'm6i.xlarge') }));
    }
    await fixture.pass(5 * MINUTE);
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
    await fixture.act(fixture.client.create(CONTROL_PLANE_MACHINE_SETS, cpms), 2 * MINUTE);
    expect((await fixture.machines()).map(({ metadata }) => metadata.name)).toEqual(
      zones.map((_, at) => `demo-master-${at}`),
    );

    let most = 0;
    fixture.cloud.subscribe(() => (most = Math.max(most, fixture.living().length)));
    const patch = { type: 'merge', value: { spec: { template: template('m6i.4xlarge') } } } as const;
    await fixture.act(fixture.client.patch(CONTROL_PLANE_MACHINE_SETS, 'cluster', patch, IN_MACHINE_API), 40 * MINUTE);
    const machines = await fixture.machines();
    const seen = machines.map((each) => {
      const wanted = each.spec?.providerSpec?.value as ReturnType<typeof value> | undefined;
      return `${each.metadata.name?.at(-1) ?? ''} ${wanted?.placement.availabilityZone ?? ''} ${wanted?.instanceType ?? ''}`;
    });
    expect(new Set(seen)).toEqual(
      new Set(['0 us-east-1a m6i.4xlarge', '1 us-east-1b m6i.4xlarge', '2 us-east-1c m6i.4xlarge']),
    );
    expect(most).toBe(4);
    expect(fixture.living()).toHaveLength(3);
    const status = (await fixture.act(fixture.client.get(CONTROL_PLANE_MACHINE_SETS, 'cluster', IN_MACHINE_API)))[
      'status'
    ];
    expect(status).toMatchObject({ replicas: 3, readyReplicas: 3, updatedReplicas: 3, unavailableReplicas: 0 });
  });
});
