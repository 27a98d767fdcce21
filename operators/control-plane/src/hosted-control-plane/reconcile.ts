import type { HostedControlPlane } from '@capstan/api/hypershift';
import { controlPlaneLock, FINALIZER, HOSTED_CONTROL_PLANES, pauseOf, releaseRetryMs } from '@capstan/hosting';
import { addFinalizer, OptionalResource, timestamp } from '@capstan/kube';
import type { Cache, Reconcile, Result } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import { ControlPlaneError } from '../errors.js';
import { OwnedObjects } from '../objects/owned-objects.js';
import { reconcileDeletion } from './deletion/reconcile.js';
import { gather } from './gather.js';
import { ownerOf } from './inputs.js';
import type { ControlPlaneDependencies, State, Step } from './state.js';
import { lockedStatus, unlistedStatus } from './status.js';
import { components } from './steps/components.js';
import { leftovers } from './steps/leftovers.js';
import { pki } from './steps/pki.js';
import { platform } from './steps/platform.js';
import { release } from './steps/release.js';
import { services } from './steps/services.js';
import { writeDueStatus, writeStatus } from './steps/write-status.js';
import type { StatusWriter } from './steps/write-status.js';

/** The steps of a reconciliation, in their order. */
const STEPS: readonly Step[] = [release, services, platform, pki, components, leftovers];
/** The steps of a paused control plane: those that only read. */
const PAUSED_STEPS: readonly Step[] = [release, platform];

/** What control planes are reconciled with. */
export interface ReconcileOptions extends ControlPlaneDependencies, StatusWriter {
  readonly cache: Cache;
}

const DAY_MS = 86_400_000;

/** Reconciles HostedControlPlanes: fetch, lock, gather, deletion, pause, finalizer, steps, one status. */
export function reconcileHostedControlPlane(options: ReconcileOptions): Reconcile {
  const { cache, client, clock } = options;
  return async ({ name, namespace }, { signal }) => {
    const key = `${namespace}/${name}`;
    const found = await cache.get<HostedControlPlane>(HOSTED_CONTROL_PLANES, name, { namespace }).catch(ignoreNotFound);
    if (found?.spec === undefined) {
      forget(key, options);
      return undefined;
    }
    const lock = controlPlaneLock(found);
    if (lock !== undefined) {
      // The last reconcile of this key has ended: there is one at a time.
      await writeStatus(found, lockedStatus(found, lock, timestamp(clock)), options);
      return undefined;
    }
    const owner = ownerOf(found);
    const snapshot = await gather(cache, namespace).catch(async (error: unknown) => {
      await writeStatus(found, unlistedStatus(found), options);
      throw error;
    });
    const objects = new OwnedObjects({ client, snapshot, owner, signal });
    if (found.metadata.deletionTimestamp != null) {
      await reconcileDeletion(found, { client, objects, owner });
      return undefined;
    }
    const now = timestamp(clock);
    const pause = pauseOf(found.spec.pausedUntil, clock.now());
    const { isPaused } = pause;
    const hcp = isPaused ? found : await addFinalizer(client, HOSTED_CONTROL_PLANES, found, FINALIZER);
    const state: State = { hcp, spec: hcp.spec ?? found.spec, objects, key, now, signal, invalid: [], errors: [] };
    if (isPaused && pause.untilMs !== undefined) state.dueMs = pause.untilMs;
    await runSteps(isPaused ? PAUSED_STEPS : STEPS, state, options);
    await writeDueStatus(state, pause, options);
    if (state.errors.length > 0) throw state.errors[0];
    return requeueOf(state, options);
  };
}

function forget(
  key: string,
  { keptKeys, pkiPlans, plans, progress, releases, settled, writes }: ReconcileOptions,
): void {
  for (const known of [settled, progress, releases, plans, pkiPlans, keptKeys, writes]) known.forget(key);
}

/** Runs the steps in order. A fault of the user's is collected, any other failure ends the run. */
async function runSteps(steps: readonly Step[], state: State, dependencies: ControlPlaneDependencies): Promise<void> {
  for (const step of steps) {
    try {
      await step(state, dependencies);
    } catch (error) {
      if (error instanceof ControlPlaneError) state.invalid.push(error.message);
      else {
        state.errors.push(error);
        return;
      }
    }
  }
}

function requeueOf(
  { dueMs = Infinity, releaseError, routes }: State,
  { clock }: Pick<ControlPlaneDependencies, 'clock'>,
): Result | undefined {
  // Nothing notifies when a management cluster begins to serve routes.
  const routesDueMs = routes?.areServed === false ? OptionalResource.ASK_AGAIN_MS : Infinity;
  const dueAfterMs = Math.min(Math.max(dueMs - clock.now(), 1000), routesDueMs);
  if (releaseError === undefined) return afterMs(dueAfterMs);
  return afterMs(Math.min(dueAfterMs, releaseRetryMs(releaseError)));
}

/** Once a day at least: a reconcile without changes writes nothing, and Node has no longer timers than 24 days. */
function afterMs(delayMs: number): Result | undefined {
  return delayMs === Infinity ? undefined : { requeueAfterMs: Math.min(delayMs, DAY_MS) };
}
