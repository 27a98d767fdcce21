import type { OperatorContext } from '@capstan/kube';
import { machineApiSyncOperator } from '@capstan/machine-api';
import type { MACHINE_API_FLAGS } from '@capstan/machine-api';
import type { Io } from '../io.js';
import { conversionPlatforms } from '../platforms.js';
import { runOperator, servingFlags } from './run.js';
import type { ServingOptions } from './run.js';

/** Options of `capstan machine-api operator`. */
export interface MachineApiCommandOptions extends ServingOptions {
  readonly machineApiNamespace?: string | undefined;
  readonly clusterApiNamespace?: string | undefined;
  readonly platform?: string | undefined;
  readonly featureGates?: string | undefined;
}

/** Synchronizes Machine API and Cluster API until asked to stop. */
export async function runMachineApi(options: MachineApiCommandOptions, io: Io): Promise<void> {
  const { clusterApiNamespace, featureGates, machineApiNamespace, platform } = options;
  const operator = machineApiSyncOperator({ platforms: await conversionPlatforms() });
  const flags: OperatorContext<typeof MACHINE_API_FLAGS>['flags'] = {
    ...servingFlags(options),
    ...(machineApiNamespace === undefined ? {} : { 'machine-api-namespace': machineApiNamespace }),
    ...(clusterApiNamespace === undefined ? {} : { 'cluster-api-namespace': clusterApiNamespace }),
    ...(platform === undefined ? {} : { platform }),
    ...(featureGates === undefined ? {} : { 'feature-gates': featureGates }),
  };
  const announcement = 'Running the operator of Machine API and Cluster API on';
  await runOperator({ operator, flags, options, announcement, needed: [] }, io);
}
