import type { Client } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import { LEASES } from '../kinds.js';
import { LEASE, LEGACY_OPERATOR_NAME } from '../names.js';
import { livingPods } from '../pods.js';

interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly renewTime?: string;
  };
}

export interface LegacyOperatorOptions {
  readonly client: Client;
  readonly clock: Clock;
  /** Of the operators. */
  readonly namespace: string;
}

/** By how much the clocks of two processes may differ. */
const SKEW_MS = 60_000;
const DEFAULT_LEASE_SECONDS = 15;

/**
 * Whether the operator on standard types has stopped without a word: its lease has expired, and no pod of it is there that has
 * not ended, not even one on a node that does not answer. An operator that is started again reads the lock before anything else.
 */
export async function isLegacyOperatorGone(
  { client, clock, namespace }: LegacyOperatorOptions,
  signal: AbortSignal,
): Promise<boolean> {
  const lease = await client.get<Lease>(LEASES, LEASE, { namespace, signal }).catch(ignoreNotFound);
  // Without a lease it may be one that elects no leader, and runs.
  if (lease === undefined || isHeld(lease, clock.now())) return false;
  const labelSelector = `app=${LEGACY_OPERATOR_NAME}`;
  return (await livingPods(client, { namespace, labelSelector, signal })).length === 0;
}

function isHeld({ spec = {} }: Lease, nowMs: number): boolean {
  const { holderIdentity = '', leaseDurationSeconds = DEFAULT_LEASE_SECONDS, renewTime = '' } = spec;
  if (holderIdentity === '') return false;
  const renewedMs = Date.parse(renewTime);
  // A time that cannot be read is no reason to take a holder for gone.
  return Number.isNaN(renewedMs) || nowMs < renewedMs + leaseDurationSeconds * 1_000 + SKEW_MS;
}
