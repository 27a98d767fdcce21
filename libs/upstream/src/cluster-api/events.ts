import { changedOutsideStatus, not, or, resourceVersionChanged } from '@capstan/kube';
import type { ObjectEvent, Predicate } from '@capstan/kube';
import { deepEqual, getCondition, isConditionTrue } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { isToBeRemediated } from './machines.js';
import { CORE_GROUP } from './names.js';
import type { Cluster, Machine, MachineSet } from './types.js';

const isResync: Predicate = not(resourceVersionChanged);

/** What changed an object, if only its version. */
export const isUpdate: Predicate = (event) => event.type === 'update' && resourceVersionChanged(event);

/** What asks for something, and what is brought up for its own sake: all but updates of a status. */
export const isAsked: Predicate = or(changedOutsideStatus, isResync);

/** What makes other machines of a set: those that come, go or change hands. */
export const isMoved: Predicate = or(isResync, (event: ObjectEvent) => {
  if (event.type !== 'update') return true;
  const [old, now] = [event.old.metadata, event.object.metadata];
  return (
    old.uid !== now.uid ||
    old.deletionTimestamp !== now.deletionTimestamp ||
    !deepEqual(old.labels, now.labels) ||
    !deepEqual(old.ownerReferences, now.ownerReferences)
  );
});

/** Whether a machine reports that it is available, in the conditions of either version. */
export function isAvailable(machine: KubeObject): boolean {
  const { status } = machine as Machine & { status?: { v1beta2?: Pick<NonNullable<Machine['status']>, 'conditions'> } };
  return isConditionTrue(status?.v1beta2?.conditions ?? status?.conditions, 'Available');
}

/** What a machine reports until it is available, availability included; not that it has to be replaced. */
export const isComing: Predicate = (event: ObjectEvent) =>
  event.type === 'update' && !isAvailable(event.old) && !isToBeRemediated(event.object as Machine);

/** Updates by which a set has no fewer machines that are available than before, and not all yet. */
export const isFilling: Predicate = (event: ObjectEvent) => {
  if (event.type !== 'update') return false;
  const [old, now] = [event.old, event.object] as MachineSet[];
  const has = now?.status?.availableReplicas ?? 0;
  return has >= (old?.status?.availableReplicas ?? 0) && has < (now?.spec.replicas ?? 0);
};

type Notes = Readonly<Record<string, string>>;

/** Whether annotations are equal in what Cluster API and nodes read of them. */
function isSameToCore(before: Notes, after: Notes): boolean {
  const isSame = (name: string): boolean => before[name] === after[name] || !name.includes(CORE_GROUP);
  return Object.keys(before).every(isSame) && Object.keys(after).every(isSame);
}

/** Updates that change nothing but what others note on an object for themselves. */
export const isForeignNote: Predicate = (event: ObjectEvent) => {
  if (event.type !== 'update') return false;
  const { metadata: old } = event.old;
  const { metadata: now } = event.object;
  const { annotations } = now;
  return (
    !deepEqual(old.annotations, annotations) &&
    isSameToCore(old.annotations ?? {}, annotations ?? {}) &&
    !changedOutsideStatus({ ...event, old: { ...event.old, metadata: { ...old, annotations } } } as ObjectEvent) &&
    deepEqual(event.old['status'], event.object['status'])
  );
};

function isPausedCluster(cluster: KubeObject): boolean {
  return (cluster['spec'] as { paused?: boolean } | undefined)?.paused === true;
}

function isInitialized(cluster: KubeObject): boolean {
  const { status } = cluster as { status?: { conditions?: { type: string; status: string }[] } };
  return getCondition(status?.conditions as never, 'ControlPlaneInitialized')?.status === 'True';
}

/** Updates by which a cluster is paused or no longer, and all that are no updates. */
export const isPauseChanged: Predicate = (event: ObjectEvent) =>
  event.type !== 'update' || isPausedCluster(event.old) !== isPausedCluster(event.object);

/** Updates by which a cluster is found to be there. */
export const isReadinessChanged: Predicate = (event: ObjectEvent) =>
  event.type === 'update' && isInitialized(event.object) !== isInitialized(event.old);

/** Whether the infrastructure of a cluster is there, in the words of either version. */
function isProvisioned(cluster: KubeObject): boolean {
  const { status } = cluster as Cluster & { status?: { infrastructureReady?: boolean } };
  return status?.initialization?.infrastructureProvisioned === true || status?.infrastructureReady === true;
}

/** Updates by which a cluster can be connected to or no longer, and all that are no updates: others change no way to it. */
export const isConnectable: Predicate = (event: ObjectEvent) =>
  event.type !== 'update' ||
  event.old.metadata.uid !== event.object.metadata.uid ||
  isProvisioned(event.old) !== isProvisioned(event.object);
