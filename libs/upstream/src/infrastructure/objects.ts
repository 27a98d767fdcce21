import type { ResourceKind } from '@capstan/kube';
import type { Condition, KubeObject } from '@capstan/meta';
import type { InstanceAddress } from '../cloud/instance.js';
import type { FieldPath, InfrastructurePlatform } from './platforms.table.js';

/** The group of Cluster API itself. */
export const CORE_GROUP = 'cluster.x-k8s.io';
/** Names the cluster an object belongs to. */
export const CLUSTER_LABEL = 'cluster.x-k8s.io/cluster-name';
/** Marks an infrastructure cluster as externally managed. */
export const MANAGED_BY = 'cluster.x-k8s.io/managed-by';
/** Pauses the reconciliation of an object. */
export const PAUSED = 'cluster.x-k8s.io/paused';

/** The contract between Cluster API and its providers. */
export type Contract = 'v1beta1' | 'v1beta2';

/** A Machine of Cluster API, with the fields that providers read. */
export interface Machine extends KubeObject {
  readonly spec?: {
    readonly clusterName?: string;
    readonly failureDomain?: string;
    readonly bootstrap?: { readonly dataSecretName?: string };
    readonly infrastructureRef?: { readonly kind?: string; readonly name?: string };
  };
}

/** A Cluster of Cluster API, with the fields that providers read. */
export interface Cluster extends KubeObject {
  readonly spec?: {
    readonly paused?: boolean;
    readonly infrastructureRef?: { readonly kind?: string; readonly name?: string };
    readonly controlPlaneEndpoint?: { readonly host?: string; readonly port?: number };
  };
  readonly status?: {
    readonly infrastructureReady?: boolean;
    readonly initialization?: { readonly infrastructureProvisioned?: boolean };
  };
}

/** A condition in the words of the older contract. */
export interface OldCondition {
  readonly type: string;
  readonly status: string;
  readonly severity?: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime: string;
}

/** The status of an infrastructure object, in either contract. */
export interface InfrastructureStatus {
  readonly ready?: boolean;
  readonly initialization?: { readonly provisioned?: boolean };
  readonly addresses?: readonly InstanceAddress[];
  readonly failureReason?: string;
  readonly failureMessage?: string;
  readonly conditions?: readonly (Condition | OldCondition)[];
  readonly [field: string]: unknown;
}

/** An infrastructure machine of any platform. */
export interface InfrastructureMachine extends KubeObject {
  readonly spec?: { readonly providerID?: string; readonly [field: string]: unknown };
  readonly status?: InfrastructureStatus;
}

/** An infrastructure cluster of any platform. */
export interface InfrastructureCluster extends KubeObject {
  readonly spec?: {
    readonly controlPlaneEndpoint?: { readonly host?: string; readonly port?: number };
    readonly [field: string]: unknown;
  };
  readonly status?: InfrastructureStatus;
}

/** The resource of one of a platform's kinds. */
export function kindOf(row: InfrastructurePlatform, what: 'Cluster' | 'Machine' | 'MachineTemplate'): ResourceKind {
  const kind = `${row.prefix}${what}`;
  return { group: row.group, version: row.version, plural: `${kind.toLowerCase()}s`, namespaced: true, kind };
}

/** The resource of one of the kinds of Cluster API itself. */
export function coreKind(version: Contract, kind: 'Cluster' | 'Machine'): ResourceKind {
  return { group: CORE_GROUP, version, plural: `${kind.toLowerCase()}s`, namespaced: true, kind };
}

/** The objects that describe an instance. */
export interface FieldSources {
  readonly machine: InfrastructureMachine;
  readonly cluster: InfrastructureCluster | undefined;
  readonly owner: Machine | undefined;
}

/** The first of the fields that holds a text or a number. */
export function firstField(paths: readonly FieldPath[], sources: FieldSources): string | undefined {
  for (const path of paths) {
    const [source, ...keys] = path.split('.') as [keyof FieldSources, ...string[]];
    let at: unknown = sources[source];
    for (const key of keys) at = (at as Readonly<Record<string, unknown>> | undefined)?.[key];
    if (typeof at === 'number' || (typeof at === 'string' && at !== '')) return String(at);
  }
  return undefined;
}

/** Whether the object is paused, itself or by its cluster. */
export function isPaused(object: KubeObject, cluster: Cluster | undefined): boolean {
  return cluster?.spec?.paused === true || object.metadata.annotations?.[PAUSED] !== undefined;
}

/** Whether the infrastructure of a cluster is there, in either contract. */
export function isInfrastructureReady({ status }: Cluster): boolean {
  return status?.infrastructureReady === true || status?.initialization?.infrastructureProvisioned === true;
}
