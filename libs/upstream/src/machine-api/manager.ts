import { Manager } from '@capstan/kube';
import type { ManagerOptions, Predicate, Request } from '@capstan/kube';
import { compileLabelSelector } from '@capstan/meta';
import { AuthorityGate } from './authority-gate.js';
import type { CloudApi } from '../cloud/client.js';
import { noticeSource } from '../cloud/notices.js';
import type { CloudNotices } from '../cloud/notices.js';
import { CLUSTER_API_MACHINES, ClusterApiControlPlane } from './control-plane/cluster-api/reconciler.js';
import { ControlPlaneReconciler } from './control-plane/reconciler.js';
import { HealthCheckReconciler } from './health-check/reconciler.js';
import type { MachineHealthCheck } from './health-check/resources.js';
import { isControlPlane } from './machine/drain-decide.js';
import type { MachineIntervals } from './machine/decide.js';
import { MachineReconciler } from './machine/reconciler.js';
import { MachineSetReconciler } from './machine-set/reconciler.js';
import { matches } from './machine-set/decide.js';
import { machineOfNode } from './node-link/decide.js';
import { NodeLinkReconciler } from './node-link/reconciler.js';
import { CONTROL_PLANE_MACHINE_SETS, MACHINE_HEALTH_CHECKS, MACHINE_SETS, MACHINES, NODES } from './resources.js';
import type { Machine, MachineSet, NodeObject } from './resources.js';

export interface MachineApiOptions extends ManagerOptions {
  readonly cloud: CloudApi;
  /** Where machines live. Default `openshift-machine-api`. */
  readonly namespace?: string | undefined;
  /** Whether objects have authority fields, or nobody looks at them. Default: as in their CRDs. */
  readonly hasAuthority?: boolean | 'ignored' | undefined;
  /** Where control planes of Cluster API are. Default: nowhere. */
  readonly clusterApiNamespace?: string | undefined;
  /** Whether the ControlPlaneMachineSet is reconciled. Default true. */
  readonly hasControlPlane?: boolean | undefined;
  /** Notifies of instances that changed, so that they need not wait for the next requeue. Default: none. */
  readonly notices?: CloudNotices | undefined;
  /** How long a machine waits for its cloud. */
  readonly intervals?: Partial<MachineIntervals> | undefined;
  /** How often the instance of a running machine is read. Default 10 min. */
  readonly resyncMs?: number | undefined;
}

const NAMESPACE = 'openshift-machine-api';
const MACHINES_AT_ONCE = 10;

/** A node without what changes at every heartbeat. */
function nodeFacts({ metadata, spec, status }: NodeObject): string {
  const { labels, annotations, uid } = metadata;
  const ready = status?.conditions?.map(({ type, status: value }) => `${type}=${value}`);
  return JSON.stringify([labels, annotations, uid, spec, status?.addresses, ready]);
}

/** The controllers of Machine API: machines, their nodes, sets, health checks and the control plane. */
export function machineApiManager(options: MachineApiOptions): Manager {
  const { cloud, hasAuthority, hasControlPlane = true, namespace = NAMESPACE, intervals, resyncMs } = options;
  const selectionOf: NonNullable<ManagerOptions['cache']>['selectionOf'] = (resource) =>
    resource.namespaced ? { namespace } : {};
  const manager = new Manager({ ...options, cache: { selectionOf, ...options.cache } });
  const gate = new AuthorityGate(manager.unguardedClient, manager.clock, hasAuthority);
  const machines = manager.cache.informer<Machine>(MACHINES).store;
  const only = { predicates: [nodeChanged] };

  const machine = new MachineReconciler({ manager, cloud, gate, intervals, resyncMs });
  const controller = manager.controller({
    name: 'machine-controller',
    maxConcurrent: MACHINES_AT_ONCE,
    backoff: { maxMs: 120_000 },
    reconcile: (request, context) => machine.reconcile(request, context),
  });
  controller.for(MACHINES);
  if (options.notices !== undefined)
    controller.from(
      noticeSource(options.notices, (uid) => [...machines.list()].filter(({ metadata }) => metadata.uid === uid)),
      ({ metadata }) => [{ namespace: metadata.namespace ?? '', name: metadata.name ?? '' }],
    );

  const link = new NodeLinkReconciler(manager, gate);
  const nodes = manager.cache.informer<NodeObject>(NODES).store;
  manager
    .controller({ name: 'nodelink-controller', reconcile: (request, context) => link.reconcile(request, context) })
    .for(NODES, only)
    .watches<Machine>(MACHINES, (changed) =>
      [...nodes.list()]
        .filter((node) => machineOfNode(node, [changed]) !== undefined)
        .map(({ metadata }) => ({ namespace: '', name: metadata.name ?? '' })),
    );

  addSets(manager, gate, machines);
  addHealthChecks(manager, gate, machines);
  if (hasControlPlane) addControlPlane(manager, gate, namespace);
  if (options.clusterApiNamespace !== undefined) addClusterApiControlPlane(manager, options.clusterApiNamespace);
  return manager;
}

/** Heartbeats of nodes are ignored. */
const nodeChanged: Predicate<NodeObject> = (event) =>
  event.type !== 'update' || nodeFacts(event.old) !== nodeFacts(event.object);

interface MachineStore {
  list(): Iterable<Machine>;
}

function machinesOn(store: MachineStore, { metadata }: NodeObject): readonly Machine[] {
  return [...store.list()].filter(({ status }) => status?.nodeRef?.name === metadata.name);
}

function addSets(manager: Manager, gate: AuthorityGate, machines: MachineStore): void {
  const reconciler = new MachineSetReconciler(manager, gate);
  const sets = manager.cache.informer<MachineSet>(MACHINE_SETS).store;
  const setsOf = ({ metadata }: Machine): Request[] =>
    [...sets.list()]
      .filter((set) => set.metadata.namespace === metadata.namespace)
      .filter((set) => matches(set.spec?.selector ?? {}, metadata.labels ?? {}))
      .map((set) => ({ namespace: set.metadata.namespace ?? '', name: set.metadata.name ?? '' }));
  manager
    .controller({
      name: 'machineset-controller',
      backoff: { maxMs: 120_000 },
      reconcile: (request, context) => reconciler.reconcile(request, context),
    })
    .for(MACHINE_SETS)
    .owns(MACHINES)
    .watches<Machine>(MACHINES, setsOf)
    .watches<NodeObject>(NODES, (node) => machinesOn(machines, node).flatMap(setsOf), { predicates: [nodeChanged] });
}

function addHealthChecks(manager: Manager, gate: AuthorityGate, machines: MachineStore): void {
  const reconciler = new HealthCheckReconciler(manager, gate);
  const checks = manager.cache.informer<MachineHealthCheck>(MACHINE_HEALTH_CHECKS).store;
  const checksOf = ({ metadata }: Machine): Request[] =>
    [...checks.list()]
      .filter((check) => check.metadata.namespace === metadata.namespace)
      .filter((check) => compileLabelSelector(check.spec?.selector ?? {}).matches(metadata.labels ?? {}))
      .map((check) => ({ namespace: check.metadata.namespace ?? '', name: check.metadata.name ?? '' }));
  manager
    .controller({
      name: 'machinehealthcheck-controller',
      backoff: { maxMs: 120_000 },
      reconcile: (request, context) => reconciler.reconcile(request, context),
    })
    .for(MACHINE_HEALTH_CHECKS)
    .watches<Machine>(MACHINES, checksOf)
    .watches<NodeObject>(NODES, (node) => machinesOn(machines, node).flatMap(checksOf), { predicates: [nodeChanged] });
}

function addControlPlane(manager: Manager, gate: AuthorityGate, namespace: string): void {
  const reconciler = new ControlPlaneReconciler(manager, gate);
  const set: Request[] = [{ namespace, name: 'cluster' }];
  manager
    .controller({
      name: 'controlplanemachineset',
      backoff: { maxMs: 120_000 },
      reconcile: (request, context) => reconciler.reconcile(request, context),
    })
    .for(CONTROL_PLANE_MACHINE_SETS)
    .watches<Machine>(MACHINES, () => set)
    .watches<NodeObject>(NODES, (node) => (isControlPlane(node) ? set : []), { predicates: [nodeChanged] });
}

function addClusterApiControlPlane(manager: Manager, namespace: string): void {
  const reconciler = new ClusterApiControlPlane(manager);
  manager
    .controller({
      name: 'controlplanemachineset-cluster-api',
      backoff: { maxMs: 120_000 },
      reconcile: (request, context) => reconciler.reconcile(request, context),
    })
    .for(CONTROL_PLANE_MACHINE_SETS, { namespace })
    .watches(CLUSTER_API_MACHINES, () => [{ namespace, name: 'cluster' }], { namespace });
}
