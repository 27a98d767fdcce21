import { MIGRATION_COPIED_ANNOTATION } from '@capstan/hosting';
import { deepEqual, parseApiVersion } from '@capstan/meta';
import type { Condition, KubeObject } from '@capstan/meta';
import type { CommitEvent } from '../../engine/event-log.js';
import type { Oracle } from '../../scenario.js';
import type { MigrationOracleOptions, Moment } from './locked.js';
import { whileLocked } from './objects.js';

const RECORDS: ReadonlySet<string> = new Set(['coordination.k8s.io/leases', 'events', 'events.k8s.io/events']);

/** No operator writes to the cluster once the lock is acknowledged. */
export function operatorsStop(options: MigrationOracleOptions): Oracle {
  return whileLocked('operators-stop', options, ({ event, isAcknowledged }) => {
    const { process, resource } = event;
    return isAcknowledged && options.operators.includes(process) && !RECORDS.has(resource) && !isRepeated(event)
      ? [`was written by ${process} after it had acknowledged the lock`]
      : [];
  });
}

/** Controllers write the objects of one group alone: of the private one while the copies are the ones that count. */
export function oneGroupActs(options: MigrationOracleOptions): Oracle {
  return whileLocked('one-group-acts', options, (moment) => {
    const { object, process } = moment.event;
    const side = options.mapping.side(parseApiVersion(object.apiVersion).group);
    if (side === undefined || [...options.others, ...options.operators].includes(process)) return [];
    const expected = authoritative(moment, options);
    return side === expected ? [] : [`was written by ${process} while the ${expected} groups are authoritative`];
  });
}

/** The copies count from when they are complete until a rollback has brought their state back, and once nothing else is left. */
function authoritative({ objects }: Moment, { mapping }: MigrationOracleOptions): 'private' | 'standard' {
  const sideOf = ({ apiVersion }: KubeObject): string | undefined => mapping.side(parseApiVersion(apiVersion).group);
  const all = [...objects.values()];
  const isMarked = ({ metadata }: KubeObject): boolean =>
    metadata.annotations?.[MIGRATION_COPIED_ANNOTATION] !== undefined;
  const isPrivate =
    all.some((each) => sideOf(each) === 'private' && isMarked(each)) ||
    all.every((each) => sideOf(each) !== 'standard');
  return isPrivate ? 'private' : 'standard';
}

/** Whether conditions differ in their times alone: a process that restarted with another clock has acknowledged again. */
function isRepeated({ object, previous }: CommitEvent): boolean {
  const timeless = (status: unknown): unknown => {
    const { conditions = [], ...rest } = (status ?? {}) as { readonly conditions?: readonly Condition[] };
    return { ...rest, conditions: conditions.map((each) => ({ ...each, lastTransitionTime: undefined })) };
  };
  const { metadata: is } = object;
  const was = previous?.metadata;
  return (
    deepEqual(is.annotations, was?.annotations) &&
    deepEqual(object['spec'], previous?.['spec']) &&
    deepEqual(timeless(object['status']), timeless(previous?.['status']))
  );
}
