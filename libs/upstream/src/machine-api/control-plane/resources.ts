import type { Condition, JsonObject, KubeObject, LabelSelector, ObjectMeta } from '@capstan/meta';
import type { Machine, MachineSpec } from '../resources.js';

/** The members of the template's union. */
export const TEMPLATE_FIELD = 'machines_v1beta1_machine_openshift_io';
export const CLUSTER_API_FIELD = 'machines_v1beta2_cluster_x_k8s_io';

export interface ControlPlaneTemplate {
  readonly metadata?: Pick<ObjectMeta, 'labels' | 'annotations'>;
  readonly spec?: MachineSpec;
  /** `platform` names the list that counts. */
  readonly failureDomains?: JsonObject & { readonly platform?: string };
}

/** The member for machines of Cluster API. */
export interface ClusterApiTemplate {
  readonly metadata?: Pick<ObjectMeta, 'labels' | 'annotations'>;
  readonly spec?: JsonObject & {
    readonly clusterName?: string;
    readonly infrastructureRef?: { readonly apiGroup?: string; readonly kind?: string; readonly name?: string };
  };
  readonly failureDomains?: readonly string[];
}

export interface ControlPlaneMachineSet extends KubeObject {
  readonly spec?: {
    readonly authoritativeAPI?: string;
    readonly state?: string;
    readonly replicas?: number;
    readonly strategy?: { readonly type?: string };
    readonly selector?: LabelSelector;
    readonly machineNamePrefix?: string;
    readonly template?: {
      readonly machineType?: string;
      readonly machines_v1beta1_machine_openshift_io?: ControlPlaneTemplate;
      readonly machines_v1beta2_cluster_x_k8s_io?: ClusterApiTemplate;
    };
  };
  readonly status?: {
    readonly authoritativeAPI?: string;
    readonly observedGeneration?: number;
    readonly replicas?: number;
    readonly readyReplicas?: number;
    readonly updatedReplicas?: number;
    readonly unavailableReplicas?: number;
    readonly conditions?: readonly Condition[];
  };
}

/** A machine of the control plane as the set sees it. */
export interface ControlPlaneMachine {
  readonly machine: Machine;
  /** Its place: each is to be held by one machine. */
  readonly index: number;
  readonly isReady: boolean;
  readonly needsUpdate: boolean;
}

/** Whether the machine is on its way out. */
export function isLeaving({ machine }: ControlPlaneMachine): boolean {
  return machine.metadata.deletionTimestamp != null;
}
