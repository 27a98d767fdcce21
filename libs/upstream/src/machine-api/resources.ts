import type { ResourceKind, ResourceRef } from '@capstan/kube';
import type { JsonObject, KubeObject, LabelSelector, ObjectMeta } from '@capstan/meta';
import type { MachineCondition } from './conditions.js';
import { GROUP } from './names.js';

const kind = (name: string, plural: string, version: string): ResourceKind => ({
  group: GROUP,
  version,
  plural,
  namespaced: true,
  kind: name,
});

export const MACHINES = kind('Machine', 'machines', 'v1beta1');
export const MACHINE_SETS = kind('MachineSet', 'machinesets', 'v1beta1');
export const MACHINE_HEALTH_CHECKS = kind('MachineHealthCheck', 'machinehealthchecks', 'v1beta1');
export const CONTROL_PLANE_MACHINE_SETS = kind('ControlPlaneMachineSet', 'controlplanemachinesets', 'v1');
export const NODES: ResourceKind = { group: '', version: 'v1', plural: 'nodes', namespaced: false, kind: 'Node' };
export const PODS: ResourceRef = { group: '', version: 'v1', plural: 'pods', namespaced: true };
export const SECRETS: ResourceRef = { group: '', version: 'v1', plural: 'secrets', namespaced: true };
export const CRDS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};

/** Who acts on a machine. */
export type Authority = 'MachineAPI' | 'ClusterAPI' | 'Migrating';

/** The authority fields of an object; absent where the CRD does not have them. */
export interface Authored extends KubeObject {
  readonly spec?: { readonly authoritativeAPI?: string };
  readonly status?: { readonly authoritativeAPI?: string; readonly conditions?: readonly MachineCondition[] };
}

export interface LifecycleHook {
  readonly name: string;
  readonly owner: string;
}

export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

export interface Address {
  readonly type: string;
  readonly address: string;
}

export interface MachineSpec {
  readonly authoritativeAPI?: string;
  readonly metadata?: Pick<ObjectMeta, 'labels' | 'annotations'>;
  readonly lifecycleHooks?: {
    readonly preDrain?: readonly LifecycleHook[];
    readonly preTerminate?: readonly LifecycleHook[];
  };
  readonly taints?: readonly Taint[];
  readonly providerSpec?: { readonly value?: JsonObject };
  readonly providerID?: string;
}

export type MachinePhase = 'Provisioning' | 'Provisioned' | 'Running' | 'Deleting' | 'Failed';

export interface MachineStatus {
  readonly authoritativeAPI?: string;
  readonly phase?: string;
  readonly nodeRef?: { readonly kind?: string; readonly name: string; readonly uid?: string };
  readonly addresses?: readonly Address[];
  readonly providerStatus?: JsonObject;
  readonly errorReason?: string;
  readonly errorMessage?: string;
  readonly lastUpdated?: string;
  readonly conditions?: readonly MachineCondition[];
}

export interface Machine extends KubeObject {
  readonly spec?: MachineSpec;
  readonly status?: MachineStatus;
}

export interface MachineSetStatus {
  readonly authoritativeAPI?: string;
  readonly replicas?: number;
  readonly fullyLabeledReplicas?: number;
  readonly readyReplicas?: number;
  readonly availableReplicas?: number;
  readonly observedGeneration?: number;
  readonly labelSelector?: string;
  readonly conditions?: readonly MachineCondition[];
}

export interface MachineSet extends KubeObject {
  readonly spec?: {
    readonly authoritativeAPI?: string;
    readonly replicas?: number;
    readonly minReadySeconds?: number;
    readonly deletePolicy?: string;
    readonly selector?: LabelSelector;
    readonly template?: {
      readonly metadata?: Pick<ObjectMeta, 'labels' | 'annotations'>;
      readonly spec?: MachineSpec;
    };
  };
  readonly status?: MachineSetStatus;
}

export interface NodeCondition {
  readonly type: string;
  readonly status: string;
  readonly lastTransitionTime?: string;
}

export interface NodeObject extends KubeObject {
  readonly spec?: {
    readonly providerID?: string;
    readonly unschedulable?: boolean;
    readonly taints?: readonly Taint[];
  };
  readonly status?: {
    readonly addresses?: readonly Address[];
    readonly conditions?: readonly NodeCondition[];
  };
}

/** Whether a node reports Ready. */
export function readyCondition(node: NodeObject): NodeCondition | undefined {
  return node.status?.conditions?.find(({ type }) => type === 'Ready');
}
