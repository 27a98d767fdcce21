import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findWorse, HEALTH_CHECKS } from './checks.js';
import type { ObservedHealth } from './checks.js';
import type { CheckedField } from './fields.js';
import { ERROR_CONDITIONS } from './health.js';
import type { ClusterHealth } from './health.js';
import type { TranslationFailure } from '../model.js';
import type { FailureReason } from '../reasons.js';
import type { ObservedWorkload, WorkloadHealth } from './workloads.js';

const RUNNING: WorkloadHealth = { updated: 1, available: 1, stopped: {}, restarted: [], idle: 0 };

const GOOD: ClusterHealth = {
  phase: 'Provisioned',
  infrastructureReady: true,
  clusterErrors: [],
  counts: { Cluster: 1, MachineDeployment: 1, MachineHealthCheck: 1 },
  wantedMachines: 2,
  machines: { a: 'Running', b: 'Running' },
  nodes: 2,
  steadyNodes: 2,
  spareNodes: 0,
  isApiAvailable: true,
  workloads: { autoscaler: RUNNING },
};

/** The Deployment as its workload reports, of one replica. */
function observed(
  { available, updated, ...rest }: WorkloadHealth,
  untranslated: readonly TranslationFailure[] = [],
): ObservedWorkload {
  const spec = { replicas: 1, selector: {}, template: { spec: { containers: [] } } };
  const status = { replicas: updated, updatedReplicas: updated, availableReplicas: available };
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'autoscaler' }, spec, status };
  return { deployment, available, updated, untranslated, ...rest };
}

const observe = ({ workloads, ...rest }: ClusterHealth): ObservedHealth => ({
  ...rest,
  workloads: Object.fromEntries(Object.entries(workloads).map(([name, each]) => [name, observed(each)])),
});

const workload = (changes: Partial<WorkloadHealth>): Partial<ClusterHealth> => ({
  workloads: { autoscaler: { ...RUNNING, ...changes } },
});

const LOOPING = { available: 0, stopped: { main: 'CrashLoopBackOff' }, restarted: ['main'] };

describe('Against its baseline, a cluster', () => {
  it.each<[string, Partial<ClusterHealth>, Partial<ClusterHealth>, string | undefined]>([
    ['that is the same is not worse', {}, {}, undefined],
    [
      'that lost its phase is worse',
      {},
      { phase: 'Failed' },
      'cluster-phase: the Cluster was Provisioned and is Failed',
    ],
    ['that had failed before may stay so', { phase: 'Failed' }, { phase: 'Failed' }, undefined],
    ['that is still provisioned is not worse', { phase: 'Provisioning' }, { phase: 'Provisioned' }, undefined],
    [
      'whose infrastructure is not ready is worse',
      {},
      { infrastructureReady: false },
      'infrastructure-ready: the infrastructure is not ready any more',
    ],
    [
      'with a new error is worse',
      { clusterErrors: ['A'] },
      { clusterErrors: ['A', 'B'] },
      'cluster-conditions: the Cluster has errors in its conditions: B',
    ],
    [
      'without a MachineDeployment is worse',
      {},
      { counts: { ...GOOD.counts, MachineDeployment: 0 } },
      'object-counts: objects are missing: MachineDeployment: 0 of 1',
    ],
    [
      'with a Machine that failed is worse',
      {},
      { machines: { a: 'Running', b: 'Failed' } },
      'machine-phases: Machines got worse: b is Failed',
    ],
    [
      'with a Machine that had failed before is not worse',
      { machines: { a: 'Running', b: 'Failed' } },
      { machines: { a: 'Running', b: 'Failed' } },
      undefined,
    ],
    [
      'that lost a Machine its sets want is worse',
      {},
      { machines: { a: 'Running' }, nodes: 2 },
      'machine-count: 1 of 2 Machines are left; missing: b',
    ],
    [
      'that was scaled down meanwhile is not worse',
      {},
      { machines: { a: 'Running' }, nodes: 1, wantedMachines: 1 },
      undefined,
    ],
    [
      'whose Machine was replaced meanwhile is not worse',
      {},
      { machines: { a: 'Running', c: 'Provisioning' }, nodes: 2 },
      undefined,
    ],
    ['with fewer Nodes is worse', {}, { nodes: 1 }, 'node-count: 1 Machines have a Node, 2 had one'],
    ['with fewer Nodes than rollouts may go without is not worse', {}, { nodes: 1, spareNodes: 1 }, undefined],
    ['whose Machine was being deleted is not worse without its Node', { steadyNodes: 1 }, { nodes: 1 }, undefined],
    [
      'whose API server does not answer is worse',
      {},
      { isApiAvailable: false },
      'api-available: the API server of the hosted cluster does not answer',
    ],
    [
      'whose API server did not answer before is not worse',
      { isApiAvailable: false },
      { isApiAvailable: false },
      undefined,
    ],
    [
      'with a Deployment that is not available is worse',
      {},
      workload({ available: 0 }),
      'deployment-readiness: Deployment autoscaler has 0 of 1 available replicas',
    ],
    [
      'with a Deployment that had no pods before is not worse',
      workload({ updated: 0, available: 0 }),
      workload({ updated: 0, available: 0 }),
      undefined,
    ],
    [
      'with a Deployment whose pods are not created any more is worse',
      workload({ available: 0 }),
      workload({ updated: 0, available: 0 }),
      'deployment-readiness: Deployment autoscaler has 0 of 1 updated replicas',
    ],
    [
      'with a Deployment that was not there before needs it to be available',
      { workloads: {} },
      workload({ available: 0 }),
      'deployment-readiness: Deployment autoscaler has 0 of 1 available replicas',
    ],
    [
      'with a container that does not run is worse',
      {},
      workload({ stopped: { main: 'CrashLoopBackOff' } }),
      'pod-states: Deployment autoscaler: container main is CrashLoopBackOff',
    ],
    ['with a container that crash-looped before is not worse', workload(LOOPING), workload(LOOPING), undefined],
    [
      'whose proxy crash-loops next to a container that did before is worse',
      workload(LOOPING),
      workload({ ...LOOPING, stopped: { main: 'CrashLoopBackOff', 'kube-apiserver-proxy': 'Error' } }),
      'pod-states: Deployment autoscaler: container kube-apiserver-proxy is Error',
    ],
    [
      'with a pod that is not scheduled is worse',
      {},
      workload({ idle: 1 }),
      'pod-states: Deployment autoscaler: 1 pods do not run',
    ],
    ['with a pod that was not scheduled before is not worse', workload({ idle: 1 }), workload({ idle: 1 }), undefined],
    [
      'with a container that restarts is worse',
      {},
      workload({ restarted: ['main'] }),
      'restart-counts: Deployment autoscaler: container main has restarted',
    ],
    [
      'with a container that restarts as before is not worse',
      workload(LOOPING),
      workload({ restarted: ['main'] }),
      undefined,
    ],
  ])('%s', (_, before, now, message) => {
    const found = findWorse({ ...GOOD, ...before }, observe({ ...GOOD, ...now }));
    expect(found.map((each) => each.message)).toEqual(message === undefined ? [] : [message]);
  });

  it.each<[TranslationFailure['check'], FailureReason]>([
    ['translation', 'health-check-timeout'],
    ['network', 'proxy-unreachable'],
  ])('is worse when the %s hides that a proxy translates', (check, reason) => {
    const workloads = { autoscaler: observed(RUNNING, [{ check, message: 'Pod a: no answer' }]) };
    const message = `${check}: Pod a: no answer`;
    expect(findWorse(GOOD, { ...GOOD, workloads })).toEqual([{ message, reason }]);
  });

  it('that lost a Deployment fails for the reason of scaling up', () => {
    const found = findWorse(GOOD, observe({ ...GOOD, ...workload({ available: 0 }) }));
    expect(found.map(({ reason }) => reason)).toEqual(['deployment-timeout']);
  });

  it('has a case for every check', () => {
    expect(HEALTH_CHECKS.map(({ name }) => name)).toEqual([
      'cluster-phase',
      'infrastructure-ready',
      'cluster-conditions',
      'object-counts',
      'machine-phases',
      'machine-count',
      'node-count',
      'api-available',
      'deployment-readiness',
      'pod-states',
      'restart-counts',
      'translation',
      'network',
    ]);
  });

  it('names five objects at most', () => {
    const machines = Object.fromEntries(Array.from({ length: 30 }, (_, at) => [`m${at}`, 'Failed']));
    const before = { ...GOOD, machines: {} };
    expect(findWorse(before, observe({ ...GOOD, machines, nodes: 2 }))[0]?.message).toMatch(
      /m4 is Failed and 25 more$/,
    );
  });
});

const GUIDE = join(import.meta.dirname, '../../../../../docs/guide/migration.md');

/** What a check reads in one version, by kind. */
function fieldsIn(version: 'v1beta1' | 'v1beta2', fields: readonly CheckedField[]): string {
  return fields.map((field) => `${field.kind} \`${field[version]}\``).join('<br>');
}

describe('The guide', () => {
  const guide = readFileSync(GUIDE, 'utf8');

  it('has the table of the checks', () => {
    const rows = HEALTH_CHECKS.map(({ fields, name, reason, rule }) => {
      const [older, newer] = [fieldsIn('v1beta1', fields), fieldsIn('v1beta2', fields)];
      return `| \`${name}\` | ${older} | ${newer === older ? 'the same' : newer} | ${rule} | \`${reason}\` |`;
    });
    const table = [
      '| check | reads in v1beta1 | reads in v1beta2 | fails when | reason |',
      '|---|---|---|---|---|',
      ...rows,
    ];
    expect(guide).toContain(`\n${table.join('\n')}\n\n`);
  });

  it('names the conditions that report an error without a severity', () => {
    const sentence = [...ERROR_CONDITIONS].map((type) => `\`${type}\``).join(', ');
    expect(guide.replaceAll('\n', ' ')).toContain(`: ${sentence}.`);
  });
});
