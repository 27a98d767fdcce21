import { defineOperator, Manager } from '@capstan/kube';
import type { OperatorDefinition } from '@capstan/kube';
import type { ConversionPlatforms } from '@capstan/provider';
import { MACHINE_API_FLAGS, settingsFrom } from './config.js';
import { SYNC_CONTROLLER } from './names.js';

/** What the operator is put together with: it knows no platform by itself. */
export interface MachineApiOptions {
  readonly platforms: ConversionPlatforms;
}

/** Synchronisation of Machine API and Cluster API, and the handover between them, as one program. */
export function machineApiSyncOperator(_options: MachineApiOptions): OperatorDefinition<typeof MACHINE_API_FLAGS> {
  return defineOperator({
    name: SYNC_CONTROLLER,
    flags: MACHINE_API_FLAGS,
    build: (context) => {
      settingsFrom(context);
      return new Manager(context.options);
    },
  });
}
