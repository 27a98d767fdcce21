import { patchFrom } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import {
  annotated,
  CONTROL_PLANE_DEPLOYMENTS,
  MIGRATION_REPLICAS_ANNOTATION,
  OPERATOR_DEPLOYMENTS,
} from '@capstan/hosting';
import { CONTROL_PLANE_OPERATOR } from '../../hosted-cluster/desired/own-components.js';
import { DEPLOYMENTS } from '../../kinds.js';
import { livingPods } from '../../pods.js';
import type { Pod } from '../../pods.js';
import type { Migration } from '../model.js';

/** A Deployment, as far as a migration reads it. */
export interface Deployment extends KubeObject {
  readonly spec: {
    readonly replicas?: number;
    readonly selector: { readonly matchLabels?: Readonly<Record<string, string>> };
    readonly template: { readonly spec: { readonly containers: readonly Container[] } };
  };
  readonly status?: {
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly updatedReplicas?: number;
    readonly availableReplicas?: number;
  };
}

export interface Container {
  readonly name: string;
  readonly image?: string;
  readonly env?: readonly { readonly name: string; readonly value?: string }[];
}

/** Whether the control plane operator converges it. */
export function isOfControlPlaneOperator({ metadata }: KubeObject): boolean {
  return CONTROL_PLANE_DEPLOYMENTS.includes(metadata.name ?? '');
}

export function isControlPlaneOperator({ metadata }: KubeObject): boolean {
  return metadata.name === CONTROL_PLANE_OPERATOR;
}

/** Every Deployment of the control plane that reads Cluster API, the control plane operator first; absent ones are left out. */
export async function clusterApiDeployments({ namespace, parts, signal }: Migration): Promise<readonly Deployment[]> {
  const { items } = await parts.client.list<Deployment>(DEPLOYMENTS, { namespace, signal });
  const byName = new Map(items.map((each) => [each.metadata.name ?? '', each]));
  return [...OPERATOR_DEPLOYMENTS, ...CONTROL_PLANE_DEPLOYMENTS].flatMap((name) => byName.get(name) ?? []);
}

/** Writes what differs; the Deployment as it is then. */
export function writeDeployment(
  { parts: { client }, signal }: Migration,
  before: Deployment,
  after: Deployment,
): Promise<Deployment> {
  return patchFrom(client, DEPLOYMENTS, { before, after }, { optimisticLock: true, signal });
}

/** The Deployment at no replicas, with how many it had: its operator leaves one with that annotation at what it is. */
export function scaledDown(deployment: Deployment): Deployment {
  const { replicas = 1 } = deployment.spec;
  const recorded = deployment.metadata.annotations?.[MIGRATION_REPLICAS_ANNOTATION] ?? String(replicas);
  const marked = annotated(deployment, { [MIGRATION_REPLICAS_ANNOTATION]: recorded });
  return { ...marked, spec: { ...marked.spec, replicas: 0 } };
}

/** The Deployment at as many replicas as it had. */
export function scaledBack(deployment: Deployment): Deployment {
  const recorded = deployment.metadata.annotations?.[MIGRATION_REPLICAS_ANNOTATION];
  if (recorded === undefined) return deployment;
  const restored = annotated(deployment, { [MIGRATION_REPLICAS_ANNOTATION]: undefined });
  return { ...restored, spec: { ...restored.spec, replicas: Number(recorded) } };
}

/** Whether the migration has scaled it down and not back. */
export function isScaledDown({ metadata }: KubeObject): boolean {
  return metadata.annotations?.[MIGRATION_REPLICAS_ANNOTATION] !== undefined;
}

/** How many replicas of a Deployment were updated and available before. */
export interface EarlierReplicas {
  readonly updated: number;
  readonly available: number;
}

const ALL: EarlierReplicas = { updated: Number.POSITIVE_INFINITY, available: Number.POSITIVE_INFINITY };

/** What keeps a Deployment from being available as it is specified, or as it was before; undefined when nothing does. */
export function unavailability(deployment: Deployment, before = ALL): string | undefined {
  if (!isObserved(deployment)) return 'is not observed yet';
  const wanted = deployment.spec.replicas ?? 1;
  const [updated, available] = [Math.min(wanted, before.updated), Math.min(wanted, before.available)];
  const { availableReplicas = 0, replicas = 0, updatedReplicas = 0 } = deployment.status ?? {};
  if (updatedReplicas < updated || replicas > wanted) return `has ${updatedReplicas} of ${updated} updated replicas`;
  return availableReplicas < available ? `has ${availableReplicas} of ${available} available replicas` : undefined;
}

function isObserved({ metadata, status }: Deployment): boolean {
  return (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
}

/** Pods of a Deployment that have not ended. */
export function podsOf(
  { namespace, parts: { client }, signal }: Migration,
  { spec }: Deployment,
): Promise<readonly Pod[]> {
  const labels = Object.entries(spec.selector.matchLabels ?? {});
  const labelSelector = labels.map(([key, value]) => `${key}=${value}`).join(',');
  return livingPods(client, { namespace, labelSelector, signal });
}
