import { CURRENT_CONFIG_ANNOTATION, MACHINE_SETS, NODE_POOLS, TARGET_CONFIG_ANNOTATION } from '@capstan/hosting';
import { testPlatform } from '@capstan/provider/testing';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { HOME, imageOf, NAMESPACE, nodePool } from './objects.js';
import { Fixture } from './fixture.js';

const IN_PLACE = { management: { upgradeType: 'InPlace', inPlace: { maxUnavailable: '50%' } } };
const UPGRADE = 'hypershift.openshift.io/nodePoolUpgradeInProgress';

describe('a pool whose nodes are upgraded in place', { timeout: 120_000 }, () => {
  it('asks for an upgrade by an annotation, reports its progress, and is done when the nodes are', async () => {
    const fixture = await Fixture.begin();
    await fixture.client.create(NODE_POOLS, nodePool('workers', { ...IN_PLACE, replicas: 4 }));
    await fixture.until('machines', () => fixture.isRolledOut('workers', '4.22.0'));
    await fixture.reachIgnition();
    await fixture.until('it was reached', () => fixture.hasCondition('workers', 'ReachedIgnitionEndpoint', 'True'));
    const asked = async (): Promise<JsonObject> => {
      const { annotations = {} } = (await fixture.machineSet('workers')).metadata;
      const most = annotations['hypershift.openshift.io/nodePoolMaxUnavailable'];
      return { most, isDone: annotations[CURRENT_CONFIG_ANNOTATION] === annotations[TARGET_CONFIG_ANNOTATION] };
    };
    expect(await asked()).toEqual({ most: '2', isDone: true });
    const before = (await fixture.machines()).map(({ metadata }) => metadata.uid);

    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { release: { image: imageOf('4.22.1') } } });
    await fixture.until('an upgrade is asked for', async () => (await asked())['isDone'] === false);
    await fixture.until('it is reported', () => fixture.hasCondition('workers', 'UpdatingVersion', 'True'));
    const say = (annotations: JsonObject): Promise<unknown> =>
      fixture.merge(MACHINE_SETS, HOME, 'workers', { metadata: { annotations } });
    await say({ [`${UPGRADE}True`]: '1 of 4' });
    const condition = async (type: string): Promise<readonly unknown[]> => {
      const found = (await fixture.pool('workers')).status?.conditions?.find((condition) => condition.type === type);
      return [found?.status, found?.reason, found?.message];
    };
    await fixture.until('it reports its progress', async () => (await condition('UpdatingVersion'))[2] === '1 of 4');
    await say({ [`${UPGRADE}True`]: null, [`${UPGRADE}False`]: 'Node a is degraded' });
    await fixture.until('it failed', async () => (await condition('UpdatingVersion'))[0] === 'False');
    expect(await condition('UpdatingVersion')).toEqual(['False', 'InplaceUpgradeFailed', 'Node a is degraded']);
    expect((await fixture.pool('workers')).status?.version).toBe('4.22.0');
    await fixture.until('an event', async () => (await fixture.events('workers')).length > 0);
    expect(await fixture.events('workers')).toContain('InplaceUpgradeFailed: Node a is degraded');

    const target = (await fixture.machineSet('workers')).metadata.annotations?.[TARGET_CONFIG_ANNOTATION] ?? '';
    await say({ [`${UPGRADE}False`]: null, [CURRENT_CONFIG_ANNOTATION]: target });
    await fixture.until('the version', () => fixture.isRolledOut('workers', '4.22.1'));
    expect((await fixture.machines()).map(({ metadata }) => metadata.uid)).toEqual(before);
    // Nodes did not ask the ignition server again, and that is as it should be.
    expect(await fixture.hasCondition('workers', 'ReachedIgnitionEndpoint', 'True')).toBe(true);
    await fixture.pass(5000);
    const seen = fixture.logLength;
    await fixture.pass(60_000);
    expect(fixture.writes(seen)).toEqual([]);
  });

  it('keeps what instances were started with where the platform needs it', async () => {
    const { nodePools } = testPlatform();
    const fixture = await Fixture.begin({
      platform: testPlatform({ nodePools: { ...nodePools, keepsUserData: true } }),
    });
    await fixture.client.create(NODE_POOLS, nodePool('workers', { ...IN_PLACE, replicas: 1 }));
    await fixture.until('a machine', () => fixture.isRolledOut('workers', '4.22.0'));
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { release: { image: imageOf('4.22.1') } } });
    await fixture.until('both are there', async () => (await fixture.poolSecrets()).length === 4);
    await fixture.pass(60_000);
    expect(await fixture.poolSecrets()).toHaveLength(4);
  });
});

describe('a platform without machines of its own', { timeout: 120_000 }, () => {
  it('creates user data, and nothing else', async () => {
    const { machineTemplate: _, ...platform } = testPlatform();
    const fixture = await Fixture.begin({ platform, hasMachines: false });
    await fixture.client.create(NODE_POOLS, nodePool('workers'));
    await fixture.until('the version', async () => (await fixture.pool('workers')).status?.version === '4.22.0');
    expect(await fixture.poolSecrets()).toHaveLength(2);
    const kinds = fixture.writes().map((write) => write.split(' ')[1]);
    expect(new Set(kinds)).toEqual(new Set(['hypershift.openshift.io/nodepools', 'secrets']));
    // The status of the secrets it created is written in the next reconcile.
    await fixture.pass(10_000);
    const seen = fixture.logLength;
    await fixture.pass(60_000);
    expect(fixture.writes(seen)).toEqual([]);
  });
});
