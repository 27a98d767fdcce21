import { fleetSnapshot, SimulatedMigration } from '@capstan/tools/migration';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

let fleet: SimulatedMigration;
beforeAll(async () => {
  fleet = await SimulatedMigration.start({ snapshot: await fleetSnapshot() }, { machines: 1 });
}, 120_000);
afterAll(() => fleet.simulation.end());

/** Of other tests the oracle: without this, one that sees nothing would pass them all. */
describe('The user of a hosted cluster', () => {
  it('has nothing to complain about while nothing happens', async () => {
    await fleet.pass(60_000);
    expect([fleet.probe.failures, [...fleet.probe.lostNodes]]).toEqual([[], []]);
    expect(fleet.probe.requests).toBeGreaterThan(100);
  });

  it('notices a node that is not ready any more', async () => {
    fleet.hosted.cloud.lose(fleet.instances[0]?.id ?? '');
    await fleet.pass(120_000);
    expect([...fleet.probe.lostNodes]).toHaveLength(1);
  });

  it('notices an API server that is away', async () => {
    fleet.hosted.guests.get('clusters-red')?.lower();
    await fleet.pass(2_000);
    expect(fleet.probe.failures.length).toBeGreaterThan(0);
    expect(fleet.probe.failures[0]).toContain('no kube-apiserver of the hosted cluster is running');
  });
});
