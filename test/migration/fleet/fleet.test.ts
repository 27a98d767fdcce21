import type { StoreSnapshot } from '@capstan/apiserver';
import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { scriptedFailure } from '@capstan/kube/testing';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { PRIVATE, STANDARD } from '../fixture.js';
import { identitiesOf, sharingClustersOf } from '../sharing-provider.js';
import { emptyServer, Fleet } from './fleet.js';

let snapshot: StoreSnapshot;
let fleet: Fleet;
beforeAll(async () => {
  snapshot = await emptyServer();
}, 60_000);
afterEach(() => fleet.close());

const LIMIT_MS = 300_000;
const NAMES = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i', 'j'];
const gauge = (name: string, value: number): string => `hypershift_private_capi_${name}_hosted_clusters_total ${value}`;

async function label(name: string): Promise<void> {
  const value = { metadata: { labels: { tier: 'canary' } } };
  await fleet.client.patch(HOSTED_CLUSTERS, name, { type: 'merge', value }, { namespace: 'clusters' });
}

const isMigrated = async (name: string): Promise<boolean> => (await fleet.states())[name] === 'Migrated';

describe('A fleet under one migration controller', () => {
  it(
    'is migrated one cluster at a time, in the order that users gave, through restarts, and counted at each step',
    async () => {
      fleet = await Fleet.of(snapshot, NAMES);
      await fleet.order({ first: 'clusters/i, clusters/h', selector: 'tier=canary' });
      await label('f');
      fleet.start();
      await fleet.until('the first is migrated', () => isMigrated('f'));
      // Between two migrations or in the middle of one, the operator is away for a while.
      await fleet.stop();
      await fleet.pass(600_000);
      const locked = fleet.locked;
      fleet.start();
      await fleet.until('two are migrated', async () => (await isMigrated('h')) && (await isMigrated('i')));
      expect(fleet.locked.length).toBeLessThan(2);
      await fleet.until('the next is locked', () => fleet.locked.includes('a'));
      await fleet.pass(10_000);
      await fleet.stop();
      await fleet.pass(600_000);
      expect(fleet.locked).toEqual(['a']);
      fleet.start();
      const seen = new Set<string>();
      await fleet.until('all are migrated', async () => {
        const counts = fleet.metrics.filter((line) => line.includes('hosted_clusters_total'));
        seen.add(counts.join(', '));
        return Object.values(await fleet.states()).every((state) => state === 'Migrated');
      });
      expect(fleet.started).toEqual(['f', 'h', 'i', 'a', 'b', 'c', 'd', 'e', 'g', 'j']);
      expect([fleet.lockedTogether, locked.length < 2]).toEqual([[], true]);
      for (let migrated = 4; migrated <= 10; migrated += 1)
        expect([...seen]).toContain([gauge('migrated', migrated), gauge('pending', 10 - migrated)].join(', '));
      // Those of this process: each is counted once, though it is reported only after its lock is gone.
      const durations = fleet.metrics.filter((line) => line.includes('duration_seconds_count'));
      expect(durations).toEqual(['hypershift_private_capi_migration_duration_seconds_count{cluster_size="small"} 7']);
    },
    LIMIT_MS,
  );

  it(
    'stops after the next cluster, which a rollback by hand is not',
    async () => {
      fleet = await Fleet.of(snapshot, ['a', 'b', 'c']);
      await fleet.order({ hold: 'after-next' });
      fleet.start();
      await fleet.until('one is migrated', () => isMigrated('a'));
      await fleet.pass(300_000);
      expect([await fleet.hold(), fleet.started]).toEqual(['true', ['a']]);
      expect((await fleet.states())['b']).toBe('Pending');
      await fleet.rollBack('a');
      await fleet.order({ hold: 'after-next' });
      await fleet.until('it is rolled back', async () => (await fleet.states())['a'] === 'Failed');
      await fleet.until('the next one is migrated', () => isMigrated('b'));
      await fleet.pass(300_000);
      expect([await fleet.hold(), fleet.started]).toEqual(['true', ['a', 'b']]);
    },
    LIMIT_MS,
  );

  it.each([
    ['a', 'b'],
    ['b', 'a'],
  ])(
    'brings %s back by hand while %s is migrated, and neither waits for the other',
    async (back, next) => {
      fleet = await Fleet.of(snapshot, ['a', 'b']);
      await fleet.order({ hold: 'after-next', first: `clusters/${back}` });
      fleet.start();
      await fleet.until('one is migrated', () => isMigrated(back));
      // The limits of both go on: neither waits for ever, here for an operator that does not answer.
      fleet.hosted(next).actors.delete('operators');
      await fleet.order({});
      await fleet.until('the next one is locked', () => fleet.locked.includes(next));
      await fleet.rollBack(back);
      expect([...fleet.locked].toSorted()).toEqual(['a', 'b']);
      await fleet.until('both have ended', () => fleet.locked.length === 0);
      await fleet.pass(60_000);
      expect(await fleet.states()).toEqual({ [back]: 'Failed', [next]: 'Failed' });
      expect(await fleet.hosted(back).condition()).toContain('rolled back (manual-rollback)');
      expect(await fleet.hosted(next).condition()).toContain('rolled back (acknowledge-timeout)');
    },
    LIMIT_MS,
  );
});

describe('An identity that clusters share', () => {
  it(
    'follows what users change of it while one cluster is migrated and another is not',
    async () => {
      fleet = await Fleet.of(snapshot, ['a', 'b']);
      const create = (role: string) =>
        fleet.hosted('a').fixture.create(identitiesOf(STANDARD), { metadata: { name: 'shared' }, spec: { role } });
      const role = async (): Promise<unknown> =>
        ((await fleet.client.get(identitiesOf(PRIVATE), 'shared', {}))['spec'] as { role: string }).role;
      await create('first');
      for (const { fixture } of fleet.clusters.values()) {
        const metadata = { name: 'infra', namespace: fixture.namespace };
        const spec = { identityRef: { kind: 'TestIdentity', name: 'shared' } };
        await fixture.create(sharingClustersOf(STANDARD), { metadata, spec });
      }
      await fleet.order({ hold: 'after-next' });
      fleet.start();
      await fleet.until('one is migrated', () => isMigrated('a'));
      expect(await role()).toBe('first');
      const value = { spec: { role: 'second' } };
      await fleet.client.patch(identitiesOf(STANDARD), 'shared', { type: 'merge', value }, {});
      await fleet.until('it has followed', async () => (await role()) === 'second');
      await fleet.client.delete(identitiesOf(STANDARD), 'shared', {});
      await create('third');
      await fleet.until('it has followed the new one', async () => (await role()) === 'third');
    },
    LIMIT_MS,
  );
});

describe('A cluster in the middle of its migration', () => {
  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a selector', { selector: 'tier in (' }, 'selector: '],
    ['a name', { first: 'b' }, 'first: "b" is no namespace/name'],
    ['a hold', { hold: 'yes' }, 'hold: "yes" is none of true, after-next and false'],
  ])(
    'goes on although %s of the order is not valid, and no other starts until it is corrected',
    async (_, order, problem) => {
      fleet = await Fleet.of(snapshot, ['a', 'b']);
      fleet.start();
      await fleet.until('the first is locked', () => fleet.locked.includes('a'));
      await fleet.order(order);
      await fleet.until('it is migrated', () => isMigrated('a'));
      await fleet.pass(120_000);
      expect(fleet.started).toEqual(['a']);
      const where = 'ConfigMap hypershift/private-capi-migration-fleet, ';
      expect(await fleet.hosted('b').condition()).toContain(`False Pending: ${where}${problem}`);
      expect((await eventsOf('ConfigMap')).join()).toContain('InvalidMigrationOrder');
      await fleet.order({});
      await fleet.until('the other is migrated', () => isMigrated('b'));
    },
    LIMIT_MS,
  );

  it(
    'goes on although another cluster, or its own condition, cannot be written',
    async () => {
      fleet = await Fleet.of(snapshot, ['a', 'b', 'c']);
      // The second can neither be locked nor get a condition; the first no condition.
      fleet.transport = {
        send: (request) =>
          request.method === 'PATCH' && /\/hostedclusters\/(?:b|b\/status|a\/status)(?:\?|$)/u.test(request.target)
            ? Promise.resolve(scriptedFailure(422, 'Invalid'))
            : fleet.server.send(request),
      };
      fleet.start();
      await fleet.until('the last is migrated', () => isMigrated('c'));
      expect(fleet.started).toEqual(['a', 'c']);
      const events = await eventsOf('HostedCluster');
      for (const what of ['a: the condition', 'b: the condition', 'b: the lock'])
        expect(
          events.filter((each) => each.startsWith(`MigrationWriteRefused ${what} of the HostedCluster`)),
        ).not.toEqual([]);
      // Reported and counted once it can be written.
      const durations = (): string[] => fleet.metrics.filter((line) => line.includes('duration_seconds_count'));
      expect(durations()).toEqual(['hypershift_private_capi_migration_duration_seconds_count{cluster_size="small"} 1']);
      await fleet.stop();
      fleet.transport = fleet.server;
      fleet.start();
      await fleet.until('all are migrated', async () =>
        Object.values(await fleet.states()).every((state) => state === 'Migrated'),
      );
      expect(durations()).toEqual(['hypershift_private_capi_migration_duration_seconds_count{cluster_size="small"} 2']);
    },
    LIMIT_MS,
  );
});

async function eventsOf(kind: string): Promise<string[]> {
  const events = { group: '', version: 'v1', plural: 'events', namespaced: true };
  const { items } = await fleet.client.list(events, {});
  return items
    .filter(({ involvedObject }) => (involvedObject as { kind: string }).kind === kind)
    .map((each) => `${each['reason']} ${(each['involvedObject'] as { name: string }).name}: ${each['message']}`);
}
