import {
  clusterKeyOf,
  CLUSTERS,
  HOSTED_CONTROL_PLANES,
  MACHINE_DEPLOYMENTS,
  MACHINE_SETS,
  MACHINES,
} from '@capstan/hosting';
import type { ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import type { HostingPlatform } from '@capstan/provider';
import { DEPLOYMENTS } from '../../kinds.js';
import { CAPI_PROVIDER, CLUSTER_API, CONTROL_PLANE_OPERATOR } from '../desired/own-components.js';
import { terminateNamespaceObjects } from '../namespace-termination.js';
import type { NamespaceContents } from '../namespace-termination.js';
import { requeueAfter } from '../state.js';
import type { State } from '../state.js';

/** Not every object in the namespace is watched. */
const REQUEUE_MS = 5_000;

/** Lets the deletion of a control plane namespace finish while its HostedCluster stays; then it is created again. */
export async function finishNamespace(state: State): Promise<void> {
  const { converger, owner, platform, snapshot } = state;
  const { namespace } = snapshot;
  if (platform === undefined || namespace?.metadata.deletionTimestamp == null || clusterKeyOf(namespace) !== owner)
    return;
  const byKind = await contentsOf(state, platform);
  const { finished, held } = terminateNamespaceObjects(byKind.remains);
  state.snapshot = { ...snapshot, holders: held };
  for (const { after, before } of finished) {
    const kind = byKind.kindOf(before);
    if (kind !== undefined) await converger.patch(kind, before, after);
  }
  requeueAfter(state, REQUEUE_MS);
}

/** What is left in the namespace, and of which kinds. */
async function contentsOf(
  state: State,
  { cluster, machineTemplate }: HostingPlatform,
): Promise<{ readonly remains: NamespaceContents; readonly kindOf: (object: KubeObject) => ResourceKind | undefined }> {
  const { namespace, dependencies, converger } = state;
  const kinds = new Map<KubeObject, ResourceKind>();
  const list = async (kind: ResourceKind | undefined): Promise<readonly KubeObject[]> => {
    if (kind === undefined || !dependencies.cache.canRead(kind)) return [];
    const { items } = await dependencies.cache.list(kind, { namespace });
    return items.map((item) => {
      const object = { ...item, apiVersion: item.apiVersion, kind: kind.kind };
      kinds.set(object, kind);
      return object;
    });
  };
  const deployments = await list(DEPLOYMENTS);
  const named = (...names: readonly string[]): readonly KubeObject[] =>
    deployments.filter(({ metadata }) => names.includes(metadata.name ?? ''));
  const remains: NamespaceContents = {
    infrastructureMachines: await list(machineTemplate?.machine),
    machines: await list(MACHINES),
    machineSets: [...(await list(MACHINE_DEPLOYMENTS)), ...(await list(MACHINE_SETS))],
    clusters: await list(CLUSTERS),
    infrastructureClusters: await list(cluster?.kind),
    isExternal: cluster?.isExternal ?? true,
    programs: named(CLUSTER_API, CAPI_PROVIDER),
    controlPlanes: await list(HOSTED_CONTROL_PLANES),
    hasOperator: (await converger.find(DEPLOYMENTS, CONTROL_PLANE_OPERATOR, namespace)) !== undefined,
  };
  return { remains, kindOf: (object) => kinds.get(object) };
}
