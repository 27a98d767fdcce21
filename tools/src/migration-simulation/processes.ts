import { addMigrationController, DEFAULT_MIGRATION_SETTINGS, sidecarInjection } from '@capstan/hypershift';
import type { MigrationSettings } from '@capstan/hypershift';
import { Discovery, EventRecorder, Manager } from '@capstan/kube';
import type { HostingPlatform } from '@capstan/provider';
import { OPERATOR_NAMESPACE } from '@capstan/simulation';
import type { ProcessDefinition } from '@capstan/simulation';
import { CLUSTER_API_MAPPING, PROXY_IMAGE } from '../hosting/private.js';

export const MIGRATION_PROCESS = 'migration';

/** What a migration runs with, where that is not as everywhere. */
export interface MigrationProcessOptions {
  readonly platform: Pick<HostingPlatform, 'ignoresClusterPause'>;
  readonly settings?: Partial<MigrationSettings> | undefined;
}

/** The migration as a process of its own, directly on the server: its writes can be distinguished from those of its operator. */
export function migrationProcess({ platform, settings }: MigrationProcessOptions): ProcessDefinition {
  return {
    name: MIGRATION_PROCESS,
    start: async ({ client, clock, logger, random, signal, transport }) => {
      const manager = new Manager({ transport, clock, random, logger });
      const component = 'hypershift-migration';
      addMigrationController(manager, {
        namespace: OPERATOR_NAMESPACE,
        client,
        discovery: new Discovery(client, { clock }),
        mapping: CLUSTER_API_MAPPING,
        clock,
        random,
        logger,
        recorder: new EventRecorder({ client, clock, random: random.split('events'), logger, component }),
        settings: { ...DEFAULT_MIGRATION_SETTINGS, ...settings },
        // As the operator: what one of the two writes, the other leaves.
        sidecar: sidecarInjection({ image: PROXY_IMAGE, native: true }),
        operatorImages: { isSupported: () => Promise.resolve(true), overrides: new Map() },
        mayAct: () => Promise.resolve(true),
        probeTranslation: () => Promise.resolve(undefined),
        ignoresClusterPause: () => platform.ignoresClusterPause === true,
        isPodless: true,
      });
      await manager.run(signal);
    },
  };
}
