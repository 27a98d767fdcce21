import { CURRENT_CONFIG_ANNOTATION, MACHINE_SETS, NODE_POOLS, TARGET_CONFIG_ANNOTATION } from '@capstan/hosting';
import { systemRandom } from '@capstan/kube';
import { DrawnFaults } from '@capstan/simulation';
import { describe, expect, it } from 'vitest';
import { HOME, imageOf, NAMESPACE, nodePool } from './objects.js';
import { Fixture } from './fixture.js';

/** How many lives are simulated: `CAPSTAN_SEEDS=100`. */
const seeds = Array.from({ length: Number(process.env['CAPSTAN_SEEDS'] ?? 2) }, (_, at) => at + 1);
const FAULTS_FOR_MS = 400_000;

/** Stands in for the in-place upgrader: reports nodes as upgraded once they have their configuration. */
async function upgradeNodes(fixture: Fixture): Promise<void> {
  const asked = async (): Promise<string | undefined> => {
    if (!(await fixture.exists(MACHINE_SETS, HOME, 'workers'))) return undefined;
    return (await fixture.machineSet('workers')).metadata.annotations?.[TARGET_CONFIG_ANNOTATION];
  };
  await fixture.until('an upgrade is asked for', async () => (await asked()) !== undefined);
  await fixture.pass(60_000);
  const annotations = { [CURRENT_CONFIG_ANNOTATION]: (await asked()) ?? '' };
  await fixture.merge(MACHINE_SETS, HOME, 'workers', { metadata: { annotations } });
}

describe('a pool whose operator meets faults reaches its desired state', { timeout: 600_000 }, () => {
  it.each(seeds)('from seed %i', async (seed) => {
    const drawn = new DrawnFaults(systemRandom(seed), { rate: 0.1 });
    const begun: { fixture?: Fixture } = {};
    const fixture = await Fixture.begin({
      seed,
      faults: {
        strike: (effect, point, chance) =>
          (begun.fixture?.simulation.elapsed ?? 0) > FAULTS_FOR_MS ? undefined : drawn.strike(effect, point, chance),
      },
    });
    begun.fixture = fixture;
    // What a user writes to a server that is away comes to nothing.
    const isUp = (): Promise<void> => fixture.until('the server is up', () => fixture.simulation.isServerUp);
    await isUp();
    const isInPlace = seed % 2 === 0;
    const management = isInPlace ? { management: { upgradeType: 'InPlace' } } : {};
    await fixture.client.create(NODE_POOLS, nodePool('workers', { replicas: 2, ...management }));
    await fixture.pass(100_000);
    await isUp();
    const spec = { release: { image: imageOf('4.22.1') }, replicas: 3, nodeLabels: { a: 'b' } };
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec });
    await fixture.pass(100_000);
    await isUp();
    await fixture.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { platform: { harbour: { size: 'large' } } } });
    await fixture.pass(FAULTS_FOR_MS);
    if (isInPlace) await upgradeNodes(fixture);
    await fixture.until('it is rolled out', () => fixture.isRolledOut('workers', '4.22.1'));
    await fixture.until('templates are collected', async () => (await fixture.templates()).length === 1);
    await fixture.pass(60_000);
    const seen = fixture.logLength;
    await fixture.pass(60_000);
    expect(fixture.writes(seen)).toEqual([]);
    await fixture.client.delete(NODE_POOLS, 'workers', { namespace: NAMESPACE });
    await fixture.until('it is gone', async () => !(await fixture.exists(NODE_POOLS, NAMESPACE, 'workers')));
    expect([await fixture.poolSecrets(), await fixture.templates(), await fixture.machines()]).toEqual([[], [], []]);
  });
});
