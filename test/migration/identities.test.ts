import { Client, patchFrom } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { HOSTED_CLUSTERS, MANUAL_ROLLBACK, withLock, withRollback } from '@capstan/hosting';
import { installDefinitions } from '@capstan/tools/hosting';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { bothGroups, createFleet, freshNamespace, migrationServer, MigrationFixture } from './fixture.js';
import { PRIVATE, STANDARD } from './fixture.js';
import { HostedMigration, hostedKinds } from './hosted.js';
import { identitiesOf, sharingClustersOf, sharingProvider } from './sharing-provider.js';

const KINDS = [...bothGroups(), ...hostedKinds()];

let fleet: HostedMigration[] = [];
let shared: string;

/** A hosted cluster whose infrastructure authenticates by the shared identity. */
async function hostedCluster(): Promise<HostedMigration> {
  const fixture = await MigrationFixture.start(await migrationServer(KINDS), freshNamespace());
  const hosted = await HostedMigration.create(fixture);
  await createFleet(fixture, false);
  const metadata = { name: 'infra', namespace: fixture.namespace };
  await fixture.create(sharingClustersOf(STANDARD), {
    metadata,
    spec: { identityRef: { kind: 'TestIdentity', name: shared } },
  });
  await hosted.begin();
  fleet.push(hosted);
  return hosted;
}

async function identity(group: string): Promise<KubeObject | undefined> {
  const [{ fixture }] = fleet as [HostedMigration];
  return fixture.client.get(identitiesOf(group), shared, {}).catch(ignoreNotFound);
}

const role = async (group: string): Promise<unknown> => ((await identity(group))?.['spec'] as { role?: string })?.role;

async function change(group: string, spec: object): Promise<void> {
  const [{ fixture }] = fleet as [HostedMigration];
  await fixture.client.patch(identitiesOf(group), shared, { type: 'merge', value: { spec } as never }, {});
}

async function create(spec: object): Promise<void> {
  const [{ fixture }] = fleet as [HostedMigration];
  await fixture.create(identitiesOf(STANDARD), { metadata: { name: shared }, spec });
}

async function migrate(hosted: HostedMigration): Promise<string> {
  await hosted.lock();
  await hosted.run();
  return (await hosted.condition()).split(':')[0] ?? '';
}

async function rollBack(hosted: HostedMigration): Promise<string> {
  const before = await hosted.hostedCluster();
  const locked = withLock(before, { id: `back-${hosted.name}`, startedAt: '2026-01-01T00:00:00Z' });
  const after = withRollback(locked, { reason: MANUAL_ROLLBACK });
  await patchFrom(hosted.fixture.client, HOSTED_CLUSTERS, { before, after });
  await hosted.run();
  return (await hosted.condition()).split(':')[0] ?? '';
}

beforeAll(async () => {
  // Another suite may have opened the server.
  const client = new Client(await migrationServer(KINDS), { userAgent: 'test' });
  await installDefinitions(client, sharingProvider());
}, 60_000);
beforeEach(async () => {
  fleet = [];
  shared = `identity-${freshNamespace()}`;
  await hostedCluster();
  await hostedCluster();
  await create({ role: 'first' });
}, 60_000);
afterEach(async () => {
  for (const { fixture } of fleet) await fixture.close();
});

describe('An identity that clusters share', () => {
  it('is copied with the first and removed with the last of them, and comes back with a rollback', async () => {
    const [a, b] = fleet as [HostedMigration, HostedMigration];
    expect(await migrate(a)).toBe('True Migrated');
    expect([await role(STANDARD), await role(PRIVATE)]).toEqual(['first', 'first']);
    expect(await migrate(b)).toBe('True Migrated');
    expect([await role(STANDARD), await role(PRIVATE)]).toEqual([undefined, 'first']);
    await change(PRIVATE, { role: 'second' });
    expect(await rollBack(a)).toBe('False Failed');
    expect([await role(STANDARD), await role(PRIVATE)]).toEqual(['second', 'second']);
    expect(await rollBack(b)).toBe('False Failed');
    expect([await role(STANDARD), await role(PRIVATE)]).toEqual(['second', undefined]);
  });

  it('keeps no later cluster from its migration when a user changes it between two of them', async () => {
    const [a, b] = fleet as [HostedMigration, HostedMigration];
    expect(await migrate(a)).toBe('True Migrated');
    await change(STANDARD, { role: 'second' });
    expect(await migrate(b)).toBe('True Migrated');
    expect(await role(PRIVATE)).toBe('second');
  });

  it('is followed when a user changes it in the middle of a migration', async () => {
    const [a] = fleet as [HostedMigration];
    await a.lock();
    for (let looks = 0; looks < 50 && (await identity(PRIVATE)) === undefined; looks += 1)
      await a.clock.advance((await a.look()) ?? 0);
    await change(STANDARD, { role: 'second' });
    await a.run();
    expect([await a.condition(), await role(PRIVATE)]).toEqual([
      'True Migrated: Cluster API objects are in the private groups',
      'second',
    ]);
  });

  it('is followed when a user recreates it', async () => {
    const [a, b] = fleet as [HostedMigration, HostedMigration];
    expect(await migrate(a)).toBe('True Migrated');
    await a.fixture.client.delete(identitiesOf(STANDARD), shared, {});
    await create({ role: 'second' });
    expect(await migrate(b)).toBe('True Migrated');
    expect([await role(STANDARD), await role(PRIVATE)]).toEqual([undefined, 'second']);
  });

  it('is not left behind by a migration that fails', async () => {
    const [a] = fleet as [HostedMigration];
    a.actors.delete('control-plane-operator');
    expect(await migrate(a)).toBe('False Failed');
    expect([await role(STANDARD), await role(PRIVATE)]).toEqual(['first', undefined]);
  });
});
