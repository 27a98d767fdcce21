import { patchFrom, timestamp } from '@capstan/kube';
import type { Manager, Reconcile, ResourceKind } from '@capstan/kube';
import { ignoreNotFound, isConflict } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { CloudApi } from '../cloud/client.js';
import { CloudError } from '../cloud/errors.js';
import { CORE_GROUP } from './objects.js';
import type { Cluster, Contract, InfrastructureStatus } from './objects.js';
import type { InfrastructurePlatform } from './platforms.table.js';
import { withCondition } from './status.js';
import type { ConditionText } from './status.js';

/** Requeue intervals, in milliseconds. */
export interface ProviderIntervals {
  /** For what should appear or end soon. */
  readonly soonMs: number;
  /** For an instance that boots. */
  readonly bootingMs: number;
  /** After the cloud refused a call. */
  readonly refusedMs: number;
  /** For a healthy machine. */
  readonly wellMs: number;
}

/** The intervals of upstream providers. */
export const DEFAULT_INTERVALS: ProviderIntervals = {
  soonMs: 5_000,
  bootingMs: 10_000,
  refusedMs: 15_000,
  wellMs: 60_000,
};
/** With notices of changed instances, which are not guaranteed, booting ones are polled less often. */
export const NOTIFIED_INTERVALS: Partial<ProviderIntervals> = { bootingMs: 30_000 };

/** What the controllers of a provider share. */
export interface ProviderContext {
  readonly manager: Manager;
  readonly row: InfrastructurePlatform;
  readonly cloud: CloudApi;
  /** In which words status is written. */
  readonly contract: Contract;
  /** The Clusters and Machines of Cluster API, in the version in which they are read. */
  readonly core: Readonly<Record<'clusters' | 'machines', ResourceKind>>;
  readonly intervals: ProviderIntervals;
}

/** An object from the cache; undefined when there is none. */
export function fromCache<T extends KubeObject>(
  { manager }: Pick<ProviderContext, 'manager'>,
  resource: ResourceKind,
  at: { readonly namespace: string; readonly name: string },
): Promise<T | undefined> {
  if (at.name === '') return Promise.resolve(undefined);
  return manager.cache.get<T>(resource, at.name, { namespace: at.namespace }).catch(ignoreNotFound);
}

/** The name of the owner of a kind of Cluster API; empty when there is none. */
export function ownerName({ metadata }: KubeObject, kind: 'Cluster' | 'Machine'): string {
  const owner = metadata.ownerReferences?.find(
    (each) => each.kind === kind && each.apiVersion.startsWith(`${CORE_GROUP}/`),
  );
  return owner?.name ?? '';
}

/** The Cluster of that name in the namespace of an object. */
export function clusterNamed(
  provider: ProviderContext,
  object: KubeObject,
  name: string,
): Promise<Cluster | undefined> {
  const { namespace = '' } = object.metadata;
  return fromCache<Cluster>(provider, provider.core.clusters, { namespace, name });
}

/** An object with a status, whatever the platform. */
export interface WithStatus extends KubeObject {
  readonly status?: InfrastructureStatus;
}

/** Writes a status as a patch that others' changes in between refuse; writes nothing when nothing differs. */
export async function writeStatus<T extends WithStatus>(
  { manager }: ProviderContext,
  resource: ResourceKind,
  object: T,
  change: (status: InfrastructureStatus) => InfrastructureStatus,
): Promise<T> {
  const before = object.status ?? {};
  const status = change(before);
  if (status === before) return object;
  const options = { subresource: 'status', optimisticLock: true } as const;
  return patchFrom<T>(manager.client, resource, { before: object, after: { ...object, status } }, options);
}

/** Conditions set one after another. */
export function withConditions(
  provider: ProviderContext,
  status: InfrastructureStatus,
  texts: readonly ConditionText[],
): InfrastructureStatus {
  if (provider.row.hasConditions === false) return status;
  const now = timestamp(provider.manager.clock);
  return texts.reduce((at, text) => withCondition(at, text, { contract: provider.contract, now }), status);
}

const CONFLICT_MS = 2_000;

/**
 * Requeues after errors that are expected now and then, instead of failing: failures back off exponentially, so many
 * conflicts while a watch is late would delay an object for a quarter of an hour.
 */
export function retryExpectedErrors({ intervals }: ProviderContext, reconcile: Reconcile): Reconcile {
  return async (request, context) => {
    try {
      return await reconcile(request, context);
    } catch (error) {
      if (isConflict(error)) return { requeueAfterMs: CONFLICT_MS };
      if (!(error instanceof CloudError) || error.isTerminal) throw error;
      context.logger.info('the cloud refused a call, will retry', { code: error.code });
      return { requeueAfterMs: intervals.refusedMs };
    }
  };
}

/** Reports whether the object is paused; one that never was reports nothing under the older contract. */
export function withPaused(
  provider: ProviderContext,
  status: InfrastructureStatus,
  isHeld: boolean,
): InfrastructureStatus {
  const was = status.conditions?.some(({ type }) => type === 'Paused') === true;
  if (!isHeld && !was && provider.contract === 'v1beta1') return status;
  const text = isHeld
    ? ({ type: 'Paused', status: 'True', reason: 'Paused' } as const)
    : ({ type: 'Paused', status: 'False', reason: 'NotPaused' } as const);
  return withConditions(provider, status, [text]);
}
