import { createMergePatch } from '@capstan/meta';
import { isTrue } from '../conditions/conditions.js';
import { markOld, oldFalse, oldTrue, oldUnknown } from '../conditions/old-conditions.js';
import { isInterruptible } from '../external/contract.js';
import type { Guest } from '../guest-clusters.js';
import { NODES } from '../kinds.js';
import { isGoing } from '../machines.js';
import type { Node } from '../types.js';
import { syncedNode } from './node-sync.js';
import type { MachineScope, MachineWork } from './scope.js';

/** No node, or too many, for a machine. */
export class NodeMismatch extends Error {
  override readonly name = 'NodeMismatch';
}

/** The node with a provider's id; undefined when there is none. */
export function findNode({ nodes }: Guest, providerID: string): Node | undefined {
  const found = nodes.byProviderId(providerID);
  if (found.length > 1)
    throw new NodeMismatch(`unexpectedly found more than one Node matching the providerID ${providerID}`);
  return found[0];
}

/** The node of a machine: found by its provider ID, and given the metadata that the machine sets. */
export async function reconcileNode(work: MachineWork, scope: MachineScope): Promise<void> {
  const { cluster, machine } = scope;
  const { guests } = work.context;
  const now = work.context.now();
  const type = 'NodeHealthy';
  try {
    if (isTrue(cluster, 'ControlPlaneInitialized')) guests.watchNodes(cluster, work.nodes);
    const { providerID = '' } = machine.spec;
    if (providerID === '') return markOld(machine, oldFalse(type, 'WaitingForNodeRef', 'Info'), now);
    scope.node = findNode(guests.require(cluster), providerID);
  } catch (error) {
    scope.nodeError = { error };
    if (error instanceof NodeMismatch)
      markOld(
        machine,
        oldUnknown(type, 'NodeInspectionFailed', 'Failed to get the Node for this Machine by ProviderID'),
        now,
      );
    throw error;
  }
  if (scope.node === undefined) return nodeMissing(scope, now);
  const { nodeInfo } = scope.node.status ?? {};
  if (machine.status?.nodeRef === undefined) {
    const name = scope.node.metadata.name ?? '';
    machine.status = { ...machine.status, nodeRef: { name } };
    work.announce(machine, { type: 'Normal', reason: 'SuccessfulSetNodeRef', message: name });
  }
  if (nodeInfo !== undefined) machine.status = { ...machine.status, nodeInfo };
  scope.node = await syncNode(work, scope, scope.node);
  markOld(machine, oldHealth(scope, scope.node), now);
}

function nodeMissing({ machine }: MachineScope, now: string): void {
  if (isGoing(machine)) return;
  const type = 'NodeHealthy';
  if (machine.status?.nodeRef === undefined) {
    const message = 'Waiting for a node with matching ProviderID to exist';
    return markOld(machine, oldFalse(type, 'NodeProvisioning', 'Warning', message), now);
  }
  markOld(machine, oldFalse(type, 'NodeNotFound', 'Error'), now);
  const { namespace = '', name = '' } = machine.metadata;
  throw new NodeMismatch(`no matching Node for Machine "${name}" in namespace "${namespace}"`);
}

/** Applies the machine's metadata to the node, and returns the result. */
async function syncNode({ context, propagatesTaints }: MachineWork, scope: MachineScope, node: Node): Promise<Node> {
  const { machine, set, deployment, infrastructure } = scope;
  const interruptible = infrastructure !== undefined && isInterruptible(infrastructure.object);
  const next = syncedNode(node, { machine, set, deployment, isInterruptible: interruptible, propagatesTaints });
  if (next === undefined) return node;
  const value = createMergePatch(node, next);
  if (Object.keys(value).length === 0) return node;
  const { name = '', resourceVersion } = node.metadata;
  value['metadata'] = { ...(value['metadata'] as object | undefined), resourceVersion };
  // No list of a node has a merge key, so a strategic patch of it is a merge patch by another name.
  return context.guests.require(scope.cluster).client.patch<Node>(NODES, name, { type: 'strategic', value });
}

const PRESSURES: ReadonlySet<string> = new Set(['MemoryPressure', 'DiskPressure', 'PIDPressure']);

function oldHealth({ infrastructure }: MachineScope, node: Node): ReturnType<typeof oldTrue> {
  const type = 'NodeHealthy';
  if (infrastructure === undefined || isGoing(infrastructure.object)) return oldFalse(type, 'Deleting', 'Info');
  const bad = (node.status?.conditions ?? []).filter(
    (condition) =>
      (PRESSURES.has(condition.type) && condition.status !== 'False') ||
      (condition.type === 'Ready' && condition.status !== 'True'),
  );
  const message = bad.map((each) => `Node condition ${each.type} is ${each.status}`).join('. ');
  const reason = 'NodeConditionsFailed';
  if (bad.some(({ status }) => status !== 'Unknown')) return oldFalse(type, reason, 'Warning', message);
  // Only when nothing at all is known.
  return bad.length < 4 ? oldTrue(type) : oldUnknown(type, reason, message);
}
