import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS, KEEP_UNTIL_ANNOTATION, lockOf, reconcilerOf } from '@capstan/hosting';
import { changedOutsideStatus, Converger } from '@capstan/kube';
import type { Client, Controller, Logger, Manager, Result, Source } from '@capstan/kube';
import { ignoreNotFound, isConflict } from '@capstan/meta';
import type { Clock, KubeObject } from '@capstan/meta';
import { MigrationError } from '@capstan/migration';
import { DEPLOYMENTS, VALIDATING_WEBHOOKS } from './kinds.js';
import { webhookNameOf } from './manifests/names.js';
import { LEGACY_OPERATOR_NAME } from './names.js';
import type { Turns } from './turns/turns.js';

export interface LegacyOperatorOptions {
  /** Asks the server itself: standard objects are hidden from the proxy. */
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Of the operators. */
  readonly namespace: string;
  readonly turns: Turns;
}

const REQUEST = { namespace: '', name: LEGACY_OPERATOR_NAME } as const;
const WEBHOOK = webhookNameOf('legacy');
const GATHER_MS = 1_000;
const LOOK_AGAIN_MS = 60_000;
const TOO_EARLY_MS = 5_000;
const CHANGED_MS = 1_000;
/** Without a HostedCluster nothing else would start it. */
const ONCE: Source = {
  name: 'start',
  start: (emit) => {
    emit({ type: 'generic', object: { apiVersion: 'v1', kind: 'Start', metadata: { name: REQUEST.name } } });
    return Promise.resolve();
  },
};

/** Deletes the Deployment of the legacy operator once no HostedCluster needs it, in a new installation at once. */
export function addLegacyOperatorController(manager: Manager, options: LegacyOperatorOptions): Controller {
  return manager
    .controller({
      name: 'LegacyOperator',
      maxConcurrent: 1,
      gatherMs: GATHER_MS,
      reconcile: (_, { signal }) => deleteUnneeded(options, signal),
    })
    .from(ONCE, () => [REQUEST])
    .watches<HostedCluster>(HOSTED_CLUSTERS, () => [REQUEST], { predicates: [changedOutsideStatus] });
}

/**
 * Deletes it with its webhook, which nobody answers any more, or reconciles again later: it may be installed again, and objects
 * may be deleted without any event.
 */
export async function deleteUnneeded(options: LegacyOperatorOptions, signal: AbortSignal): Promise<Result> {
  const { client, clock, namespace, turns } = options;
  const again = { requeueAfterMs: LOOK_AGAIN_MS };
  // Read first: the webhook is installed after the Deployment, so that one without the other was left behind.
  const webhook = await client.get(VALIDATING_WEBHOOKS, WEBHOOK, { signal }).catch(ignoreNotFound);
  const found = await client.get(DEPLOYMENTS, LEGACY_OPERATOR_NAME, { namespace, signal }).catch(ignoreNotFound);
  if (found === undefined && webhook === undefined) return again;
  if (found !== undefined && (found.metadata.deletionTimestamp != null || isKept(found, clock.now()))) return again;
  if (!(await turns.mayAct(signal))) return { requeueAfterMs: TOO_EARLY_MS };
  if (found !== undefined) {
    const { items } = await client.list<HostedCluster>(HOSTED_CLUSTERS, { signal });
    for (const cluster of items) if (await needsLegacyOperator(cluster, turns, signal)) return again;
  }
  try {
    await deleteAll(options, { found, webhook }, signal);
  } catch (error) {
    if (isConflict(error)) return { requeueAfterMs: CHANGED_MS };
    throw error;
  }
  return again;
}

interface Unneeded {
  readonly found: KubeObject | undefined;
  readonly webhook: KubeObject | undefined;
}

/** As they were read: a rollback that is about to begin marks the Deployment, and an installation may write both. */
async function deleteAll(
  { client, logger, namespace }: LegacyOperatorOptions,
  { found, webhook }: Unneeded,
  signal: AbortSignal,
): Promise<void> {
  const converger = new Converger({ client, signal });
  if (found !== undefined) {
    await converger.perform({ verb: 'delete', kind: DEPLOYMENTS, object: found, isUnchanged: true });
    logger.info('Legacy operator deleted', { namespace, name: LEGACY_OPERATOR_NAME });
  }
  if (webhook !== undefined)
    await converger.perform({ verb: 'delete', kind: VALIDATING_WEBHOOKS, object: webhook, isUnchanged: true });
}

/** Whether a rollback by hand that is about to begin needs it. */
function isKept({ metadata: { annotations = {} } }: KubeObject, nowMs: number): boolean {
  return Date.parse(annotations[KEEP_UNTIL_ANNOTATION] ?? '') > nowMs;
}

/** Whether the legacy operator reconciles a cluster, may have to after a lock, or has objects of it to delete. */
async function needsLegacyOperator(cluster: HostedCluster, turns: Turns, signal: AbortSignal): Promise<boolean> {
  const { by } = reconcilerOf(cluster);
  if (by === 'shard') return false;
  if (by !== 'private' || lockOf(cluster).holder !== 'nobody') return true;
  return cluster.metadata.deletionTimestamp != null && (await hasStandard(cluster, turns, signal));
}

/** Whether it has standard objects; also where that cannot be read, which its condition reports. */
async function hasStandard(cluster: HostedCluster, turns: Turns, signal: AbortSignal): Promise<boolean> {
  try {
    return (await turns.evidence(cluster, signal)).standard;
  } catch (error) {
    if (error instanceof MigrationError) return true;
    throw error;
  }
}
