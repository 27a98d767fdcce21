import {
  acknowledgement,
  HOSTED_CLUSTERS,
  HOSTED_CONTROL_PLANES,
  lockOf,
  MIGRATION_IN_PROGRESS_ANNOTATION,
  NODE_POOLS,
} from '@capstan/hosting';
import { errorText, patchFrom, sleep } from '@capstan/kube';
import type { Client, ResourceKind } from '@capstan/kube';
import { formatTime, setCondition } from '@capstan/meta';
import type { Clock, Condition, KubeObject, Random } from '@capstan/meta';
import type { ProcessDefinition } from '../engine/process.js';
import type { Simulation } from '../engine/simulation.js';
import { storedResource } from './copy.js';

/** How Deployments get the proxy, and get rid of it. */
export interface SidecarChange {
  has(deployment: KubeObject): boolean;
  add(deployment: KubeObject): KubeObject;
  remove(deployment: KubeObject): KubeObject;
}

/** A hosted cluster whose other controllers are played. */
export interface StandInOptions {
  readonly simulation: Pick<Simulation, 'server' | 'spawn' | 'stop'>;
  /** Of the HostedCluster. */
  readonly namespace: string;
  readonly name: string;
  /** Of its control plane. */
  readonly controlPlaneNamespace: string;
  readonly sidecar: SidecarChange;
  /** What the pods of a Deployment do; those of which nothing is known only run. Default: none does anything. */
  readonly programsOf?: ((deployment: string, hasSidecar: boolean) => readonly ProcessDefinition[]) | undefined;
  /** How long Deployments take until they are available, at most; drawn for each change. */
  readonly slowestMs: number;
  /** Called with what a component could not do, and why. */
  readonly onProblem?: ((component: string, message: string) => void) | undefined;
}

interface Deployment extends KubeObject {
  readonly spec: { readonly replicas?: number };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly availableReplicas?: number;
  };
}

const DEPLOYMENTS: ResourceKind = {
  group: 'apps',
  version: 'v1',
  plural: 'deployments',
  namespaced: true,
  kind: 'Deployment',
};
const CONTROL_PLANE_OPERATOR = 'control-plane-operator';
const HOSTED_CLUSTER_OPERATORS = 'hosted-cluster-operators';
const DEPLOYMENT_CONTROLLER = 'deployment-controller';
/** Processes that stand for the operators of hosted clusters, which the lock of a migration stops. */
export const OPERATOR_STAND_INS: readonly string[] = [HOSTED_CLUSTER_OPERATORS];
/** Processes that stand for everything else of a control plane but what runs in its pods. */
export const OTHER_STAND_INS: readonly string[] = [CONTROL_PLANE_OPERATOR, DEPLOYMENT_CONTROLLER];
/** Deployments to which the control plane operator adds the proxy itself. */
const OF_CONTROL_PLANE_OPERATOR: ReadonlySet<string> = new Set([
  'cluster-autoscaler',
  'machine-approver',
  'hosted-cluster-config-operator',
  'karpenter-operator',
]);
const LOOK_EVERY_MS = 1_000;

/**
 * Everything of a control plane that a migration waits for: operators acknowledge its lock, Deployments become available,
 * and the control plane operator adds and removes the proxies of its components.
 */
export function controlPlaneStandIns(options: StandInOptions): readonly ProcessDefinition[] {
  const view = new View(options);
  return [
    loop(HOSTED_CLUSTER_OPERATORS, options, ({ client, clock }) => acknowledge(view, options, client, clock)),
    loop(CONTROL_PLANE_OPERATOR, options, async ({ client, clock }) => {
      await passOn(view, options, client, clock);
      await converge(view, options, client);
    }),
    deployments(view, options),
  ];
}

interface Dependencies {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
}

/** A component that looks at the state again and again; what it writes in vain it writes at the next look. */
function loop(
  name: string,
  { onProblem }: StandInOptions,
  look: (dependencies: Dependencies) => Promise<void>,
): ProcessDefinition {
  return {
    name,
    isReliable: true,
    start: async ({ client, clock, random, signal }) => {
      while (!signal.aborted) {
        await look({ client, clock, random }).catch((error: unknown) => onProblem?.(name, errorText(error)));
        await sleep(clock, LOOK_EVERY_MS);
      }
    },
  };
}

/** The state of the server without requests: these components only stand for others, whose requests do not matter. */
class View {
  readonly #options: StandInOptions;

  constructor(options: StandInOptions) {
    this.#options = options;
  }

  list<T extends KubeObject>(kind: ResourceKind, namespace: string): readonly T[] {
    const { store } = this.#options.simulation.server;
    const { items } = store.list(storedResource(kind));
    return items.filter((each) => each.namespace === namespace).map((each) => each.object() as T);
  }

  get<T extends KubeObject>(kind: ResourceKind, namespace: string, name: string): T | undefined {
    return this.#options.simulation.server.store.get(storedResource(kind), namespace, name)?.object() as T | undefined;
  }

  deployments(): readonly Deployment[] {
    return this.list<Deployment>(DEPLOYMENTS, this.#options.controlPlaneNamespace);
  }
}

/** HostedCluster and NodePools report the lock as those that reconcile them do. */
async function acknowledge(view: View, options: StandInOptions, client: Client, clock: Clock): Promise<void> {
  const { name, namespace } = options;
  const cluster = view.get<KubeObject>(HOSTED_CLUSTERS, namespace, name);
  if (cluster === undefined) return;
  const lock = lockOf(cluster as Parameters<typeof lockOf>[0]);
  const id = lock.holder === 'migration' ? lock.journal.id : undefined;
  const pools = view
    .list<KubeObject>(NODE_POOLS, namespace)
    .filter(({ spec }) => (spec as { clusterName?: string }).clusterName === name);
  await report(client, clock, { kind: HOSTED_CLUSTERS, object: cluster, lock: id });
  for (const object of pools) await report(client, clock, { kind: NODE_POOLS, object, lock: id });
}

/** The control plane operator reports on the HostedControlPlane the lock that was passed on to it. */
async function passOn(view: View, options: StandInOptions, client: Client, clock: Clock): Promise<void> {
  const { controlPlaneNamespace, name } = options;
  const controlPlane = view.get<KubeObject>(HOSTED_CONTROL_PLANES, controlPlaneNamespace, name);
  const operator = view.get<Deployment>(DEPLOYMENTS, controlPlaneNamespace, CONTROL_PLANE_OPERATOR);
  if (controlPlane === undefined || operator === undefined || (operator.spec.replicas ?? 1) === 0) return;
  const passedOn = controlPlane.metadata.annotations?.[MIGRATION_IN_PROGRESS_ANNOTATION];
  await report(client, clock, { kind: HOSTED_CONTROL_PLANES, object: controlPlane, lock: passedOn });
}

interface Reported {
  readonly kind: ResourceKind;
  readonly object: KubeObject;
  readonly lock: string | undefined;
}

async function report(client: Client, clock: Clock, { kind, lock, object: before }: Reported): Promise<void> {
  const status = (before['status'] ?? {}) as { readonly conditions?: readonly Condition[] };
  const there = status.conditions?.find(({ type }) => type === 'ReconciliationActive');
  // Objects that never had the condition keep it away until there is a lock to report.
  if (lock === undefined && there?.reason !== 'MigrationInProgress') return;
  const active = { type: 'ReconciliationActive', status: 'True', reason: 'AsExpected', message: 'It is reconciled' };
  const now = formatTime(clock.now());
  const update = { ...(lock === undefined ? active : acknowledgement(lock)), lastTransitionTime: now } as Condition;
  const conditions = setCondition(status.conditions ?? [], update, now);
  if (conditions === status.conditions) return;
  const after = { ...before, status: { ...status, conditions } } as KubeObject;
  await patchFrom(client, kind, { before, after }, { subresource: 'status' });
}

/** The control plane operator: its components have a proxy as long as it has one itself. */
async function converge(view: View, { sidecar }: StandInOptions, client: Client): Promise<void> {
  const all = view.deployments();
  const operator = all.find(({ metadata }) => metadata.name === CONTROL_PLANE_OPERATOR);
  if (operator === undefined || (operator.spec.replicas ?? 1) === 0 || !isAvailable(operator)) return;
  const isPrivate = sidecar.has(operator);
  for (const before of all) {
    if (!OF_CONTROL_PLANE_OPERATOR.has(before.metadata.name ?? '') || sidecar.has(before) === isPrivate) continue;
    await patchFrom(client, DEPLOYMENTS, { before, after: isPrivate ? sidecar.add(before) : sidecar.remove(before) });
  }
}

function isAvailable({ metadata, spec, status }: Deployment): boolean {
  const isObserved = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return isObserved && (status?.availableReplicas ?? 0) >= (spec.replicas ?? 1);
}

/** Deployments become what they are specified to be, a while after each change; those that were not available stay so. */
function deployments(view: View, options: StandInOptions): ProcessDefinition {
  const broken = new Map<string, number>();
  for (const each of view.deployments())
    if (!isAvailable(each)) broken.set(each.metadata.uid ?? '', each.status?.availableReplicas ?? 0);
  const due = new Map<string, number>();
  const programs = new Programs(options);
  return loop(DEPLOYMENT_CONTROLLER, options, async (dependencies) => {
    for (const deployment of view.deployments()) {
      const { replicas = 1 } = deployment.spec;
      const available = Math.min(replicas, broken.get(deployment.metadata.uid ?? '') ?? replicas);
      // Pods end before the status reports it.
      if (replicas === 0) programs.end(deployment);
      if (!isDue(deployment, due, options, dependencies)) continue;
      await observe(deployment, available, dependencies.client);
      if (available > 0) programs.run(deployment);
    }
  });
}

/** Whether the pods of a Deployment are what it specifies by now; the moment is drawn when a change is first seen. */
function isDue(
  { metadata, status }: Deployment,
  due: Map<string, number>,
  { slowestMs }: StandInOptions,
  { clock, random }: Dependencies,
): boolean {
  const { generation = 0, uid = '' } = metadata;
  if ((status?.observedGeneration ?? 0) >= generation) return true;
  const key = `${uid}/${generation}`;
  const at = due.get(key) ?? clock.monotonic() + (slowestMs === 0 ? 0 : random.split(key).below(slowestMs));
  due.set(key, at);
  return clock.monotonic() >= at;
}

async function observe(before: Deployment, availableReplicas: number, client: Client): Promise<void> {
  const { generation: observedGeneration = 0 } = before.metadata;
  if ((before.status?.observedGeneration ?? 0) >= observedGeneration) return;
  const { replicas = 1 } = before.spec;
  const counts = { replicas, updatedReplicas: replicas, readyReplicas: availableReplicas, availableReplicas };
  const after = { ...before, status: { ...before.status, observedGeneration, ...counts } };
  await patchFrom(client, DEPLOYMENTS, { before, after }, { subresource: 'status' });
}

/** What runs in the pods of Deployments, once for all of their replicas. */
class Programs {
  readonly #options: StandInOptions;
  /** By Deployment: whether its pods have a sidecar, and the processes that were started. */
  readonly #running = new Map<string, { readonly hasSidecar: boolean; readonly processes: readonly string[] }>();

  constructor(options: StandInOptions) {
    this.#options = options;
  }

  /** Starts what the pods of this template do, in place of what those of another did. */
  run(deployment: Deployment): void {
    const { programsOf, sidecar, simulation } = this.#options;
    const { name = '' } = deployment.metadata;
    const hasSidecar = sidecar.has(deployment);
    if (programsOf === undefined || this.#running.get(name)?.hasSidecar === hasSidecar) return;
    this.end(deployment);
    const programs = programsOf(name, hasSidecar);
    for (const program of programs) simulation.spawn(program);
    this.#running.set(name, { hasSidecar, processes: programs.map((each) => each.name) });
  }

  end({ metadata: { name = '' } }: Deployment): void {
    for (const process of this.#running.get(name)?.processes ?? []) this.#options.simulation.stop(process);
    this.#running.delete(name);
  }
}
