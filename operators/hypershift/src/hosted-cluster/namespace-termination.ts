import { COMPONENT_FINALIZER, FINALIZER } from '@capstan/hosting';
import { pushAll } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

/** What of a control plane namespace that is being deleted still has finalizers of ours or of Cluster API. */
export interface NamespaceContents {
  /** Machines of the platform, each perhaps an instance in a cloud. */
  readonly infrastructureMachines: readonly KubeObject[];
  readonly machines: readonly KubeObject[];
  /** MachineDeployments and MachineSets. */
  readonly machineSets: readonly KubeObject[];
  readonly clusters: readonly KubeObject[];
  readonly infrastructureClusters: readonly KubeObject[];
  /** Whether those have nothing in a cloud that their controller would delete. */
  readonly isExternal: boolean;
  /** Deployments of Cluster API and of the provider. */
  readonly programs: readonly KubeObject[];
  readonly controlPlanes: readonly KubeObject[];
  /** Whether the control plane operator is still there: it takes its own finalizer off. */
  readonly hasOperator: boolean;
}

/** Objects without the finalizers that are in the way, and what has to be dealt with by hand. */
export interface NamespaceTermination {
  readonly finished: readonly { readonly before: KubeObject; readonly after: KubeObject }[];
  /** `Kind name`, sorted. */
  readonly held: readonly string[];
}

const OF_CLUSTER_API = /(?:^|\.)cluster\.x-k8s\.io(?:\/|$)/;
const isOfClusterApi = (finalizer: string): boolean => OF_CLUSTER_API.test(finalizer);

/**
 * Decides how a namespace comes to its end whose controllers were deleted with it. Finalizers that stand for nothing
 * outside of the cluster are removed, in the order in which the controllers would have done it. What may stand for
 * something in a cloud is held: nobody else remembers it.
 */
export function terminateNamespaceObjects(remains: NamespaceContents): NamespaceTermination {
  const { clusters, infrastructureClusters, infrastructureMachines, isExternal, machines } = remains;
  const held = [...infrastructureMachines, ...(isExternal ? [] : infrastructureClusters)];
  const finished = [...without(remains.machineSets, isOfClusterApi)];
  if (infrastructureMachines.length === 0) pushAll(finished, without(machines, isOfClusterApi));
  const hasMachines = infrastructureMachines.length + machines.length > 0;
  if (!hasMachines && isExternal)
    pushAll(
      finished,
      without([...clusters, ...infrastructureClusters], () => true),
    );
  if (!hasMachines && clusters.length === 0) {
    pushAll(
      finished,
      without(remains.programs, (finalizer) => finalizer === COMPONENT_FINALIZER),
    );
    if (!remains.hasOperator)
      pushAll(
        finished,
        without(remains.controlPlanes, (finalizer) => finalizer === FINALIZER),
      );
  }
  const names = held
    .filter((object) => isHeld(object))
    .map(({ kind, metadata }) => `${kind} ${metadata.name ?? ''}`)
    .toSorted();
  return { finished, held: names };
}

function isHeld({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp != null && (metadata.finalizers ?? []).length > 0;
}

function without(
  objects: readonly KubeObject[],
  isRemoved: (finalizer: string) => boolean,
): readonly { readonly before: KubeObject; readonly after: KubeObject }[] {
  return objects.filter(isHeld).flatMap((before) => {
    const finalizers = (before.metadata.finalizers ?? []).filter((finalizer) => !isRemoved(finalizer));
    if (finalizers.length === before.metadata.finalizers?.length) return [];
    return [{ before, after: { ...before, metadata: { ...before.metadata, finalizers } } }];
  });
}
