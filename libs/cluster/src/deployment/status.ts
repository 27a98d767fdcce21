import { findCondition, withCondition, withoutCondition, withoutZeros } from '../workload/conditions.js';
import type { WorkloadCondition } from '../workload/conditions.js';
import { timeMs } from '../workload/pods.js';
import type { Deployment, DeploymentStatus, ReplicaSet } from '../workload/resources.js';
import { fenceposts, replicasOf, sumReplicas } from './replicas.js';

const PROGRESSING = 'Progressing';
const NEW_SET_AVAILABLE = 'NewReplicaSetAvailable';
const TIMED_OUT = 'ProgressDeadlineExceeded';
/** What stands for "never" in the API. */
const NO_DEADLINE = 2_147_483_647;

/** A moment, as a number and as the API writes it. */
export interface Moment {
  readonly ms: number;
  readonly text: string;
}

function condition(type: string, status: WorkloadCondition['status'], reason: string, message: string, now: Moment) {
  return { type, status, lastUpdateTime: now.text, lastTransitionTime: now.text, reason, message };
}

/** A Progressing condition of this moment. */
export function progressing(
  status: WorkloadCondition['status'],
  reason: string,
  message: string,
  now: Moment,
): WorkloadCondition {
  return condition(PROGRESSING, status, reason, message, now);
}

export function hasDeadline(deployment: Deployment): boolean {
  const { progressDeadlineSeconds } = deployment.spec;
  return progressDeadlineSeconds !== undefined && progressDeadlineSeconds !== NO_DEADLINE;
}

function sum(sets: readonly ReplicaSet[], field: 'replicas' | 'readyReplicas' | 'availableReplicas'): number {
  return sets.reduce((total, set) => total + (set.status?.[field] ?? 0), 0);
}

/** Unknown as long as one ReplicaSet that has been looked at does not say. */
function terminating(sets: readonly ReplicaSet[]): number | undefined {
  let total = 0;
  for (const { status } of sets) {
    if (status?.terminatingReplicas !== undefined) total += status.terminatingReplicas;
    else if ((status?.observedGeneration ?? 0) !== 0) return undefined;
  }
  return total;
}

/** The counts and the Available condition. */
export function countedStatus(
  deployment: Deployment,
  newSet: ReplicaSet | undefined,
  all: readonly ReplicaSet[],
  now: Moment,
): DeploymentStatus {
  const available = sum(all, 'availableReplicas');
  const enough = available >= replicasOf(deployment) - fenceposts(deployment).unavailable;
  const terminatingReplicas = terminating(all);
  const { collisionCount } = deployment.status ?? {};
  return {
    observedGeneration: deployment.metadata.generation ?? 0,
    replicas: sum(all, 'replicas'),
    updatedReplicas: newSet?.status?.replicas ?? 0,
    readyReplicas: sum(all, 'readyReplicas'),
    availableReplicas: available,
    unavailableReplicas: Math.max(0, sumReplicas(all) - available),
    ...(terminatingReplicas === undefined ? {} : { terminatingReplicas }),
    ...(collisionCount === undefined ? {} : { collisionCount }),
    conditions: withCondition(
      deployment.status?.conditions ?? [],
      enough
        ? condition('Available', 'True', 'MinimumReplicasAvailable', 'Deployment has minimum availability.', now)
        : condition(
            'Available',
            'False',
            'MinimumReplicasUnavailable',
            'Deployment does not have minimum availability.',
            now,
          ),
    ),
  };
}

/** As the API writes it. */
export function plainStatus(status: DeploymentStatus): DeploymentStatus {
  return withoutZeros(status, ['terminatingReplicas', 'collisionCount']);
}

/** All pods are of the newest template and available. */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const wanted = replicasOf(deployment);
  const { availableReplicas = 0, observedGeneration = 0, replicas = 0, updatedReplicas = 0 } = status;
  return (
    updatedReplicas === wanted &&
    replicas === wanted &&
    availableReplicas === wanted &&
    observedGeneration >= (deployment.metadata.generation ?? 0)
  );
}

function hasProgressed(before: DeploymentStatus, after: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus): number => (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  return (
    (after.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(after) < old(before) ||
    (after.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (after.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

function deadlineMs(deployment: Deployment, current: WorkloadCondition): number {
  return timeMs(current.lastUpdateTime) + (deployment.spec.progressDeadlineSeconds ?? 0) * 1000;
}

function isTimedOut(deployment: Deployment, current: WorkloadCondition, now: Moment): boolean {
  // A rollout that was complete and is not any more has lost pods; that is no rollout taking too long.
  if (current.reason === NEW_SET_AVAILABLE) return false;
  return current.reason === TIMED_OUT || deadlineMs(deployment, current) < now.ms;
}

/** The whole status of a Deployment that is rolling out or has done so. */
export function rolloutStatus(
  deployment: Deployment,
  newSet: ReplicaSet | undefined,
  all: readonly ReplicaSet[],
  now: Moment,
): DeploymentStatus {
  const before = deployment.status ?? {};
  const status = countedStatus(deployment, newSet, all, now);
  let conditions = status.conditions ?? [];
  const current = findCondition(before.conditions, PROGRESSING);
  if (!hasDeadline(deployment)) conditions = withoutCondition(conditions, PROGRESSING);
  else if (status.replicas !== status.updatedReplicas || current?.reason !== NEW_SET_AVAILABLE) {
    const subject =
      newSet === undefined ? `Deployment "${deployment.metadata.name}"` : `ReplicaSet "${newSet.metadata.name}"`;
    if (isComplete(deployment, status)) {
      const message = `${subject} has successfully progressed.`;
      conditions = withCondition(conditions, progressing('True', NEW_SET_AVAILABLE, message, now));
    } else if (hasProgressed(before, status)) {
      const renewed = progressing('True', 'ReplicaSetUpdated', `${subject} is progressing.`, now);
      const since = current?.status === 'True' ? current.lastTransitionTime : undefined;
      // Renewed even when nothing of it changes: the deadline counts from the last progress.
      conditions = [
        ...withoutCondition(conditions, PROGRESSING),
        since === undefined ? renewed : { ...renewed, lastTransitionTime: since },
      ];
    } else if (current !== undefined && isTimedOut(deployment, current, now)) {
      const message = `${subject} has timed out progressing.`;
      conditions = withCondition(conditions, progressing('False', TIMED_OUT, message, now));
    }
  }
  const failure = replicaFailure(newSet, all);
  conditions =
    failure === undefined
      ? withoutCondition(conditions, 'ReplicaFailure')
      : withCondition(conditions, { ...failure, lastUpdateTime: failure.lastTransitionTime ?? now.text });
  return { ...status, conditions };
}

function replicaFailure(newSet: ReplicaSet | undefined, all: readonly ReplicaSet[]): WorkloadCondition | undefined {
  const sets = newSet === undefined ? all : [newSet, ...all];
  return sets
    .map((set) => findCondition(set.status?.conditions, 'ReplicaFailure'))
    .find((found) => found !== undefined);
}

/** The condition to write when a Deployment has just been paused or resumed. */
export function pauseCondition(deployment: Deployment, now: Moment): WorkloadCondition | undefined {
  if (!hasDeadline(deployment)) return undefined;
  const current = findCondition(deployment.status?.conditions, PROGRESSING);
  if (current?.reason === TIMED_OUT) return undefined;
  const isMarked = current?.reason === 'DeploymentPaused';
  const isPaused = deployment.spec.paused === true;
  if (isPaused === isMarked) return undefined;
  return isPaused
    ? progressing('Unknown', 'DeploymentPaused', 'Deployment is paused', now)
    : progressing('Unknown', 'DeploymentResumed', 'Deployment is resumed', now);
}

/** When to look again so that a deadline is not missed; undefined when none is running. */
export function deadlineCheckMs(deployment: Deployment, status: DeploymentStatus, now: Moment): number | undefined {
  const current = findCondition(deployment.status?.conditions, PROGRESSING);
  if (!hasDeadline(deployment) || current === undefined) return undefined;
  if (isComplete(deployment, status) || current.reason === TIMED_OUT) return undefined;
  if (current.reason === NEW_SET_AVAILABLE) return undefined;
  return Math.max(0, deadlineMs(deployment, current) - now.ms) + 1000;
}
