import type { Oracle } from '../../scenario.js';
import type { MigrationOracleOptions } from './locked.js';
import { instancesAreNamed, oneGroupAtTheEnd } from './machines.js';
import { otherWorkloadsStay, ownedObjectsStay, ownersExist } from './objects.js';
import { oneGroupActs, operatorsStop } from './writers.js';

export type { MigrationOracleOptions } from './locked.js';

/** What must hold while a HostedCluster is moved between groups, whatever goes wrong. */
export function migrationOracles(options: MigrationOracleOptions): readonly Oracle[] {
  return [
    instancesAreNamed(options),
    oneGroupAtTheEnd(options),
    ownersExist(options),
    ownedObjectsStay(options),
    otherWorkloadsStay(options),
    operatorsStop(options),
    oneGroupActs(options),
  ];
}
