import { FINALIZER, HOSTED_CLUSTERS } from '@capstan/hosting';
import { hasFinalizer } from '@capstan/kube';
import type { Result } from '@capstan/kube';
import { attempt, finish } from '../finish.js';
import { requeueAfter, setFinding } from '../state.js';
import type { State } from '../state.js';
import { decideDeletion, DESTROYED, graceMsOf, keepsNamespace, waitingFor } from './decide.js';
import type { DeletionDecision, Waiting } from './decide.js';
import { gatherDeletion, unseenNamespace } from './gather.js';
import { graceFinding, waitingFinding, writeDeletionStatus } from './status.js';

const WATCHED_MS = 30_000;

/** Deletes everything that was created for a HostedCluster, then removes its finalizer: gather, decide, act, status. */
export async function reconcileDeletion(state: State): Promise<Result | void> {
  if (!hasFinalizer(state.hostedCluster, FINALIZER)) return;
  const failure = await attempt(async () => {
    const snapshot = await gatherDeletion(state);
    const decision = decideDeletion(snapshot);
    await act(state, decision);
    const waiting = decision.waiting ?? (snapshot.isOurs ? await waitingForUnseen(state) : undefined);
    if (waiting === undefined) return conclude(state);
    setFinding(state, waitingFinding(waiting));
    requeueAfter(state, decision.requeueMs ?? WATCHED_MS);
  });
  if (failure === undefined && !state.findings.has(DESTROYED)) return;
  return finish(state, failure, () => writeDeletionStatus(state));
}

async function act(
  { converger, dependencies, hostedCluster }: State,
  { changes, orphans }: DeletionDecision,
): Promise<void> {
  for (const change of changes) await converger.perform(change);
  if (orphans.length === 0) return;
  const message = `The credentials of the platform do not exist, so the finalizers of these machines were removed and their instances may still run: ${orphans.join(', ')}`;
  const { apiVersion, kind, metadata } = hostedCluster;
  const { name = '', namespace, uid = '' } = metadata;
  dependencies.recorder.record(
    { apiVersion, kind, name, namespace, uid },
    { type: 'Warning', reason: 'MachinesOrphaned', message },
  );
}

async function waitingForUnseen(state: State): Promise<Waiting | undefined> {
  if (keepsNamespace(state.hostedCluster)) return undefined;
  const left = await unseenNamespace(state);
  return left === undefined ? undefined : waitingFor('Namespace', [left]);
}

/** Everything is deleted: the cluster too, after its grace period. */
async function conclude(state: State): Promise<void> {
  const { converger, dependencies, hostedCluster, nowMs, owner } = state;
  const graceMs = graceMsOf(hostedCluster, nowMs);
  if (graceMs > 0) {
    setFinding(state, graceFinding(hostedCluster));
    requeueAfter(state, Math.max(1, graceMs));
    return;
  }
  dependencies.appliedSettings.delete(owner);
  await converger.removeFinalizer(HOSTED_CLUSTERS, hostedCluster, FINALIZER);
}
