import { describe, expect, it } from 'vitest';
import { hasOriginal, leaveToFullRun, suiteScope } from '@capstan/tools';
import { differences, onEmbedded, onReal, toldByOriginal } from './places.js';
import { runScenario } from './run-scenario.js';

/*
 * One life of a cluster, told with our core manager of Cluster API and with the original one, on a real server and on
 * ours: what there is at each moment must be the same whoever did the work.
 */

it.skipIf(hasOriginal())('our core of Cluster API alone does it all', { timeout: 900_000 }, async () => {
  const told = await onReal((access) => runScenario(access, 'ours'));
  expect(Object.keys(told)).toEqual(['grown', 'rolled', 'healed']);
});

/** A brief run leaves the embedded server out: what ours does there `npm test` tells. */
const places = [['a real kube-apiserver', onReal] as const, ['the embedded server', onEmbedded] as const];
const told = suiteScope() === 'full' ? places : places.slice(0, 1);
leaveToFullRun(places.length - told.length, 'lives of a cluster on the embedded server, ours and the original');

describe.skipIf(!hasOriginal()).concurrent('the core of Cluster API, ours and the original', () => {
  it.each(told)('does the same on %s', { timeout: 900_000 }, async (_, on) => {
    const [ours, theirs] = await Promise.all([on((access) => runScenario(access, 'ours')), toldByOriginal(on)]);
    expect(differences(ours, theirs)).toEqual([]);
  });
});
