import { objectKey } from '@capstan/kube';
import type { NodePoolConditionType } from '@capstan/hosting';
import type { HostedCluster, NodePool } from '@capstan/api/hypershift';
import type { MachineDeployment, MachineSet } from '@capstan/api/cluster-api';
import {
  controlPlaneNamespace,
  HOSTED_CLUSTERS,
  MACHINE_DEPLOYMENTS,
  MACHINE_SETS,
  NODE_POOL_CONDITIONS,
  NODE_POOLS,
} from '@capstan/hosting';
import type { Manager } from '@capstan/kube';
import { Histogram, LiveGauge } from '@capstan/meta';
import type { Clock, GaugeDeclaration, MetricFamily } from '@capstan/meta';
import {
  poolAvailable,
  poolCount,
  poolDeleting,
  poolFailures,
  poolRollingOut,
  poolsOfCluster,
  poolSize,
  poolTransitions,
  poolUpdating,
} from './declarations.js';
import { counted, failuresIn, secondsSince } from './samples.js';
import type { Sample } from './samples.js';
import type { Turns } from '../turns/turns.js';

/** What conditions say when all is well; others are neither good nor bad. */
const GOOD: ReadonlyMap<string, 'False' | 'True'> = new Map<NodePoolConditionType, 'False' | 'True'>([
  [NODE_POOL_CONDITIONS.management, 'True'],
  [NODE_POOL_CONDITIONS.releaseImage, 'True'],
  [NODE_POOL_CONDITIONS.architecture, 'True'],
  [NODE_POOL_CONDITIONS.active, 'True'],
  [NODE_POOL_CONDITIONS.skew, 'True'],
  [NODE_POOL_CONDITIONS.machineConfig, 'True'],
  [NODE_POOL_CONDITIONS.tuningConfig, 'True'],
  [NODE_POOL_CONDITIONS.payload, 'True'],
  [NODE_POOL_CONDITIONS.reachedIgnition, 'True'],
  [NODE_POOL_CONDITIONS.machinesReady, 'True'],
  [NODE_POOL_CONDITIONS.nodesHealthy, 'True'],
  [NODE_POOL_CONDITIONS.platformConfig, 'True'],
  [NODE_POOL_CONDITIONS.ready, 'True'],
  [NODE_POOL_CONDITIONS.updatingConfig, 'False'],
  [NODE_POOL_CONDITIONS.updatingVersion, 'False'],
  [NODE_POOL_CONDITIONS.updatingTemplate, 'False'],
]);
const TIMED: ReadonlySet<string> = new Set([
  NODE_POOL_CONDITIONS.reachedIgnition,
  NODE_POOL_CONDITIONS.machinesReady,
  NODE_POOL_CONDITIONS.nodesHealthy,
]);

/** What of a pool is not as it should be: `not_Ready`, `UpdatingVersion`. */
export function failuresOf({ status }: NodePool): readonly string[] {
  return failuresIn(status?.conditions ?? [], GOOD);
}

/** Where pools are counted from, and where the numbers go. */
export interface NodePoolSource {
  readonly pools: () => Iterable<NodePool>;
  readonly clusters: () => Iterable<HostedCluster>;
  /** How many machines a pool is to have. */
  readonly sizeOf: (pool: NodePool) => number;
  readonly clock: Pick<Clock, 'now'>;
  readonly metrics: { register(...families: readonly MetricFamily[]): void };
}

/**
 * Pools as the caches of a manager have them: those whose HostedCluster its operator reconciles, since every operator has all
 * of them in its cache. Pools of absent clusters are counted by one operator.
 */
export function poolsIn({ cache, clock, metrics }: Manager, turns: Pick<Turns, 'isOwn' | 'mode'>): NodePoolSource {
  const clusters = cache.informer<HostedCluster>(HOSTED_CLUSTERS).store;
  const hasAbsent = turns.mode.kind === 'private' || turns.mode.kind === 'standard';
  const isOwn = ({ metadata, spec }: NodePool): boolean => {
    const cluster = clusters.get(`${metadata.namespace ?? ''}/${spec?.clusterName ?? ''}`);
    return cluster === undefined ? hasAbsent : turns.isOwn(cluster);
  };
  return {
    pools: () => [...cache.informer<NodePool>(NODE_POOLS).store.list()].filter(isOwn),
    clusters: () => [...clusters.list()].filter((cluster) => turns.isOwn(cluster)),
    // By its set: the number of an autoscaled pool is not in its spec.
    sizeOf: ({ metadata, spec }) => {
      const { name = '', namespace = '' } = metadata;
      const key = `${controlPlaneNamespace(namespace, spec?.clusterName ?? '')}/${name}`;
      const kind = spec?.management.upgradeType === 'InPlace' ? MACHINE_SETS : MACHINE_DEPLOYMENTS;
      return cache.informer<MachineDeployment | MachineSet>(kind).store.get(key)?.spec?.replicas ?? 0;
    },
    clock,
    metrics,
  };
}

/** Counts pools, and how long they take. */
export class NodePoolMetrics {
  readonly #source: NodePoolSource;
  readonly #transitions = Histogram.of(poolTransitions);

  constructor(source: NodePoolSource) {
    this.#source = source;
    const { clock, metrics, pools, sizeOf } = source;
    const perPool = (declaration: GaugeDeclaration, value: (pool: NodePool) => number | undefined): LiveGauge =>
      LiveGauge.of(declaration, () => this.#perPool(value));
    /** Nobody waits any more for a pool that goes. */
    const staying: typeof perPool = (declaration, value) =>
      perPool(declaration, (pool) => ((pool.metadata.deletionTimestamp ?? '') === '' ? value(pool) : undefined));
    const since = (moment: string | null | undefined): number | undefined => secondsSince(moment, clock.now());
    metrics.register(
      LiveGauge.of(poolCount, () => counted([...pools()].map((pool) => [platformOf(pool)]))),
      LiveGauge.of(poolFailures, () =>
        counted([...pools()].flatMap((pool) => failuresOf(pool).map((failure) => [platformOf(pool), failure]))),
      ),
      LiveGauge.of(poolsOfCluster, () => this.#perCluster()),
      perPool(poolSize, sizeOf),
      perPool(poolAvailable, ({ status }) => status?.replicas ?? 0),
      staying(poolRollingOut, ({ metadata, status }) =>
        status?.version === undefined ? since(metadata.creationTimestamp) : undefined,
      ),
      staying(poolUpdating, ({ status }) => since(updatingSince(status?.conditions))),
      perPool(poolDeleting, ({ metadata }) => since(metadata.deletionTimestamp)),
      this.#transitions,
    );
  }

  /** Notes how long conditions took that have just become true. */
  became({ metadata }: NodePool, types: Iterable<string>): void {
    const seconds = secondsSince(metadata.creationTimestamp, this.#source.clock.now());
    for (const type of types) if (TIMED.has(type) && seconds !== undefined) this.#transitions.observe([type], seconds);
  }

  #clusters(): Map<string, HostedCluster> {
    return new Map([...this.#source.clusters()].map((cluster) => [objectKey(cluster), cluster]));
  }

  *#perPool(value: (pool: NodePool) => number | undefined): Iterable<Sample> {
    const clusters = this.#clusters();
    for (const pool of this.#source.pools()) {
      const number = value(pool);
      const { name = '', namespace = '' } = pool.metadata;
      const cluster = pool.spec?.clusterName ?? '';
      const id = clusters.get(`${namespace}/${cluster}`)?.spec?.clusterID ?? '';
      if (number !== undefined) yield [[namespace, name, id, cluster, platformOf(pool)], number];
    }
  }

  *#perCluster(): Iterable<Sample> {
    const counts = new Map<string, number>();
    for (const { metadata, spec } of this.#source.pools()) {
      const key = `${metadata.namespace}/${spec?.clusterName}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
    for (const [key, { metadata, spec }] of this.#clusters()) {
      const labels = [metadata.namespace ?? '', metadata.name ?? '', spec?.clusterID ?? '', spec?.platform.type ?? ''];
      yield [labels, counts.get(key) ?? 0];
    }
  }
}

type Conditions = NonNullable<NodePool['status']>['conditions'];

function updatingSince(conditions: Conditions): string | undefined {
  return conditions?.find(({ status, type }) => type === NODE_POOL_CONDITIONS.updatingVersion && status === 'True')
    ?.lastTransitionTime;
}

function platformOf({ spec }: NodePool): string {
  return spec?.platform.type ?? '';
}
