import type { HostedCluster, HostedControlPlane, NodePool } from '@capstan/api/hypershift';
import { clusterKeyOf, CLUSTERS } from '@capstan/hosting';
import type { ResourceKind } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CLUSTER_ROLE_BINDINGS, DEPLOYMENTS, kindOfObject, NAMESPACES } from '../../kinds.js';
import { definitionBindingName } from '../desired/accounts.js';
import { CAPI_PROVIDER, CLUSTER_API } from '../desired/own-components.js';
import { gather } from '../gather.js';
import { hostedClusterOwner } from '../ownership.js';
import { inputsOf } from '../state.js';
import type { State } from '../state.js';

/** An object, and its kind. */
export interface KindedObject {
  readonly kind: ResourceKind;
  readonly object: KubeObject;
}

/** What there is of a HostedCluster that is deleted. */
export interface DeletionSnapshot {
  readonly hostedCluster: HostedCluster;
  /** False when its control plane namespace is another cluster's: that holds nothing of this one. */
  readonly isOurs: boolean;
  readonly nodePools: readonly NodePool[];
  readonly cluster: KubeObject | undefined;
  readonly controlPlane: HostedControlPlane | undefined;
  readonly namespace: KubeObject | undefined;
  /** Deployments of the controllers of Cluster API. */
  readonly programs: readonly KubeObject[];
  /** Objects of the platform that this operator has created: credentials, and those outside of the namespace. */
  readonly platformObjects: readonly KindedObject[];
  /** Objects of the platform in the namespace that only a running control plane can delete. */
  readonly leftovers: readonly KindedObject[];
  /** The permissions of control plane components outside of their namespace. */
  readonly binding: KubeObject | undefined;
  /** Machines of the platform that no provider can delete, as its credentials do not exist; undefined while they do. */
  readonly lostMachines: readonly KindedObject[] | undefined;
}

/** Reads all of it from the cache. */
export async function gatherDeletion(state: State): Promise<DeletionSnapshot> {
  await gather(state);
  const { converger, hostedCluster, namespace, owner, snapshot } = state;
  const isOurs = snapshot.namespace === undefined || clusterKeyOf(snapshot.namespace) === owner;
  if (!isOurs) state.controlPlane = undefined;
  const { infraID = '' } = hostedCluster.spec ?? {};
  const programs = await Promise.all(
    [CLUSTER_API, CAPI_PROVIDER].map((name) => converger.find(DEPLOYMENTS, name, namespace)),
  );
  const rule = hostedClusterOwner(owner, namespace);
  const cluster = infraID === '' ? undefined : await converger.find(CLUSTERS, infraID, namespace);
  // Until then nothing of them is deleted, and a platform that cannot name them must not keep machines from it.
  const hasMachines = !isOurs || snapshot.nodePools.length > 0 || cluster !== undefined;
  const binding = await converger.find(CLUSTER_ROLE_BINDINGS, definitionBindingName(namespace));
  return {
    hostedCluster,
    isOurs,
    nodePools: snapshot.nodePools,
    cluster,
    controlPlane: state.controlPlane,
    namespace: snapshot.namespace,
    programs: programs.filter((each) => each !== undefined),
    platformObjects: hasMachines ? [] : (await platformObjects(state)).filter(({ object }) => rule.owns(object)),
    leftovers: hasMachines ? [] : await leftovers(state),
    binding: binding !== undefined && rule.owns(binding) ? binding : undefined,
    lostMachines: await lostMachines(state),
  };
}

async function platformObjects(state: State): Promise<readonly KindedObject[]> {
  const { converger, dependencies, platform } = state;
  if (platform === undefined) return [];
  const inputs = inputsOf(state);
  const created = [
    ...platform.credentials(inputs),
    ...(platform.program?.(inputs).objects ?? []),
    ...(platform.cluster?.companions?.(inputs) ?? []),
  ];
  const found: KindedObject[] = [];
  for (const each of created) {
    const kind = kindOfObject(each, platform.companionKinds);
    const { name = '', namespace } = each.metadata;
    const object = dependencies.cache.canRead(kind) ? await converger.find(kind, name, namespace) : undefined;
    if (object !== undefined) found.push({ kind, object });
  }
  return found;
}

async function leftovers(state: State): Promise<readonly KindedObject[]> {
  const lists = (state.platform?.leftovers ?? []).map((kind) => listOf(state, kind));
  return (await Promise.all(lists)).flat();
}

async function lostMachines(state: State): Promise<readonly KindedObject[] | undefined> {
  const { platform } = state;
  const kind = platform?.machineTemplate?.machine;
  const hasLost = kind !== undefined && platform?.hasLostCredentials?.(inputsOf(state)) === true;
  return hasLost ? listOf(state, kind) : undefined;
}

async function listOf({ dependencies, namespace }: State, kind: ResourceKind): Promise<readonly KindedObject[]> {
  if (!dependencies.cache.canRead(kind)) return [];
  const { items } = await dependencies.cache.list(kind, { namespace });
  return items.map((object) => ({ kind, object }));
}

/** The namespace on the server, which the cache may not have yet: what was created a moment ago must not be left behind. */
export async function unseenNamespace({
  dependencies,
  namespace,
  owner,
  signal,
}: State): Promise<KubeObject | undefined> {
  const left = await dependencies.client.get(NAMESPACES, namespace, { signal }).catch(ignoreNotFound);
  return left !== undefined && clusterKeyOf(left) === owner ? left : undefined;
}
