import type { NodePool } from '@capstan/api/hypershift';
import { NODE_POOLS } from '@capstan/hosting';
import type { ResourceRef } from '@capstan/kube';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { HARBOUR_MACHINES } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { HOME, NAMESPACE, nodePool } from './objects.js';
import { Fixture } from './fixture.js';

const PODS: ResourceRef = { group: '', version: 'v1', plural: 'pods', namespaced: true };
const BUDGETS: ResourceRef = { group: 'policy', version: 'v1', plural: 'poddisruptionbudgets', namespaced: true };
const MOST_OF_A_MESSAGE = 200;

async function converged(spec: JsonObject): Promise<Fixture> {
  const fixture = await Fixture.begin();
  await fixture.client.create(NODE_POOLS, nodePool('workers', { replicas: 2, ...spec }));
  await fixture.until('machines', () => fixture.isRolledOut('workers', '4.22.0'));
  await fixture.reachIgnition();
  await fixture.pass(60_000);
  return fixture;
}

/** The message of AllMachinesReady, line by line. */
async function lines(fixture: Fixture): Promise<readonly string[]> {
  const { status }: NodePool = await fixture.pool('workers');
  const { message = '' } = status?.conditions?.find(({ type }) => type === 'AllMachinesReady') ?? {};
  return message.split('\n').filter((line) => line !== '');
}

/** Takes the infrastructure of a machine away, and leaves its instance where it is. */
async function bereave(fixture: Fixture): Promise<string> {
  const [machine] = (await fixture.client.list<KubeObject>(HARBOUR_MACHINES, { namespace: HOME })).items;
  const { name = '' } = machine?.metadata ?? {};
  await fixture.merge(HARBOUR_MACHINES, HOME, name, { metadata: { finalizers: null } });
  await fixture.client.delete(HARBOUR_MACHINES, name, { namespace: HOME });
  return name;
}

describe('a machine whose infrastructure was deleted', { timeout: 120_000 }, () => {
  it('is named by its pool, with what to do', async () => {
    const fixture = await converged({});
    const name = await bereave(fixture);
    await fixture.pass(30_000);
    const message = `Machine ${name}: ObjectDeleted: HarbourMachine has been deleted while the Machine still exists: delete the Machine, or set spec.management.autoRepair`;
    expect(await lines(fixture)).toEqual(['1 of 2 machines are not ready', message]);
    expect(message.length).toBeLessThanOrEqual(MOST_OF_A_MESSAGE);
    expect((await fixture.events('workers')).filter((event) => event === `ObjectDeleted: ${message}`)).toHaveLength(1);
    await fixture.pass(600_000);
    expect((await fixture.machines()).map(({ metadata }) => metadata.name)).toContain(name);
  });

  it('is replaced where machines are repaired, although its node is ready', async () => {
    const fixture = await converged({ management: { upgradeType: 'Replace', autoRepair: true } });
    const name = await bereave(fixture);
    await fixture.until('another one', async () => {
      const names = (await fixture.machines()).map(({ metadata }) => metadata.name);
      return (
        names.length === 2 &&
        !names.includes(name) &&
        (await fixture.hasCondition('workers', 'AllMachinesReady', 'True'))
      );
    });
    await fixture.pass(60_000);
    const seen = fixture.logLength;
    await fixture.pass(600_000);
    expect(fixture.writes(seen)).toEqual([]);
  });
});

describe('a drain that a PodDisruptionBudget blocks', { timeout: 120_000 }, () => {
  it('is reported by the pool after minutes, with pod, budget and what to do, and ends by that', async () => {
    const fixture = await converged({});
    const guest = fixture.guest();
    for (const { metadata, status } of await fixture.machines()) {
      const pod: KubeObject = {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name: `web-${metadata.name ?? ''}`, namespace: 'default', labels: { app: 'web' } },
        spec: { nodeName: status?.nodeRef?.name ?? '', containers: [{ name: 'c', image: 'x' }] },
      };
      await guest.create(PODS, pod);
      const running = { status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] } };
      const ofStatus = { namespace: 'default', subresource: 'status' } as const;
      await guest.patch(PODS, pod.metadata.name ?? '', { type: 'merge', value: running }, ofStatus);
    }
    const selector = { matchLabels: { app: 'web' } };
    const budget: unknown = {
      apiVersion: 'policy/v1',
      kind: 'PodDisruptionBudget',
      metadata: { name: 'web', namespace: 'default' },
      spec: { minAvailable: 2, selector },
    };
    await guest.create(BUDGETS, budget as KubeObject);
    const counts = {
      observedGeneration: 1,
      currentHealthy: 2,
      desiredHealthy: 2,
      expectedPods: 2,
      disruptionsAllowed: 0,
    };
    const ofStatus = { namespace: 'default', subresource: 'status' } as const;
    await guest.patch(BUDGETS, 'web', { type: 'merge', value: { status: counts } }, ofStatus);
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { replicas: 1 } });
    await fixture.until('one goes', async () =>
      (await fixture.machines()).some(({ metadata }) => metadata.deletionTimestamp !== undefined),
    );
    await fixture.pass(120_000);
    expect((await fixture.events('workers')).some((event) => event.startsWith('DrainingNode'))).toBe(false);
    await fixture.pass(240_000);
    const going = (await fixture.machines()).find(({ metadata }) => metadata.deletionTimestamp !== undefined);
    const { deletionTimestamp = '', name = '' } = going?.metadata ?? {};
    const message = `Machine ${name}: DrainingNode: since ${deletionTimestamp ?? ''}: Pod default/web-${name}: PodDisruptionBudget web needs 2 pods, has 2: help them, or set spec.nodeDrainTimeout`;
    expect(await lines(fixture)).toContain(message);
    expect(message.length).toBeLessThanOrEqual(MOST_OF_A_MESSAGE);
    expect((await fixture.events('workers')).filter((event) => event === `DrainingNode: ${message}`)).toHaveLength(1);
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { nodeDrainTimeout: '1m' } });
    await fixture.until('it is gone', async () => (await fixture.machines()).length === 1);
    await fixture.until('all is well', () => fixture.hasCondition('workers', 'AllMachinesReady', 'True'));
  });
});
