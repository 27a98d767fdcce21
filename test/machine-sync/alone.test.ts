import {
  CAPI_MACHINE_SETS,
  CAPI_MACHINES,
  CLUSTER_API_NAMESPACE,
  MAPI_MACHINE_SETS,
  MAPI_MACHINES,
} from '@capstan/machine-api';
import type { KubeObject } from '@capstan/meta';
import { MACHINE_API_NAMESPACE, machineSetObject } from '@capstan/simulation';
import { OPERATOR, SET, SyncFixture } from '@capstan/tools/handover';
import type { SyncOptions } from '@capstan/tools/handover';
import { isLiving } from '@capstan/upstream';
import { afterEach, describe, expect, it, vi } from 'vitest';

/** Virtual hours: how long they take depends on what else the machine does. */
vi.setConfig({ testTimeout: 300_000 });

interface Authored extends KubeObject {
  readonly spec?: object;
  readonly status?: {
    readonly phase?: string;
    readonly authoritativeAPI?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly reason?: string }[];
  };
}

const IN_MAPI = { namespace: MACHINE_API_NAMESPACE };
const IN_CAPI = { namespace: CLUSTER_API_NAMESPACE };
const MINUTE = 60_000;
const MACHINE_API = 'machine-api';

let fixture: SyncFixture;
afterEach(() => fixture.end());

const open = async (options: SyncOptions = {}): Promise<SyncFixture> => (fixture = await SyncFixture.create(options));

async function running(set: string, count: number): Promise<readonly Authored[]> {
  return fixture.until(`${count} machines of ${set} run`, async () => {
    const { items } = await fixture.client.list<Authored>(MAPI_MACHINES, IN_MAPI);
    const own = items.filter(({ metadata }) => metadata.ownerReferences?.[0]?.name === set);
    return own.length === count && own.every(({ status }) => status?.phase === 'Running') ? own : undefined;
  });
}

async function nodesOf(set: string): Promise<number> {
  const { items } = await fixture.client.list<Authored>(CAPI_MACHINES, IN_CAPI);
  return items.filter(({ metadata, status }) => metadata.name?.startsWith(set) === true && status?.phase === 'Running')
    .length;
}

/** What the user has written of everything in Machine API. */
async function specs(): Promise<readonly unknown[]> {
  const lists = await Promise.all(
    [MAPI_MACHINE_SETS, MAPI_MACHINES].map((kind) => fixture.client.list<Authored>(kind, IN_MAPI)),
  );
  return lists.flatMap(({ items }) =>
    items.map(({ metadata, spec }) => ({ name: metadata.name, generation: metadata.generation, spec })),
  );
}

/** Writes that the operator has sent since a moment; events are not of the resources. */
function writesSince(atMs: number): readonly string[] {
  return fixture.simulation.log.events.flatMap((event) =>
    event.type === 'send' && event.process === OPERATOR && event.at >= atMs && event.method !== 'GET'
      ? [`${event.method} ${event.target}`]
      : [],
  );
}

const scale = (kind: typeof MAPI_MACHINE_SETS, name: string, replicas: number): Promise<unknown> =>
  fixture.client.patch(
    kind,
    name,
    { type: 'merge', value: { spec: { replicas } } },
    { ...(kind === MAPI_MACHINE_SETS ? IN_MAPI : IN_CAPI), subresource: 'scale' },
  );

describe('A cluster that runs with Machine API alone', () => {
  it('gains copies without one call of the cloud, and nothing of Machine API that users write changes', async () => {
    await open({ isOperatorAbsent: true });
    await fixture.client.create(MAPI_MACHINE_SETS, machineSetObject(SET, 3));
    await running(SET, 3);
    await fixture.pass(MINUTE);
    const [before, since] = [await specs(), fixture.simulation.elapsed];
    fixture.startOperator();
    await fixture.settled({ machines: 3, authority: 'MachineAPI' });
    await fixture.pass(10 * MINUTE);
    expect(await specs()).toEqual(before);
    expect(fixture.cloudCalls(since)).toEqual({});
    // The controllers of Cluster API do not even read.
    expect(new Set(fixture.cloud.log.map(({ caller }) => caller))).toEqual(new Set(['', MACHINE_API]));
  });

  it('is written nothing once it is mirrored, nor when the operator starts again', async () => {
    await open();
    await fixture.begin(2);
    await fixture.pass(2 * MINUTE);
    const since = fixture.simulation.elapsed;
    await fixture.pass(30 * MINUTE);
    fixture.simulation.kill(OPERATOR, 1_000);
    await fixture.pass(10 * MINUTE);
    expect(writesSince(since)).toEqual([]);
  });

  it('is written nothing after a handover of everything either', async () => {
    await open();
    await fixture.begin(2);
    await fixture.ask('ClusterAPI');
    await fixture.settled({ machines: 2, authority: 'ClusterAPI' });
    await fixture.pass(2 * MINUTE);
    const since = fixture.simulation.elapsed;
    await fixture.pass(30 * MINUTE);
    fixture.simulation.kill(OPERATOR, 1_000);
    await fixture.pass(10 * MINUTE);
    expect(writesSince(since)).toEqual([]);
  });
});

describe('ClusterOperator machine-api', () => {
  const CLUSTER_OPERATORS = {
    group: 'config.openshift.io',
    version: 'v1',
    plural: 'clusteroperators',
    namespaced: false,
  };
  const conditions = async (): Promise<readonly { readonly type: string; readonly status: string }[]> =>
    (await fixture.client.get<Authored>(CLUSTER_OPERATORS, 'machine-api')).status?.conditions ?? [];

  it('reports once what stays unsynchronized, and once its end, and keeps what others report', async () => {
    await open();
    const available = {
      type: 'Available',
      status: 'True',
      reason: 'AsExpected',
      message: '',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const metadata = { name: 'machine-api' };
    const object = { apiVersion: 'config.openshift.io/v1', kind: 'ClusterOperator', metadata, spec: {} };
    const status = { status: { conditions: [available] } };
    await fixture.client.create(CLUSTER_OPERATORS, object);
    await fixture.client.patch(
      CLUSTER_OPERATORS,
      'machine-api',
      { type: 'merge', value: status },
      { subresource: 'status' },
    );
    await fixture.begin(1);
    await fixture.pass(2 * MINUTE);
    const degraded = { type: 'MachineAPIMigrationDegraded' };
    expect(await conditions()).toEqual([available, expect.objectContaining({ ...degraded, status: 'False' })]);
    const iops = { providerSpec: { value: { blockDevices: [{ ebs: { iops: 1, volumeType: 'unknown' } }] } } };
    const value = (template: object): object => ({ spec: { template: { spec: template } } });
    await fixture.client.patch(MAPI_MACHINE_SETS, SET, { type: 'merge', value: value(iops) }, IN_MAPI);
    const since = fixture.simulation.elapsed;
    await fixture.pass(40 * MINUTE);
    expect(await conditions()).toEqual([
      available,
      expect.objectContaining({
        ...degraded,
        status: 'True',
        reason: 'ResourcesNotSynchronized',
        message: `1 MachineSet not synchronized: ConversionFailed (${SET})`,
      }),
    ]);
    const none = { providerSpec: { value: { blockDevices: null } } };
    await fixture.client.patch(MAPI_MACHINE_SETS, SET, { type: 'merge', value: value(none) }, IN_MAPI);
    await fixture.pass(40 * MINUTE);
    expect(await conditions()).toEqual([available, expect.objectContaining({ ...degraded, status: 'False' })]);
    expect(writesSince(since).filter((each) => each.includes('clusteroperators'))).toHaveLength(2);
  });
});

describe('Without the operator', () => {
  it('sets of both APIs scale, and only their copies wait for it', async () => {
    await open();
    await fixture.begin(1);
    await fixture.ask('ClusterAPI');
    await fixture.settled({ machines: 1, authority: 'ClusterAPI' });
    await fixture.client.create(MAPI_MACHINE_SETS, machineSetObject('other', 1));
    await running('other', 1);
    await fixture.pass(MINUTE);
    fixture.stopOperator();
    const since = fixture.simulation.elapsed;
    await scale(CAPI_MACHINE_SETS, SET, 3);
    await scale(MAPI_MACHINE_SETS, 'other', 3);
    await running('other', 3);
    await fixture.until('Cluster API has three machines', async () => (await nodesOf(SET)) === 3);
    expect(fixture.cloudCalls(since)).toEqual({ create: 4 });
    await running(SET, 1);
    expect(await nodesOf('other')).toBe(1);

    fixture.startOperator();
    await running(SET, 3);
    await fixture.until('the copies', async () => (await nodesOf('other')) === 3);
    await scale(CAPI_MACHINE_SETS, SET, 1);
    await scale(MAPI_MACHINE_SETS, 'other', 1);
    await running(SET, 1);
    await running('other', 1);
    await fixture.until('four instances are gone', () =>
      Promise.resolve(fixture.cloud.instances.filter(isLiving).length === 2),
    );
    expect(fixture.cloudCalls(since)).toEqual({ create: 4, terminate: 4 });
  });

  it.each([false, true])(
    'a machine created for Cluster API is never one of Machine API, with the operator down first: %s',
    async (isOperatorAbsent) => {
      await open({ isOperatorAbsent });
      const set = machineSetObject(SET, 2);
      const template = { ...(set['spec'] as { template: { spec: object } }).template };
      template.spec = { ...template.spec, authoritativeAPI: 'ClusterAPI' };
      await fixture.client.create(MAPI_MACHINE_SETS, { ...set, spec: { ...(set['spec'] as object), template } });
      await fixture.pass(20 * MINUTE);
      if (isOperatorAbsent) {
        expect(await fixture.machines()).toHaveLength(2);
        expect(fixture.cloud.log).toEqual([]);
        fixture.startOperator();
      }
      await running(SET, 2);
      expect(fixture.cloud.log.filter(({ caller }) => caller === MACHINE_API)).toEqual([]);
      expect(fixture.cloudCalls(0)).toEqual({ create: 2 });
    },
  );
});

describe('Controllers of Machine API that know nothing of authority', () => {
  it('are waited for, and nothing moves', async () => {
    await open({ processes: { isUnfiltered: true } });
    await fixture.begin(1);
    const since = fixture.simulation.elapsed;
    await fixture.ask('ClusterAPI');
    await fixture.pass(60 * MINUTE);
    const [machine] = (await fixture.machines()) as readonly Authored[];
    expect(machine?.status?.authoritativeAPI).toBe('Migrating');
    const handover = machine?.status?.conditions?.find(({ type }) => type === 'AuthorityHandover');
    expect(handover).toMatchObject({ status: 'False', reason: 'WaitingForMachineAPI' });
    expect(new Set(fixture.cloud.log.map(({ caller }) => caller))).toEqual(new Set(['', MACHINE_API]));
    await fixture.ask('MachineAPI');
    await fixture.settled({ machines: 1, authority: 'MachineAPI' });
    expect(fixture.cloudCalls(since)).toEqual({});
  });
});

describe('An operator with nothing to do', () => {
  it.each([
    ['whose feature gate is off', ['--feature-gates=MachineAPIMigration=false']],
    ['whose feature gate nobody reports', []],
    ['on a platform without conversion', ['--feature-gates=MachineAPIMigration=true', '--platform=None']],
    ['on a platform nobody knows', ['--feature-gates=MachineAPIMigration=true', '--platform=Unknown']],
  ])('is idle, and does not end: %s', async (_, operatorArgs) => {
    await open({ processes: { operatorArgs } });
    await fixture.client.create(MAPI_MACHINE_SETS, machineSetObject(SET, 1));
    await running(SET, 1);
    await fixture.pass(30 * MINUTE);
    const lives = fixture.simulation.log.events.filter(
      ({ process, type }) => process === OPERATOR && ['start', 'fail', 'crash'].includes(type),
    );
    expect(lives.map(({ type }) => type)).toEqual(['start']);
    expect(writesSince(0)).toEqual([]);
    expect((await fixture.client.list(CAPI_MACHINE_SETS, IN_CAPI)).items).toEqual([]);
  });
});
