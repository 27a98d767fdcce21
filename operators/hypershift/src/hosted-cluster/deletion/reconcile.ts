import { hasFinalizer, removeFinalizer } from '@capstan/kube';
import type { Result } from '@capstan/kube';
import { formatTime, getCondition, parseDuration } from '@capstan/meta';
import type { HostedCluster, HostedClusterStatus } from '@capstan/api/hypershift';
import {
  clusterKeyOf,
  conditionsOf,
  DESTROY_GRACE_ANNOTATION,
  FINALIZER,
  HOSTED_CLUSTERS,
  KEEP_NAMESPACE_ANNOTATION,
} from '@capstan/hosting';
import { attempt, finish } from '../finish.js';
import { setFinding, requeueAfter } from '../state.js';
import type { Finding, State } from '../state.js';
import { conditionsWith } from '../conditions.js';
import { gather } from '../gather.js';
import { replaceStatus } from '../steps/write-status.js';
import {
  cluster,
  controlPlaneNamespace,
  definitionBinding,
  hostedControlPlane,
  isNamespaceLeft,
  leftovers,
  nodePools,
  passCleanup,
  platformObjects,
  releasePrograms,
  unpause,
} from './steps.js';
import type { DeletionStep, Waiting } from './steps.js';

/** In this order; each step waits until what the one before deleted is gone. */
const STEPS: readonly DeletionStep[] = [
  unpause,
  passCleanup,
  nodePools,
  cluster,
  releasePrograms,
  platformObjects,
  leftovers,
  definitionBinding,
  hostedControlPlane,
  controlPlaneNamespace,
];
/** A control plane namespace of another cluster holds nothing of this one. */
const STEPS_OUTSIDE: readonly DeletionStep[] = [nodePools];

const LOOK_AGAIN_MS = 30_000;

/** Deletes everything that was created for a HostedCluster, then removes its finalizer. */
export async function reconcileDeletion(state: State): Promise<Result | void> {
  if (!hasFinalizer(state.hostedCluster, FINALIZER)) return;
  let waiting: Waiting | undefined;
  const failure = await attempt(async () => {
    await gather(state);
    waiting = await nextWaiting(state);
    if (waiting === undefined) await conclude(state);
  });
  if (waiting === undefined && failure === undefined && !state.findings.has(DESTROYED)) return;
  if (waiting !== undefined) {
    setFinding(state, { type: DESTROYED, status: 'False', ...waiting });
    requeueAfter(state, LOOK_AGAIN_MS);
  }
  return finish(state, failure, () => writeDeletionStatus(state));
}

const DESTROYED = 'HostedClusterDestroyed';

async function nextWaiting(state: State): Promise<Waiting | undefined> {
  const { namespace } = state.snapshot;
  const isOurs = namespace === undefined || clusterKeyOf(namespace) === state.owner;
  if (!isOurs) state.controlPlane = undefined;
  for (const step of isOurs ? STEPS : STEPS_OUTSIDE) {
    const waiting = await step(state);
    if (waiting !== undefined) return waiting;
  }
  return isOurs ? unseenNamespace(state) : undefined;
}

/** What was created a moment ago may not be in the cache yet, and would be left behind for ever. */
async function unseenNamespace(state: State): Promise<Waiting | undefined> {
  if (state.hostedCluster.metadata.annotations?.[KEEP_NAMESPACE_ANNOTATION] === 'true') return undefined;
  const left = await isNamespaceLeft(state);
  if (left === undefined || clusterKeyOf(left) !== state.owner) return undefined;
  return { reason: 'WaitingForNamespace', message: `Waiting for Namespace ${state.namespace} to be deleted` };
}

/** Everything is deleted: the cluster too, after its grace period. */
async function conclude(state: State): Promise<void> {
  const { hostedCluster, nowMs, dependencies } = state;
  const left = graceLeftMs(hostedCluster, nowMs);
  if (left === undefined || left > 0) {
    setFinding(state, graceFinding(hostedCluster));
    requeueAfter(state, Math.max(1, left ?? graceOf(hostedCluster)));
    return;
  }
  dependencies.appliedSettings.delete(state.owner);
  await removeFinalizer(dependencies.client, HOSTED_CLUSTERS, hostedCluster, FINALIZER);
}

function graceOf({ metadata }: HostedCluster): number {
  const text = metadata.annotations?.[DESTROY_GRACE_ANNOTATION];
  try {
    return text === undefined ? 0 : Number(parseDuration(text)) / 1e6;
  } catch {
    return 0;
  }
}

/** How much of its grace period a cluster has left; undefined before that has started. */
export function graceLeftMs(hostedCluster: HostedCluster, nowMs: number): number | undefined {
  const graceMs = graceOf(hostedCluster);
  if (graceMs <= 0) return 0;
  const begun = getCondition(conditionsOf(hostedCluster), DESTROYED);
  if (begun?.status !== 'True') return undefined;
  // It cannot have started before the deletion, nor in the future: another client wrote such a time.
  const goingMs = Date.parse(hostedCluster.metadata.deletionTimestamp ?? '');
  const sinceMs = Math.max(Date.parse(begun.lastTransitionTime), goingMs <= nowMs ? goingMs : 0);
  return Math.min(sinceMs, nowMs) + graceMs - nowMs;
}

function graceFinding({ metadata }: HostedCluster): Finding {
  const grace = metadata.annotations?.[DESTROY_GRACE_ANNOTATION] ?? '';
  const message = `Everything of the cluster is deleted; the HostedCluster is kept for inspection for ${grace}`;
  return { type: DESTROYED, status: 'True', reason: 'WaitingForGracePeriod', message };
}

async function writeDeletionStatus(state: State): Promise<void> {
  const { controlPlane, findings, hostedCluster, nowMs } = state;
  const cleaned = getCondition(conditionsOf(controlPlane), 'CloudResourcesDestroyed');
  const reported: Finding[] = [...findings.values()];
  if (cleaned !== undefined) {
    const { message, reason, status, type } = cleaned;
    reported.push({ type, status, reason, message });
  }
  const conditions = conditionsWith(hostedCluster, reported, formatTime(nowMs));
  await replaceStatus(state, hostedCluster, { ...hostedCluster.status, conditions } as unknown as HostedClusterStatus);
}
