import type { KubeObject } from '@capstan/meta';
import type { Pod, PodTemplate } from '../workload/resources.js';

export interface Taint {
  key?: string;
  value?: string;
  effect?: string;
  timeAdded?: string;
}

export interface Node extends KubeObject {
  spec?: { taints?: Taint[]; unschedulable?: boolean; [field: string]: unknown };
  status?: { conditions?: NodeCondition[]; [field: string]: unknown };
}

export interface NodeCondition {
  type: string;
  status: string;
  lastHeartbeatTime?: string;
  lastTransitionTime?: string;
  reason?: string;
  message?: string;
}

export interface Toleration {
  key?: string;
  operator?: string;
  value?: string;
  effect?: string;
  tolerationSeconds?: number;
}

interface Requirement {
  readonly key: string;
  readonly operator: string;
  readonly values?: readonly string[];
}

interface Term {
  readonly matchExpressions?: readonly Requirement[];
  readonly matchFields?: readonly Requirement[];
}

interface Affinity {
  readonly nodeAffinity?: {
    readonly requiredDuringSchedulingIgnoredDuringExecution?: { readonly nodeSelectorTerms?: readonly Term[] };
  };
}

const daemon = (name: string, effect: string): Toleration => ({
  key: `node.kubernetes.io/${name}`,
  operator: 'Exists',
  effect,
});

/** What daemon pods tolerate: they have to run on such nodes to repair them. */
const DAEMON_TOLERATIONS: readonly Toleration[] = [
  daemon('not-ready', 'NoExecute'),
  daemon('unreachable', 'NoExecute'),
  daemon('disk-pressure', 'NoSchedule'),
  daemon('memory-pressure', 'NoSchedule'),
  daemon('pid-pressure', 'NoSchedule'),
  daemon('unschedulable', 'NoSchedule'),
];

/** The tolerations of a daemon's pods. */
export function daemonTolerations(spec: PodTemplate['spec']): Toleration[] {
  const own = (spec?.['tolerations'] ?? []) as Toleration[];
  const wanted =
    spec?.['hostNetwork'] === true
      ? [...DAEMON_TOLERATIONS, daemon('network-unavailable', 'NoSchedule')]
      : DAEMON_TOLERATIONS;
  const has = ({ effect, key }: Toleration): boolean =>
    own.some((each) => each.key === key && each.effect === effect && each.operator === 'Exists');
  return [...own, ...wanted.filter((toleration) => !has(toleration))];
}

/** Whether a toleration speaks of a taint. */
export function tolerates({ effect, key, operator, value }: Toleration, taint: Taint): boolean {
  if ((effect ?? '') !== '' && effect !== taint.effect) return false;
  if ((key ?? '') !== '' && key !== taint.key) return false;
  return operator === 'Exists' || ((key ?? '') !== '' && (value ?? '') === (taint.value ?? ''));
}

function meets({ key, operator, values = [] }: Requirement, labels: Readonly<Record<string, string>>): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}

function termsOf(spec: PodTemplate['spec']): readonly Term[] | undefined {
  const { nodeAffinity } = (spec?.['affinity'] ?? {}) as Affinity;
  return nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms;
}

/** Whether the template's pods may be on a node at all. */
export function selectsNode(spec: PodTemplate['spec'], node: Node): boolean {
  const { labels = {}, name = '' } = node.metadata;
  const nodeName = (spec?.['nodeName'] ?? '') as string;
  if (nodeName !== '' && nodeName !== name) return false;
  const selector = (spec?.['nodeSelector'] ?? {}) as Record<string, string>;
  if (Object.entries(selector).some(([key, value]) => labels[key] !== value)) return false;
  const terms = termsOf(spec);
  const fits = ({ matchExpressions = [], matchFields = [] }: Term): boolean =>
    matchExpressions.length + matchFields.length > 0 &&
    matchExpressions.every((requirement) => meets(requirement, labels)) &&
    matchFields.every((requirement) => meets(requirement, { 'metadata.name': name }));
  return terms === undefined || terms.some(fits);
}

/** Whether a daemon is to be started on a node, and whether one that is there may stay. */
export function decidePlacement(spec: PodTemplate['spec'], node: Node): { shouldRun: boolean; mayStay: boolean } {
  if (!selectsNode(spec, node)) return { shouldRun: false, mayStay: false };
  const tolerations = daemonTolerations(spec);
  const taints = (node.spec?.taints ?? []).filter((taint) => !tolerations.some((each) => tolerates(each, taint)));
  const mayStay = !taints.some(({ effect }) => effect === 'NoExecute');
  return { shouldRun: mayStay && !taints.some(({ effect }) => effect === 'NoSchedule'), mayStay };
}

/** The spec of a pod meant for one node. The scheduler binds it, as it binds all others. */
export function specForNode(spec: PodTemplate['spec'], node: string): NonNullable<Pod['spec']> {
  const affinity = (spec?.['affinity'] ?? {}) as Affinity;
  const matchFields = [{ key: 'metadata.name', operator: 'In', values: [node] }];
  const terms = termsOf(spec)?.map((term) => ({ ...term, matchFields })) ?? [{ matchFields }];
  const required = { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } };
  return {
    ...spec,
    tolerations: daemonTolerations(spec),
    affinity: { ...affinity, nodeAffinity: { ...affinity.nodeAffinity, ...required } },
  };
}

/** The node a daemon's pod is on, or meant for. */
export function targetNode({ spec }: Pod): string {
  const bound = spec?.nodeName ?? '';
  if (bound !== '') return bound;
  const fields = (termsOf(spec) ?? []).flatMap(({ matchFields = [] }) => matchFields);
  const named = fields.find(({ key, operator, values = [] }) => {
    return key === 'metadata.name' && operator === 'In' && values.length === 1;
  });
  return named?.values?.[0] ?? '';
}
