import type { KubeObject } from '@capstan/meta';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { requestRollback } from './by-hand.js';
import {
  bothGroups,
  createFleet,
  freshNamespace,
  kindOf,
  migrationServer,
  MigrationFixture,
  PRIVATE,
  STANDARD,
} from './fixture.js';
import { HostedMigration, hostedKinds } from './hosted.js';

const SUCCESS = 'True Migrated: Cluster API objects are in the private groups';
const SINCE = '2025-12-31T00:00:00Z';

let fixture: MigrationFixture;
let hosted: HostedMigration;

beforeEach(async () => {
  fixture = await MigrationFixture.start(await migrationServer([...bothGroups(), ...hostedKinds()]), freshNamespace());
  hosted = await HostedMigration.create(fixture);
  await createFleet(fixture, false);
  await hosted.begin();
}, 60_000);
afterEach(() => fixture.close());

const get = (group: string, kind: string, name: string): Promise<KubeObject> =>
  fixture.client.get(kindOf(group, kind), name, { namespace: fixture.namespace });

/** Gives an object another status, all of it. */
async function report(kind: string, name: string, status: object): Promise<void> {
  const before = await get(STANDARD, kind, name);
  await fixture.client.update(kindOf(STANDARD, kind), { ...before, status } as KubeObject, { subresource: 'status' });
}

/** Migrates and rolls back; the status of an object, which must be the same at each of the three times. */
async function carried(kind: string, name: string): Promise<void> {
  const { status } = await get(STANDARD, kind, name);
  await hosted.lock();
  await hosted.run();
  expect(await hosted.condition()).toBe(SUCCESS);
  expect((await get(PRIVATE, kind, name))['status']).toEqual(status);
  await requestRollback(hosted);
  await hosted.run();
  expect((await get(STANDARD, kind, name))['status']).toEqual(status);
}

describe('A cluster that was not healthy before its migration', () => {
  it('keeps the errors of its Cluster, and is migrated all the same', async () => {
    const failure = { type: 'InfrastructureReady', status: 'False', reason: 'Deleted', message: 'the VPC is gone' };
    await report('Cluster', 'infra-a', {
      phase: 'Failed',
      initialization: { infrastructureProvisioned: false },
      conditions: [{ ...failure, lastTransitionTime: SINCE }],
      deprecated: {
        v1beta1: {
          failureReason: 'CreateError',
          failureMessage: 'the VPC is gone',
          conditions: [{ ...failure, severity: 'Error', lastTransitionTime: SINCE }],
        },
      },
    });
    await carried('Cluster', 'infra-a');
  });

  it('keeps a Machine that has failed with its reason, and replaces none', async () => {
    const reason = { failureReason: 'CreateError', failureMessage: 'no capacity in the zone' };
    const unready = { type: 'Ready', status: 'False', reason: 'InstanceFailed', message: 'no capacity in the zone' };
    await report('Machine', 'workers-1', {
      phase: 'Failed',
      conditions: [{ ...unready, lastTransitionTime: SINCE }],
      deprecated: { v1beta1: reason },
    });
    const before = await get(STANDARD, 'Machine', 'workers-1');
    await carried('Machine', 'workers-1');
    const machines = await fixture.list(kindOf(STANDARD, 'Machine'));
    expect(machines.map(({ metadata, spec }) => [metadata.name, spec])).toEqual([['workers-1', before['spec']]]);
  });
});
