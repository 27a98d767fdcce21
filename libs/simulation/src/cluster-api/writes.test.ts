import type { KubeObject } from '@capstan/meta';
import { isComing, isFilling, isForeignNote, isTrue } from '@capstan/upstream/cluster-api';
import type { Machine, MachineDeployment } from '@capstan/upstream/cluster-api';
import { afterEach, expect, it, vi } from 'vitest';
import { healthCheck, machineDeployment } from './testing/objects.js';
import { begin, list, ready } from './testing/play.js';
import { Fixture } from './testing/fixture.js';

let fixture: Fixture | undefined;

afterEach(() => {
  fixture?.stop();
  fixture = undefined;
});

const MACHINES = 6;

it('new machines take few writes, their owners not one per machine, and all is reported in the end', async () => {
  const here = (fixture = new Fixture({ core: { isPaced: true } }));
  const send = vi.spyOn(here.server, 'send');
  await begin(here, [machineDeployment('workers', MACHINES, 'small'), healthCheck('sick', 'workers')]);
  await ready(here, MACHINES);
  await here.until('the deployment reports all replicas', async () => {
    const [deployment] = await list<MachineDeployment>(here, 'MachineDeployment');
    return deployment?.status?.availableReplicas === MACHINES;
  });
  const machines = await here.act(list<Machine>(here, 'Machine'));
  expect(machines.filter((machine) => isTrue(machine, 'HealthCheckSucceeded'))).toHaveLength(MACHINES);
  const writes = (path: RegExp): number =>
    send.mock.calls.filter(([{ method, target }]) => method === 'PATCH' && path.test(target)).length;
  // Pending, provisioned, running.
  expect(writes(/\/machines\/[^/]+\/status/) / MACHINES).toBeLessThanOrEqual(3);
  expect(writes(/\/machinesets\/[^/]+\/status/)).toBeLessThan(MACHINES);
  expect(writes(/\/machinedeployments\/[^/]+\/status/)).toBeLessThan(MACHINES);
}, 60_000);

const object = (kind: string, more: object): KubeObject =>
  ({ apiVersion: 'cluster.x-k8s.io/v1beta2', kind, metadata: { name: 'a' }, ...more }) as KubeObject;
const machine = (...conditions: readonly [type: string, status: string][]): KubeObject =>
  object('Machine', { status: { conditions: conditions.map(([type, status]) => ({ type, status })) } });
const set = (replicas: number, availableReplicas?: number): KubeObject =>
  object('MachineSet', { spec: { replicas }, status: { availableReplicas } });

it.each([
  ['reports anything before it is available', machine(), machine(['Ready', 'False']), true],
  ['becomes available', machine(['Available', 'False']), machine(['Available', 'True']), true],
  ['reports more when it is', machine(['Available', 'True']), machine(['Available', 'True'], ['Ready', 'True']), false],
  ['is no longer available', machine(['Available', 'True']), machine(['Available', 'False']), false],
  ['is to be replaced', machine(), machine(['HealthCheckSucceeded', 'False'], ['OwnerRemediated', 'False']), false],
])('knows whether a machine that %s is on its way', (_, old, now, expected) => {
  expect(isComing({ type: 'update', old, object: now })).toBe(expected);
});

const noted = (annotations: object, more: object = {}): KubeObject =>
  object('Machine', { metadata: { name: 'a', generation: 1, annotations }, status: { phase: 'Pending' }, ...more });

it.each([
  ['a note of others', noted({ 'others.example/note': 'x' }), true],
  ['a note of ours', noted({ 'cluster.x-k8s.io/paused': '' }), false],
  ['a note for the node', noted({ 'pool.node.cluster.x-k8s.io/a': '' }), false],
  ['a note and a status', noted({ 'others.example/note': 'x' }, { status: { phase: 'Running' } }), false],
  ['nothing', noted({}), false],
])('decides whether %s concerns machines', (_, now, expected) => {
  expect(isForeignNote({ type: 'update', old: noted({}), object: now })).toBe(expected);
});

it.each([
  ['has more of those it wants', set(3, 1), set(3, 2), true],
  ['has none yet', set(3), set(3), true],
  ['has all', set(3, 2), set(3, 3), false],
  ['has lost one', set(3, 2), set(3, 1), false],
  ['wants fewer than it has', set(3, 2), set(1, 2), false],
])('knows whether a set that %s is being filled', (_, old, now, expected) => {
  expect(isFilling({ type: 'update', old, object: now })).toBe(expected);
});
