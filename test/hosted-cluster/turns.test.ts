import { acknowledgedLock, conditionsOf, HOSTED_CLUSTERS, HOSTED_CONTROL_PLANES } from '@capstan/hosting';
import type { CapiEvidence, OperatorMode } from '@capstan/hosting';
import { patchFrom } from '@capstan/kube';
import type { KubeObject, Transport } from '@capstan/meta';
import { beforeAll, describe, expect, it } from 'vitest';
import { Fixture, PROXY } from './fixture.js';
import { DEPLOYMENTS, NAMESPACES } from './objects.js';
import { hostedServer } from './server.js';

const PREFIX = 'hypershift.openshift.io/';
const PRIVATE: OperatorMode = { kind: 'private' };
const LEGACY: OperatorMode = { kind: 'legacy' };
const LOCK = {
  'migration-in-progress': 'true',
  'migration-journal': '{"id":"a1","startedAt":"2026-01-01T00:00:00Z"}',
};
const NONE: CapiEvidence = { standard: false, private: false };
const STANDARD: CapiEvidence = { standard: true, private: false };
const BOTH: CapiEvidence = { standard: true, private: true };

type Annotations = Readonly<Record<string, string | null>>;

function own(annotations: Annotations): Readonly<Record<string, string>> {
  const named = Object.entries(annotations).map(([name, value]) => [`${PREFIX}${name}`, value]);
  return Object.fromEntries(named) as Record<string, string>;
}

describe('the operator of hosted clusters next to another', () => {
  let transport: Transport;
  let created = 0;

  beforeAll(async () => {
    transport = await hostedServer();
  }, 60_000);

  async function fixtureOf(mode: OperatorMode, annotations: Annotations, evidence = NONE): Promise<Fixture> {
    created += 1;
    const fixture = new Fixture(transport, { name: `turn-${created}`, namespace: 'turn-clusters' });
    fixture.mode = mode;
    fixture.evidence = evidence;
    fixture.restart();
    await fixture.begin({ metadata: { annotations: own(annotations) } });
    return fixture;
  }

  async function annotationsOf(fixture: Fixture): Promise<Readonly<Record<string, string>>> {
    const { annotations = {} } = (await fixture.hostedCluster()).metadata;
    const listed = Object.entries(annotations).filter(([name]) => /scope|private-capi|migration/u.test(name));
    return Object.fromEntries(listed.map(([name, value]) => [name.slice(PREFIX.length), value]));
  }

  const hasControlPlane = async (fixture: Fixture): Promise<boolean> =>
    (await fixture.find(HOSTED_CONTROL_PLANES, fixture.name, fixture.controlPlaneNamespace)) !== undefined;

  it('marks a new cluster before it creates anything', async () => {
    const fixture = await fixtureOf(PRIVATE, {});
    expect(await fixture.pass()).toBeUndefined();
    expect(await annotationsOf(fixture)).toEqual({ 'private-capi-types': 'true' });
    expect(fixture.effects.lines[0]).toContain('hostedclusters');
    expect(await hasControlPlane(fixture)).toBe(true);
    expect(fixture.warnings).toEqual([]);
  });

  it('leaves a cluster with standard objects to the legacy operator, marked', async () => {
    const fixture = await fixtureOf(PRIVATE, {}, STANDARD);
    await fixture.pass();
    expect(await annotationsOf(fixture)).toEqual({ scope: 'legacy' });
    await fixture.pass();
    expect(fixture.effects.lines).toHaveLength(1);
    fixture.mode = LEGACY;
    fixture.restart();
    await fixture.pass();
    expect(await hasControlPlane(fixture)).toBe(true);
  });

  it('does not reconcile as the legacy one what is not marked', async () => {
    const fixture = await fixtureOf(LEGACY, {});
    await fixture.pass();
    expect(fixture.effects.lines).toEqual([]);
  });

  it('repairs what is legacy and private by the objects, and reports it', async () => {
    const fixture = await fixtureOf(PRIVATE, { scope: 'legacy', 'private-capi-types': 'true' }, STANDARD);
    await fixture.pass();
    expect(await annotationsOf(fixture)).toEqual({ scope: 'legacy' });
    expect(fixture.warnings).toHaveLength(1);
    expect(fixture.warnings[0]).toContain('Invalid annotation state detected');
    expect((await fixture.events()).join()).toContain('Warning InvalidAnnotationState');
    expect(await hasControlPlane(fixture)).toBe(false);
  });

  it('changes nothing where both groups have objects and there is no journal', async () => {
    const annotations = { scope: 'legacy', 'private-capi-types': 'true' };
    const fixture = await fixtureOf(PRIVATE, annotations, BOTH);
    await fixture.pass();
    expect(await annotationsOf(fixture)).toEqual(annotations);
    expect(fixture.warnings[0]).toContain('Invalid annotation state detected');
    expect(await hasControlPlane(fixture)).toBe(false);
    expect(await fixture.condition('PrivateCAPIMigration')).toBe(
      'Unknown BothGroups: both groups have objects, and no journal of a migration is there: nothing reconciles this cluster until its annotations name one side',
    );
    // Looked at every half minute, and by an operator that starts again: reported once.
    await fixture.pass();
    fixture.restart();
    await fixture.pass();
    expect(fixture.effects.lines).toHaveLength(1);
    expect(fixture.warnings).toHaveLength(1);
    const events = (await fixture.events()).filter((each) => each.includes('InvalidAnnotationState'));
    expect(events).toHaveLength(1);
  });

  it.each([BOTH, { standard: false, private: true }])(
    'reconciles a cluster with objects in both groups once it is decided, by a user or by its objects (%o)',
    async (evidence) => {
      const fixture = await fixtureOf(PRIVATE, { scope: 'legacy', 'private-capi-types': 'true' }, BOTH);
      await fixture.pass();
      fixture.evidence = evidence;
      if (evidence === BOTH) await fixture.change({ metadata: { annotations: own({ scope: null }) } });
      await fixture.pass();
      expect(await annotationsOf(fixture)).toEqual({ 'private-capi-types': 'true' });
      expect(await hasControlPlane(fixture)).toBe(true);
    },
  );

  it('keeps that a cluster was migrated while both groups have objects', async () => {
    const fixture = await fixtureOf(PRIVATE, { scope: 'legacy', 'private-capi-types': 'true' }, BOTH);
    const before = await fixture.hostedCluster();
    const migrated = { type: 'PrivateCAPIMigration', status: 'True', reason: 'Migrated', message: 'm' };
    const conditions = [{ ...migrated, lastTransitionTime: '2026-01-01T00:00:00Z' }];
    await fixture.client.update(HOSTED_CLUSTERS, { ...before, status: { conditions } } as KubeObject, {
      subresource: 'status',
    });
    await fixture.pass();
    expect(await fixture.condition('PrivateCAPIMigration')).toContain('True BothGroups');
  });

  it.each<[string, OperatorMode, Annotations, string]>([
    ['of a migration', LEGACY, { scope: 'legacy', ...LOCK }, 'a1'],
    ['after the commit', PRIVATE, { 'private-capi-types': 'true', ...LOCK }, 'a1'],
    ['of another client', LEGACY, { scope: 'legacy', 'migration-in-progress': 'true' }, 'foreign'],
    ['of the only operator', { kind: 'standard' }, LOCK, 'a1'],
  ])('acknowledges the lock %s, and writes nothing else', async (_, mode, annotations, lock) => {
    const fixture = await fixtureOf(mode, annotations);
    await fixture.pass();
    await fixture.pass();
    expect(acknowledgedLock(conditionsOf(await fixture.hostedCluster()))).toBe(lock);
    expect(fixture.effects.lines).toHaveLength(1);
    expect((await fixture.hostedCluster()).metadata.finalizers).toBeUndefined();
  });

  it('does not acknowledge the lock of a cluster that the other one reconciles', async () => {
    const fixture = await fixtureOf(PRIVATE, { scope: 'legacy', ...LOCK });
    await fixture.pass();
    expect(fixture.effects.lines).toEqual([]);
  });

  it('acknowledges each lock, keeps conditions of others, and goes on when the lock is removed', async () => {
    const fixture = await fixtureOf(LEGACY, { scope: 'legacy' });
    await fixture.settle();
    const before = await fixture.hostedCluster();
    const migration = {
      type: 'PrivateCAPIMigration',
      status: 'False',
      reason: 'InProgress',
      message: 'step 1',
      lastTransitionTime: '2026-01-01T00:00:00Z',
    };
    const conditions = [...(conditionsOf(before) ?? []), migration];
    await fixture.client.update(
      HOSTED_CLUSTERS,
      { ...before, status: { ...before.status, conditions } } as typeof before,
      { subresource: 'status' },
    );
    for (const id of ['a1', 'b2']) {
      const journal = `{"id":"${id}","startedAt":"2026-01-01T00:00:00Z"}`;
      await fixture.change({ metadata: { annotations: own({ ...LOCK, 'migration-journal': journal }) } });
      await fixture.pass();
      const found = conditionsOf(await fixture.hostedCluster());
      expect(acknowledgedLock(found)).toBe(id);
      expect(found?.find(({ type }) => type === migration.type)).toEqual(migration);
    }
    await fixture.change({
      metadata: { annotations: own({ 'migration-in-progress': null, 'migration-journal': null }) },
    });
    await fixture.pass();
    expect(await fixture.condition('ReconciliationActive')).toContain('True AsExpected');
    expect(await fixture.condition('PrivateCAPIMigration')).toContain('InProgress');
  });

  it('does not delete a cluster under a lock', async () => {
    const fixture = await fixtureOf(LEGACY, { scope: 'legacy' });
    await fixture.settle();
    await fixture.change({ metadata: { annotations: own(LOCK) } });
    await fixture.client.delete(HOSTED_CLUSTERS, fixture.name, fixture);
    const lines = fixture.effects.lines.length;
    await fixture.pass();
    await fixture.pass();
    expect(fixture.effects.lines.slice(lines)).toHaveLength(1);
    expect(acknowledgedLock(conditionsOf(await fixture.hostedCluster()))).toBe('a1');
  });

  const deploymentsOf = async (fixture: Fixture): Promise<readonly KubeObject[]> =>
    (await fixture.client.list(DEPLOYMENTS, { namespace: fixture.controlPlaneNamespace })).items;

  it('gives the components of a new cluster their proxies, and changes nothing of them after that', async () => {
    const fixture = await fixtureOf(PRIVATE, {});
    await fixture.settle();
    const deployments = await deploymentsOf(fixture);
    expect(deployments.map(({ metadata }) => metadata.name)).toEqual([
      'capi-provider',
      'cluster-api',
      'control-plane-operator',
    ]);
    expect(deployments.map((each) => PROXY.has(each))).toEqual([true, true, true]);
    const { labels } = await fixture.client
      .get(NAMESPACES, fixture.controlPlaneNamespace)
      .then((each) => each.metadata);
    expect(labels?.[`${PREFIX}private-capi-types`]).toBe('true');
  });

  it('rolls out nothing of a migrated cluster', async () => {
    const fixture = await fixtureOf(LEGACY, { scope: 'legacy' });
    await fixture.settle();
    for (const before of await deploymentsOf(fixture))
      await patchFrom(fixture.client, DEPLOYMENTS, { before, after: PROXY.add(before) });
    const migrated = await deploymentsOf(fixture);
    expect(migrated.map((each) => PROXY.has(each))).toEqual([true, true, true]);
    fixture.mode = PRIVATE;
    fixture.restart();
    await fixture.change({ metadata: { annotations: own({ scope: null, 'private-capi-types': 'true' }) } });
    await fixture.settle();
    const templatesOf = (all: readonly KubeObject[]): unknown[] =>
      all.map((each) => (each['spec'] as { template: unknown }).template);
    expect(templatesOf(await deploymentsOf(fixture))).toEqual(templatesOf(migrated));
    expect((await deploymentsOf(fixture)).map(({ metadata }) => metadata.generation)).toEqual(
      migrated.map(({ metadata }) => metadata.generation),
    );
  });

  it('leaves the replicas of a Deployment that the migration has scaled down', async () => {
    const fixture = await fixtureOf(LEGACY, { scope: 'legacy' });
    await fixture.settle();
    const at = { namespace: fixture.controlPlaneNamespace };
    const scale = async (replicas: number, recorded: string | null): Promise<void> => {
      const value = { metadata: { annotations: own({ 'migration-replicas': recorded }) }, spec: { replicas } };
      await fixture.client.patch(DEPLOYMENTS, 'cluster-api', { type: 'merge', value }, at);
    };
    const replicas = async (): Promise<unknown> =>
      ((await fixture.client.get(DEPLOYMENTS, 'cluster-api', at))['spec'] as { replicas: number }).replicas;
    await scale(0, '1');
    await fixture.settle();
    expect(await replicas()).toBe(0);
    await scale(0, null);
    await fixture.settle();
    expect(await replicas()).toBe(1);
  });
});
