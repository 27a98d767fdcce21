import type { Node, Pod } from '@capstan/cluster';
import { compareBytes, controllerOf } from '@capstan/meta';
import { isToBeDeleted } from './actions.js';
import type { AutoscalerSettings } from './flags.js';
import { isLeaving, membershipOf } from './node-groups.js';
import type { MachineObject, NodeGroup } from './node-groups.js';
import { binOf } from './packing.js';
import type { Looked } from './scale-down.js';
import type { Candidate } from './scale-up.js';
import type { GroupReport } from './status.js';
import { nextNode } from './template.js';
import type { InfrastructureTemplate } from './template.js';

/** Everything an autoscaler has read. */
export interface Inputs {
  readonly nodes: readonly Node[];
  readonly pods: readonly Pod[];
  readonly groups: readonly NodeGroup[];
  readonly infrastructure: (group: NodeGroup) => InfrastructureTemplate | undefined;
}

/** The same, put together. */
export interface ClusterView {
  readonly looked: readonly Looked[];
  readonly candidates: readonly Candidate[];
  readonly reports: readonly Omit<GroupReport, 'unneeded'>[];
}

export function isReadyNode({ status }: Node): boolean {
  return status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True') === true;
}

function isFinished({ status }: Pod): boolean {
  return status?.phase === 'Succeeded' || status?.phase === 'Failed';
}

/** Puts pods on their nodes and nodes into their groups. */
export function viewCluster(
  { groups, infrastructure, nodes, pods }: Inputs,
  settings: AutoscalerSettings,
  nowMs: number,
): ClusterView {
  const onNode = new Map<string, Pod[]>();
  for (const pod of pods) {
    const node = pod.spec?.nodeName ?? '';
    if (node !== '' && !isFinished(pod)) onNode.set(node, [...(onNode.get(node) ?? []), pod]);
  }
  const membership = membershipOf(nodes, groups);
  const looked = [...nodes]
    .sort((a, b) => compareBytes(a.metadata.name ?? '', b.metadata.name ?? ''))
    .map((node): Looked => {
      const name = node.metadata.name ?? '';
      const its = onNode.get(name) ?? [];
      return { bin: binOf(node, its), pods: its, membership: membership.get(name) };
    });
  const candidates: Candidate[] = [];
  const reports: Omit<GroupReport, 'unneeded'>[] = [];
  for (const group of groups) {
    const own = looked.filter((each) => each.membership?.group === group);
    const staying = own.filter(({ membership: of }) => of !== undefined && !isLeaving(of.machine));
    const example = staying.find(({ bin }) => isReadyNode(bin.node) && !isToBeDeleted(bin.node));
    const ready = staying.filter(({ bin }) => isReadyNode(bin.node)).length;
    const upcoming = Math.max(0, group.target - ready);
    const isStuck = group.machines.some((machine) => isOverdue(machine, settings, nowMs));
    reports.push({ group, ready, registered: staying.length, upcoming, isStuck });
    const template = nextNode(group.object, example?.bin.node, infrastructure(group));
    if (template === undefined) continue;
    const daemons = example?.pods.filter((pod) => controllerOf(pod)?.kind === 'DaemonSet') ?? [];
    candidates.push({ group, template, daemons, upcoming, isStuck });
  }
  return { looked, candidates, reports };
}

/** Whether a machine should have been a node by now. */
function isOverdue(machine: MachineObject, { maxNodeProvisionTimeMs }: AutoscalerSettings, nowMs: number): boolean {
  if (isLeaving(machine) || machine.status?.nodeRef !== undefined) return false;
  if (machine.status?.phase === 'Failed') return true;
  const created = Date.parse(machine.metadata.creationTimestamp ?? '');
  return nowMs - created > maxNodeProvisionTimeMs;
}
