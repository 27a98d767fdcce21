import { SIDECAR_NAME } from '@capstan/translate/sidecar';
import type { ContainerStatus, Pod } from '../../pods.js';
import type { Migration, TranslationFailure } from '../model.js';
import { clusterApiDeployments, podsOf, unavailability } from '../workloads/deployments.js';
import type { Deployment } from '../workloads/deployments.js';

/** How a Deployment and its pods do. */
export interface WorkloadHealth {
  readonly updated: number;
  readonly available: number;
  /** Containers that do not run, by name: why. */
  readonly stopped: Readonly<Record<string, string>>;
  /** Containers that have restarted lately: while a migration watches, or shortly before it. */
  readonly restarted: readonly string[];
  /** How many pods do not run for another reason than one of their containers. */
  readonly idle: number;
}

/** What is seen of a Deployment that is compared with how it did before. */
export interface ObservedWorkload extends WorkloadHealth {
  readonly deployment: Deployment;
  /** Why the proxies of pods do not translate. */
  readonly untranslated: readonly TranslationFailure[];
}

/** A container that restarts again within this time is in a loop: the kubelet counts from none after it. */
const LOOP_MS = 600_000;
/** Reasons for which every container waits before it runs. */
const STARTING: ReadonlySet<string> = new Set(['ContainerCreating', 'PodInitializing']);

/** How the workloads do before anything of them is changed. */
export async function recordWorkloads(migration: Migration): Promise<Readonly<Record<string, WorkloadHealth>>> {
  const nowMs = migration.parts.clock.now();
  const found: Record<string, WorkloadHealth> = {};
  for (const deployment of await clusterApiDeployments(migration)) {
    const pods = await observedPods(migration, deployment);
    const loops = (status: ContainerStatus): boolean => restartedSince(status, nowMs - LOOP_MS);
    const troubled = pods.filter((pod) => containersOf(pod).some((status) => loops(status) || isStopped(status)));
    const { available, updated } = replicasOf(deployment);
    found[deployment.metadata.name ?? ''] = {
      ...healthOfPods(pods),
      updated,
      // Between two crashes a pod is available for a moment.
      available: pods.length === 0 ? available : Math.min(available, pods.length - troubled.length),
      restarted: named(pods, loops),
    };
  }
  return found;
}

/** How the workloads do now, since restarts are watched. */
export async function observeWorkloads(migration: Migration): Promise<Readonly<Record<string, ObservedWorkload>>> {
  const { memory } = migration;
  const found: Record<string, ObservedWorkload> = {};
  const restarts = new Map<string, number>();
  const earlier = memory.restarts ?? restarts;
  for (const deployment of await clusterApiDeployments(migration)) {
    const pods = await observedPods(migration, deployment);
    const hasRestarted = ({ name, restartCount = 0 }: ContainerStatus, { metadata: { uid = '' } }: Pod): boolean => {
      const key = `${uid} ${name}`;
      restarts.set(key, restartCount);
      // A pod that is new has begun at none.
      return restartCount > (earlier === restarts ? restartCount : (earlier.get(key) ?? 0));
    };
    found[deployment.metadata.name ?? ''] = {
      deployment,
      ...healthOfPods(pods),
      ...replicasOf(deployment),
      restarted: named(pods, hasRestarted),
      untranslated: await untranslated(migration, pods),
    };
  }
  memory.restarts ??= restarts;
  return found;
}

/** Pods of a Deployment that are to run. */
async function observedPods(migration: Migration, deployment: Deployment): Promise<readonly Pod[]> {
  if (migration.parts.isPodless || (deployment.spec.replicas ?? 1) === 0) return [];
  const pods = await podsOf(migration, deployment);
  return pods.filter(({ metadata }) => metadata.deletionTimestamp == null);
}

function replicasOf({ status = {} }: Deployment): Pick<WorkloadHealth, 'available' | 'updated'> {
  return { available: status.availableReplicas ?? 0, updated: status.updatedReplicas ?? 0 };
}

function healthOfPods(pods: readonly Pod[]): Pick<WorkloadHealth, 'idle' | 'stopped'> {
  const stopped: Record<string, string> = {};
  let idle = 0;
  for (const pod of pods) {
    const reasons = containersOf(pod).flatMap((status) => {
      const reason = stopReason(status);
      return reason === undefined ? [] : [[status.name, reason] as const];
    });
    Object.assign(stopped, Object.fromEntries(reasons));
    if (reasons.length === 0 && (pod.status?.phase ?? 'Pending') !== 'Running') idle += 1;
  }
  return { idle, stopped };
}

function containersOf({ status = {} }: Pod): readonly ContainerStatus[] {
  return [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])];
}

function stopReason({ state = {} }: ContainerStatus): string | undefined {
  const { terminated, waiting } = state;
  // One that has succeeded is an init container, or is started again.
  if (terminated !== undefined) return terminated.exitCode === 0 ? undefined : (terminated.reason ?? 'Terminated');
  const { reason } = waiting ?? {};
  return reason === undefined || STARTING.has(reason) ? undefined : reason;
}

function isStopped(status: ContainerStatus): boolean {
  return stopReason(status) !== undefined;
}

function restartedSince({ lastState, restartCount = 0 }: ContainerStatus, sinceMs: number): boolean {
  return restartCount > 0 && Date.parse(lastState?.terminated?.finishedAt ?? '') >= sinceMs;
}

function named(pods: readonly Pod[], holds: (status: ContainerStatus, pod: Pod) => boolean): readonly string[] {
  const all = pods.flatMap((pod) => containersOf(pod).filter((status) => holds(status, pod)));
  return [...new Set(all.map(({ name }) => name))];
}

/** Asks every proxy that runs: one that does not is missed elsewhere. */
async function untranslated(
  { parts, signal }: Migration,
  pods: readonly Pod[],
): Promise<readonly TranslationFailure[]> {
  const failures: TranslationFailure[] = [];
  for (const pod of pods) {
    const proxy = containersOf(pod).find(({ name }) => name === SIDECAR_NAME);
    if (pod.status?.phase !== 'Running' && proxy?.state?.running === undefined) continue;
    const failure = await parts.probeTranslation(pod, signal);
    if (failure !== undefined) failures.push({ ...failure, message: `Pod ${pod.metadata.name}: ${failure.message}` });
  }
  return failures;
}

/** What keeps Deployments from being as available as they were. */
export function deploymentProblems(
  before: Readonly<Record<string, WorkloadHealth>>,
  deployments: readonly Deployment[],
): readonly string[] {
  return deployments.flatMap((deployment) => {
    const { name = '' } = deployment.metadata;
    const reason = unavailability(deployment, before[name]);
    return reason === undefined ? [] : [`Deployment ${name} ${reason}`];
  });
}
