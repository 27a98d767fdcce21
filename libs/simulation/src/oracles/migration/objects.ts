import { deepEqual, parseApiVersion } from '@capstan/meta';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import { whileLocked } from './check.js';
import type { MigrationOracleOptions } from './locked.js';

/** Deployments that a migration changes. */
const MOVED: ReadonlySet<string> = new Set([
  'capi-provider',
  'cluster-api',
  'cluster-autoscaler',
  'control-plane-operator',
  'hosted-cluster-config-operator',
  'karpenter-operator',
  'machine-approver',
]);

/** No object refers to an owner of Cluster API that does not exist, at any revision. */
export const ownersExist = whileLocked('owners-exist', ({ event: { change, object }, objects }, options) => {
  const isMoved = isMovedBy(options);
  if (change !== 'delete')
    return ownersOf(object)
      .filter((owner) => isMoved(owner.apiVersion) && !objects.has(owner.uid))
      .map(({ kind, name }) => `refers to ${kind} ${name}, which does not exist`);
  if (!isMoved(object.apiVersion)) return [];
  const owned = [...objects.values()].filter((each) => ownersOf(each).some(({ uid }) => uid === object.metadata.uid));
  return owned.map(({ kind, metadata }) => `is deleted while it owns ${kind} ${metadata.name ?? ''}`);
});

/** Nothing is deleted that an object of Cluster API owns, unless it is one itself. */
export const ownedObjectsStay = whileLocked('owned-objects-stay', ({ event: { change, object } }, options) => {
  const isMoved = isMovedBy(options);
  const owner = ownersOf(object).find(({ apiVersion }) => isMoved(apiVersion));
  if (change !== 'delete' || owner === undefined || isMoved(object.apiVersion)) return [];
  return [`is deleted, which ${owner.kind} ${owner.name} owns`];
});

const WORKLOADS: ReadonlySet<string> = new Set(['apps/deployments', 'apps/statefulsets']);

/** Workloads that do not read Cluster API stay as they are: none of their pods ends. */
export const otherWorkloadsStay = whileLocked(
  'other-workloads-stay',
  ({ event: { change, object, previous, resource } }) => {
    if (!WORKLOADS.has(resource) || MOVED.has(object.metadata.name ?? '')) return [];
    if (change === 'update' && deepEqual(previous?.['spec'], object['spec'])) return [];
    return [change === 'update' ? 'has another spec' : `is ${change}d`];
  },
);

function ownersOf({ metadata }: KubeObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}

/** Whether an API version is of a group that is migrated. */
function isMovedBy({ mapping }: MigrationOracleOptions): (apiVersion: string) => boolean {
  return (apiVersion) => mapping.side(parseApiVersion(apiVersion).group) !== undefined;
}
