import { looseGvk } from '@capstan/meta';
import { isExternallyManaged, providerIdOf } from '../external/contract.js';
import { isDefined } from '../external/external-objects.js';
import { isControlPlane, isGoing, ofCluster } from '../machines.js';
import { annotations } from '../names.js';
import type { Machine } from '../types.js';
import { findNode } from './node.js';
import type { MachineScope, MachineWork } from './scope.js';

const KCP_CLEANUP = `${annotations.preTerminateHook}/kcp-cleanup`;

/** The name of the node that goes with its machine; undefined when none is to be touched. */
export async function nodeToDelete(work: MachineWork, scope: MachineScope): Promise<string | undefined> {
  const { cluster, machine } = scope;
  if (isGoing(cluster)) return undefined;
  learnNode(work, scope);
  const name = machine.status?.nodeRef?.name;
  if (name === undefined) return undefined;
  const rule = await controlPlaneRule(work, scope);
  if (rule !== 'unknown') return rule === 'allowed' ? name : undefined;
  const { namespace = '', name: clusterName = '' } = cluster.metadata;
  const machines = await work.context.objects.list<Machine>('Machine', namespace, ofCluster(clusterName));
  // Without any control plane machine there is no cluster to take the node from.
  return machines.some((each) => isControlPlane(each) && !isGoing(each)) ? name : undefined;
}

/** What the control plane reports about the nodes of the cluster. */
async function controlPlaneRule(
  { context }: MachineWork,
  { cluster }: MachineScope,
): Promise<'allowed' | 'refused' | 'unknown'> {
  const reference = cluster.spec?.controlPlaneRef;
  const found = isDefined(reference)
    ? await context.external.get(reference, cluster.metadata.namespace ?? '')
    : undefined;
  if (found === undefined) return 'unknown';
  if (isGoing(found.object)) return 'refused';
  return isExternallyManaged(found.object) ? 'allowed' : 'unknown';
}

/** A machine may be deleted before its node was known. */
function learnNode({ context }: MachineWork, { cluster, machine, infrastructure }: MachineScope): void {
  const providerID = machine.spec.providerID ?? providerIdOf(infrastructure?.object) ?? '';
  const guest = context.guests.find(cluster);
  if (machine.status?.nodeRef !== undefined || providerID === '' || guest === undefined) return;
  try {
    const node = findNode(guest, providerID);
    if (node !== undefined) machine.status = { ...machine.status, nodeRef: { name: node.metadata.name ?? '' } };
  } catch {
    // Two nodes with one id: none of them is ours to take.
  }
}

/** Control plane machines of kubeadm are cleaned up by their provider before anything else. */
function awaitsCleanUp(machine: Machine): boolean {
  const isOfKubeadm = (machine.metadata.ownerReferences ?? []).some(
    ({ apiVersion, kind }) =>
      kind === 'KubeadmControlPlane' && looseGvk(apiVersion, kind).group === 'controlplane.cluster.x-k8s.io',
  );
  return isControlPlane(machine) && isOfKubeadm && machine.metadata.annotations?.[KCP_CLEANUP] === undefined;
}

function isOver(since: string | undefined, seconds: number | undefined, nowMs: number): boolean {
  if (since === undefined || seconds === undefined || seconds <= 0) return false;
  return nowMs - Date.parse(since) >= seconds * 1000;
}

/** Whether a node is drained before its machine goes. */
export function isDrainDue(machine: Machine, nowMs: number): boolean {
  const { metadata, spec, status } = machine;
  if (awaitsCleanUp(machine) || metadata.annotations?.[annotations.excludeNodeDraining] !== undefined) return false;
  return !isOver(status?.deletion?.nodeDrainStartTime, spec.deletion?.nodeDrainTimeoutSeconds, nowMs);
}

/** Whether a machine waits for the volumes of its node. */
export function isVolumeDetachDue(machine: Machine, nowMs: number): boolean {
  const { metadata, spec, status } = machine;
  if (awaitsCleanUp(machine) || metadata.annotations?.[annotations.excludeVolumeDetach] !== undefined) return false;
  const since = status?.deletion?.waitForNodeVolumeDetachStartTime;
  return !isOver(since, spec.deletion?.nodeVolumeDetachTimeoutSeconds, nowMs);
}

/** The hooks of a kind a machine carries. */
export function hooksOf({ metadata }: Machine, prefix: string): string[] {
  return Object.keys(metadata.annotations ?? {})
    .filter((key) => key.startsWith(prefix))
    .toSorted();
}
