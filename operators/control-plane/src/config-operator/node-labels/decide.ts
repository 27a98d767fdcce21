import type { Machine } from '@capstan/api/cluster-api';
import { MANAGED_LABEL_PREFIX, NODE_POOL_ANNOTATION, TAINTS_ANNOTATION } from '@capstan/hosting';
import type { GuestNode } from '../guest/nodes.js';

/** On a node: which of its labels are ours, so that one that is no longer wanted can go. */
const LABELS_ANNOTATION = 'capstan.dev/managed-labels';
/** The only one in a cluster whose control plane is elsewhere; a node may not give itself any. */
const ROLE = { 'node-role.kubernetes.io/worker': '' };

interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/** The node with the labels and taints of its Machine. Taints of others stay, and none is ever removed. */
export function withMachineMetadata(node: GuestNode, machine: Machine): GuestNode {
  const labels = labelsOf(machine);
  const { annotations, labels: there = {} } = node.metadata;
  const before = (annotations?.[LABELS_ANNOTATION] ?? '').split(',').filter((key) => key !== '');
  const stale = new Set(before.filter((key) => !Object.hasOwn(labels, key)));
  const kept = Object.fromEntries(Object.entries(there).filter(([key]) => !stale.has(key)));
  const taints = node.spec?.taints ?? [];
  const missing = taintsOf(machine).filter(
    ({ effect, key }) => !taints.some((taint) => taint.key === key && taint.effect === effect),
  );
  return {
    ...node,
    metadata: {
      ...node.metadata,
      labels: { ...kept, ...labels },
      annotations: { ...annotations, [LABELS_ANNOTATION]: Object.keys(labels).toSorted().join(',') },
    },
    ...(missing.length === 0 ? {} : { spec: { ...node.spec, taints: [...taints, ...missing] } }),
  };
}

function labelsOf({ metadata }: Machine): Readonly<Record<string, string>> {
  const managed = Object.entries(metadata.labels ?? {})
    .filter(([key]) => key.startsWith(MANAGED_LABEL_PREFIX))
    .map(([key, value]) => [key.slice(MANAGED_LABEL_PREFIX.length), value]);
  const pool = metadata.annotations?.[NODE_POOL_ANNOTATION]?.split('/').at(-1);
  return { ...ROLE, ...Object.fromEntries(managed), ...(pool === undefined ? {} : { [NODE_POOL_ANNOTATION]: pool }) };
}

function taintsOf({ metadata }: Machine): readonly Taint[] {
  try {
    const taints: unknown = JSON.parse(metadata.annotations?.[TAINTS_ANNOTATION] ?? '[]');
    return Array.isArray(taints) ? (taints as Taint[]) : [];
  } catch {
    return [];
  }
}
