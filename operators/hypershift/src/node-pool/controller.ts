import type { MachineDeployment } from '@capstan/api/cluster-api';
import type { HostedCluster, HostedControlPlane, NodePool } from '@capstan/api/hypershift';
import {
  clusterOf,
  CORE_CONFIG_LABEL,
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  MACHINE_DEPLOYMENTS,
  MACHINE_HEALTH_CHECKS,
  MACHINE_SETS,
  MACHINES,
  NODE_POOLS,
  nodePoolOf,
  ReleaseLookups,
  TUNING_GENERATED_LABEL,
} from '@capstan/hosting';
import {
  changedOutsideStatus,
  cacheSource,
  changedExceptStatus,
  contentChanged,
  NAMESPACE_INDEX,
  or,
  requestFor,
} from '@capstan/kube';
import type { Controller, Manager, Predicate, Request, ResourceKind } from '@capstan/kube';
import { controllerOf } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CONFIG_MAPS, DEFINITIONS, SECRETS } from '../kinds.js';
import type { NodePoolControllerOptions } from './dependencies.js';
import { NodePoolMetrics, poolsIn } from '../metrics/node-pools.js';
import { isRolledOut } from './machines/machine-deployment.js';
import { DETAILS_WAIT_MS, nodePoolWrites } from './status-details.js';
import { reconcileNodePool } from './reconcile.js';

const NAME = 'nodepool';
/** NodePools that are reconciled at once. */
const CONCURRENT = 10;
/** Machines start by the dozen, and each changes its status several times: events are gathered this long. */
const GATHER_MS = 250;
/** The least time between two reconciles of a NodePool. */
const MIN_GAP_MS = 2_000;
const BACKOFF = { baseMs: 1000, maxMs: 10_000 };
const IGNITION_CA = 'ignition-server-ca-cert';

/** The NodePool that an object was created for. */
function parent(object: KubeObject): readonly Request[] {
  const pool = nodePoolOf(object);
  return pool === undefined ? [] : [pool];
}

/** Finds the NodePools that an object without their name concerns. */
class Concerned {
  readonly #cache: Manager['cache'];

  constructor({ cache }: Manager) {
    this.#cache = cache;
  }

  /** Pools of a namespace that something holds for. */
  #pools(namespace: string, holds: (pool: NodePool) => boolean): Request[] {
    const { store } = this.#cache.informer<NodePool>(NODE_POOLS);
    return store.byIndex(NAMESPACE_INDEX, namespace).filter(holds).map(requestFor);
  }

  readonly ofCluster = ({ metadata: { name, namespace = '' } }: Pick<HostedCluster, 'metadata'>): Request[] =>
    this.#pools(namespace, ({ spec }) => spec?.clusterName === name);

  /** All NodePools: one may have found the CRD of its template missing and not have written that condition yet. */
  readonly ofDefinition = (): Request[] => {
    const { store } = this.#cache.informer<NodePool>(NODE_POOLS);
    return [...store.list()].map(requestFor);
  };

  /** By the annotation of a HostedControlPlane. */
  readonly ofControlPlane = (controlPlane: Pick<HostedControlPlane, 'metadata'>): Request[] => {
    const metadata = clusterOf(controlPlane);
    return metadata === undefined ? [] : this.ofCluster({ metadata: { ...metadata } });
  };

  #ofControlPlaneNamespace(namespace: string): Request[] {
    const { store } = this.#cache.informer<HostedControlPlane>(HOSTED_CONTROL_PLANES);
    return store.byIndex(NAMESPACE_INDEX, namespace).flatMap(this.ofControlPlane);
  }

  /** What was made for a pool, the certificate of an ignition server, or a pull secret. */
  readonly ofSecret = (secret: KubeObject): readonly Request[] => {
    const own = parent(secret);
    if (own.length > 0) return own;
    const { name, namespace = '' } = secret.metadata;
    if (name === IGNITION_CA) return this.#ofControlPlaneNamespace(namespace);
    const { store } = this.#cache.informer<HostedCluster>(HOSTED_CLUSTERS);
    const clusters = store.byIndex(NAMESPACE_INDEX, namespace).filter(({ spec }) => spec?.pullSecret.name === name);
    return clusters.flatMap(this.ofCluster);
  };

  /** What was made for a pool, configuration of all nodes of a cluster, or what pools refer to. */
  readonly ofConfigMap = (map: KubeObject): readonly Request[] => {
    const own = parent(map);
    if (own.length > 0) return own;
    const { labels = {}, name, namespace = '' } = map.metadata;
    if (CORE_CONFIG_LABEL in labels || TUNING_GENERATED_LABEL in labels)
      return this.#ofControlPlaneNamespace(namespace);
    const { store } = this.#cache.informer<HostedCluster>(HOSTED_CLUSTERS);
    const trusting = store
      .byIndex(NAMESPACE_INDEX, namespace)
      .filter(({ spec }) => spec?.additionalTrustBundle?.name === name)
      .flatMap(this.ofCluster);
    const named = this.#pools(namespace, ({ spec }) =>
      [...(spec?.config ?? []), ...(spec?.tuningConfig ?? [])].some((each) => each.name === name),
    );
    return [...trusting, ...named];
  };
}

/** Changes of a MachineDeployment other than one more ready machine. */
const settles: Predicate<MachineDeployment> = (event) =>
  event.type !== 'update' || changedOutsideStatus(event) || isRolledOut(event.old) !== isRolledOut(event.object);

/** Changes of MachineSets of a MachineDeployment are seen through the MachineDeployment. */
const hasNoController: Predicate = ({ object }) => controllerOf(object) === undefined;

const comesOrGoes: Predicate = ({ type }) => type !== 'update';

/** Adds the controller of NodePools to a manager. */
export function addNodePoolController(manager: Manager, parts: NodePoolControllerOptions): Controller {
  const { cache } = manager;
  const concerned = new Concerned(manager);
  const releases = new ReleaseLookups(parts.releases);
  const definitions = cache.informer(DEFINITIONS);
  const canRead = ({ group, plural }: ResourceKind): boolean =>
    definitions.store.get(`${plural}.${group}`) !== undefined;
  const ownWrites = nodePoolWrites();
  const reconcile = reconcileNodePool({
    ...parts,
    releases,
    cache,
    canRead,
    ownWrites,
    metrics: new NodePoolMetrics(poolsIn(manager, parts.turns)),
  });
  return (
    manager
      .controller({
        name: NAME,
        reconcile,
        maxConcurrent: CONCURRENT,
        gatherMs: GATHER_MS,
        minGapMs: MIN_GAP_MS,
        backoff: BACKOFF,
      })
      // The echo of an own status write is no reason to reconcile.
      .for<NodePool>(NODE_POOLS, { predicates: [or(changedOutsideStatus, ownWrites.changedByOthers)] })
      .watches<HostedCluster>(HOSTED_CLUSTERS, concerned.ofCluster, { predicates: [changedExceptStatus('conditions')] })
      .watches<HostedControlPlane>(HOSTED_CONTROL_PLANES, concerned.ofControlPlane, {
        predicates: [changedExceptStatus('conditions', 'nodeCount')],
      })
      .watches<MachineDeployment>(MACHINE_DEPLOYMENTS, parent, { predicates: [settles] })
      .from(cacheSource(cache, MACHINE_DEPLOYMENTS, {}), parent, [contentChanged], DETAILS_WAIT_MS)
      .watches(MACHINE_SETS, parent, { predicates: [or(changedOutsideStatus, hasNoController)] })
      .from(cacheSource(cache, MACHINES, {}), parent, [contentChanged], DETAILS_WAIT_MS)
      .watches(MACHINE_HEALTH_CHECKS, parent)
      .watches(SECRETS, concerned.ofSecret)
      .watches(CONFIG_MAPS, concerned.ofConfigMap)
      .watches(DEFINITIONS, concerned.ofDefinition, { predicates: [comesOrGoes] })
  );
}
