import type { ClusterVersion } from '@capstan/api/config';
import type { HostedControlPlane } from '@capstan/api/hypershift';
import { controlPlaneLock, HOSTED_CONTROL_PLANES, pauseOf } from '@capstan/hosting';
import type { Cache, Reconcile } from '@capstan/kube';
import { apiErrorOf, ignoreNotFound, isAlreadyExists, isConflict } from '@capstan/meta';
import { ensureBindings, ensureVersion } from '../guest/ensure.js';
import type { Guest } from '../guest/ensure.js';
import { versionConditions, versionStatusOf } from '../guest/version-status.js';
import { NODES } from '../kinds.js';
import { succeeded } from './conditions.js';
import { reconcileDeletion } from './deletion/reconcile.js';
import { writeStatus } from './status.js';
import type { StatusWriter } from './status.js';

/** The clients and caches of the hosted-cluster controller. */
export interface GuestReconcileOptions extends StatusWriter {
  readonly cache: Cache;
  readonly guest: Guest;
}

/** Reconciles the inside of a hosted cluster, and reports its state on the HostedControlPlane. */
export function reconcileGuest(options: GuestReconcileOptions): Reconcile {
  const { cache, clock, nodeCountWrites, guest } = options;
  return async ({ name, namespace }, { signal }) => {
    const hcp = await cache.get<HostedControlPlane>(HOSTED_CONTROL_PLANES, name, { namespace }).catch(ignoreNotFound);
    if (hcp?.spec === undefined) {
      nodeCountWrites.forget(`${namespace}/${name}`);
      return undefined;
    }
    if (controlPlaneLock(hcp) !== undefined) return undefined;
    if (hcp.metadata.deletionTimestamp != null) return reconcileDeletion(hcp, options, signal);
    if (pauseOf(hcp.spec.pausedUntil, clock.now()).isPaused) return undefined;
    let version: ClusterVersion | undefined;
    let failure: unknown;
    try {
      await ensureBindings(guest, signal);
      version = await ensureVersion(hcp.spec, guest, signal);
    } catch (error) {
      if (!isReported(error)) throw error;
      failure = error;
    }
    const { items: nodes } = await guest.cache.list(NODES);
    const versionStatus = version === undefined ? undefined : versionStatusOf(version);
    await writeStatus(hcp, options, {
      ...(versionStatus === undefined ? {} : { versionStatus }),
      nodeCount: nodes.length,
      conditions: [...versionConditions(version), succeeded(failure)],
    });
    if (failure !== undefined) throw failure;
    return undefined;
  };
}

/** Whether an error is reported in the status; what a retry fixes is not. */
function isReported(error: unknown): boolean {
  return apiErrorOf(error) !== undefined && !isConflict(error) && !isAlreadyExists(error);
}
