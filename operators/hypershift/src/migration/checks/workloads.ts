import type { KubeObject } from '@capstan/meta';
import type { Migration } from '../model.js';
import { clusterApiDeployments, podsOf, unavailability } from '../workloads/deployments.js';

interface Status {
  readonly restartCount?: number;
}

interface Pod extends KubeObject {
  readonly status?: {
    readonly phase?: string;
    readonly containerStatuses?: readonly Status[];
    readonly initContainerStatuses?: readonly Status[];
  };
}

/** Deployments that are not available, pods that do not run or restart, and proxies that do not translate. */
export async function workloadProblems(migration: Migration): Promise<readonly string[]> {
  const { memory, parts } = migration;
  const problems: string[] = [];
  let restarts = 0;
  for (const deployment of await clusterApiDeployments(migration)) {
    const reason = unavailability(deployment);
    if (reason !== undefined) problems.push(`deployment-readiness: Deployment ${deployment.metadata.name} ${reason}`);
    if (parts.isPodless || (deployment.spec.replicas ?? 1) === 0) continue;
    for (const pod of (await podsOf(migration, deployment)) as readonly Pod[]) {
      restarts += restartsOf(pod);
      const problem = await podProblem(migration, pod);
      if (problem !== undefined) problems.push(problem);
    }
  }
  const earlier = (memory.restarts ??= restarts);
  if (restarts > earlier) problems.push(`restart-counts: containers restarted ${restarts - earlier} times`);
  return problems;
}

function restartsOf({ status = {} }: Pod): number {
  const all = [...(status.containerStatuses ?? []), ...(status.initContainerStatuses ?? [])];
  return all.reduce((sum, { restartCount = 0 }) => sum + restartCount, 0);
}

async function podProblem({ parts, signal }: Migration, pod: Pod): Promise<string | undefined> {
  const { phase = 'Pending' } = pod.status ?? {};
  if (phase !== 'Running') return `pod-states: Pod ${pod.metadata.name} is ${phase}`;
  const failure = await parts.probeTranslation(pod, signal);
  return failure === undefined ? undefined : `${failure.check}: Pod ${pod.metadata.name}: ${failure.message}`;
}
