import type { KubeObject } from '@capstan/meta';
import { sleep } from '@capstan/kube';
import { expect, it } from 'vitest';
import type { PlannedFault } from '../faults/fault.js';
import { generalOracles } from '../oracles/general.js';
import { failureText } from '../run/report.js';
import { runOnce } from '../run/run.js';
import type { Scenario } from '../scenario.js';
import { nodeProcess } from './processes.js';
import { PODS } from './resources.js';

const NODE = 'node-0';
const POD = '/api/v1/namespaces/default/pods/solo';

const pod: KubeObject = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'solo', namespace: 'default' },
  spec: { nodeName: NODE, terminationGracePeriodSeconds: 5, containers: [{ name: 'main', image: 'app:1' }] },
};

/** One pod comes and goes on one node: its names do not depend on chance, so faults can name their effects. */
const scenario: Scenario = {
  name: 'solo',
  about: 'A pod comes and goes',
  processes: [nodeProcess()],
  steps: [
    { name: 'wait for the node', run: ({ clock }) => sleep(clock, 5_000) },
    { name: 'create', run: ({ client }) => client.create(PODS, pod) },
    { name: 'wait', run: ({ clock }) => sleep(clock, 5_000) },
    { name: 'delete', run: ({ client }) => client.delete(PODS, 'solo', { namespace: 'default' }) },
  ],
  oracles: generalOracles,
  faultsForMs: 30_000,
  stepGapMs: 1,
  // Before the node reports its status again: that would set going what is stuck.
  convergeWithinMs: 60_000,
  quietMs: 60_000,
  goal: (state) => state.of('pods').map(({ metadata }) => `Pod ${metadata.name ?? ''} is still there`),
};

const strikes = (subject: string, action: PlannedFault['action'], occurrence = 1): PlannedFault => ({
  process: NODE,
  subject,
  occurrence,
  action,
});

/** Faults that once found something wrong. */
const REMEMBERED: readonly (readonly [about: string, faults: readonly PlannedFault[]])[] = [
  [
    'a pod that is to go and never ran is deleted, also when the first request fails',
    [
      strikes(`PATCH ${POD}/status`, { kind: 'crash', when: 'after', downMs: 20_000 }),
      strikes(`DELETE ${POD}`, { kind: 'lost-before' }),
    ],
  ],
  [
    'a pod goes whose deletion is first seen in the answer of a write',
    [
      // The first is the list.
      strikes('GET /api/v1/pods', { kind: 'watch-stall', afterMs: 7_000, forMs: 60_000 }, 2),
      strikes(`PATCH ${POD}/status`, { kind: 'delay', ms: 10_000 }),
    ],
  ],
];

it.each(REMEMBERED)('%s', { timeout: 60_000 }, async (_about, faults) => {
  const result = await runOnce(scenario, { seed: 1, faults });
  expect(result.violations.length === 0 ? '' : failureText(result)).toBe('');
  // What strikes nothing finds nothing.
  expect(result.faults).toEqual(faults);
});
