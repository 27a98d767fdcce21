import { controllerOf, deepEqual } from '@capstan/meta';
import { revisionOf } from '../machine-deployment/desired-set.js';
import { annotations as names, CORE_GROUP, labels as labelNames, nodeTaints } from '../names.js';
import type { Machine, MachineDeployment, MachineSet, MachineTaint, Node, Taint } from '../types.js';

/** What a node is given by its machine. */

const COMMON: readonly string[] = [
  names.clusterName,
  names.clusterNamespace,
  names.machine,
  names.ownerKind,
  names.ownerName,
];

const MANAGED_LABEL =
  /^(?:node-role\.kubernetes\.io|(?:[^/]+\.)?node-restriction\.kubernetes\.io|(?:[^/]+\.)?node\.cluster\.x-k8s\.io)(?:\/|$)/;
const MANAGED_ANNOTATION = /^(?:[^/]+\.)?node\.cluster\.x-k8s\.io(?:\/|$)/;

/** Whether a label or an annotation of a node may be there because of its machine. */
export function mayBeGiven(name: string): boolean {
  return name.includes(CORE_GROUP) || MANAGED_LABEL.test(name);
}

/** The labels of a machine that go to its node. */
export function managedLabels({ metadata }: Machine): Record<string, string> {
  return Object.fromEntries(Object.entries(metadata.labels ?? {}).filter(([key]) => MANAGED_LABEL.test(key)));
}

/** The annotations of a machine that are copied to its node, and those that name the owner of the node. */
export function managedAnnotations(machine: Machine): Record<string, string> {
  const { metadata, spec } = machine;
  const owner = controllerOf(machine);
  return {
    [names.clusterName]: spec.clusterName,
    [names.clusterNamespace]: metadata.namespace ?? '',
    [names.machine]: metadata.name ?? '',
    ...(owner === undefined ? {} : { [names.ownerKind]: owner.kind, [names.ownerName]: owner.name }),
    ...Object.fromEntries(Object.entries(metadata.annotations ?? {}).filter(([key]) => MANAGED_ANNOTATION.test(key))),
  };
}

function listed(text: string | undefined): string[] {
  return text === undefined || text === '' ? [] : text.split(',');
}

/** Sets the given entries and removes those that were given before and no longer are; true when anything changed. */
function merge(
  into: Record<string, string>,
  given: Readonly<Record<string, string>>,
  before: readonly string[],
): boolean {
  let isChanged = false;
  for (const [key, value] of Object.entries(given)) {
    if (into[key] === value) continue;
    into[key] = value;
    isChanged = true;
  }
  for (const key of before) {
    if (given[key] !== undefined || into[key] === undefined) continue;
    Reflect.deleteProperty(into, key);
    isChanged = true;
  }
  return isChanged;
}

function sameTaint(a: { key: string; effect: string }, b: { key: string; effect: string }): boolean {
  return a.key === b.key && a.effect === b.effect;
}

function withoutTaint(taints: readonly Taint[], taint: { key: string; effect: string }): Taint[] {
  return taints.filter((each) => !sameTaint(each, taint));
}

/** Whether a node belongs to a template its deployment has moved on from. */
export function isOutdated(set: MachineSet | undefined, deployment: MachineDeployment | undefined): boolean {
  return set !== undefined && deployment !== undefined && revisionOf(set) < revisionOf(deployment);
}

/** The taints of a node with those of its machine, and which of them are the machine's. */
export function withMachineTaints(
  node: readonly Taint[],
  machine: readonly MachineTaint[],
  annotation: string | undefined,
): { readonly taints: Taint[]; readonly annotation: string } {
  const text = ({ key, effect }: { key: string; effect: string }): string => `${key}:${effect}`;
  const isInitialized = annotation !== undefined;
  const always = machine.filter(({ propagation }) => propagation === 'Always');
  const given = machine.filter(({ propagation }) => propagation !== 'OnInitialization' || !isInitialized);
  const kept = new Set(machine.map(text));
  const dropped = new Set(listed(annotation).filter((each) => !kept.has(each)));
  let taints = node.filter((taint) => !dropped.has(text(taint)));
  for (const { key, effect, value } of given) {
    const next: Taint = { key, effect, ...(value === undefined || value === '' ? {} : { value }) };
    const at = taints.findIndex((taint) => sameTaint(taint, next));
    taints = at < 0 ? [...taints, next] : taints.with(at, next);
  }
  return { taints, annotation: always.map(text).toSorted().join(',') };
}

export interface NodeSync {
  readonly machine: Machine;
  readonly set?: MachineSet | undefined;
  readonly deployment?: MachineDeployment | undefined;
  readonly isInterruptible: boolean;
  readonly propagatesTaints: boolean;
}

/** A node as its machine wants it; undefined when it is so already. */
export function syncedNode(node: Node, sync: NodeSync): Node | undefined {
  const annotations = { ...node.metadata.annotations };
  const labels = { ...node.metadata.labels };
  const given = managedAnnotations(sync.machine);
  const givenLabels = {
    ...managedLabels(sync.machine),
    ...(sync.isInterruptible ? { [labelNames.interruptible]: '' } : {}),
  };
  const before = [...listed(annotations[names.annotationsFromMachine]), ...COMMON];
  const labelsBefore = listed(annotations[names.labelsFromMachine]);
  const isOther = [merge(annotations, given, before), merge(labels, givenLabels, labelsBefore)].includes(true);
  const own = Object.keys(given).filter((key) => !COMMON.includes(key));
  const taints = syncedTaints(node, annotations, sync);
  const hadAnnotation = node.metadata.annotations?.[names.taintsFromMachine];
  const isTainted =
    !deepEqual(taints, node.spec?.taints ?? []) || annotations[names.taintsFromMachine] !== hadAnnotation;
  if (!isOther && !isTainted) return undefined;
  annotations[names.labelsFromMachine] = Object.keys(givenLabels).toSorted().join(',');
  annotations[names.annotationsFromMachine] = own.toSorted().join(',');
  const { taints: _, ...spec } = node.spec ?? {};
  return {
    ...node,
    metadata: { ...node.metadata, annotations, labels },
    spec: taints.length === 0 ? spec : { ...spec, taints },
  };
}

function syncedTaints(node: Node, annotations: Record<string, string>, sync: NodeSync): Taint[] {
  let taints = withoutTaint(node.spec?.taints ?? [], nodeTaints.uninitialized);
  if (sync.propagatesTaints) {
    const { taints: own = [] } = sync.machine.spec;
    const merged = withMachineTaints(taints, own, annotations[names.taintsFromMachine]);
    taints = merged.taints;
    annotations[names.taintsFromMachine] = merged.annotation;
  }
  const { outdatedRevision } = nodeTaints;
  if (!isOutdated(sync.set, sync.deployment)) return withoutTaint(taints, outdatedRevision);
  return taints.some((taint) => sameTaint(taint, outdatedRevision)) ? taints : [...taints, { ...outdatedRevision }];
}
