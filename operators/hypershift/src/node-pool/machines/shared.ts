import type { MachineTemplate } from '@capstan/api/cluster-api';
import {
  CLUSTER_NAME_LABEL,
  INTERRUPTIBLE_LABEL,
  MANAGED_LABEL_PREFIX,
  NODE_POOL_ANNOTATION,
  PAUSED_ANNOTATION,
  TAINTS_ANNOTATION,
} from '@capstan/hosting';
import { parseDuration } from '@capstan/meta';
import type { KubeObject, ObjectMeta } from '@capstan/meta';
import type { ResourceKind } from '@capstan/kube';
import type { MachineCapacity } from '@capstan/provider';
import type { Pool } from '../snapshot.js';

/** Everything that machines of a NodePool are created from. */
export interface MachinePlan {
  readonly pool: Pool;
  /** `namespace/name` of the pool. */
  readonly key: string;
  readonly namespace: string;
  /** The name of the Cluster. */
  readonly infraID: string;
  /** Key and value of the label of its machines. */
  readonly label: string;
  readonly version: string;
  /** The configuration and the version. */
  readonly hash: string;
  readonly userData: string;
  readonly template: { readonly kind: ResourceKind; readonly name: string };
  readonly failureDomain?: string | undefined;
  readonly isInterruptible: boolean;
  readonly scalesFromZero: boolean;
  /** The capacity of a machine, where its type is known. */
  readonly capacity?: MachineCapacity | undefined;
}

type Entries = Readonly<Record<string, string | undefined>>;

/** Entries with others set; those that are undefined are removed. */
export function withEntries(
  before: Readonly<Record<string, string>> | undefined,
  words: Entries,
): Record<string, string> {
  const after: Record<string, string> = { ...before };
  for (const [key, value] of Object.entries(words)) {
    if (value === undefined) delete after[key];
    else after[key] = value;
  }
  return after;
}

/** Metadata of a MachineDeployment or MachineSet of a pool; not paused. */
export function ownMetadata(plan: MachinePlan, before: KubeObject | undefined, annotations: Entries): ObjectMeta {
  const { infraID, key, namespace, pool } = plan;
  return {
    ...(before?.metadata ?? { name: pool.metadata.name ?? '', namespace }),
    labels: withEntries(before?.metadata.labels, { [CLUSTER_NAME_LABEL]: infraID }),
    annotations: withEntries(before?.metadata.annotations, {
      ...annotations,
      [NODE_POOL_ANNOTATION]: key,
      [PAUSED_ANNOTATION]: undefined,
    }),
  };
}

/** Seconds of a Go duration; undefined for what is none or below zero. */
export function secondsOf(duration: string | undefined): number | undefined {
  if (duration === undefined) return undefined;
  try {
    const nanos = parseDuration(duration);
    return nanos < 0n ? undefined : Number(nanos / 1_000_000_000n);
  } catch {
    return undefined;
  }
}

/** The labels of machines that their nodes get. */
export function managedLabels({ nodeLabels = {} }: Pool['spec']): Record<string, string> {
  return Object.fromEntries(Object.entries(nodeLabels).map(([key, value]) => [`${MANAGED_LABEL_PREFIX}${key}`, value]));
}

/** What a node gets that a change is to remove again. */
export function staleLabels(labels: Readonly<Record<string, string>> | undefined, wanted: Entries): Entries {
  const gone = Object.keys(labels ?? {}).filter((key) => key.startsWith(MANAGED_LABEL_PREFIX) && !(key in wanted));
  return Object.fromEntries(gone.map((key) => [key, undefined]));
}

/** The taints of a pool in the text that goes to its machines, keys in the order of HyperShift. */
export function taintsText({ taints = [] }: Pool['spec']): string {
  return JSON.stringify(taints.map(({ effect, key, value = '' }) => ({ key, value, effect })));
}

/** Labels and annotations that machines pass on to their nodes; Cluster API changes them in place. */
export function nodeMetadata(
  { spec }: Pool,
  before: MachineTemplate | undefined,
): { readonly labels: Entries; readonly annotations: Entries } {
  const labels = managedLabels(spec);
  return {
    labels: { ...staleLabels(before?.metadata?.labels, labels), ...labels },
    annotations: { [TAINTS_ANNOTATION]: taintsText(spec) },
  };
}

function deletionOf({ nodeDrainTimeout, nodeVolumeDetachTimeout }: Pool['spec']): MachineTemplate['spec']['deletion'] {
  const drain = secondsOf(nodeDrainTimeout);
  const detach = secondsOf(nodeVolumeDetachTimeout);
  if (drain === undefined && detach === undefined) return undefined;
  return {
    ...(drain === undefined ? {} : { nodeDrainTimeoutSeconds: drain }),
    ...(detach === undefined ? {} : { nodeVolumeDetachTimeoutSeconds: detach }),
  };
}

/** The version, unless it is there already in the spelling of an admission webhook: `v4.22.0`. */
function spelled(version: string, before: string | undefined): string {
  return before === `v${version}` ? before : version;
}

/** What machines are made from; fields that we do not know of stay. */
export function machineTemplate(
  plan: MachinePlan,
  before: MachineTemplate | undefined,
  words: { readonly labels: Entries; readonly annotations: Entries },
): MachineTemplate {
  const { failureDomain, infraID, isInterruptible, key, label, pool, template, userData, version } = plan;
  const { labels, annotations } = before?.metadata ?? {};
  const { deletion: _, failureDomain: __, ...kept }: Partial<MachineTemplate['spec']> = before?.spec ?? {};
  const deletion = deletionOf(pool.spec);
  return {
    ...before,
    metadata: {
      ...before?.metadata,
      labels: withEntries(labels, {
        ...words.labels,
        [label]: label,
        [CLUSTER_NAME_LABEL]: infraID,
        [INTERRUPTIBLE_LABEL]: isInterruptible ? '' : undefined,
      }),
      annotations: withEntries(annotations, { ...words.annotations, [NODE_POOL_ANNOTATION]: key }),
    },
    spec: {
      ...kept,
      clusterName: infraID,
      bootstrap: { ...kept.bootstrap, dataSecretName: userData },
      infrastructureRef: { apiGroup: template.kind.group, kind: template.kind.kind, name: template.name },
      version: spelled(version, kept.version),
      ...(failureDomain === undefined ? {} : { failureDomain }),
      ...(deletion === undefined ? {} : { deletion }),
    },
  };
}

/** Whether machines that exist are made from something else than those that are to be. */
export function isUpdating(plan: MachinePlan, before: MachineTemplate): boolean {
  const { bootstrap, infrastructureRef } = before.spec;
  return bootstrap.dataSecretName !== plan.userData || infrastructureRef.name !== plan.template.name;
}
