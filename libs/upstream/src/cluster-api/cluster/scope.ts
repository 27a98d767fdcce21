import type { External } from '../external/external-objects.js';
import { isDefined } from '../external/external-objects.js';
import { isControlPlane, ofCluster } from '../machines.js';
import { isOwnedBy } from '../owners.js';
import type { ControllerContext } from '../controller-context.js';
import type { Cluster, Machine, MachineDeployment, MachineSet } from '../types.js';
import { shortList } from '../conditions/messages.js';
import type { CoreKind } from '../kinds.js';
import type { Conditioned } from '../types.js';

/** What belongs to a cluster. */
export interface Descendants {
  readonly deployments: readonly MachineDeployment[];
  readonly sets: readonly MachineSet[];
  readonly controlPlaneMachines: readonly Machine[];
  readonly workers: readonly Machine[];
}

/** What a reconciliation of a cluster knows so far; each step adds to it. */
export interface ClusterScope {
  readonly cluster: Cluster;
  infrastructure?: External | undefined;
  isInfrastructureMissing?: boolean | undefined;
  controlPlane?: External | undefined;
  isControlPlaneMissing?: boolean | undefined;
  /** Undefined when they could not be listed. */
  descendants?: Descendants | undefined;
  deleting?: { readonly reason: string; readonly message: string } | undefined;
}

/** Lists what belongs to a cluster. */
export async function findDescendants({ objects }: ControllerContext, cluster: Cluster): Promise<Descendants> {
  const { namespace = '', name = '' } = cluster.metadata;
  const matcher = ofCluster(name);
  const deployments = await objects.list<MachineDeployment>('MachineDeployment', namespace, matcher);
  const sets = await objects.list<MachineSet>('MachineSet', namespace, matcher);
  const machines = await objects.list<Machine>('Machine', namespace, matcher);
  return {
    deployments,
    sets,
    controlPlaneMachines: machines.filter(isControlPlane),
    workers: machines.filter((machine) => !isControlPlane(machine)),
  };
}

/** What goes when the cluster does, and must be gone before its control plane. */
export function goingFirst(
  cluster: Cluster,
  { deployments, sets, workers, controlPlaneMachines }: Descendants,
): readonly (readonly [kind: CoreKind, title: string, objects: readonly Conditioned[]])[] {
  const ownMachines = isDefined(cluster.spec?.controlPlaneRef) ? [] : controlPlaneMachines;
  return [
    ['Machine', 'Control plane Machines', ownMachines],
    ['MachineDeployment', 'MachineDeployments', deployments],
    ['MachineSet', 'MachineSets', sets],
    ['Machine', 'Worker Machines', workers],
  ];
}

/** Those of them the cluster itself deletes: others are deleted by who owns them. */
export function directChildren(cluster: Cluster, descendants: Descendants): [CoreKind, Conditioned][] {
  return goingFirst(cluster, descendants).flatMap(([kind, , objects]) =>
    objects.filter((object) => isOwnedBy(object, cluster)).map((object): [CoreKind, Conditioned] => [kind, object]),
  );
}

/** What is still to go, in one line each. */
export function pendingText(cluster: Cluster, descendants: Descendants): string {
  return goingFirst(cluster, descendants)
    .filter(([, , objects]) => objects.length > 0)
    .map(([, title, objects]) => {
      const names = objects.map(({ metadata }) => metadata.name ?? '').toSorted();
      return `* ${title}: ${shortList(names, 5)}`;
    })
    .join('\n');
}
