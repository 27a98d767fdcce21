/** Health checks and machines of either API, in all four pairings: every unhealthy machine is replaced, and once. */
import {
  CAPI_MACHINES,
  CLUSTER_API_NAMESPACE,
  MAPI_HEALTH_CHECKS,
  MAPI_MACHINE_SETS,
  MAPI_MACHINES,
} from '@capstan/machine-api';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { MACHINE_API_NAMESPACE } from '@capstan/simulation';
import { isGone, SET, SyncFixture } from '@capstan/tools/handover';
import { isLiving } from '@capstan/upstream';
import { afterEach, describe, expect, it, vi } from 'vitest';

vi.setConfig({ testTimeout: 300_000 });

interface Mirrored extends KubeObject {
  readonly status?: {
    readonly nodeRef?: { readonly name: string };
    readonly authoritativeAPI?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  };
}

type Authority = 'MachineAPI' | 'ClusterAPI';

const IN_MAPI = { namespace: MACHINE_API_NAMESPACE };
const IN_CAPI = { namespace: CLUSTER_API_NAMESPACE };
const NODES = { group: '', version: 'v1', plural: 'nodes', namespaced: false };
const EVENTS = { group: '', version: 'v1', plural: 'events', namespaced: true };
const BROKEN = 'Broken';

let fixture: SyncFixture;
afterEach(() => fixture.end());

const find = (name: string): Promise<Mirrored | undefined> =>
  fixture.find<Mirrored>(MAPI_MACHINES, name, MACHINE_API_NAMESPACE);
const isAt = (object: Mirrored | undefined, authority: Authority): boolean =>
  object?.status?.authoritativeAPI === authority &&
  object.status.conditions?.find(({ type }) => type === 'Synchronized')?.status === 'True';

/** A health check of all machines, with one of the APIs. */
async function createCheck(authority: Authority, maxUnhealthy = '100%'): Promise<void> {
  const check = {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineHealthCheck',
    metadata: { name: 'workers', ...IN_MAPI },
    spec: {
      selector: { matchLabels: { 'machine.openshift.io/cluster-api-cluster': 'demo-x7k2p' } },
      maxUnhealthy,
      nodeStartupTimeout: '20m',
      unhealthyConditions: [{ type: BROKEN, status: 'True', timeout: '60s' }],
    },
  };
  const get = (): Promise<Mirrored | undefined> =>
    fixture.find<Mirrored>(MAPI_HEALTH_CHECKS, 'workers', MACHINE_API_NAMESPACE);
  await fixture.client.create(MAPI_HEALTH_CHECKS, check as KubeObject);
  await fixture.until('the health check is mirrored', async () => isAt(await get(), 'MachineAPI'));
  if (authority === 'MachineAPI') return;
  const value = { spec: { authoritativeAPI: authority } };
  await fixture.retried(() => fixture.client.patch(MAPI_HEALTH_CHECKS, 'workers', { type: 'merge', value }, IN_MAPI));
  await fixture.until('the health check is switched', async () => isAt(await get(), authority));
}

async function nodeOf(name: string): Promise<string> {
  return fixture.until(`the node of ${name} has joined`, async () => {
    const node = (await find(name))?.status?.nodeRef?.name ?? '';
    return node !== '' && !(await isGone(fixture.client.get(NODES, node))) ? node : undefined;
  });
}

/** The node of a machine reports what the health check is for; its instance goes on. */
async function breakNode(name: string, status = 'True'): Promise<void> {
  const node = await nodeOf(name);
  const lastTransitionTime = new Date(fixture.simulation.timeline.clock().now()).toISOString();
  const condition = { type: BROKEN, status, reason: 'Test', message: '', lastTransitionTime };
  const value = { status: { conditions: [condition] } };
  await fixture.client.patch(NODES, node, { type: 'strategic', value }, { subresource: 'status' });
}

async function isReplaced(name: string): Promise<void> {
  for (const [kind, at] of [
    [MAPI_MACHINES, IN_MAPI],
    [CAPI_MACHINES, IN_CAPI],
  ] as const)
    await fixture.until(`${name} is deleted in ${kind.group}`, () => isGone(fixture.client.get(kind, name, at)));
}

async function move(kind: typeof MAPI_MACHINES, name: string, authority: Authority): Promise<void> {
  const value: JsonObject = { spec: { authoritativeAPI: authority } };
  await fixture.retried(() => fixture.client.patch(kind, name, { type: 'merge', value }, IN_MAPI));
  await fixture.until(`${authority} acts on ${name}`, async () =>
    isAt(await fixture.find<Mirrored>(kind, name, MACHINE_API_NAMESPACE), authority),
  );
}

const names = async (): Promise<readonly string[]> =>
  (await fixture.machines()).map(({ metadata }) => metadata.name ?? '').toSorted();

const PAIRINGS: readonly (readonly [check: Authority, machine: Authority, set: Authority])[] = [
  ['MachineAPI', 'MachineAPI', 'MachineAPI'],
  ['MachineAPI', 'ClusterAPI', 'ClusterAPI'],
  ['ClusterAPI', 'MachineAPI', 'MachineAPI'],
  ['ClusterAPI', 'ClusterAPI', 'ClusterAPI'],
  ['ClusterAPI', 'MachineAPI', 'ClusterAPI'],
  ['ClusterAPI', 'ClusterAPI', 'MachineAPI'],
];

describe('An unhealthy machine is replaced once', () => {
  it.each(PAIRINGS)('with a health check of %s, the machine of %s, its set of %s', async (check, machine, set) => {
    fixture = await SyncFixture.create();
    await fixture.begin(2);
    const [broken = '', other = ''] = await names();
    if (set === 'ClusterAPI') await move(MAPI_MACHINE_SETS, SET, set);
    if (machine === 'ClusterAPI') await move(MAPI_MACHINES, broken, machine);
    await createCheck(check);
    const since = fixture.simulation.elapsed;
    await breakNode(broken);
    await isReplaced(broken);
    await fixture.settled({ machines: 2, authority: 'mixed' });
    await fixture.pass(300_000);
    expect(fixture.cloudCalls(since)).toEqual({ create: 1, terminate: 1 });
    expect(await names()).toContain(other);
  });
});

describe('A health check of Cluster API with machines of both', () => {
  it('deletes no more than it allows of all of them', async () => {
    fixture = await SyncFixture.create();
    await fixture.begin(3);
    const [first = '', second = ''] = await names();
    await createCheck('ClusterAPI', '1');
    const since = fixture.simulation.elapsed;
    for (const name of [first, second]) await breakNode(name);
    await fixture.until('an event is emitted', async () =>
      (await fixture.client.list<KubeObject & { reason?: string }>(EVENTS, IN_CAPI)).items.some(
        ({ reason }) => reason === 'RemediationRestricted',
      ),
    );
    await fixture.pass(300_000);
    expect(fixture.cloudCalls(since)).toEqual({});
    await breakNode(second, 'False');
    await isReplaced(first);
    await fixture.settled({ machines: 3, authority: 'mixed' });
    expect(fixture.cloudCalls(since)).toEqual({ create: 1, terminate: 1 });
    expect(fixture.cloud.instances.filter(isLiving)).toHaveLength(3);
  });
});

describe('What Cluster API once found of a machine', () => {
  it('does not have it deleted while Machine API acts on it, nor afterwards', async () => {
    fixture = await SyncFixture.create();
    await fixture.begin(1);
    const [name = ''] = await names();
    const own = (await fixture.client.get<Mirrored>(CAPI_MACHINES, name, IN_CAPI)).status?.conditions ?? [];
    const lastTransitionTime = '2026-01-01T00:00:00Z';
    const marks = ['HealthCheckSucceeded', 'OwnerRemediated'].map((type) => ({
      type,
      status: 'False',
      reason: 'NodeUnhealthy',
      message: '',
      lastTransitionTime,
    }));
    const value = { status: { conditions: [...own, ...marks] } };
    await fixture.retried(() =>
      fixture.client.patch(CAPI_MACHINES, name, { type: 'merge', value }, { ...IN_CAPI, subresource: 'status' }),
    );
    const since = fixture.simulation.elapsed;
    await fixture.until('the conditions are removed', async () => {
      const { status } = await fixture.client.get<Mirrored>(CAPI_MACHINES, name, IN_CAPI);
      return status?.conditions?.every(({ type }) => type !== 'OwnerRemediated' && type !== 'HealthCheckSucceeded');
    });
    await fixture.ask('ClusterAPI');
    await fixture.settled({ machines: 1, authority: 'ClusterAPI' });
    await fixture.pass(300_000);
    expect(await names()).toEqual([name]);
    expect(fixture.cloudCalls(since)).toEqual({});
  });
});
