import { DaemonSetController, JobController, StatefulSetController } from '@capstan/cluster';
import type { Controller, WorkloadOptions } from '@capstan/cluster';
import { sleep } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import type { PlannedFault } from '../faults/fault.js';
import { failureText } from '../run/report.js';
import { runOnce } from '../run/run.js';
import type { RunResult } from '../run/run.js';
import type { Scenario, Step } from '../scenario.js';
import type { CommitEvent, SimulationEvent } from '../engine/event-log.js';
import { deploymentScenario } from './deployments.js';
import { controllerProcess } from './processes.js';
import { deployment, DEPLOYMENTS } from './resources.js';

const LABELS = { app: 'web' };
const SELECTED = { selector: { matchLabels: LABELS } };

/** Runs until it is stopped. */
const templateOf = (kind: string): object => ({
  metadata: { labels: LABELS },
  spec: {
    ...(kind === 'Job' ? { restartPolicy: 'Never' } : {}),
    terminationGracePeriodSeconds: 5,
    containers: [{ name: 'main', image: 'app:1' }],
  },
});

const wait: Step = { name: 'wait', run: ({ clock }) => sleep(clock, 10_000) };

/** A Deployment comes and goes, at times at which faults can strike. */
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

/** The watch, which is the second request for a resource after its list, sends nothing from before the deletion on. */
const stall = (process: string, group: string, plural: string): PlannedFault => ({
  process,
  subject: `GET /apis/${group}/v1/${plural}`,
  occurrence: 2,
  action: { kind: 'watch-stall', afterMs: 15_000, forMs: 60_000 },
});

async function expectCalm(each: Scenario, faults: readonly PlannedFault[]): Promise<RunResult> {
  const result = await runOnce(each, { seed: 1, faults });
  expect(result.violations.length === 0 ? '' : failureText(result)).toBe('');
  expect(result.faults).toEqual(expect.arrayContaining([...faults]));
  expect(result.faults).toHaveLength(faults.length);
  return result;
}

/** How many pods were made after an object was gone. */
function madeInVain({ events }: RunResult, resource: string): number {
  const isCommit = (event: SimulationEvent): event is CommitEvent => event.type === 'commit';
  const commits = events.filter(isCommit);
  const gone = commits.findIndex((event) => event.resource === resource && event.change === 'delete');
  expect(gone).toBeGreaterThan(-1);
  return commits.slice(gone).filter((event) => event.resource === 'pods' && event.change === 'create').length;
}

it.each([
  ['deployments', ['deployments']],
  ['replicasets', ['replicasets']],
  ['both', ['deployments', 'replicasets']],
])('nothing is made over and over for what is gone while watches of %s are late', async (_which, plurals) => {
  await expectCalm(
    scenario,
    plurals.map((plural) => stall('deployments', 'apps', plural)),
  );
});

interface Workload {
  readonly group: string;
  readonly kind: string;
  readonly spec?: object;
  readonly make: (options: WorkloadOptions) => Controller;
}

it.each<Workload>([
  { group: 'batch', kind: 'Job', make: (options) => new JobController(options) },
  { group: 'apps', kind: 'StatefulSet', spec: SELECTED, make: (options) => new StatefulSetController(options) },
  { group: 'apps', kind: 'DaemonSet', spec: SELECTED, make: (options) => new DaemonSetController(options) },
])(
  'nothing is made over and over for a $kind that is gone while its watch is late',
  async ({ group, kind, make, spec }) => {
    const plural = `${kind.toLowerCase()}s`;
    const ref = { group, version: 'v1', plural, namespaced: true };
    const object: KubeObject = {
      apiVersion: `${group}/v1`,
      kind,
      metadata: { name: 'web', namespace: 'default' },
      spec: { ...spec, template: templateOf(kind) },
    };
    const process = controllerProcess('workload', (context, informers) => [make({ ...context, informers })]);
    const each: Scenario = {
      ...scenario,
      processes: [process, ...scenario.processes.slice(1)],
      steps: [
        wait,
        { name: 'create', run: ({ client }) => client.create(ref, object) },
        wait,
        {
          name: 'delete',
          run: ({ client }) => client.delete(ref, 'web', { namespace: 'default', propagationPolicy: 'Background' }),
        },
      ],
    };
    const result = await expectCalm(each, [stall('workload', group, plural)]);
    // The one that is created before its status is written, which no one adopts.
    expect(madeInVain(result, `${group}/${plural}`)).toBeLessThanOrEqual(1);
  },
);
