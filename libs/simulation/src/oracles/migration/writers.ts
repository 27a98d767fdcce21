import { MIGRATION_COPIED_ANNOTATION } from '@capstan/hosting';
import { parseApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Oracle } from '../../scenario.js';
import type { MigrationOracleOptions, Moment } from './locked.js';
import { whileLocked } from './objects.js';

const RECORDS: ReadonlySet<string> = new Set(['coordination.k8s.io/leases', 'events', 'events.k8s.io/events']);

/** No operator writes to the cluster once the lock is acknowledged. */
export function operatorsStop(options: MigrationOracleOptions): Oracle {
  return whileLocked('operators-stop', options, ({ event: { process, resource }, isAcknowledged }) =>
    isAcknowledged && options.operators.includes(process) && !RECORDS.has(resource)
      ? [`was written by ${process} after it had acknowledged the lock`]
      : [],
  );
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

/** The copies count from when they are complete until a rollback has brought their state back. */
function authoritative({ objects }: Moment, { mapping }: MigrationOracleOptions): 'private' | 'standard' {
  const isCopy = ({ apiVersion, metadata }: KubeObject): boolean =>
    mapping.side(parseApiVersion(apiVersion).group) === 'private' &&
    metadata.annotations?.[MIGRATION_COPIED_ANNOTATION] !== undefined;
  return [...objects.values()].some(isCopy) ? 'private' : 'standard';
}
