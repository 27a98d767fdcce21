import type { HostedControlPlane, HostedControlPlaneStatus } from '@capstan/api/hypershift';
import { FINALIZER, HOSTED_CONTROL_PLANES, newComplaints, pauseOf, releaseRetryMs } from '@capstan/hosting';
import type { Complaint, Pause } from '@capstan/hosting';
import { addFinalizer, OptionalResource, timestamp } from '@capstan/kube';
import type { Cache, EventRecorder, Reconcile, Result } from '@capstan/kube';
import { deepEqual, getCondition, ignoreNotFound } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import { ControlPlaneError } from '../errors.js';
import { DEPLOYMENTS, SECRETS, STATEFUL_SETS } from '../kinds.js';
import { OwnedObjects } from '../objects/owned-objects.js';
import { madeAnew } from '../pki/kept-keys.js';
import { CUSTOM_KUBECONFIG } from '../pki/kubeconfigs.js';
import { ONCE } from '../pki/reconcile.js';
import { KEYS_KEPT } from './conditions.js';
import { finalize } from './finalize.js';
import { gather } from './gather.js';
import { pausedStatus, statusOf, unlistedStatus } from './status.js';
import { PAUSED_STEPS, STEPS, versionOf } from './steps.js';
import type { Hands, State, Step } from './steps.js';
import { differInMessagesOnly, writtenVersion } from './status-writes.js';
import type { StatusWrites } from './status-writes.js';
import { controlPlaneImage, ownerOf } from './inputs.js';

/** What the reconciliation of control planes is made of. */
export interface ReconcileOptions extends Hands {
  readonly cache: Cache;
  readonly recorder: EventRecorder;
  readonly writes: StatusWrites;
}

const DAY_MS = 86_400_000;

/** Brings control planes to what they should be: fetch, finalizer, pause, steps, one status. */
export function reconcileHostedControlPlane(options: ReconcileOptions): Reconcile {
  const { cache, client, clock } = options;
  return async ({ name, namespace }, { signal }) => {
    const key = `${namespace}/${name}`;
    const found = await cache.get<HostedControlPlane>(HOSTED_CONTROL_PLANES, name, { namespace }).catch(ignoreNotFound);
    if (found?.spec === undefined) {
      forget(key, options);
      return undefined;
    }
    const owner = ownerOf(found);
    const snapshot = await gather(cache, namespace).catch(async (error: unknown) => {
      await writeStatus(found, unlistedStatus(found), options);
      throw error;
    });
    const objects = new OwnedObjects({ client, snapshot, owner, signal });
    if (found.metadata.deletionTimestamp != null) {
      await finalize(found, { client, objects, owner });
      return undefined;
    }
    const now = timestamp(clock);
    const pause = pauseOf(found.spec.pausedUntil, clock.now());
    const { isPaused } = pause;
    const hcp = isPaused ? found : await addFinalizer(client, HOSTED_CONTROL_PLANES, found, FINALIZER);
    const state: State = { hcp, spec: hcp.spec ?? found.spec, objects, key, now, signal, invalid: [], errors: [] };
    if (isPaused && pause.untilMs !== undefined) state.dueMs = pause.untilMs;
    await runSteps(isPaused ? PAUSED_STEPS : STEPS, state, options);
    const findings = findingsOf(state, pause, options);
    await writeDueStatus(state, isPaused ? pausedStatus(hcp, findings, now) : statusOf(hcp, findings, now), options);
    if (state.errors.length > 0) throw state.errors[0];
    return nextLook(state, options);
  };
}

function forget(key: string, { keptKeys, pkiPlans, plans, releases, settled, writes }: ReconcileOptions): void {
  for (const known of [settled, releases, plans, pkiPlans, keptKeys, writes]) known.forget(key);
}

/** Runs one step after the other. One that fails leaves undone what needs it, and nothing else. */
async function runSteps(steps: readonly Step[], state: State, hands: Hands): Promise<void> {
  for (const step of steps) {
    try {
      await step(state, hands);
    } catch (error) {
      if (error instanceof ControlPlaneError) state.invalid.push(error.message);
      else {
        state.errors.push(error);
        return;
      }
    }
  }
}

function findingsOf(
  state: State,
  pause: Pause,
  { writes }: Pick<ReconcileOptions, 'writes'>,
): Parameters<typeof statusOf>[1] {
  const { components, hcp, invalid, key, objects, payload, published, releaseError, routes, spec } = state;
  const { snapshot } = objects;
  return {
    spec,
    pause,
    releaseError,
    invalid,
    routes,
    waitingFor: published?.waitingFor ?? ['the Services of the control plane'],
    endpoints: published?.endpoints ?? {},
    etcd: snapshot.get(STATEFUL_SETS, 'etcd'),
    apiServer: snapshot.get(DEPLOYMENTS, 'kube-apiserver'),
    hasKubeconfig: snapshot.get(SECRETS, 'admin-kubeconfig') !== undefined,
    hasCustomKubeconfig: snapshot.get(SECRETS, CUSTOM_KUBECONFIG) !== undefined,
    components,
    madeAnew: madeAnew(ONCE.map((name) => snapshot.get(SECRETS, name))),
    wasMadeAnew: getCondition(hcp.status?.conditions, KEYS_KEPT) !== undefined,
    namespace: hcp.metadata.namespace ?? '',
    wasAvailable: hcp.status?.initialized === true,
    version: payload?.version,
    controlPlaneVersion: versionOf(state, writtenVersion(writes, key, hcp)),
    releaseImage: controlPlaneImage(spec),
  };
}

/** Conditions that are a warning event when they get worse: the user has to fix something. */
const COMPLAINTS: readonly Complaint[] = [
  ...['ValidReleaseInfo', 'ValidHostedControlPlaneConfiguration', KEYS_KEPT].map((type) => ({
    type,
    isBad: ({ status }: Condition) => status !== 'True',
  })),
  { type: 'Degraded', isBad: ({ status }) => status !== 'False' },
];

/** Writes the status; a change of messages only waits for the minimum interval. */
async function writeDueStatus(
  state: State,
  status: HostedControlPlaneStatus,
  options: ReconcileOptions,
): Promise<void> {
  const { hcp, key } = state;
  if (deepEqual(hcp.status, status)) {
    options.writes.record(hcp);
    return;
  }
  const nowMs = options.clock.now();
  const waitMs = differInMessagesOnly(hcp.status, status) ? options.writes.waitMs(key, nowMs) : 0;
  if (waitMs === 0) await writeStatus(hcp, status, options);
  else state.dueMs = Math.min(state.dueMs ?? Infinity, nowMs + waitMs);
}

/** Writes the status when it differs, and emits events for new faults. */
async function writeStatus(
  before: HostedControlPlane,
  status: HostedControlPlaneStatus | undefined,
  { client, clock, recorder, writes }: ReconcileOptions,
): Promise<void> {
  if (status === undefined || deepEqual(before.status, status)) return;
  const { name = '', namespace = '', uid = '' } = before.metadata;
  const key = `${namespace}/${name}`;
  writes.discard(key);
  const after = { ...before, status };
  // Whole, which its resource version locks: a merge patch cannot say null, and the part of others may.
  await client.update(HOSTED_CONTROL_PLANES, after, { subresource: 'status' });
  writes.record(after);
  writes.startInterval(key, clock.now());
  const subject = { apiVersion: 'hypershift.openshift.io/v1beta1', kind: 'HostedControlPlane', namespace, name, uid };
  for (const { message, reason } of newComplaints(COMPLAINTS, before.status?.conditions, status.conditions))
    recorder.record(subject, { type: 'Warning', reason, message });
}

function nextLook({ dueMs = Infinity, releaseError, routes }: State, { clock }: Hands): Result | undefined {
  // Nothing notifies when a management cluster begins to serve routes.
  const routesDueMs = routes?.areServed === false ? OptionalResource.ASK_AGAIN_MS : Infinity;
  const dueAfterMs = Math.min(Math.max(dueMs - clock.now(), 1000), routesDueMs);
  if (releaseError === undefined) return afterMs(dueAfterMs);
  return afterMs(Math.min(dueAfterMs, releaseRetryMs(releaseError)));
}

/** A look costs nothing but the look, and no timer of Node waits for a year. */
function afterMs(delayMs: number): Result | undefined {
  return delayMs === Infinity ? undefined : { requeueAfterMs: Math.min(delayMs, DAY_MS) };
}
