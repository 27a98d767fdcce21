import { describe, expect, it } from 'vitest';
import { canElect, hasOriginal, leaveToFullRun, suiteScope } from '@capstan/tools';
import type { ServerAccess } from '@capstan/tools';
import { differences, onEmbedded, onReal, upstreamSnapshots } from './places.js';
import { startFront } from './private-front.js';
import { runScenario } from './run-scenario.js';
import type { Snapshots, Who } from './run-scenario.js';

/*
 * The life of a cluster with the upstream manager of Cluster API as it is, once on a server of its own and once
 * through the proxy on one that the platform uses as well: at each moment there must be the same objects.
 */

let handovers = 0;

async function describePrivately(access: ServerAccess, who: Who): Promise<Snapshots> {
  const front = await startFront(access);
  try {
    return await runScenario(access, who, { ...front, handedOver: () => (handovers += 1) });
  } finally {
    await front.close();
  }
}

/** A brief run leaves the embedded server out, for the way through the proxy is the same. */
const places = [['a real kube-apiserver', onReal] as const, ['the embedded server', onEmbedded] as const];
const chosen = suiteScope() === 'full' ? places : places.slice(0, 1);
leaveToFullRun(places.length - chosen.length, 'lives of a cluster on the embedded server, through the proxy');

describe.skipIf(!hasOriginal()).concurrent('the upstream manager of Cluster API through the proxy', () => {
  it.each(chosen)('creates on %s the same objects as without the proxy', { timeout: 900_000 }, async (_, on) => {
    const [privately, openly] = await Promise.all([
      on((access) => describePrivately(access, 'upstream')),
      upstreamSnapshots(on),
    ]);
    expect(differences(privately, openly)).toEqual([]);
  });
});

it.skipIf(!hasOriginal() || !canElect())(
  'a second manager waited for the lease each time, and finished the scenario',
  () => {
    expect(handovers).toBe(chosen.length);
  },
);
