import type { ClusterVersion } from '@capstan/api/config';
import type { HostedControlPlane } from '@capstan/api/hypershift';
import { controlPlaneLock, HOSTED_CONTROL_PLANES, pauseOf } from '@capstan/hosting';
import { Converger } from '@capstan/kube';
import type { Cache, Change, Client, Reconcile } from '@capstan/kube';
import { apiErrorOf, ignoreNotFound, isAlreadyExists, isConflict } from '@capstan/meta';
import type { Guest } from '../guest/guest.js';
import { versionConditions, versionStatusOf } from '../guest/version-status.js';
import { CLUSTER_VERSIONS } from '../kinds.js';
import { succeeded } from './conditions.js';
import { decide } from './decide.js';
import { reconcileDeletion } from './deletion/reconcile.js';
import { gather } from './gather.js';
import { writeStatus } from './status.js';
import type { StatusWriter } from './status.js';

/** The clients and caches of the hosted-cluster controller. */
export interface GuestReconcileOptions extends StatusWriter {
  readonly cache: Cache;
  readonly guest: Guest;
}

/** Reconciles the inside of a hosted cluster: gather, decide, act, and its state on the HostedControlPlane once. */
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
    const snapshot = await gather(guest.cache);
    const { failure, version } = await act(decide(hcp.spec, snapshot), snapshot.version, guest.client, signal);
    const versionStatus = version === undefined ? undefined : versionStatusOf(version);
    await writeStatus(hcp, options, {
      ...(versionStatus === undefined ? {} : { versionStatus }),
      nodeCount: snapshot.nodeCount,
      conditions: [...versionConditions(version), succeeded(failure)],
    });
    if (failure !== undefined) throw failure;
    return undefined;
  };
}

/** Performs the changes; the ClusterVersion as it is then, or why there is none. */
async function act(
  changes: readonly Change[],
  existing: ClusterVersion | undefined,
  client: Client,
  signal: AbortSignal,
): Promise<{ readonly version?: ClusterVersion | undefined; readonly failure?: unknown }> {
  const converger = new Converger({ client, signal });
  let version = existing;
  try {
    for (const change of changes) {
      const written = await converger.perform(change);
      if (change.kind === CLUSTER_VERSIONS) version = written as ClusterVersion;
    }
    return { version };
  } catch (error) {
    if (!isReported(error)) throw error;
    return { failure: error };
  }
}

/** Whether an error is reported in the status; what a retry fixes is not. */
function isReported(error: unknown): boolean {
  return apiErrorOf(error) !== undefined && !isConflict(error) && !isAlreadyExists(error);
}
