import { deepEqual, parseApiVersion } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import type { CommitEvent } from '../../engine/event-log.js';
import { whileLocked } from './check.js';

const RECORDS: ReadonlySet<string> = new Set(['coordination.k8s.io/leases', 'events', 'events.k8s.io/events']);

/** No operator writes to the cluster once the lock is acknowledged. */
export const operatorsStop = whileLocked('operators-stop', ({ event, isAcknowledged }, { operators }) => {
  const { process, resource } = event;
  return isAcknowledged && operators.includes(process) && !RECORDS.has(resource) && !isRepeated(event)
    ? [`was written by ${process} after it had acknowledged the lock`]
    : [];
});

/** Controllers write the objects of one group alone: of the private one while the copies are the ones that count. */
export const oneGroupActs = whileLocked('one-group-acts', (moment, { mapping, operators, others }) => {
  const { object, process } = moment.event;
  const side = mapping.side(parseApiVersion(object.apiVersion).group);
  if (side === undefined || others.includes(process) || operators.includes(process)) return [];
  const expected = moment.authoritative;
  return side === expected ? [] : [`was written by ${process} while the ${expected} groups are authoritative`];
});

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
