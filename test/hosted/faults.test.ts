import type { StoreSnapshot } from '@capstan/apiserver';
import { systemRandom } from '@capstan/kube';
import { HostingPlatforms } from '@capstan/provider';
import { testPlatform } from '@capstan/provider/testing';
import { ALL_FAULTS, DrawnFaults } from '@capstan/simulation';
import type { FaultSource, SendEvent } from '@capstan/simulation';
import { beforeAll, describe, expect, it } from 'vitest';
import { clusterObjects, hostedSnapshot, hostedSimulation, poolObject } from '@capstan/tools/hosting';
import { isLiving } from '@capstan/upstream';
import { endState } from './end-state.js';
import { Subject } from './scenario.js';

const PLATFORM = testPlatform();
const PLATFORMS = new HostingPlatforms([PLATFORM]);
const HOUR_MS = 3_600_000;
/** Seeds in each run of the tests; CAPSTAN_SEEDS sets another number, `npm run test:hosted` takes 20. */
const SEEDS = Number(process.env['CAPSTAN_SEEDS'] ?? 1);
const FIRST_SEED = Number(process.env['CAPSTAN_SEED'] ?? 1);
/** What is under test; everything around it is as reliable as it can be. */
const OURS = /^operator$|\/(?:control-plane-operator|hosted-cluster-config-operator)$/;

/** Drawn faults are seldom the server's; it is sent away as well at every so many effects of ours. */
const RESTART_EVERY = 500;

/** Faults of our operators alone, except for restarts of the server, which affect all clients. */
function faultsOf(seed: number): FaultSource {
  const drawn = new DrawnFaults(systemRandom(`faults ${seed}`), { rate: 0.03, kinds: ALL_FAULTS });
  let effects = 0;
  return {
    strike: (effect, point, likelihood) => {
      if (!OURS.test(effect.process)) return undefined;
      effects += 1;
      if (effects % RESTART_EVERY === 0)
        return { kind: 'server-restart', downMs: 5_000, keepsHistory: effects % (2 * RESTART_EVERY) === 0 };
      return drawn.strike(effect, point, likelihood);
    },
  };
}

type Simulation = Awaited<ReturnType<typeof hostedSimulation>>;

/** What our operators ask for from a moment on, but for watches and the leases by which they lead. */
function requestsSince({ simulation }: Simulation, sinceMs: number): string[] {
  return simulation.log.events
    .filter((event): event is SendEvent => event.type === 'send' && event.at >= sinceMs && OURS.test(event.process))
    .map(({ method, process, target }) => `${process}: ${method} ${target}`)
    .filter((request) => !/watch=true|\/leases/.test(request));
}

/** Two clusters; one is scaled and upgraded, the other deleted. Gives what is left of the first. */
async function endStateOf(snapshot: StoreSnapshot, faults?: FaultSource): Promise<Readonly<Record<string, string>>> {
  const hosted = await hostedSimulation(PLATFORMS, { snapshot, faults, faultsUntilMs: 600_000 });
  const { simulation } = hosted;
  const [image = '', next = ''] = hosted.images;
  for (const name of ['red', 'blue'])
    await hosted.apply([
      ...clusterObjects(PLATFORM, name, image),
      poolObject(PLATFORM, { name: `${name}-pool`, cluster: name, image }, { replicas: 1 }),
    ]);
  const [red, blue] = [new Subject(hosted, PLATFORM, 'red'), new Subject(hosted, PLATFORM, 'blue')];
  for (const subject of [red, blue]) await subject.nodes(1, 'v1.35.2');
  await red.change('red-pool', { replicas: 2 });
  await red.nodes(2, 'v1.35.2');
  await red.upgrade(next, '4.22.1');
  await red.change('red-pool', { release: { image: next } });
  await red.nodes(2, 'v1.35.3');
  await simulation.runUntil(Math.max(simulation.elapsed, 600_000) + 300_000);
  const before = await endState(hosted, 'red');
  await blue.destroy();
  await simulation.runUntil(simulation.elapsed + 300_000);
  const state = await endState(hosted, 'red');
  expect(state).toEqual(before);
  expect(await endState(hosted, 'blue')).toEqual({ machines: '0' });
  await red.cloudAgrees();
  expect(hosted.cloud.instances.filter((instance) => isLiving(instance))).toHaveLength(2);
  const since = simulation.elapsed;
  await simulation.runUntil(since + HOUR_MS);
  const requests = requestsSince(hosted, since);
  expect(requests.filter((request) => !request.includes(': GET '))).toEqual([]);
  expect(requests.length).toBeLessThanOrEqual(50);
  simulation.end();
  const struck = simulation.log.events.filter(({ type }) => type === 'fault').length;
  const restarts = simulation.log.events.filter(({ process, type }) => type === 'crash' && process === 'server').length;
  expect([struck > 20, restarts > 1]).toEqual(faults === undefined ? [false, false] : [true, true]);
  return state;
}

it('repeats the same events from the same seed', { timeout: 300_000 }, async () => {
  const snapshot = await hostedSnapshot(PLATFORMS);
  const digest = async (seed: number): Promise<string> => {
    const hosted = await hostedSimulation(PLATFORMS, { snapshot, seed });
    const [image = ''] = hosted.images;
    await hosted.apply([
      ...clusterObjects(PLATFORM, 'red', image),
      poolObject(PLATFORM, { name: 'pool', cluster: 'red', image }, { replicas: 1 }),
    ]);
    await new Subject(hosted, PLATFORM, 'red').nodes(1, 'v1.35.2');
    hosted.simulation.end();
    return hosted.simulation.log.digest;
  };
  const first = await digest(7);
  expect(await digest(7)).toBe(first);
  expect(await digest(8)).not.toBe(first);
});

describe('two hosted clusters whose operators crash and whose requests fail', () => {
  let snapshot: StoreSnapshot;
  let undisturbed: Readonly<Record<string, string>>;

  beforeAll(async () => {
    snapshot = await hostedSnapshot(PLATFORMS);
    undisturbed = await endStateOf(snapshot);
  }, 900_000);

  it('have all their objects and random values in the compared end state', () => {
    expect(undisturbed).toMatchObject({ machines: '2' });
    expect(Object.keys(undisturbed).length).toBeGreaterThan(50);
    // Secrets are compared by their contents, and random values in them by their names.
    expect(undisturbed['secrets/root-ca']).toContain('"ca.key":"<key of <CA root-ca>>"');
    expect(undisturbed['secrets/admin-kubeconfig']).toContain(String.raw`\"token\":\"<kas-tokens 0>\"`);
  });

  for (let seed = FIRST_SEED; seed < FIRST_SEED + SEEDS; seed += 1)
    it(`come to the same, from seed ${seed}`, { timeout: 900_000 }, async () => {
      expect(await endStateOf(snapshot, faultsOf(seed))).toEqual(undisturbed);
    });
});
