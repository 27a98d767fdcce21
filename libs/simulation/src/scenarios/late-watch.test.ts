import { sleep } from '@capstan/kube';
import { expect, it } from 'vitest';
import type { PlannedFault } from '../faults/fault.js';
import { failureText } from '../run/report.js';
import { runOnce } from '../run/run.js';
import type { Scenario, Step } from '../run/scenario.js';
import { deploymentScenario } from './deployments.js';
import { deployment, DEPLOYMENTS } from './resources.js';

const wait: Step = { name: 'wait', run: ({ clock }) => sleep(clock, 10_000) };

/** A Deployment comes and goes, at times that faults can be told to strike at. */
const scenario: Scenario = {
  ...deploymentScenario,
  name: 'late-watch',
  steps: [
    wait,
    { name: 'create', run: ({ client }) => client.create(DEPLOYMENTS, deployment('default', 'web', 2, 'app:1')) },
    wait,
    { name: 'delete', run: ({ client }) => client.delete(DEPLOYMENTS, 'web', { namespace: 'default' }) },
  ],
  stepGapMs: 1,
};

/** The watch, which is the second request for a resource after its list, says nothing from before the deletion on. */
const stall = (plural: string): PlannedFault => ({
  process: 'deployments',
  subject: `GET /apis/apps/v1/${plural}`,
  occurrence: 2,
  action: { kind: 'watch-stall', afterMs: 15_000, forMs: 60_000 },
});

it.each([
  ['deployments', [stall('deployments')]],
  ['replicasets', [stall('replicasets')]],
  ['both', [stall('deployments'), stall('replicasets')]],
])('nothing is made over and over for what is gone while watches of %s are late', async (_which, faults) => {
  const result = await runOnce(scenario, { seed: 1, faults });
  expect(result.violations.length === 0 ? '' : failureText(result)).toBe('');
  expect(result.faults).toEqual(expect.arrayContaining(faults));
  expect(result.faults).toHaveLength(faults.length);
});
