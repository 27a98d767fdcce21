import type { LabelSelectorRequirement } from '@capstan/meta';
import { specOf } from '../workload/pod-spec.js';
import type { NodeSelectorTerm, PodSpec, Toleration } from '../workload/pod-spec.js';
import type { Node, Pod, Taint } from '../workload/resources.js';
import { amountsOf } from './amounts.js';
import type { Amounts } from './amounts.js';

/** A node and what is taken of it. */
export interface NodeUse {
  readonly node: Node;
  readonly pods: number;
  readonly used: Amounts;
  /** `protocol/port` of the machine in use. */
  readonly hostPorts: ReadonlySet<string>;
}

/** Why a node will not do; `resolvable` when other pods going away could change that. */
export interface Misfit {
  readonly reasons: readonly string[];
  readonly resolvable: boolean;
}

const UNSCHEDULABLE_TAINT: Taint = { key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' };

/** Why a pod cannot go to a node, by the first rule it breaks; undefined when it can. */
export function misfit(pod: Pod, requests: Amounts, use: NodeUse): Misfit | undefined {
  const spec = specOf(pod);
  const { node } = use;
  if (node.spec?.unschedulable === true && !tolerates(spec, UNSCHEDULABLE_TAINT))
    return unresolvable('node(s) were unschedulable');
  if (untoleratedTaint(spec, node) !== undefined) return unresolvable('node(s) had untolerated taint(s)');
  if (!matchesAffinity(spec, node)) return unresolvable("node(s) didn't match Pod's node affinity/selector");
  if (hostPortsOf(pod).some((port) => use.hostPorts.has(port)))
    return { reasons: ["node(s) didn't have free ports for the requested pod ports"], resolvable: true };
  const reasons = missingResources(requests, use);
  return reasons.length === 0 ? undefined : { reasons, resolvable: true };
}

function unresolvable(reason: string): Misfit {
  return { reasons: [reason], resolvable: false };
}

function untoleratedTaint(spec: PodSpec, node: Node): Taint | undefined {
  return node.spec?.taints?.find(
    (taint) => (taint.effect === 'NoSchedule' || taint.effect === 'NoExecute') && !tolerates(spec, taint),
  );
}

function tolerates({ tolerations = [] }: PodSpec, taint: Taint): boolean {
  return tolerations.some((toleration) => toleratesTaint(toleration, taint));
}

/** An empty key with `Exists` tolerates everything, an empty effect every effect. */
export function toleratesTaint(
  { key = '', operator = 'Equal', value = '', effect = '' }: Toleration,
  taint: Taint,
): boolean {
  if (effect !== '' && effect !== taint.effect) return false;
  if (key !== '' && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  return key !== '' && value === (taint.value ?? '');
}

/** `nodeSelector` and the required part of the node affinity. */
export function matchesAffinity({ affinity, nodeSelector = {} }: PodSpec, node: Node): boolean {
  const labels = node.metadata.labels ?? {};
  if (Object.entries(nodeSelector).some(([key, value]) => labels[key] !== value)) return false;
  const required = affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  if (required === undefined) return true;
  const fields = { 'metadata.name': node.metadata.name ?? '' };
  return (required.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, labels, fields));
}

type Values = Readonly<Record<string, string>>;

function matchesTerm(
  { matchExpressions = [], matchFields = [] }: NodeSelectorTerm,
  labels: Values,
  fields: Values,
): boolean {
  // A term that asks for nothing matches nothing.
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((requirement) => meets(requirement, labels)) &&
    matchFields.every((requirement) => meets(requirement, fields))
  );
}

function meets({ key, operator, values }: LabelSelectorRequirement, of: Values): boolean {
  const value = of[key];
  const [first = ''] = values ?? [];
  switch (operator) {
    case 'In':
      return value !== undefined && (values ?? []).includes(value);
    case 'NotIn':
      return value === undefined || !(values ?? []).includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return isWhole(value) && isWhole(first) && BigInt(value) > BigInt(first);
    case 'Lt':
      return isWhole(value) && isWhole(first) && BigInt(value) < BigInt(first);
    default:
      return false;
  }
}

function isWhole(text: string | undefined): text is string {
  return text !== undefined && /^-?\d+$/.test(text);
}

/** The ports of the machine a pod wants. */
export function hostPortsOf(pod: Pod): string[] {
  const { containers, hostNetwork = false } = specOf(pod);
  const ports: string[] = [];
  for (const { ports: declared = [] } of containers)
    for (const { containerPort, hostPort = hostNetwork ? containerPort : 0, protocol = 'TCP' } of declared)
      if (hostPort > 0) ports.push(`${protocol}/${hostPort}`);
  return ports;
}

const ALLOCATABLE = new WeakMap<Node, Amounts>();

/** Nodes are frozen, so one reading of each is enough. */
function allocatable(node: Node): Amounts {
  let amounts = ALLOCATABLE.get(node);
  if (amounts === undefined) {
    amounts = amountsOf(node.status?.allocatable ?? node.status?.capacity);
    ALLOCATABLE.set(node, amounts);
  }
  return amounts;
}

function missingResources(requests: Amounts, { node, pods, used }: NodeUse): string[] {
  const there = allocatable(node);
  const reasons: string[] = [];
  if (pods + 1 > (there.get('pods') ?? 0)) reasons.push('Too many pods');
  for (const [name, amount] of requests)
    if (amount > 0 && amount > (there.get(name) ?? 0) - (used.get(name) ?? 0)) reasons.push(`Insufficient ${name}`);
  return reasons;
}
