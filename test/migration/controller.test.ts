import { lockOf, MIGRATION_FAILURE_ANNOTATION, MIGRATION_REPLICAS_ANNOTATION } from '@capstan/hosting';
import type { KubeObject } from '@capstan/meta';
import { installDefinitions } from '@capstan/tools/hosting';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventually } from '../src/wait.js';
import {
  bothGroups,
  CONFIG_MAPS,
  createFleet,
  freshNamespace,
  kindOf,
  migrationServer,
  MigrationFixture,
  PRIVATE,
  STANDARD,
} from './fixture.js';
import { HostedMigration, hostedKinds, TEST_SIDECAR } from './hosted.js';

const KINDS = ['Cluster', 'MachineSet', 'Machine'] as const;

let fixture: MigrationFixture;
let hosted: HostedMigration;

beforeEach(async () => {
  fixture = await MigrationFixture.start(await migrationServer([...bothGroups(), ...hostedKinds()]), freshNamespace());
  hosted = await HostedMigration.create(fixture);
  await createFleet(fixture, false);
  await hosted.begin();
}, 60_000);
afterEach(() => fixture.close());

const namesIn = async (group: string): Promise<string[]> => {
  const lists = await Promise.all(KINDS.map((kind) => fixture.list(kindOf(group, kind))));
  return lists.flat().map(({ kind, metadata }) => `${kind} ${metadata.name}`);
};

const ALL = ['Cluster infra-a', 'MachineSet workers', 'Machine workers-1'];

const annotationsOf = async (): Promise<Readonly<Record<string, string>>> => {
  const { annotations = {} } = (await hosted.hostedCluster()).metadata;
  return Object.fromEntries(
    Object.entries(annotations)
      .filter(([key]) => key !== MIGRATION_FAILURE_ANNOTATION)
      .map(([key, value]) => [key.replace('hypershift.openshift.io/', ''), value]),
  );
};

async function get(group: string, kind: string, name: string): Promise<KubeObject> {
  return fixture.client.get(kindOf(group, kind), name, { namespace: fixture.namespace });
}

async function patch(group: string, kind: string, name: string, value: object): Promise<void> {
  await fixture.client.patch(kindOf(group, kind), name, { type: 'merge', value }, { namespace: fixture.namespace });
}

/** Nothing of a migration is left but how it ended. */
async function expectRest(): Promise<void> {
  for (const { metadata, spec } of await hosted.deployments()) {
    expect(metadata.annotations?.[MIGRATION_REPLICAS_ANNOTATION]).toBeUndefined();
    expect(spec.replicas).toBe(1);
  }
  const { items } = await fixture.client.list(CONFIG_MAPS, { namespace: fixture.namespace });
  expect(items.map(({ metadata }) => metadata.name).filter((name) => name !== 'kube-root-ca.crt')).toEqual(['owned']);
}

async function expectStandard(): Promise<void> {
  expect(await namesIn(STANDARD)).toEqual(ALL);
  expect(await namesIn(PRIVATE)).toEqual([]);
  for (const deployment of await hosted.deployments()) expect(TEST_SIDECAR.has(deployment)).toBe(false);
  const cluster = await get(STANDARD, 'Cluster', 'infra-a');
  expect((cluster['spec'] as { paused?: boolean }).paused).not.toBe(true);
  const owned = await fixture.client.get(CONFIG_MAPS, 'owned', { namespace: fixture.namespace });
  expect(owned.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([cluster.metadata.uid]);
  await expectRest();
}

describe('A migration that succeeds', () => {
  it('leaves every object in the private groups and nothing in the standard ones', async () => {
    const before = await get(STANDARD, 'Machine', 'workers-1');
    await hosted.lock();
    await hosted.run();
    expect([await annotationsOf(), await hosted.condition()]).toEqual([
      { 'private-capi-types': 'true' },
      'True Migrated: Cluster API objects are in the private groups',
    ]);
    expect(await namesIn(STANDARD)).toEqual([]);
    expect(await namesIn(PRIVATE)).toEqual(ALL);
    const machine = await get(PRIVATE, 'Machine', 'workers-1');
    expect(machine['spec']).toMatchObject({ providerID: (before['spec'] as { providerID: string }).providerID });
    expect(machine['status']).toEqual(before['status']);
    expect((await get(PRIVATE, 'Cluster', 'infra-a'))['spec']).not.toHaveProperty('paused', true);
    for (const deployment of await hosted.deployments()) expect(TEST_SIDECAR.has(deployment)).toBe(true);
    await expectRest();
  });

  it('takes half a minute of health and no longer than it has to', async () => {
    await hosted.lock();
    await hosted.run();
    expect(hosted.clock.now() - Date.parse('2026-01-01T00:00:00Z')).toBeLessThan(120_000);
  });
});

describe('A migration that fails', () => {
  it.each([
    ['acknowledge-timeout', 'operators'],
    ['deployment-timeout', 'control-plane-operator'],
  ] as const)('with %s is rolled back', async (reason, absent) => {
    hosted.actors.delete(absent);
    await hosted.lock();
    await hosted.run();
    expect(await annotationsOf()).toEqual({ scope: 'legacy', 'migration-failed': reason });
    expect(await hosted.condition()).toContain(`False Failed: rolled back (${reason})`);
    await expectStandard();
  });

  it('removes the label by which standard objects are refused', async () => {
    const namespaces = { group: '', version: 'v1', plural: 'namespaces', namespaced: false };
    const label = 'hypershift.openshift.io/private-capi-types';
    const value = { metadata: { labels: { [label]: 'true', kept: 'yes' } } };
    await fixture.client.patch(namespaces, fixture.namespace, { type: 'merge', value });
    hosted.actors.delete('operators');
    await hosted.lock();
    await hosted.run();
    const { labels } = (await fixture.client.get(namespaces, fixture.namespace)).metadata;
    expect([labels?.[label], labels?.['kept']]).toEqual([undefined, 'yes']);
  });

  it('with a missing private CRD names it, and changes nothing', async () => {
    const crds = {
      group: 'apiextensions.k8s.io',
      version: 'v1',
      plural: 'customresourcedefinitions',
      namespaced: false,
    };
    const name = `machinesets.${PRIVATE}`;
    const crd = bothGroups().find(({ metadata }) => metadata.name === name) as KubeObject;
    await fixture.client.delete(crds, name);
    await hosted.lock();
    await hosted.run();
    await installDefinitions(fixture.client, [crd]);
    expect(await annotationsOf()).toEqual({ scope: 'legacy', 'migration-failed': 'missing-private-crd' });
    expect(await hosted.condition()).toContain(`no CRD serves ${name}: run 'capstan crds mirror`);
    await expectStandard();
  });

  it('is tried again once its annotation is removed, and then succeeds', async () => {
    hosted.actors.delete('operators');
    await hosted.lock();
    await hosted.run();
    hosted.actors.add('operators');
    const value = { metadata: { annotations: { 'hypershift.openshift.io/migration-failed': null } } };
    const { metadata } = await hosted.hostedCluster();
    const kind = { group: 'hypershift.openshift.io', version: 'v1beta1', plural: 'hostedclusters', namespaced: true };
    await fixture.client.patch(kind, hosted.name, { type: 'merge', value }, { namespace: metadata.namespace });
    await hosted.lock();
    await hosted.run();
    expect(await annotationsOf()).toEqual({ 'private-capi-types': 'true' });
    expect(await namesIn(PRIVATE)).toEqual(ALL);
  });
});

/** Creation times have no parts of seconds: only after this are copies younger than their originals. */
async function nextSecond(): Promise<void> {
  const second = (): number => Math.floor(Date.now() / 1_000);
  const began = second();
  await eventually('the end of a second', async () => second() > began);
}

/** Goes on until the copies are unpaused. */
async function untilUnpaused(): Promise<void> {
  for (let looks = 0; looks < 50; looks += 1) {
    const afterMs = await hosted.look();
    const [cluster] = await fixture.list(kindOf(PRIVATE, 'Cluster'));
    const isPaused = (cluster?.['spec'] as { paused?: boolean } | undefined)?.paused;
    if (cluster !== undefined && isPaused !== true) return;
    await hosted.clock.advance(afterMs ?? 0);
  }
  throw new Error(`never unpaused: ${await hosted.condition()}`);
}

describe('While the private controllers run, before the commit', () => {
  it('what they change, create and delete comes back with a rollback', async () => {
    await nextSecond();
    await hosted.lock();
    await untilUnpaused();
    await patch(PRIVATE, 'MachineSet', 'workers', { spec: { replicas: 2 } });
    const machine = await get(PRIVATE, 'Machine', 'workers-1');
    const { labels, ownerReferences } = machine.metadata;
    const spec = { ...(machine['spec'] as object), providerID: 'aws:///us-east-1a/i-new' };
    await fixture.create(kindOf(PRIVATE, 'Machine'), {
      metadata: {
        name: 'workers-2',
        namespace: fixture.namespace,
        labels,
        ownerReferences,
        finalizers: machine.metadata.finalizers,
      },
      spec,
    } as never);
    await patch(PRIVATE, 'Machine', 'workers-1', { metadata: { finalizers: null } });
    await fixture.client.delete(kindOf(PRIVATE, 'Machine'), 'workers-1', { namespace: fixture.namespace });
    const at = { namespace: fixture.namespace, subresource: 'status' };
    const failed = { type: 'merge', value: { status: { phase: 'Failed' } } } as const;
    await fixture.client.patch(kindOf(PRIVATE, 'Cluster'), 'infra-a', failed, at);
    await hosted.run();
    expect(await annotationsOf()).toEqual({ scope: 'legacy', 'migration-failed': 'health-check-timeout' });
    expect(await namesIn(STANDARD)).toEqual(['Cluster infra-a', 'MachineSet workers', 'Machine workers-2']);
    expect(await namesIn(PRIVATE)).toEqual([]);
    const set = await get(STANDARD, 'MachineSet', 'workers');
    expect(set['spec']).toMatchObject({ replicas: 2 });
    const created = await get(STANDARD, 'Machine', 'workers-2');
    expect(created['spec']).toMatchObject({ providerID: 'aws:///us-east-1a/i-new' });
    expect(created.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual([set.metadata.uid]);
  });
});

describe('What another client writes to an original before the commit', () => {
  it('is noticed also where Cluster API has propagated the marks of another copy', async () => {
    await hosted.lock();
    await untilUnpaused();
    const propagated = (await get(PRIVATE, 'Cluster', 'infra-a')).metadata.annotations;
    await patch(PRIVATE, 'MachineSet', 'workers', { metadata: { annotations: propagated } });
    await patch(STANDARD, 'MachineSet', 'workers', { metadata: { labels: { of: 'a-user' } } });
    await patch(PRIVATE, 'MachineSet', 'workers', { metadata: { labels: { of: 'a-controller', own: 'true' } } });
    await hosted.run();
    expect(await annotationsOf()).toEqual({ scope: 'legacy', 'migration-failed': 'resource-conversion-failed' });
    expect(await hosted.condition()).toContain('written in a standard group during the migration: MachineSet workers');
    const { labels } = (await get(STANDARD, 'MachineSet', 'workers')).metadata;
    expect(labels).toEqual({ team: 'a', of: 'a-user', own: 'true' });
  });
});

describe('A lock of another client', () => {
  it('is never touched', async () => {
    const value = { metadata: { annotations: { 'hypershift.openshift.io/migration-in-progress': 'true' } } };
    const kind = { group: 'hypershift.openshift.io', version: 'v1beta1', plural: 'hostedclusters', namespaced: true };
    const { namespace } = (await hosted.hostedCluster()).metadata;
    await fixture.client.patch(kind, hosted.name, { type: 'merge', value }, { namespace });
    const before = await hosted.hostedCluster();
    expect(lockOf(before).holder).toBe('foreign');
    expect(await hosted.look()).toBeUndefined();
    expect((await hosted.hostedCluster()).metadata.annotations).toEqual(before.metadata.annotations);
  });
});
