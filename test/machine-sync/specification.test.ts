/** The end-to-end tests that the specification lists for sets and health checks; control planes have a file of their own. */
import {
  CAPI_HEALTH_CHECKS,
  CAPI_MACHINE_SETS,
  CAPI_MACHINES,
  CLUSTER_API_NAMESPACE,
  MAPI_HEALTH_CHECKS,
  MAPI_MACHINE_SETS,
  MAPI_MACHINES,
} from '@capstan/machine-api';
import type { KubeObject } from '@capstan/meta';
import { MACHINE_API_NAMESPACE, machineSetObject } from '@capstan/simulation';
import { isGone, SET, SyncFixture } from '@capstan/tools/handover';
import { isLiving } from '@capstan/upstream';
import { afterEach, describe, expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 300_000 });

interface Machine extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly nodeRef?: { readonly name: string };
    readonly authoritativeAPI?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

const IN_MAPI = { namespace: MACHINE_API_NAMESPACE };
const IN_CAPI = { namespace: CLUSTER_API_NAMESPACE };
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const BROKEN = 'Broken';
const OTHER = 'other';

let fixture: SyncFixture;
afterEach(() => fixture.end());

/** Machines of a set, once so many run in both APIs. */
function running(set: string, count: number): Promise<readonly Machine[]> {
  return fixture.until(`${count} machines of ${set} run in both APIs`, async () => {
    const [mapi, capi] = await Promise.all([
      fixture.client.list<Machine>(MAPI_MACHINES, IN_MAPI),
      fixture.client.list<Machine>(CAPI_MACHINES, IN_CAPI),
    ]);
    const of = (items: readonly Machine[]): Machine[] =>
      items.filter(({ metadata }) => metadata.ownerReferences?.some(({ name }) => name === set));
    const both = [of(mapi.items), of(capi.items)];
    const isThere = both.every((all) => all.length === count && all.every(({ status }) => status?.phase === 'Running'));
    return isThere ? both[0] : undefined;
  });
}

async function joined(machine: Machine): Promise<void> {
  const name = machine.status?.nodeRef?.name ?? '';
  await fixture.until(`node ${name} has joined`, async () => !(await isGone(fixture.client.get(NODES, name))));
}

const scale = (replicas: number): Promise<unknown> =>
  fixture.client.patch(
    CAPI_MACHINE_SETS,
    SET,
    { type: 'merge', value: { spec: { replicas } } },
    { ...IN_CAPI, subresource: 'scale' },
  );

/** A machine of Machine API whose set is Cluster API's. */
async function beginWithSetInClusterApi(): Promise<void> {
  fixture = await SyncFixture.create();
  await fixture.begin(1);
  await fixture.ask('ClusterAPI', { set: true, machines: false });
  await fixture.until('the set is with Cluster API', async () => {
    const set = await fixture.find<Machine>(MAPI_MACHINE_SETS, SET, MACHINE_API_NAMESPACE);
    return set?.status?.authoritativeAPI === 'ClusterAPI';
  });
}

describe('Scale up and down of a mirrored MachineSet', () => {
  it('through Cluster API, after the set was switched, until the set is removed', async () => {
    await beginWithSetInClusterApi();
    const since = fixture.simulation.elapsed;
    await scale(3);
    for (const machine of await running(SET, 3)) await joined(machine);
    await scale(1);
    await running(SET, 1);
    await fixture.until('one instance', () => Promise.resolve(fixture.cloud.instances.filter(isLiving).length === 1));
    expect(fixture.cloudCalls(since)).toEqual({ create: 2, terminate: 2 });
    await fixture.client.delete(CAPI_MACHINE_SETS, SET, IN_CAPI);
    await fixture.until('nothing is left', async () => {
      const kinds = [MAPI_MACHINE_SETS, MAPI_MACHINES, CAPI_MACHINE_SETS, CAPI_MACHINES];
      const lists = await Promise.all(kinds.map((kind) => fixture.client.list(kind)));
      return lists.every(({ items }) => items.length === 0) && !fixture.cloud.instances.some(isLiving);
    });
  });
});

describe('Machines that Cluster API has created', () => {
  it('are handed to Machine API with their instances, which it terminates with them', async () => {
    await beginWithSetInClusterApi();
    await scale(3);
    for (const machine of await running(SET, 3)) await joined(machine);
    const instances = (): readonly string[] =>
      fixture.cloud.instances.flatMap((each) => (isLiving(each) ? [each.id] : [])).toSorted();
    const before = instances();
    await fixture.ask('MachineAPI');
    await fixture.settled({ machines: 3, authority: 'MachineAPI' });
    const since = fixture.simulation.elapsed;
    // Longer than Machine API waits for an instance that a cloud is slow to list.
    await fixture.pass(300_000);
    await running(SET, 3);
    expect([instances(), fixture.cloudCalls(since)]).toEqual([before, {}]);
    await fixture.client.delete(MAPI_MACHINE_SETS, SET, IN_MAPI);
    await fixture.until('no instance is left', () => Promise.resolve(instances().length === 0));
  });
});

const HEALTH_CHECK: KubeObject = {
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'MachineHealthCheck',
  metadata: { name: 'workers', ...IN_MAPI },
  spec: {
    selector: { matchLabels: { 'machine.openshift.io/cluster-api-cluster': 'demo-x7k2p' } },
    maxUnhealthy: '100%',
    nodeStartupTimeout: '20m',
    unhealthyConditions: [{ type: BROKEN, status: 'True', timeout: '60s' }],
  },
};

/** The instance of a machine is gone, and its node reports what the health check looks for. */
async function breakNode(machine: Machine | undefined): Promise<void> {
  fixture.cloud.lose(fixture.cloud.instances.find((each) => each.name === machine?.metadata.name)?.id ?? '');
  const name = machine?.status?.nodeRef?.name ?? '';
  const since = new Date(fixture.simulation.timeline.clock().now()).toISOString();
  const condition = { type: BROKEN, status: 'True', reason: 'Test', message: '', lastTransitionTime: since };
  const value = { status: { conditions: [condition] } };
  await fixture.client.patch(NODES, name, { type: 'strategic', value }, { subresource: 'status' });
}

/** Both copies are deleted, and the set has another machine. */
async function isReplaced(machine: Machine | undefined, set: string, count: number): Promise<void> {
  const { name = '' } = machine?.metadata ?? {};
  for (const [kind, at] of [
    [MAPI_MACHINES, IN_MAPI],
    [CAPI_MACHINES, IN_CAPI],
  ] as const)
    await fixture.until(`${name} of ${set} is deleted in ${kind.group}`, () =>
      isGone(fixture.client.get(kind, name, at)),
    );
  await running(set, count);
}

describe('MachineHealthCheck in mixed clusters', () => {
  it('deletes unhealthy machines of Machine API, and those of Cluster API once it is switched', async () => {
    fixture = await SyncFixture.create();
    await fixture.begin(2);
    await fixture.ask('ClusterAPI');
    await fixture.settled({ machines: 2, authority: 'ClusterAPI' });
    await fixture.client.create(MAPI_MACHINE_SETS, machineSetObject(OTHER, 2));
    await running(OTHER, 2);
    await fixture.client.create(MAPI_HEALTH_CHECKS, HEALTH_CHECK);
    const check = (): Promise<Machine> => fixture.client.get<Machine>(MAPI_HEALTH_CHECKS, 'workers', IN_MAPI);
    const isAt = async (authority: string): Promise<boolean> => {
      const { status } = await check();
      const synchronized = status?.conditions?.find(({ type }) => type === 'Synchronized')?.status;
      return status?.authoritativeAPI === authority && synchronized === 'True';
    };
    await fixture.until('the health check is mirrored', () => isAt('MachineAPI'));
    const since = fixture.simulation.elapsed;
    const [ours] = await running(OTHER, 2);
    await breakNode(ours);
    await isReplaced(ours, OTHER, 2);

    const value = { spec: { authoritativeAPI: 'ClusterAPI' } };
    await fixture.client.patch(MAPI_HEALTH_CHECKS, 'workers', { type: 'merge', value }, IN_MAPI);
    await fixture.until('the health check is switched', () => isAt('ClusterAPI'));
    expect(await isGone(fixture.client.get(CAPI_HEALTH_CHECKS, 'workers', IN_CAPI))).toBe(false);
    const [theirs] = await running(SET, 2);
    await breakNode(theirs);
    await isReplaced(theirs, SET, 2);
    expect(fixture.cloudCalls(since)).toMatchObject({ create: 2 });
  });
});
