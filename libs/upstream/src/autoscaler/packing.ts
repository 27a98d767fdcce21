import { addAmounts, hostPortsOf, misfit, podRequests } from '@capstan/cluster';
import type { Amounts, Node, NodeUse, Pod } from '@capstan/cluster';
import { compareBytes } from '@capstan/meta';

/** A node that is filled in thought. */
export interface Bin extends NodeUse {
  pods: number;
  readonly used: Map<string, number>;
  readonly hostPorts: Set<string>;
}

/** A node with what is on it. */
export function binOf(node: Node, pods: readonly Pod[] = []): Bin {
  const bin: Bin = { node, pods: 0, used: new Map(), hostPorts: new Set() };
  for (const pod of pods) charge(bin, pod, podRequests(pod));
  return bin;
}

function charge(bin: Bin, pod: Pod, requests: Amounts): void {
  bin.pods += 1;
  addAmounts(bin.used, requests);
  for (const port of hostPortsOf(pod)) bin.hostPorts.add(port);
}

/** Puts a pod onto the first node that takes it; false when none does. */
export function putOn(bins: readonly Bin[], pod: Pod): boolean {
  const requests = podRequests(pod);
  const bin = bins.find((each) => misfit(pod, requests, each) === undefined);
  if (bin === undefined) return false;
  charge(bin, pod, requests);
  return true;
}

const ofNode = (bin: Bin, name: string): number => bin.used.get(name) ?? 0;

/** A copy to try things on. */
export function copyOf({ node, pods, used, hostPorts }: Bin): Bin {
  return { node, pods, used: new Map(used), hostPorts: new Set(hostPorts) };
}

/** How much of what a node offers is asked for: of cpu or of memory, whichever is more. */
export function utilization(bin: Bin, offered: Amounts): number {
  const share = (name: string): number => {
    const all = offered.get(name) ?? 0;
    return all === 0 ? 0 : ofNode(bin, name) / all;
  };
  return Math.max(share('cpu'), share('memory'));
}

/** Pods in an order that does not depend on how they came: the big ones first, then by name. */
export function biggestFirst(pods: readonly Pod[]): readonly Pod[] {
  const weight = (pod: Pod): number => {
    const requests = podRequests(pod);
    return (requests.get('cpu') ?? 0) / 1000 + (requests.get('memory') ?? 0) / 2 ** 32;
  };
  const name = ({ metadata }: Pod): string => `${metadata.namespace ?? ''}/${metadata.name ?? ''}`;
  return [...pods].sort((a, b) => weight(b) - weight(a) || compareBytes(name(a), name(b)));
}
