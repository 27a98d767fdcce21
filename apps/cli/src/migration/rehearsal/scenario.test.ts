import { ApiServer } from '@capstan/apiserver';
import { Client, systemClock, systemRandom } from '@capstan/kube';
import { rehearse } from '@capstan/simulation';
import type { RehearsalOutcome } from '@capstan/simulation';
import { beforeAll, describe, expect, it } from 'vitest';
import { copyOfCluster } from './cluster-copy.js';
import type { ClusterCopy } from './cluster-copy.js';
import { readLive } from './read-live.js';
import { migrationScenario } from './scenario.js';
import { createTestCluster, installCrds, MAPPING, testCrds } from './testing-fleet.js';

let copy: ClusterCopy;

beforeAll(async () => {
  const server = new ApiServer({ clock: systemClock(), random: systemRandom('test') });
  const client = new Client(server, { userAgent: 'test' });
  await installCrds(client, await testCrds());
  await createTestCluster(client, { name: 'a', machines: 3 });
  const fleet = await readLive({ client, mapping: MAPPING, filter: () => true, signal: new AbortController().signal });
  const [source] = fleet.clusters;
  if (source === undefined) throw new Error('no cluster was read');
  copy = copyOfCluster(fleet, source, { mapping: MAPPING, mirrors: false, nowMs: Date.now() });
}, 60_000);

function rehearsed(seed: number, isFaulty: boolean): Promise<RehearsalOutcome> {
  return rehearse(migrationScenario(copy, MAPPING), { seed, isFaulty });
}

describe('A rehearsal of a migration', () => {
  it('migrates a copy and takes it back, and nothing differs', async () => {
    expect(copy).toMatchObject({ id: 'clusters/a', moved: 8, leftOut: [], ineligible: undefined });
    const outcome = await rehearsed(1, false);
    expect(outcome).toMatchObject({ result: 'done', differences: [] });
    expect(outcome.durationMs).toBeGreaterThan(30_000);
    expect(outcome.durationMs).toBeLessThan(300_000);
  });

  it.each([1, 2, 3])('under faults from seed %i ends without a difference', async (seed) => {
    const outcome = await rehearsed(seed, true);
    expect(outcome).toMatchObject({ differences: [] });
    expect(outcome.result).not.toBe('stuck');
  });

  it('gives the same outcome for the same seed', async () => {
    const once = await rehearsed(7, true);
    expect(await rehearsed(7, true)).toEqual(once);
  });
});
