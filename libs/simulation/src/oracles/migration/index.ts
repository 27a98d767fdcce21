import { pushAll } from '@capstan/meta';
import type { Oracle, RehearsalOracle, RunRecord, SimulationState, Violation } from '../../scenario.js';
import type { Finding, MigrationCheckKind } from './check.js';
import { noCloudCalls } from './cloud.js';
import { LockedCluster } from './locked.js';
import type { MigrationOracleOptions } from './locked.js';
import { instancesAreNamed, oneGroupAtTheEnd } from './machines.js';
import { otherWorkloadsStay, ownedObjectsStay, ownersExist } from './objects.js';
import { oneGroupActs, operatorsStop } from './writers.js';

export { cloudCalls } from './cloud.js';
export type { MigrationOracleOptions } from './locked.js';

const KINDS: readonly MigrationCheckKind[] = [
  instancesAreNamed,
  oneGroupAtTheEnd,
  ownersExist,
  ownedObjectsStay,
  otherWorkloadsStay,
  operatorsStop,
  oneGroupActs,
];

/** What must hold while a HostedCluster is moved between groups, whatever goes wrong; found in the record of a run. */
export function migrationOracles(options: MigrationOracleOptions): readonly Oracle[] {
  return KINDS.map((kind) => ({ name: kind.name, check: (record) => checkRecord(kind, options, record) }));
}

function checkRecord(
  kind: MigrationCheckKind,
  options: MigrationOracleOptions,
  { events, final, initial }: RunRecord,
): readonly Violation[] {
  const cluster = new LockedCluster(initial, options);
  const check = kind.begin(options, initial);
  const found: Finding[] = [];
  for (const event of events) {
    const moment = cluster.momentOf(event);
    if (moment !== undefined) pushAll(found, check.onMoment?.(moment) ?? []);
  }
  return [...found, ...(check.atEnd?.(final) ?? [])].map((each) => ({ oracle: kind.name, ...each }));
}

/**
 * The same as it happens, for runs that keep no events; and that nothing is asked of the cloud, since nobody scales a copy.
 * To be begun for each run.
 */
export function migrationRehearsalOracles(
  options: MigrationOracleOptions,
  initial: SimulationState,
): readonly RehearsalOracle[] {
  const cluster = new LockedCluster(initial, options);
  return [...KINDS, noCloudCalls].map((kind) => {
    const check = kind.begin(options, initial);
    return {
      name: kind.name,
      onEvent: (event) => {
        if (event.type !== 'commit') return undefined;
        const moment = cluster.momentOf(event);
        const found = moment === undefined ? [] : (check.onMoment?.(moment) ?? []);
        return found.length === 0 ? undefined : found.map(({ message }) => message).join('; ');
      },
      atEnd: (state) => (check.atEnd?.(state) ?? []).map(({ message }) => message),
    };
  });
}
