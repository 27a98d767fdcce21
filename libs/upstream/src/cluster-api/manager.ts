import { Discovery, Manager, sleep, withoutManagedFields } from '@capstan/kube';
import type { ManagerOptions } from '@capstan/kube';
import type { ConnectGuest } from './guest-clusters.js';
import type { Served } from './create-context.js';
import { CORE_GROUP } from './names.js';
import { announcer } from './controller-context.js';
import { runControllers } from './wiring.js';
import type { Announcers } from './wiring.js';
import { DEFINITIONS } from './kinds.js';
import { v1beta1Codec, v1beta2Codec } from './writing/codec.js';
import type { CoreCodec } from './writing/codec.js';

export interface ClusterApiOptions extends ManagerOptions {
  /** Only what is in this namespace. Default: everything. */
  readonly namespace?: string | undefined;
  /** Only objects with the label `cluster.x-k8s.io/watch-filter` of this value. Default: all. */
  readonly watchFilter?: string | undefined;
  /** How the API servers of the clusters are reached. */
  readonly connectGuest: ConnectGuest;
  /** Default 50 s. */
  readonly remoteConnectionGraceMs?: number | undefined;
  /** After how long an unreachable cluster is tried again. Default 30 s, as upstream. */
  readonly retryConnectMs?: number | undefined;
  /** Default 5 min. */
  readonly remoteConditionsGraceMs?: number | undefined;
  /** Whether the taints of machines go to their nodes. Default false. */
  readonly propagatesTaints?: boolean | undefined;
  /** How many objects of each kind are reconciled at once. Default 10. */
  readonly maxConcurrent?: number | undefined;
  /** Reconciles one object at most once a second, as newer upstream versions do. Default false. */
  readonly isPaced?: boolean | undefined;
}

const LOOK_FOR_CORE_MS = 5_000;
/** The resync interval: every object is reconciled this often, even without events. */
const RESYNC_MS = 600_000;
const VERSIONS = ['v1beta2', 'v1beta1'] as const;

/** The core of Cluster API as an operator: clusters, machine deployments, sets, machines and health checks. */
export function clusterApiManager(options: ClusterApiOptions): Manager {
  const { namespace, ...managerOptions } = options;
  const manager = new Manager({
    ...managerOptions,
    // The default field managers: the name of the upstream manager.
    client: { userAgent: 'manager', ...options.client },
    cache: {
      transform: withoutManagedFields,
      resyncMs: RESYNC_MS,
      ...options.cache,
      selectionOf: (resource) => ({
        ...(namespace === undefined || !resource.namespaced ? {} : { namespace }),
        ...options.cache?.selectionOf?.(resource),
      }),
    },
  });
  const announce = (name: string): ReturnType<typeof announcer> =>
    announcer(manager.eventRecorder(`${name}-controller`, { isGathered: options.isPaced }));
  const announcers: Announcers = {
    cluster: announce('cluster'),
    machineDeployment: announce('machinedeployment'),
    machineSet: announce('machineset'),
    machine: announce('machine'),
    machineHealthCheck: announce('machinehealthcheck'),
  };
  manager.add({
    name: 'cluster-api',
    run: async (signal) => {
      const served = await servedCore(manager, signal);
      if (served !== undefined) await runControllers({ manager, options, served, announcers }, signal);
    },
  });
  return manager;
}

/** Waits until the server serves the core kinds, and returns how; undefined when stopped before. */
async function servedCore(manager: Manager, signal: AbortSignal): Promise<Served | undefined> {
  const discovery = new Discovery(manager.client, { clock: manager.clock, missIntervalMs: 0 });
  while (!signal.aborted) {
    const { resources } = await discovery.refresh(signal);
    const kinds = new Set(
      resources.filter(({ group }) => group === CORE_GROUP).map(({ kind, version }) => `${kind} ${version}`),
    );
    const version = VERSIONS.find((each) => kinds.has(`Cluster ${each}`));
    if (version !== undefined)
      return { codec: await codecFor(manager, version), hasDrainRules: kinds.has(`MachineDrainRule ${version}`) };
    await sleep(manager.clock, LOOK_FOR_CORE_MS, signal);
  }
  return undefined;
}

async function codecFor({ cache }: Manager, version: (typeof VERSIONS)[number]): Promise<CoreCodec> {
  if (version === 'v1beta2') return v1beta2Codec;
  const definitions = cache.informer(DEFINITIONS, { metadataOnly: true });
  await definitions.whenSynced();
  return v1beta1Codec((name) => definitions.store.get(name)?.metadata.labels);
}
