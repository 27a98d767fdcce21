import type { ClusterVersion } from '@capstan/api/config';
import type { HostedControlPlane, HostedControlPlaneStatus } from '@capstan/api/hypershift';
import { CLEANUP_ANNOTATION, HOSTED_CONTROL_PLANES, pauseOf } from '@capstan/hosting';
import { errorText, timestamp } from '@capstan/kube';
import type { Cache, Client, OwnWrites, Reconcile } from '@capstan/kube';
import {
  apiErrorOf,
  deepEqual,
  extended,
  ignoreNotFound,
  isAlreadyExists,
  isConflict,
  setCondition,
} from '@capstan/meta';
import type { Clock, Condition, ConditionUpdate } from '@capstan/meta';
import { clean } from './cleanup/clean.js';
import { ensureBindings, ensureVersion } from './guest/ensure.js';
import type { Guest } from './guest/ensure.js';
import { versionConditions, versionStatusOf } from './guest/version-status.js';
import { NODES } from './kinds.js';

/** The clients and caches of the hosted-cluster controller. */
export interface GuestReconcileOptions {
  readonly client: Client;
  readonly cache: Cache;
  readonly clock: Clock;
  readonly guest: Guest;
  /** The node counts this operator last wrote into control planes. */
  readonly nodeCountWrites: OwnWrites<HostedControlPlane>;
}

const CLEAN_AGAIN_MS = 2_000;

/** Reconciles the inside of a hosted cluster, and reports its state on the HostedControlPlane. */
export function reconcileGuest(options: GuestReconcileOptions): Reconcile {
  const { cache, clock, nodeCountWrites, guest } = options;
  return async ({ name, namespace }, { signal }) => {
    const hcp = await cache.get<HostedControlPlane>(HOSTED_CONTROL_PLANES, name, { namespace }).catch(ignoreNotFound);
    if (hcp?.spec === undefined) {
      nodeCountWrites.forget(`${namespace}/${name}`);
      return undefined;
    }
    if (hcp.metadata.deletionTimestamp != null) return cleanUp(hcp, options, signal);
    if (pauseOf(hcp.spec.pausedUntil, clock.now()).isPaused) return undefined;
    let version: ClusterVersion | undefined;
    let failure: unknown;
    try {
      await ensureBindings(guest, signal);
      version = await ensureVersion(hcp.spec, guest, signal);
    } catch (error) {
      // What a retry fixes is not reported.
      if (apiErrorOf(error) === undefined || isConflict(error) || isAlreadyExists(error)) throw error;
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

/** HyperShift misspells the reason of success, and clients match it. */
function succeeded(failure: unknown): ConditionUpdate {
  const type = 'ConfigOperatorReconciliationSucceeded';
  if (failure === undefined)
    return { type, status: 'True', reason: 'ReconciliatonSucceeded', message: 'Reconciliation completed successfully' };
  return { type, status: 'False', reason: 'ReconciliationError', message: errorText(failure) };
}

/** Deletes what the hosted cluster has in a cloud, where that was requested. */
async function cleanUp(
  hcp: HostedControlPlane,
  options: GuestReconcileOptions,
  signal: AbortSignal,
): Promise<{ requeueAfterMs: number } | undefined> {
  const type = 'CloudResourcesDestroyed';
  if (hcp.metadata.annotations?.[CLEANUP_ANNOTATION] !== 'true') return undefined;
  if (hcp.status?.conditions?.some((condition) => condition.type === type && condition.status === 'True') === true)
    return undefined;
  const remaining = await clean(options.guest.client, signal);
  const condition: ConditionUpdate =
    remaining.length === 0
      ? { type, status: 'True', reason: 'CloudResourcesDestroyed', message: 'All cloud resources have been removed' }
      : {
          type,
          status: 'False',
          reason: 'RemainingCloudResources',
          message: `Remaining resources: ${remaining.join(', ')}`,
        };
  await writeStatus(hcp, options, { conditions: [condition] });
  return remaining.length === 0 ? undefined : { requeueAfterMs: CLEAN_AGAIN_MS };
}

/** Writes our part of the status when it differs; the rest belongs to the operator of the control plane. */
async function writeStatus(
  before: HostedControlPlane,
  { client, clock, nodeCountWrites }: GuestReconcileOptions,
  ours: Omit<Partial<HostedControlPlaneStatus>, 'conditions'> & { readonly conditions: readonly ConditionUpdate[] },
): Promise<void> {
  const { generation: observedGeneration = 0 } = before.metadata;
  const conditions = ours.conditions.reduce<readonly Condition[]>(
    (list, update) => setCondition(list, extended(update, { observedGeneration }), timestamp(clock)),
    before.status?.conditions ?? [],
  );
  const status = { initialized: false, ready: false, ...before.status, ...ours, conditions: [...conditions] };
  const after = { ...before, status };
  nodeCountWrites.record(after);
  if (deepEqual(before.status, status)) return;
  // Whole, which its resource version locks: a merge patch cannot set null, and a version may need it.
  await client.update(HOSTED_CONTROL_PLANES, after, { subresource: 'status' });
}
