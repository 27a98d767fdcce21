import type { CommitEvent } from '../../engine/event-log.js';
import { commitSubject } from '../../engine/event-log.js';
import type { SimulationState } from '../../scenario.js';
import type { MigrationOracleOptions, Moment } from './locked.js';

/** What must not be, and at which commit it shows. */
export interface Finding {
  readonly message: string;
  readonly event?: CommitEvent | undefined;
}

/** A check of one run. */
export interface MigrationCheck {
  /** Called at each commit that concerns the cluster. */
  onMoment?(moment: Moment): readonly Finding[];
  atEnd?(final: SimulationState): readonly Finding[];
}

/** A kind of check: created for each run, so that no two runs share a memory. */
export interface MigrationCheckKind {
  readonly name: string;
  begin(options: MigrationOracleOptions, initial: SimulationState): MigrationCheck;
}

/** A check of each commit while the cluster is locked. */
export function whileLocked(
  name: string,
  find: (moment: Moment, options: MigrationOracleOptions) => readonly string[],
): MigrationCheckKind {
  return {
    name,
    begin: (options) => ({
      onMoment: (moment) =>
        moment.isLocked
          ? find(moment, options).map((text) => ({
              message: `${commitSubject(moment.event)} ${text}`,
              event: moment.event,
            }))
          : [],
    }),
  };
}
