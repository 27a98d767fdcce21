import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import type { MachineDeployment, MachineSet } from '@capstan/api/cluster-api';
import type { Manager } from '@capstan/kube';
import { Histogram, instantToMs, LiveGauge, parseTime } from '@capstan/meta';
import type { Clock, GaugeDeclaration, HistogramDeclaration } from '@capstan/meta';
import {
  controlPlaneNamespace,
  HOSTED_CLUSTERS,
  MACHINE_DEPLOYMENTS,
  MACHINE_SETS,
  NODE_POOLS,
} from '@capstan/provider';
import { TYPES } from './conditions.js';
import type { ConditionType } from './conditions.js';
import { keyOf } from './resources.js';

/** Metrics of pools, under the names of the field. Gauges are counted from the cache when somebody asks. */

const OF_POOL = ['namespace', 'name', '_id', 'cluster_name', 'platform'] as const;

function gauge(name: string, help: string, labels: readonly string[]): GaugeDeclaration {
  return { type: 'gauge', name, help, labels };
}

export const POOLS: GaugeDeclaration = gauge('hypershift_nodepools', 'NodePools of a platform.', ['platform']);
export const FAILURES: GaugeDeclaration = gauge(
  'hypershift_nodepools_failure_conditions',
  'NodePools of a platform with a condition that is not as it should be.',
  ['platform', 'condition'],
);
export const OF_CLUSTER: GaugeDeclaration = gauge(
  'hypershift_hostedcluster_nodepools',
  'NodePools of a HostedCluster.',
  ['namespace', 'name', '_id', 'platform'],
);
export const SIZE: GaugeDeclaration = gauge('hypershift_nodepools_size', 'Machines a NodePool is to have.', OF_POOL);
export const AVAILABLE: GaugeDeclaration = gauge(
  'hypershift_nodepools_available_replicas',
  'Machines of a NodePool that are available.',
  OF_POOL,
);
export const ROLLING_OUT: GaugeDeclaration = gauge(
  'hypershift_nodepools_initial_rolling_out_duration_seconds',
  'How long a NodePool has been there without its first version rolled out; absent once it is.',
  OF_POOL,
);
export const DELETING: GaugeDeclaration = gauge(
  'hypershift_nodepools_deleting_duration_seconds',
  'How long a NodePool has been going; absent while it stays.',
  OF_POOL,
);
export const TRANSITIONS: HistogramDeclaration = {
  type: 'histogram',
  name: 'hypershift_nodepools_transition_seconds',
  help: 'How long after its creation a condition of a NodePool became true.',
  labels: ['condition'],
  buckets: [5, 10, 20, 30, 60, 90, 120, 180, 240, 300, 360, 480, 600],
};

/** What conditions say when all is well; others are neither good nor bad. */
const GOOD: ReadonlyMap<string, 'False' | 'True'> = new Map<ConditionType, 'False' | 'True'>([
  [TYPES.management, 'True'],
  [TYPES.releaseImage, 'True'],
  [TYPES.architecture, 'True'],
  [TYPES.active, 'True'],
  [TYPES.skew, 'True'],
  [TYPES.machineConfig, 'True'],
  [TYPES.tuningConfig, 'True'],
  [TYPES.payload, 'True'],
  [TYPES.reachedIgnition, 'True'],
  [TYPES.machinesReady, 'True'],
  [TYPES.nodesHealthy, 'True'],
  [TYPES.platformConfig, 'True'],
  [TYPES.ready, 'True'],
  [TYPES.updatingConfig, 'False'],
  [TYPES.updatingVersion, 'False'],
  [TYPES.updatingTemplate, 'False'],
]);
const TIMED: ReadonlySet<string> = new Set([TYPES.reachedIgnition, TYPES.machinesReady, TYPES.nodesHealthy]);

type Sample = readonly [readonly string[], number];

function secondsSince(moment: string | null | undefined, clock: Clock): number | undefined {
  return typeof moment === 'string' ? (clock.now() - instantToMs(parseTime(moment))) / 1000 : undefined;
}

/** How many there are of each. */
function counted(all: Iterable<readonly string[]>): Iterable<Sample> {
  const counts = new Map<string, Sample>();
  for (const labels of all) {
    const key = labels.join('\0');
    counts.set(key, [labels, (counts.get(key)?.[1] ?? 0) + 1]);
  }
  return counts.values();
}

/** What of a pool is not as it should be: `not_Ready`, `UpdatingVersion`. */
export function failuresOf({ status }: NodePool): readonly string[] {
  return (status?.conditions ?? []).flatMap(({ status: said, type }) => {
    const good = GOOD.get(type);
    if (good === undefined || said === good) return [];
    return [good === 'True' ? `not_${type}` : type];
  });
}

/** Counts pools, and how long they take. */
export class NodePoolMetrics {
  readonly #manager: Manager;
  readonly #transitions = Histogram.of(TRANSITIONS);

  constructor(manager: Manager) {
    this.#manager = manager;
    const { clock } = manager;
    const perPool = (declaration: GaugeDeclaration, value: (pool: NodePool) => number | undefined): LiveGauge =>
      LiveGauge.of(declaration, () => this.#perPool(value));
    manager.metrics.register(
      LiveGauge.of(POOLS, () => counted(this.#pools().map((pool) => [platformOf(pool)]))),
      LiveGauge.of(FAILURES, () =>
        counted(this.#pools().flatMap((pool) => failuresOf(pool).map((failure) => [platformOf(pool), failure]))),
      ),
      LiveGauge.of(OF_CLUSTER, () => this.#perCluster()),
      perPool(SIZE, (pool) => this.#sizeOf(pool)),
      perPool(AVAILABLE, ({ status }) => status?.replicas ?? 0),
      perPool(ROLLING_OUT, ({ metadata, status }) =>
        status?.version === undefined ? secondsSince(metadata.creationTimestamp, clock) : undefined,
      ),
      perPool(DELETING, ({ metadata }) => secondsSince(metadata.deletionTimestamp, clock)),
      this.#transitions,
    );
  }

  /** Notes how long conditions took that have just become true. */
  became({ metadata }: NodePool, types: Iterable<string>): void {
    const seconds = secondsSince(metadata.creationTimestamp, this.#manager.clock);
    for (const type of types) if (TIMED.has(type) && seconds !== undefined) this.#transitions.observe([type], seconds);
  }

  #pools(): NodePool[] {
    return [...this.#manager.cache.informer<NodePool>(NODE_POOLS).store.list()];
  }

  #clusters(): Map<string, HostedCluster> {
    const { store } = this.#manager.cache.informer<HostedCluster>(HOSTED_CLUSTERS);
    return new Map([...store.list()].map((cluster) => [keyOf(cluster), cluster]));
  }

  *#perPool(value: (pool: NodePool) => number | undefined): Iterable<Sample> {
    const clusters = this.#clusters();
    for (const pool of this.#pools()) {
      const number = value(pool);
      const { name = '', namespace = '' } = pool.metadata;
      const cluster = pool.spec?.clusterName ?? '';
      const id = clusters.get(`${namespace}/${cluster}`)?.spec?.clusterID ?? '';
      if (number !== undefined) yield [[namespace, name, id, cluster, platformOf(pool)], number];
    }
  }

  *#perCluster(): Iterable<Sample> {
    const counts = new Map<string, number>();
    for (const { metadata, spec } of this.#pools()) {
      const key = `${metadata.namespace}/${spec?.clusterName}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const [key, { metadata, spec }] of this.#clusters()) {
      const labels = [metadata.namespace ?? '', metadata.name ?? '', spec?.clusterID ?? '', spec?.platform.type ?? ''];
      yield [labels, counts.get(key) ?? 0];
    }
  }

  /** By its set: the number of an autoscaled pool is not in its spec. */
  #sizeOf({ metadata, spec }: NodePool): number {
    const { name = '', namespace = '' } = metadata;
    const key = `${controlPlaneNamespace(namespace, spec?.clusterName ?? '')}/${name}`;
    const kind = spec?.management.upgradeType === 'InPlace' ? MACHINE_SETS : MACHINE_DEPLOYMENTS;
    const set = this.#manager.cache.informer<MachineDeployment | MachineSet>(kind).store.get(key);
    return set?.spec?.replicas ?? 0;
  }
}

function platformOf({ spec }: NodePool): string {
  return spec?.platform.type ?? '';
}
