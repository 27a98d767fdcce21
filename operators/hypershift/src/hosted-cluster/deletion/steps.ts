import type { HostedControlPlane } from '@capstan/api/hypershift';
import {
  CLEANUP_ANNOTATION,
  CLUSTERS,
  COMPONENT_FINALIZER,
  HOSTED_CONTROL_PLANES,
  KEEP_NAMESPACE_ANNOTATION,
  NODE_POOLS,
} from '@capstan/hosting';
import type { ResourceKind } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CLUSTER_ROLE_BINDINGS, DEPLOYMENTS, kindOfObject, NAMESPACES } from '../../kinds.js';
import { definitionBindingName } from '../desired/accounts.js';
import { CAPI_PROVIDER, CLUSTER_API } from '../desired/own-components.js';
import { requeueAfter, inputsOf } from '../state.js';
import type { State } from '../state.js';
import { releaseMachines } from './orphans.js';

/** What a deletion waits for. */
export interface Waiting {
  readonly reason: string;
  readonly message: string;
}

/** Deletes something; returns what has to be gone before the next step, if anything is left. */
export type DeletionStep = (state: State) => Promise<Waiting | undefined>;

/** For kinds that are not watched. */
const LOOK_AGAIN_MS = 5_000;

function waitingFor(kind: string, objects: readonly KubeObject[]): Waiting | undefined {
  if (objects.length === 0) return undefined;
  const names = objects.map(({ metadata }) => metadata.name ?? '').toSorted();
  return { reason: `WaitingFor${kind}`, message: `Waiting for ${kind} ${names.join(', ')} to be deleted` };
}

function capiCluster({ hostedCluster, namespace, converger }: State): Promise<KubeObject | undefined> {
  const { infraID = '' } = hostedCluster.spec ?? {};
  return infraID === '' ? Promise.resolve(undefined) : converger.find(CLUSTERS, infraID, namespace);
}

/** Cluster API deletes nothing of a paused Cluster. */
export const unpause: DeletionStep = async (state) => {
  const before = await capiCluster(state);
  const spec = before?.['spec'] as { readonly paused?: boolean } | undefined;
  if (before === undefined || spec?.paused !== true) return undefined;
  const { paused: _, ...rest } = spec;
  await state.converger.patch<KubeObject>(CLUSTERS, before, { ...before, spec: rest });
  return undefined;
};

/** The control plane deletes its cloud resources only with this annotation, and needs it before its own deletion. */
export const passCleanup: DeletionStep = async ({ controlPlane: before, converger, hostedCluster }) => {
  const wanted = hostedCluster.metadata.annotations?.[CLEANUP_ANNOTATION];
  const there = before?.metadata.annotations ?? {};
  if (before === undefined || wanted !== 'true' || there[CLEANUP_ANNOTATION] === 'true') return undefined;
  const metadata = { ...before.metadata, annotations: { ...there, [CLEANUP_ANNOTATION]: 'true' } };
  await converger.patch<HostedControlPlane>(HOSTED_CONTROL_PLANES, before, { ...before, metadata });
  return undefined;
};

/** The pools, and with them their machines. */
export const nodePools: DeletionStep = async (state) => {
  const { snapshot, converger } = state;
  const left: KubeObject[] = [];
  for (const pool of snapshot.nodePools) if (await converger.delete(NODE_POOLS, pool)) left.push(pool);
  if (left.length > 0) await releaseMachines(state);
  return waitingFor('NodePools', left);
};

/** The Cluster; Cluster API takes machines that are left, the control plane and the infrastructure cluster with it. */
export const cluster: DeletionStep = async (state) => {
  const object = await capiCluster(state);
  if (object === undefined || !(await state.converger.delete(CLUSTERS, object))) return undefined;
  await releaseMachines(state);
  return waitingFor('Cluster', [object]);
};

/** From here on the controllers of Cluster API have nothing to do. */
export const releasePrograms: DeletionStep = async ({ namespace, converger }) => {
  for (const name of [CLUSTER_API, CAPI_PROVIDER]) {
    const deployment = await converger.find(DEPLOYMENTS, name, namespace);
    if (deployment !== undefined) await converger.removeFinalizer(DEPLOYMENTS, deployment, COMPONENT_FINALIZER);
  }
  return undefined;
};

/** Objects of the platform: credentials, and those outside of the control plane namespace. */
export const platformObjects: DeletionStep = async (state) => {
  const { dependencies, platform, converger } = state;
  if (platform === undefined) return undefined;
  const inputs = inputsOf(state);
  const others = [...(platform.program?.(inputs).objects ?? []), ...(platform.cluster?.companions?.(inputs) ?? [])];
  for (const object of [...platform.credentials(inputs), ...others]) {
    const kind = kindOfObject(object, platform.companionKinds);
    const { name = '', namespace } = object.metadata;
    if (dependencies.cache.canRead(kind)) await converger.ensureAbsent(kind, name, namespace);
  }
  return undefined;
};

/** Objects of the platform in the namespace that only a running control plane can delete. */
export const leftovers: DeletionStep = async (state) => {
  const { namespace, dependencies, platform, converger } = state;
  for (const kind of platform?.leftovers ?? []) {
    if (!dependencies.cache.canRead(kind)) continue;
    const { items } = await dependencies.cache.list(kind, { namespace });
    const left: KubeObject[] = [];
    for (const object of items) if (await converger.delete(kind, object)) left.push(object);
    const waiting = waitingFor(kind.kind, left);
    if (waiting === undefined) continue;
    requeueAfter(state, LOOK_AGAIN_MS);
    return waiting;
  }
  return undefined;
};

/** The permissions of control plane components outside of their namespace. */
export const definitionBinding: DeletionStep = async ({ namespace, converger }) => {
  await converger.ensureAbsent(CLUSTER_ROLE_BINDINGS, definitionBindingName(namespace));
  return undefined;
};

function gone(kind: ResourceKind, find: (state: State) => KubeObject | undefined): DeletionStep {
  return async (state) => {
    const object = find(state);
    if (object === undefined || !(await state.converger.delete(kind, object))) return undefined;
    return waitingFor(kind.kind, [object]);
  };
}

/** The control plane, where Cluster API has not taken it along. Its operator must live until it is gone. */
export const hostedControlPlane: DeletionStep = gone(HOSTED_CONTROL_PLANES, ({ controlPlane }) => controlPlane);

const removeNamespace: DeletionStep = gone(NAMESPACES, ({ snapshot }) => snapshot.namespace);

/** The namespace with all that is in it; only then can a cluster of the same name be created. */
export const controlPlaneNamespace: DeletionStep = async (state) => {
  const { annotations = {} } = state.hostedCluster.metadata;
  return annotations[KEEP_NAMESPACE_ANNOTATION] === 'true' ? undefined : removeNamespace(state);
};

/** The namespace on the server, which the cache may not have yet. */
export async function isNamespaceLeft({ namespace, dependencies, signal }: State): Promise<KubeObject | undefined> {
  return dependencies.client.get(NAMESPACES, namespace, { signal }).catch(ignoreNotFound);
}
