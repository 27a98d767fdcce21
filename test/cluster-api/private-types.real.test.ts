import { describe, expect, it } from 'vitest';
import { canElect, hasOriginal, leaveToFullRun, suiteScope } from '@capstan/tools';
import type { ServerAccess } from '@capstan/tools';
import { differences, onEmbedded, onReal, toldByOriginal } from './places.js';
import { startFront } from './private-front.js';
import { runScenario } from './run-scenario.js';
import type { Told, Who } from './run-scenario.js';

/*
 * The life of a cluster, told with the original manager of Cluster API as it is, once on a server of its own and once
 * through the proxy on one that the platform uses as well: what there is at each moment must be the same.
 */

let handovers = 0;

async function describePrivately(access: ServerAccess, who: Who): Promise<Told> {
  const front = await startFront(access);
  try {
    return await runScenario(access, who, { ...front, handedOver: () => (handovers += 1) });
  } finally {
    await front.close();
  }
}

/** A brief run leaves the embedded server out, for the way through the proxy is the same. */
const places = [['a real kube-apiserver', onReal] as const, ['the embedded server', onEmbedded] as const];
const told = suiteScope() === 'full' ? places : places.slice(0, 1);
leaveToFullRun(places.length - told.length, 'lives of a cluster on the embedded server, through the proxy');

describe.skipIf(!hasOriginal()).concurrent('the original manager of Cluster API through the proxy', () => {
  it.each(told)('does on %s what it does without', { timeout: 900_000 }, async (_, on) => {
    const [privately, openly] = await Promise.all([
      on((access) => describePrivately(access, 'original')),
      toldByOriginal(on),
    ]);
    expect(differences(privately, openly)).toEqual([]);
  });
});

it.skipIf(!hasOriginal() || !canElect())(
  'each time a second manager had waited for the lease, and ended the story',
  () => {
    expect(handovers).toBe(told.length);
  },
);
