import type { ClusterHealth } from './health.js';

/** One comparison of the cluster with its baseline: what got worse, or undefined. */
export interface HealthCheck {
  readonly name: string;
  readonly worse: (before: ClusterHealth, now: ClusterHealth) => string | undefined;
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

/**
 * What must not get worse, in the order of their messages. A cluster that was unhealthy before may stay so: it is moved
 * with the state it has.
 */
export const HEALTH_CHECKS: readonly HealthCheck[] = [
  {
    name: 'cluster-phase',
    worse: (before, now) =>
      GOOD_CLUSTER_PHASES.has(before.phase) && !GOOD_CLUSTER_PHASES.has(now.phase)
        ? `the Cluster was ${before.phase} and is ${now.phase ?? 'without a phase'}`
        : undefined,
  },
  {
    name: 'infrastructure-ready',
    worse: (before, now) =>
      before.infrastructureReady && !now.infrastructureReady ? 'the infrastructure is not ready any more' : undefined,
  },
  {
    name: 'cluster-conditions',
    worse: (before, now) => {
      const added = now.clusterErrors.filter((type) => !before.clusterErrors.includes(type));
      return added.length === 0 ? undefined : `the Cluster has errors in its conditions: ${named(added)}`;
    },
  },
  {
    name: 'object-counts',
    worse: (before, now) => {
      const kinds = Object.keys(before.counts).filter((kind) => (now.counts[kind] ?? 0) < (before.counts[kind] ?? 0));
      const text = kinds.map((kind) => `${kind}: ${now.counts[kind] ?? 0} of ${before.counts[kind] ?? 0}`);
      return kinds.length === 0 ? undefined : `objects are missing: ${named(text)}`;
    },
  },
  {
    name: 'machine-phases',
    worse: (before, now) => {
      const failed = Object.entries(now.machines)
        .filter(([name, phase]) => !GOOD_MACHINE_PHASES.has(phase) && isGoodBefore(before, name))
        .map(([name, phase]) => `${name} is ${phase}`);
      return failed.length === 0 ? undefined : `Machines got worse: ${named(failed)}`;
    },
  },
  {
    name: 'machine-count',
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
    worse: (before, now) =>
      now.nodes < Math.min(before.nodes, now.wantedMachines)
        ? `${now.nodes} Machines have a Node, ${before.nodes} had one`
        : undefined,
  },
  {
    name: 'api-available',
    worse: (before, now) =>
      before.isApiAvailable && !now.isApiAvailable ? 'the API server of the hosted cluster does not answer' : undefined,
  },
];

function isGoodBefore({ machines }: ClusterHealth, name: string): boolean {
  const phase = machines[name];
  return phase === undefined || GOOD_MACHINE_PHASES.has(phase);
}

/** Everything that got worse, each with the name of its check. */
export function findWorse(before: ClusterHealth, now: ClusterHealth): readonly string[] {
  return HEALTH_CHECKS.flatMap(({ name, worse }) => {
    const message = worse(before, now);
    return message === undefined ? [] : [`${name}: ${message}`];
  });
}

function named(all: readonly string[]): string {
  const rest = all.length - MOST_NAMES;
  return rest <= 0 ? all.join(', ') : `${all.slice(0, MOST_NAMES).join(', ')} and ${rest} more`;
}
