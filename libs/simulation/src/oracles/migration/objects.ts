import { deepEqual, parseApiVersion } from '@capstan/meta';
import type { KubeObject, OwnerReference } from '@capstan/meta';
import { commitSubject } from '../../engine/event-log.js';
import type { Oracle, Violation } from '../../scenario.js';
import { eachMoment } from './locked.js';
import type { MigrationOracleOptions, Moment } from './locked.js';

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

/** An oracle that looks at each commit while the cluster is locked. */
export function whileLocked(
  name: string,
  options: MigrationOracleOptions,
  find: (moment: Moment) => readonly string[],
): Oracle {
  return {
    name,
    check: (record) => {
      const violations: Violation[] = [];
      eachMoment(record, options, (moment) => {
        if (!moment.isLocked) return;
        for (const message of find(moment))
          violations.push({ oracle: name, message: `${commitSubject(moment.event)} ${message}`, event: moment.event });
      });
      return violations;
    },
  };
}

/** No object refers to an owner of Cluster API that does not exist, at any revision. */
export function ownersExist(options: MigrationOracleOptions): Oracle {
  const isMoved = isMovedBy(options);
  return whileLocked('owners-exist', options, ({ event: { change, object }, objects }) => {
    if (change !== 'delete')
      return ownersOf(object)
        .filter((owner) => isMoved(owner.apiVersion) && !objects.has(owner.uid))
        .map(({ kind, name }) => `refers to ${kind} ${name}, which does not exist`);
    if (!isMoved(object.apiVersion)) return [];
    const owned = [...objects.values()].filter((each) => ownersOf(each).some(({ uid }) => uid === object.metadata.uid));
    return owned.map(({ kind, metadata }) => `is deleted while it owns ${kind} ${metadata.name ?? ''}`);
  });
}

/** Nothing is deleted that an object of Cluster API owns, unless it is one itself. */
export function ownedObjectsStay(options: MigrationOracleOptions): Oracle {
  const isMoved = isMovedBy(options);
  return whileLocked('owned-objects-stay', options, ({ event: { change, object } }) => {
    const owner = ownersOf(object).find(({ apiVersion }) => isMoved(apiVersion));
    if (change !== 'delete' || owner === undefined || isMoved(object.apiVersion)) return [];
    return [`is deleted, which ${owner.kind} ${owner.name} owns`];
  });
}

const WORKLOADS: ReadonlySet<string> = new Set(['apps/deployments', 'apps/statefulsets']);

/** Workloads that do not read Cluster API stay as they are: none of their pods ends. */
export function otherWorkloadsStay(options: MigrationOracleOptions): Oracle {
  return whileLocked('other-workloads-stay', options, ({ event: { change, object, previous, resource } }) => {
    if (!WORKLOADS.has(resource) || MOVED.has(object.metadata.name ?? '')) return [];
    if (change === 'update' && deepEqual(previous?.['spec'], object['spec'])) return [];
    return [change === 'update' ? 'has another spec' : `is ${change}d`];
  });
}

function ownersOf({ metadata }: KubeObject): readonly OwnerReference[] {
  return metadata.ownerReferences ?? [];
}

/** Whether an API version is of a group that is migrated. */
export function isMovedBy({ mapping }: MigrationOracleOptions): (apiVersion: string) => boolean {
  return (apiVersion) => mapping.side(parseApiVersion(apiVersion).group) !== undefined;
}
