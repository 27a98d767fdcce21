import type { StoreSnapshot } from '@capstan/apiserver';
import { LEGACY_OPERATOR, PRIVATE_OPERATOR } from '@capstan/tools/hosting';
import { fleetSnapshot, MIGRATION_PROCESS, migrationProcess, SimulatedMigration } from '@capstan/tools/migration';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';

const MACHINES = 2;
/** Longer than every lease and every wait for an acknowledgement. */
const AWAY_MS = 900_000;
const OUTAGE_MS = 120_000;
const OPERATORS = [LEGACY_OPERATOR, PRIVATE_OPERATOR];

/** The steps at which each way waits for others: everything else is done between two looks. */
const FORWARD = ['stop both operators', 'scale down', 'scale up', 'verify health'];
const BACK = ['stop both operators', 'stop private controllers', 'start standard controllers'];

let snapshot: StoreSnapshot;
let fleet: SimulatedMigration;
let since = 0;
beforeAll(async () => {
  snapshot = await fleetSnapshot();
}, 120_000);
beforeEach(async () => {
  fleet = await SimulatedMigration.start({ snapshot }, { machines: MACHINES });
  since = fleet.simulation.elapsed;
}, 120_000);
afterEach(() => fleet.simulation.end());

/** Runs until the condition shows the step. */
async function until(step: string): Promise<void> {
  for (let at = 0; at < 3_000; at += 1) {
    if ((await fleet.progress()).includes(`, ${step}`)) return;
    await fleet.pass(100);
  }
  throw new Error(`never at '${step}': ${await fleet.progress()}`);
}

function startMigration(): void {
  fleet.simulation.spawn(migrationProcess({ platform: fleet.platform }));
}

/** What Deployments at no replicas do: nothing, for a while. */
async function operatorsAtZero(): Promise<void> {
  for (const name of [MIGRATION_PROCESS, 'operator', LEGACY_OPERATOR.name ?? '']) fleet.simulation.stop(name);
  await fleet.pass(AWAY_MS);
  for (const operator of OPERATORS) fleet.hosted.startOperator(operator);
  startMigration();
}

/** No machine is lost or created, no user notices, and nothing is against the rules of a migration. */
async function expectUnharmed(): Promise<void> {
  await fleet.settled(MACHINES);
  await fleet.pass(60_000);
  expect(fleet.violations()).toEqual([]);
  expect(fleet.cloudCalls(since)).toEqual({});
  expect([fleet.probe.failures, [...fleet.probe.lostNodes]]).toEqual([[], []]);
}

describe('With the operators at no replicas for a quarter of an hour', () => {
  it('a migration goes on from every step at which that happens', async () => {
    startMigration();
    for (const step of FORWARD) {
      await until(step);
      await operatorsAtZero();
    }
    expect(await fleet.ended()).toBe('migrated');
    await operatorsAtZero();
    await expectUnharmed();
  }, 300_000);

  it('a rollback by hand goes on from every step at which that happens', async () => {
    startMigration();
    await fleet.ended();
    await fleet.rollBack();
    for (const step of BACK) {
      await until(step);
      await operatorsAtZero();
    }
    expect(await fleet.ended()).toBe('manual-rollback');
    await expectUnharmed();
  }, 300_000);
});

describe('With the API server of the management cluster away for two minutes', () => {
  const outage = (): void => fleet.simulation.restartServer(OUTAGE_MS, false);

  it('a migration goes on from every step at which that happens', async () => {
    startMigration();
    for (const step of FORWARD) {
      await until(step);
      outage();
      await fleet.pass(OUTAGE_MS);
    }
    expect(await fleet.ended()).toBe('migrated');
    await expectUnharmed();
  }, 300_000);

  it('a rollback by hand goes on from every step at which that happens', async () => {
    startMigration();
    await fleet.ended();
    await fleet.rollBack();
    for (const step of BACK) {
      await until(step);
      outage();
      await fleet.pass(OUTAGE_MS);
    }
    expect(await fleet.ended()).toBe('manual-rollback');
    await expectUnharmed();
  }, 300_000);

  it('a migration that is rolled back because of that is retried once the server is back', async () => {
    fleet.hosted.refusals.set('clusters-red/cluster-api', 'the registry is away as well');
    startMigration();
    await until('scale up');
    outage();
    expect(await fleet.ended()).toBe('deployment-timeout');
    fleet.hosted.refusals.clear();
    await fleet.retry();
    expect(await fleet.ended()).toBe('migrated');
    await expectUnharmed();
  }, 300_000);
});
