import type { Node, Taint } from '@capstan/cluster';
import { QuantityError, quantityFromJson, scaledQuantity } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { Scalable } from './node-groups.js';

const CAPACITY = 'capacity.cluster-autoscaler.kubernetes.io';
const OPENSHIFT = 'machine.openshift.io';
const DEFAULT_MAX_PODS = '110';
/** Labels that identify one node, not its kind. */
const HOSTNAME_LABEL = 'kubernetes.io/hostname';
const MANAGED_LABEL =
  /^(?:node-role\.kubernetes\.io|(?:.+\.)?node-restriction\.kubernetes\.io|(?:.+\.)?node\.cluster\.x-k8s\.io)\//;

/** Taints that come and go with the state of a node, or are an autoscaler's own. */
const PASSING_TAINT =
  /^(?:node\.kubernetes\.io\/|node\.cloudprovider\.kubernetes\.io\/|ToBeDeletedByClusterAutoscaler$|DeletionCandidateOfClusterAutoscaler$|node\.cluster\.x-k8s\.io\/uninitialized$)/;

type Annotations = Readonly<Record<string, string>>;

/** A non-zero quantity; undefined for zero, for no value and for what cannot be parsed. */
function quantity(text: string | undefined): string | undefined {
  if (text === undefined || text === '') return undefined;
  try {
    return scaledQuantity(quantityFromJson(text), -3) > 0n ? text : undefined;
  } catch (error) {
    if (error instanceof QuantityError) return undefined;
    throw error;
  }
}

/** The older annotations of OpenShift speak of memory in mebibytes. */
function openshiftMemory(annotations: Annotations): string | undefined {
  const text = annotations[`${OPENSHIFT}/memoryMb`];
  return text !== undefined && /^\d+$/.test(text) ? `${text}Mi` : undefined;
}

/** The capacity that the infrastructure template declares for its machines. */
export interface InfrastructureTemplate extends KubeObject {
  readonly status?: { readonly capacity?: Readonly<Record<string, string>> };
}

/** The capacity of a future machine of a group; undefined when nothing declares it. */
export function declaredCapacity(
  { metadata: { annotations = {} } }: Scalable,
  infrastructure?: InfrastructureTemplate,
): Record<string, string> | undefined {
  const gpuType = annotations[`${CAPACITY}/gpu-type`] ?? 'nvidia.com/gpu';
  const declared: readonly (readonly [name: string, ...texts: (string | undefined)[]])[] = [
    ['cpu', annotations[`${CAPACITY}/cpu`], annotations[`${OPENSHIFT}/vCPU`]],
    ['memory', annotations[`${CAPACITY}/memory`], openshiftMemory(annotations)],
    ['ephemeral-storage', annotations[`${CAPACITY}/ephemeral-disk`]],
    [gpuType, annotations[`${CAPACITY}/gpu-count`], annotations[`${OPENSHIFT}/GPU`]],
    ['pods', annotations[`${CAPACITY}/maxPods`], annotations[`${OPENSHIFT}/maxPods`]],
  ];
  const capacity: Record<string, string> = { pods: DEFAULT_MAX_PODS, ...infrastructure?.status?.capacity };
  for (const [name, ...texts] of declared) {
    const found = texts.map(quantity).find((text) => text !== undefined);
    if (found !== undefined) capacity[name] = found;
  }
  return capacity['cpu'] === undefined || capacity['memory'] === undefined ? undefined : capacity;
}

function declaredLabels({ metadata: { annotations = {} }, spec }: Scalable): Record<string, string> {
  const own = (spec?.template?.spec?.['metadata'] ?? {}) as { readonly labels?: Record<string, string> };
  const managed = Object.entries(own.labels ?? {}).filter(([key]) => MANAGED_LABEL.test(key));
  const listed = (annotations[`${CAPACITY}/labels`] ?? '').split(',').flatMap((pair): [string, string][] => {
    const at = pair.indexOf('=');
    return at <= 0 ? [] : [[pair.slice(0, at), pair.slice(at + 1)]];
  });
  return Object.fromEntries([...managed, ...listed]);
}

/** Reads `key=value:Effect` or `key:Effect`. */
export function parseTaint(text: string): Taint | undefined {
  const [, key = '', value, effect = ''] =
    /^([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(text) ?? [];
  return key === '' ? undefined : { key, ...(value === undefined || value === '' ? {} : { value }), effect };
}

function declaredTaints({ metadata: { annotations = {} }, spec }: Scalable): Taint[] {
  const own = (spec?.template?.spec?.['taints'] ?? []) as readonly Taint[];
  const byKey = new Map(own.map((taint) => [`${taint.key}:${taint.effect}`, taint]));
  for (const text of (annotations[`${CAPACITY}/taints`] ?? '').split(',')) {
    const taint = parseTaint(text);
    if (taint !== undefined) byKey.set(`${taint.key}:${taint.effect}`, taint);
  }
  return [...byKey.values()];
}

function templateNode(
  name: string,
  labels: Record<string, string>,
  taints: Taint[],
  capacity: Record<string, string>,
): Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name, labels: { ...labels, [HOSTNAME_LABEL]: name } },
    spec: { taints },
    status: { capacity, allocatable: capacity, conditions: [{ type: 'Ready', status: 'True' }] },
  };
}

/** A node as the group's next one would be: like one that is there, else as the group declares. */
export function nextNode(
  object: Scalable,
  example: Node | undefined,
  infrastructure?: InfrastructureTemplate,
): Node | undefined {
  const name = `template-node-for-${object.kind}-${object.metadata.namespace ?? ''}-${object.metadata.name ?? ''}`;
  if (example !== undefined) {
    const taints = (example.spec?.taints ?? []).filter(({ key }) => !PASSING_TAINT.test(key));
    const allocatable = example.status?.allocatable ?? example.status?.capacity ?? {};
    return templateNode(name, { ...example.metadata.labels }, taints, allocatable);
  }
  const capacity = declaredCapacity(object, infrastructure);
  if (capacity === undefined) return undefined;
  const labels = { 'kubernetes.io/arch': 'amd64', 'kubernetes.io/os': 'linux', ...declaredLabels(object) };
  return templateNode(name, labels, declaredTaints(object), capacity);
}
