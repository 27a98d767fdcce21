import type { FailedCheck, TranslationFailure } from '../model.js';
import type { FailureReason } from '../reasons.js';
import { FIELDS } from './fields.js';
import type { CheckedField } from './fields.js';
import { LASTING_KINDS } from './health.js';
import type { ClusterHealth } from './health.js';
import { deploymentProblems } from './workloads.js';
import type { ObservedWorkload, WorkloadHealth } from './workloads.js';

/** How a cluster does once its controllers run on private types. */
export interface ObservedHealth extends ClusterHealth {
  readonly workloads: Readonly<Record<string, ObservedWorkload>>;
}

/** One comparison of the cluster with its baseline. */
export interface HealthCheck {
  readonly name: string;
  /** What it reads. */
  readonly fields: readonly CheckedField[];
  /** What fails it, by what was before. */
  readonly rule: string;
  /** Why the migration has failed when it goes on failing. */
  readonly reason: FailureReason;
  /** What got worse, or undefined. */
  readonly worse: (before: ClusterHealth, now: ObservedHealth) => string | undefined;
}

const GOOD_CLUSTER_PHASES: ReadonlySet<string | undefined> = new Set(['Provisioned', 'Provisioning']);
const GOOD_MACHINE_PHASES: ReadonlySet<string> = new Set([
  'Running',
  'Provisioning',
  'Provisioned',
  'Pending',
  'Deleting',
  'Deleted',
]);
const MOST_NAMES = 5;
const UNHEALTHY = 'health-check-timeout';

/**
 * What must not get worse, in the order of their messages. A cluster that was unhealthy before may stay so: it is moved
 * with the state it has.
 */
export const HEALTH_CHECKS: readonly HealthCheck[] = [
  {
    name: 'cluster-phase',
    fields: [FIELDS.clusterPhase],
    rule: 'was Provisioned or Provisioning, and is neither',
    reason: UNHEALTHY,
    worse: (before, now) =>
      GOOD_CLUSTER_PHASES.has(before.phase) && !GOOD_CLUSTER_PHASES.has(now.phase)
        ? `the Cluster was ${before.phase} and is ${now.phase ?? 'without a phase'}`
        : undefined,
  },
  {
    name: 'infrastructure-ready',
    fields: [FIELDS.infrastructureReady],
    rule: 'was true, and is not',
    reason: UNHEALTHY,
    worse: (before, now) =>
      before.infrastructureReady && !now.infrastructureReady ? 'the infrastructure is not ready any more' : undefined,
  },
  {
    name: 'cluster-conditions',
    fields: [FIELDS.severeConditions, FIELDS.conditions],
    rule: 'a condition reports an error that reported none',
    reason: UNHEALTHY,
    worse: (before, now) => {
      const added = now.clusterErrors.filter((type) => !before.clusterErrors.includes(type));
      return added.length === 0 ? undefined : `the Cluster has errors in its conditions: ${named(added)}`;
    },
  },
  {
    name: 'object-counts',
    fields: LASTING_KINDS.map((kind) => ({ kind, v1beta1: 'metadata.name', v1beta2: 'metadata.name' })),
    rule: 'there are fewer objects of the kind than before',
    reason: UNHEALTHY,
    worse: (before, now) => {
      const kinds = Object.keys(before.counts).filter((kind) => (now.counts[kind] ?? 0) < (before.counts[kind] ?? 0));
      const text = kinds.map((kind) => `${kind}: ${now.counts[kind] ?? 0} of ${before.counts[kind] ?? 0}`);
      return kinds.length === 0 ? undefined : `objects are missing: ${named(text)}`;
    },
  },
  {
    name: 'machine-phases',
    fields: [FIELDS.machinePhase],
    rule: 'is Failed or Unknown, and was not, or is a new Machine',
    reason: UNHEALTHY,
    worse: (before, now) => {
      const failed = Object.entries(now.machines)
        .filter(([name, phase]) => !GOOD_MACHINE_PHASES.has(phase) && isGoodBefore(before, name))
        .map(([name, phase]) => `${name} is ${phase}`);
      return failed.length === 0 ? undefined : `Machines got worse: ${named(failed)}`;
    },
  },
  {
    name: 'machine-count',
    fields: [{ kind: 'Machine', v1beta1: 'metadata.name', v1beta2: 'metadata.name' }, FIELDS.wantedMachines],
    rule: 'there are fewer Machines than before, and fewer than their sets want',
    reason: UNHEALTHY,
    worse: (before, now) => {
      const count = Object.keys(now.machines).length;
      // Remediation, a rollout or the autoscaler may replace and delete Machines, but never below what their sets want.
      const least = Math.min(Object.keys(before.machines).length, now.wantedMachines);
      if (count >= least) return undefined;
      const missing = Object.keys(before.machines).filter((name) => !Object.hasOwn(now.machines, name));
      return `${count} of ${least} Machines are left; missing: ${named(missing)}`;
    },
  },
  {
    name: 'node-count',
    fields: [FIELDS.nodeName, FIELDS.wantedMachines, FIELDS.machineConditions, FIELDS.upToDate, FIELDS.maxUnavailable],
    rule: 'fewer Machines have a Node than before, those being deleted or remediated left out, and than their sets want, less what rollouts may go without',
    reason: UNHEALTHY,
    worse: (before, now) =>
      now.nodes < Math.min(before.steadyNodes, now.wantedMachines) - now.spareNodes
        ? `${now.nodes} Machines have a Node, ${before.steadyNodes} had one`
        : undefined,
  },
  {
    name: 'api-available',
    fields: [FIELDS.controlPlaneConditions],
    rule: 'KubeAPIServerAvailable was True, and is not',
    reason: UNHEALTHY,
    worse: (before, now) =>
      before.isApiAvailable && !now.isApiAvailable ? 'the API server of the hosted cluster does not answer' : undefined,
  },
  {
    name: 'deployment-readiness',
    fields: [FIELDS.updatedReplicas, FIELDS.availableReplicas],
    rule: 'fewer replicas are updated or available than before, and than are wanted',
    reason: 'deployment-timeout',
    worse: (before, now) => {
      const deployments = Object.values(now.workloads).map(({ deployment }) => deployment);
      const problems = deploymentProblems(before.workloads, deployments);
      return problems.length === 0 ? undefined : named(problems);
    },
  },
  {
    name: 'pod-states',
    fields: [FIELDS.podPhase, FIELDS.containerState],
    rule: 'a container does not run that ran before, or more pods do not run than before',
    reason: UNHEALTHY,
    worse: (before, now) => {
      const problems = eachWorkload(before, now, ({ idle, stopped }, was) => [
        ...Object.entries(stopped)
          .filter(([name]) => !isTroubled(was, name))
          .map(([name, reason]) => `container ${name} is ${reason}`),
        ...(idle > (was?.idle ?? 0) ? [`${idle} pods do not run`] : []),
      ]);
      return problems.length === 0 ? undefined : named(problems);
    },
  },
  {
    name: 'restart-counts',
    fields: [FIELDS.restartCount],
    rule: 'a container restarts that ran before, and had not restarted in the ten minutes before',
    reason: UNHEALTHY,
    worse: (before, now) => {
      const problems = eachWorkload(before, now, ({ restarted }, was) =>
        restarted.filter((name) => !isTroubled(was, name)).map((name) => `container ${name} has restarted`),
      );
      return problems.length === 0 ? undefined : named(problems);
    },
  },
  {
    name: 'translation',
    fields: [FIELDS.translation],
    rule: 'the proxy of a pod that runs does not answer with the standard group; there is none before',
    reason: UNHEALTHY,
    worse: (_, now) => untranslated(now, 'translation'),
  },
  {
    name: 'network',
    fields: [FIELDS.translation],
    rule: 'the kubelet reaches the proxy, and the API server does not; there is none before',
    reason: 'proxy-unreachable',
    worse: (_, now) => untranslated(now, 'network'),
  },
];

function isGoodBefore({ machines }: ClusterHealth, name: string): boolean {
  const phase = machines[name];
  return phase === undefined || GOOD_MACHINE_PHASES.has(phase);
}

/** Whether a container did not run before, or restarted again and again. */
function isTroubled(was: WorkloadHealth | undefined, container: string): boolean {
  return was !== undefined && (Object.hasOwn(was.stopped, container) || was.restarted.includes(container));
}

function untranslated({ workloads }: ObservedHealth, check: TranslationFailure['check']): string | undefined {
  const failures = Object.values(workloads).flatMap((workload) => workload.untranslated);
  const messages = failures.filter((failure) => failure.check === check).map(({ message }) => message);
  return messages.length === 0 ? undefined : named(messages);
}

function eachWorkload(
  { workloads }: ClusterHealth,
  now: ObservedHealth,
  problemsOf: (workload: ObservedWorkload, was: WorkloadHealth | undefined) => readonly string[],
): readonly string[] {
  return Object.entries(now.workloads).flatMap(([name, workload]) =>
    problemsOf(workload, workloads[name]).map((problem) => `Deployment ${name}: ${problem}`),
  );
}

/** Everything that got worse, each with the name of its check. */
export function findWorse(before: ClusterHealth, now: ObservedHealth): readonly FailedCheck[] {
  return HEALTH_CHECKS.flatMap(({ name, reason, worse }) => {
    const message = worse(before, now);
    return message === undefined ? [] : [{ message: `${name}: ${message}`, reason }];
  });
}

function named(all: readonly string[]): string {
  const rest = all.length - MOST_NAMES;
  return rest <= 0 ? all.join(', ') : `${all.slice(0, MOST_NAMES).join(', ')} and ${rest} more`;
}
