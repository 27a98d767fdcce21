import { describe, expect, it } from 'vitest';
import { hasOriginal, leaveToFullRun, suiteScope } from '@capstan/tools';
import { differences, onEmbedded, onReal, upstreamSnapshots } from './places.js';
import { runScenario } from './run-scenario.js';

/*
 * The life of a cluster, once with our core manager of Cluster API and once with the upstream one, on a real server and on
 * ours: at each moment there must be the same objects, whichever manager created them.
 */

it.skipIf(hasOriginal())('our core manager of Cluster API runs the whole scenario', { timeout: 900_000 }, async () => {
  const snapshots = await onReal((access) => runScenario(access, 'ours'));
  expect(Object.keys(snapshots)).toEqual(['grown', 'rolled', 'healed']);
});

/** A brief run leaves the embedded server out: `npm test` covers what ours does there. */
const places = [['a real kube-apiserver', onReal] as const, ['the embedded server', onEmbedded] as const];
const chosen = suiteScope() === 'full' ? places : places.slice(0, 1);
leaveToFullRun(places.length - chosen.length, "lives of a cluster on the embedded server, ours and upstream's");

describe.skipIf(!hasOriginal()).concurrent("the core of Cluster API, ours and upstream's", () => {
  it.each(chosen)('creates the same objects on %s', { timeout: 900_000 }, async (_, on) => {
    const [ours, theirs] = await Promise.all([on((access) => runScenario(access, 'ours')), upstreamSnapshots(on)]);
    expect(differences(ours, theirs)).toEqual([]);
  });
});
