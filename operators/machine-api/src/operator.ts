import { defineOperator, errorText, Manager, RuntimeError, sleep, withoutManagedFields } from '@capstan/kube';
import type { CacheOptions, OperatorContext, OperatorDefinition, Runnable } from '@capstan/kube';
import { apiErrorOf } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import type { ConversionPlatforms } from '@capstan/provider';
import { idleCondition, operatorCondition } from './cluster-operator/decide.js';
import { clusterOperatorReporter } from './cluster-operator/reporter.js';
import { MACHINE_API_FLAGS, settingsFrom } from './config.js';
import type { MachineApiSettings } from './config.js';
import { addControllers } from './controllers.js';
import { resourcesIn } from './metrics/metrics.js';
import { changeOf, modeOf } from './mode.js';
import type { Mode } from './mode.js';
import { SYNC_CONTROLLER } from './names.js';
import { toolsFor } from './descriptors/tools.js';
import { ManagerFlags } from './sync/manager-flags.js';

/** What the operator is put together with: it knows no platform by itself. */
export interface MachineApiOptions {
  readonly platforms: ConversionPlatforms;
}

type Context = OperatorContext<typeof MACHINE_API_FLAGS>;

/** How often an idle process looks whether there is something to do. */
const LOOK_AGAIN_MS = 60_000;
/** While the server cannot be read at the start. */
const FIRST_LOOK_MS = 2_000;
const FIRST_LOOKS = 30;

/** Synchronisation of Machine API and Cluster API, and the handover between them, as one program. */
export function machineApiSyncOperator({ platforms }: MachineApiOptions): OperatorDefinition<typeof MACHINE_API_FLAGS> {
  return defineOperator({
    name: SYNC_CONTROLLER,
    flags: MACHINE_API_FLAGS,
    build: async (context: Context) => {
      const { options } = context;
      const settings = settingsFrom(context);
      const client = { ...options.client, userAgent: SYNC_CONTROLLER };
      const manager = new Manager({ ...options, client, cache: { ...options.cache, ...cacheOf(settings) } });
      const look = (): Promise<Mode> => modeOf(manager.unguardedClient, settings, platforms);
      const mode = await firstMode(context, look);
      if (mode.is === 'idle') context.options.logger.info('idle', { reason: mode.reason });
      else await start(manager, settings, mode);
      manager.add(reporterOf(manager, mode));
      manager.add(untilChanged(context, mode, look), 'other');
      return manager;
    },
  });
}

/** The flags of Cluster API come first: what a copy loses is reported by them. */
async function start(
  manager: Manager,
  settings: MachineApiSettings,
  { descriptors, platform }: Mode & { readonly is: 'active' },
): Promise<void> {
  const { clock, logger, unguardedClient: client } = manager;
  const flags = new ManagerFlags({ client, clock, logger, namespace: settings.namespaces.clusterApi });
  await flags.read();
  manager.add(flags, 'other');
  addControllers(manager, { settings, tools: toolsFor(platform), descriptors, nodePropagation: () => flags.current });
}

/** What is idle takes back what it reported before, and else reports nothing. */
function reporterOf(manager: Manager, mode: Mode): Runnable {
  const { client, clock, logger } = manager;
  const common = { client, clock, logger };
  if (mode.is === 'idle')
    return clusterOperatorReporter({ ...common, isAdding: false, report: () => idleCondition(mode.reason) });
  const { objects } = resourcesIn(manager, mode.descriptors);
  return clusterOperatorReporter({ ...common, report: () => operatorCondition(objects(), clock.now()) });
}

/** The server may be late. */
async function firstMode({ options: { clock, logger } }: Context, look: () => Promise<Mode>): Promise<Mode> {
  for (let count = 1; ; count += 1) {
    try {
      return await look();
    } catch (error) {
      if (count === FIRST_LOOKS) throw error;
      logger.warn('cannot read what decides whether to synchronize', {
        error: errorText(error),
        code: apiErrorOf(error)?.code,
      });
      await sleep(clock, FIRST_LOOK_MS, new AbortController().signal);
    }
  }
}

/** Ends when there is something else to do: what a process watches is decided when it starts. */
function untilChanged({ options: { clock } }: Context, before: Mode, look: () => Promise<Mode>): Runnable {
  return {
    name: 'mode',
    run: async (signal) => {
      while (!signal.aborted) {
        await sleep(clock, LOOK_AGAIN_MS, signal);
        if (signal.aborted) return;
        // A server that cannot be read has not changed its mind.
        const now = await look().catch(() => before);
        const change = changeOf(before, now);
        if (change !== undefined) throw new RuntimeError('misused', `${change}: start again`);
      }
    },
  };
}

/** Of nodes only conditions are read, and of those no heartbeat: there may be thousands. */
function slimNode({ apiVersion, kind, metadata, status }: KubeObject): KubeObject {
  const { conditions = [] } = (status ?? {}) as { readonly conditions?: readonly JsonObject[] };
  const { annotations: _, labels: __, managedFields: ___, ...kept } = metadata;
  return {
    apiVersion,
    kind,
    metadata: kept,
    status: { conditions: conditions.map(({ lastHeartbeatTime: _time, ...condition }) => condition) },
  };
}

/** Copies are in one namespace each; who wrote which field counts for sets alone, which autoscalers scale. */
function cacheOf({ namespaces }: MachineApiSettings): Pick<CacheOptions, 'selectionOf' | 'transform'> {
  return {
    selectionOf: ({ group, namespaced }) => {
      if (!namespaced) return {};
      return { namespace: group === 'machine.openshift.io' ? namespaces.machineApi : namespaces.clusterApi };
    },
    transform: (object) => {
      if (object.kind === 'MachineSet') return object;
      return object.kind === 'Node' ? slimNode(object) : withoutManagedFields(object);
    },
  };
}
