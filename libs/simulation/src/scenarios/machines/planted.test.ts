import type { CloudApi } from '@capstan/upstream';
import { expect, it } from 'vitest';
import type { PlannedFault } from '../../faults/fault.js';
import { runOnce } from '../../run/run.js';
import { plantedMachineScenario } from './scenario.js';

type Between = (cloud: CloudApi) => CloudApi;

/** The provider crashes once an instance is created, before it is recorded, and stays down for this long. */
const diesAfterCreating = (name: string, downMs: number): PlannedFault => ({
  process: 'infrastructure-provider',
  subject: `CALL cloud create ${name}`,
  occurrence: 1,
  action: { kind: 'crash', when: 'after', downMs },
});

/** Machine `a` stays, machine `e` is deleted while the provider is down. */
const FAULTS = [diesAfterCreating('a', 5_000), diesAfterCreating('e', 120_000)];

let asked = 0;

/** Providers with a mistake in them, and the oracle that must find it. */
const MISTAKES: readonly (readonly [about: string, oracle: string, between: Between])[] = [
  [
    'asks with another token each time',
    'one-instance-per-token',
    (cloud) => ({
      ...cloud,
      create: (request) => cloud.create({ ...request, token: `${request.token} ${(asked += 1)}` }),
    }),
  ],
  [
    'never finds an instance whose provider id it has not written down',
    'instance-owner',
    (cloud) => ({ ...cloud, list: () => Promise.resolve([]) }),
  ],
  [
    'takes the instance of another for its own',
    'terminated-in-use',
    (cloud) => ({ ...cloud, list: (platform) => cloud.list(platform, {}) }),
  ],
];

async function found(between?: Between): Promise<string[]> {
  const { faults, violations } = await runOnce(plantedMachineScenario({ platform: 'aws', between }), {
    seed: 1,
    faults: FAULTS,
  });
  expect(faults).toEqual(FAULTS);
  return violations.map(({ oracle }) => oracle);
}

it('a crash between an instance and its being written down loses nothing', { timeout: 60_000 }, async () => {
  expect(await found()).toEqual([]);
});

it('a pause before an instance is asked for loses nothing either', { timeout: 120_000 }, async () => {
  const scenario = plantedMachineScenario({ platform: 'aws' });
  let isStruck = true;
  let occurrence = 0;
  // Before each, the last ones included: those of machines that came while others were well.
  while (isStruck) {
    occurrence += 1;
    const subject = 'GET /api/v1/namespaces/clusters/secrets/user-data';
    const fault = {
      process: 'infrastructure-provider',
      subject,
      occurrence,
      action: { kind: 'pause', ms: 119_000 },
    } as const;
    const { faults, violations } = await runOnce(scenario, { seed: 1, faults: [fault] });
    expect([occurrence, violations.map(({ message }) => message)]).toEqual([occurrence, []]);
    isStruck = faults.length > 0;
  }
  expect(occurrence).toBeGreaterThan(6);
});

it.each(MISTAKES)('a provider that %s is found out', { timeout: 60_000 }, async (_, oracle, between) => {
  expect(await found(between)).toContain(oracle);
});
