import type { Result } from '@capstan/kube';
import { cloneJson, formatApiVersion, setOwnerReference } from '@capstan/meta';
import type { EventChannel } from '@capstan/kube';
import { markOld, oldCondition, oldFalse, oldMirror, oldTrue } from '../conditions/old-conditions.js';
import {
  endpointOf,
  failureDomainsOf,
  failureOf,
  isControlPlaneInitialized,
  isProvisioned,
} from '../external/contract.js';
import type { External } from '../external/external-objects.js';
import { isDefined } from '../external/external-objects.js';
import { isGoing } from '../machines.js';
import { labels } from '../names.js';
import { hasExactOwner, referenceTo } from '../owners.js';
import type { Announce, ControllerContext } from '../controller-context.js';
import type { Cluster, Reference } from '../types.js';
import type { ClusterScope } from './scope.js';

const LOOK_FOR_OBJECT_MS = 30_000;

/** A provider's object went away under a cluster that lives. */
export class ObjectLost extends Error {
  override readonly name = 'ObjectLost';
}

/** What the steps of this file work with. */
export interface ClusterWork {
  readonly context: ControllerContext;
  readonly announce: Announce;
  /** Sends events for the objects of providers. */
  readonly foreign: EventChannel;
}

/** Whether a cluster can be found at its endpoint. */
export function hasEndpoint({ spec }: Cluster): boolean {
  return (spec?.controlPlaneEndpoint?.host ?? '') !== '' && (spec?.controlPlaneEndpoint?.port ?? 0) !== 0;
}

/** Finds a provider's object, watches its kind, and makes the cluster its owner. */
async function claim(work: ClusterWork, cluster: Cluster, reference: Reference): Promise<External | undefined> {
  const { external } = work.context;
  const found = await external.get(reference, cluster.metadata.namespace ?? '');
  if (found === undefined) return undefined;
  external.watch(found.ref, work.foreign);
  const { object, ref } = found;
  const { name = '' } = cluster.metadata;
  if (hasExactOwner(object, referenceTo(cluster)) && object.metadata.labels?.[labels.clusterName] === name)
    return noteFailure(cluster, found);
  const owned = setOwnerReference(cloneJson(object), cluster);
  owned.metadata.labels = { ...owned.metadata.labels, [labels.clusterName]: name };
  const patched = await external.patch(ref, object, owned);
  return noteFailure(cluster, { ...found, object: { ...patched, apiVersion: object.apiVersion, kind: object.kind } });
}

/** A terminal failure that a provider's object reports is copied to the cluster. */
function noteFailure(cluster: Cluster, found: External): External {
  const { reason, message } = failureOf(found.object);
  if (reason === '' && message === '') return found;
  const { kind, metadata } = found.object;
  const where = `${formatApiVersion(found.ref)}, Kind=${kind} with name "${metadata.name ?? ''}"`;
  const { deprecated } = cluster.status ?? {};
  const failure = {
    ...(reason === '' ? {} : { failureReason: reason }),
    ...(message === '' ? {} : { failureMessage: `Failure detected from referenced resource ${where}: ${message}` }),
  };
  cluster.status = {
    ...cluster.status,
    deprecated: { ...deprecated, v1beta1: { ...deprecated?.v1beta1, ...failure } },
  };
  return found;
}

/** The infrastructure: owned, and what it knows taken over once it is there. */
export async function reconcileInfrastructure(work: ClusterWork, scope: ClusterScope): Promise<Result | void> {
  const { cluster } = scope;
  const now = work.context.now();
  const reference = cluster.spec?.infrastructureRef;
  if (!isDefined(reference)) {
    if (isGoing(cluster)) return;
    initialize(cluster, 'infrastructureProvisioned');
    markOld(cluster, oldTrue('InfrastructureReady'), now);
    return;
  }
  const found = await claim(work, cluster, reference);
  if (found === undefined) {
    scope.isInfrastructureMissing = true;
    return missing(cluster, reference, 'infrastructureProvisioned', 'provisioned');
  }
  scope.infrastructure = found;
  const provisioned = isProvisioned(found.object, found.contract);
  markOld(cluster, mirrorReady(cluster, found, 'InfrastructureReady', provisioned), now);
  const was = cluster.status?.initialization?.infrastructureProvisioned === true;
  if (isGoing(found.object) || (!provisioned && !was)) return;
  takeInfrastructure(cluster, found);
  if (!was) announceProgress(work, cluster, 'InfrastructureReady', 'InfrastructureProvisioned');
  initialize(cluster, 'infrastructureProvisioned');
}

function announceProgress({ announce }: ClusterWork, cluster: Cluster, reason: string, what: string): void {
  announce(cluster, { type: 'Normal', reason, message: `Cluster ${cluster.metadata.name ?? ''} ${what} is now True` });
}

function takeInfrastructure(cluster: Cluster, { object, contract }: External): void {
  takeEndpoint(cluster, object);
  const failureDomains = failureDomainsOf(object, contract);
  const { failureDomains: _, ...status } = cluster.status ?? {};
  cluster.status = { ...status, ...(failureDomains?.length ? { failureDomains } : {}) };
}

function takeEndpoint(cluster: Cluster, object: External['object']): void {
  if (hasEndpoint(cluster)) return;
  const endpoint = endpointOf(object);
  const { controlPlaneEndpoint: _, ...spec } = cluster.spec ?? {};
  const isKnown = endpoint !== undefined && Object.keys(endpoint).length > 0;
  cluster.spec = { ...spec, ...(isKnown ? { controlPlaneEndpoint: endpoint } : {}) };
}

function initialize(cluster: Cluster, field: 'infrastructureProvisioned' | 'controlPlaneInitialized'): void {
  cluster.status = { ...cluster.status, initialization: { ...cluster.status?.initialization, [field]: true } };
}

function mirrorReady(
  cluster: Cluster,
  { object }: External,
  type: string,
  isReady: boolean,
): ReturnType<typeof oldTrue> {
  const reason = type === 'InfrastructureReady' ? 'WaitingForInfrastructure' : 'WaitingForControlPlane';
  if (isGoing(cluster)) return oldMirror(object, type, oldFalse(type, 'Deleting', 'Info'));
  return oldMirror(object, type, isReady ? oldTrue(type) : oldFalse(type, reason, 'Info'));
}

function missing(
  cluster: Cluster,
  reference: Reference,
  field: 'infrastructureProvisioned' | 'controlPlaneInitialized',
  been: string,
): Result | void {
  if (isGoing(cluster)) return;
  if (cluster.status?.initialization?.[field] === true)
    throw new ObjectLost(`${reference.kind ?? ''} has been deleted after being ${been}`);
  return { requeueAfterMs: LOOK_FOR_OBJECT_MS };
}

/** The control plane: owned, and its endpoint taken over once it is there. */
export async function reconcileControlPlane(work: ClusterWork, scope: ClusterScope): Promise<Result | void> {
  const { cluster } = scope;
  const now = work.context.now();
  const reference = cluster.spec?.controlPlaneRef;
  if (!isDefined(reference)) return;
  const found = await claim(work, cluster, reference);
  if (found === undefined) {
    scope.isControlPlaneMissing = true;
    return missing(cluster, reference, 'controlPlaneInitialized', 'initialized');
  }
  scope.controlPlane = found;
  const initialized = isControlPlaneInitialized(found.object, found.contract);
  markOld(cluster, mirrorReady(cluster, found, 'ControlPlaneReady', initialized), now);
  if (isGoing(found.object)) return;
  markInitialized(cluster, initialized, now);
  const was = cluster.status?.initialization?.controlPlaneInitialized === true;
  if (!initialized && !was) return;
  takeEndpoint(cluster, found.object);
  if (!was) announceProgress(work, cluster, 'ControlPlaneInitialized', 'ControlPlaneInitialized');
  initialize(cluster, 'controlPlaneInitialized');
}

function markInitialized(cluster: Cluster, isInitialized: boolean, now: string): void {
  if (oldCondition(cluster, 'ControlPlaneInitialized')?.status === 'True') return;
  markOld(cluster, isInitialized ? oldTrue('ControlPlaneInitialized') : waitingForControlPlane, now);
}

const waitingForControlPlane = oldFalse(
  'ControlPlaneInitialized',
  'WaitingForControlPlaneProviderInitialized',
  'Info',
  'Waiting for control plane provider to indicate the control plane has been initialized',
);
