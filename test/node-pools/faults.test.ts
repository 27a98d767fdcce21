import { systemRandom } from '@capstan/kube';
import { CURRENT_CONFIG_ANNOTATION, MACHINE_SETS, NODE_POOLS, TARGET_CONFIG_ANNOTATION } from '@capstan/provider';
import { DrawnFaults } from '@capstan/simulation';
import { describe, expect, it } from 'vitest';
import { HOME, imageOf, NAMESPACE, nodePool } from './objects.js';
import { Stage } from './stage.js';

/** How many lives are told: `CAPSTAN_SEEDS=100`. */
const seeds = Array.from({ length: Number(process.env['CAPSTAN_SEEDS'] ?? 2) }, (_, at) => at + 1);
const FAULTS_FOR_MS = 400_000;

/** What upgrades nodes in place says when they have what they are to have. */
async function upgradeNodes(stage: Stage): Promise<void> {
  const asked = async (): Promise<string | undefined> => {
    if (!(await stage.exists(MACHINE_SETS, HOME, 'workers'))) return undefined;
    return (await stage.machineSet('workers')).metadata.annotations?.[TARGET_CONFIG_ANNOTATION];
  };
  await stage.until('an upgrade is asked for', async () => (await asked()) !== undefined);
  await stage.pass(60_000);
  const annotations = { [CURRENT_CONFIG_ANNOTATION]: (await asked()) ?? '' };
  await stage.merge(MACHINE_SETS, HOME, 'workers', { metadata: { annotations } });
}

describe('a pool comes to what it should be whatever fails on the way', { timeout: 600_000 }, () => {
  it.each(seeds)('from seed %i', async (seed) => {
    const drawn = new DrawnFaults(systemRandom(seed), { rate: 0.1 });
    const begun: { stage?: Stage } = {};
    const stage = await Stage.begin({
      seed,
      faults: {
        strike: (effect, point, chance) =>
          (begun.stage?.world.elapsed ?? 0) > FAULTS_FOR_MS ? undefined : drawn.strike(effect, point, chance),
      },
    });
    begun.stage = stage;
    // What a user writes to a server that is away comes to nothing.
    const isUp = (): Promise<void> => stage.until('the server is up', () => stage.world.isServerUp);
    await isUp();
    const isInPlace = seed % 2 === 0;
    const management = isInPlace ? { management: { upgradeType: 'InPlace' } } : {};
    await stage.client.create(NODE_POOLS, nodePool('workers', { replicas: 2, ...management }));
    await stage.pass(100_000);
    await isUp();
    const spec = { release: { image: imageOf('4.22.1') }, replicas: 3, nodeLabels: { a: 'b' } };
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec });
    await stage.pass(100_000);
    await isUp();
    await stage.merge(NODE_POOLS, NAMESPACE, 'workers', { spec: { platform: { harbour: { size: 'large' } } } });
    await stage.pass(FAULTS_FOR_MS);
    if (isInPlace) await upgradeNodes(stage);
    await stage.until('it is rolled out', () => stage.isRolledOut('workers', '4.22.1'));
    await stage.until('templates are collected', async () => (await stage.templates()).length === 1);
    await stage.pass(60_000);
    const seen = stage.logLength;
    await stage.pass(60_000);
    expect(stage.writes(seen)).toEqual([]);
    await stage.client.delete(NODE_POOLS, 'workers', { namespace: NAMESPACE });
    await stage.until('it is gone', async () => !(await stage.exists(NODE_POOLS, NAMESPACE, 'workers')));
    expect([await stage.poolSecrets(), await stage.templates(), await stage.machines()]).toEqual([[], [], []]);
  });
});
