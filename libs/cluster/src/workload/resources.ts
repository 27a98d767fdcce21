import type { KubeObject, LabelSelector, ObjectMeta } from '@capstan/meta';
import type { ResourceRef } from '@capstan/kube';
import type { WorkloadCondition } from './conditions.js';

const core = (plural: string): ResourceRef => ({ group: '', version: 'v1', plural, namespaced: true });
const apps = (plural: string): ResourceRef => ({ group: 'apps', version: 'v1', plural, namespaced: true });

export const PODS = core('pods');
export const EVENTS = core('events');
export const LEASES: ResourceRef = { group: 'coordination.k8s.io', version: 'v1', plural: 'leases', namespaced: true };
export const SERVICES = core('services');
export const ENDPOINTS = core('endpoints');
export const SERVICE_ACCOUNTS = core('serviceaccounts');
export const CONFIG_MAPS = core('configmaps');
export const SECRETS = core('secrets');
export const NAMESPACES: ResourceRef = { ...core('namespaces'), namespaced: false };
export const ENDPOINT_SLICES: ResourceRef = {
  group: 'discovery.k8s.io',
  version: 'v1',
  plural: 'endpointslices',
  namespaced: true,
};
export const CLUSTER_ROLES: ResourceRef = {
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  plural: 'clusterroles',
  namespaced: false,
};
export const CUSTOM_RESOURCE_DEFINITIONS: ResourceRef = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  namespaced: false,
};
export const VALIDATING_WEBHOOKS: ResourceRef = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  plural: 'validatingwebhookconfigurations',
  namespaced: false,
};
export const MUTATING_WEBHOOKS: ResourceRef = { ...VALIDATING_WEBHOOKS, plural: 'mutatingwebhookconfigurations' };
export const API_SERVICES: ResourceRef = {
  group: 'apiregistration.k8s.io',
  version: 'v1',
  plural: 'apiservices',
  namespaced: false,
};
export const REPLICA_SETS = apps('replicasets');
export const DEPLOYMENTS = apps('deployments');
export const CONTROLLER_REVISIONS = apps('controllerrevisions');
export const PERSISTENT_VOLUME_CLAIMS = core('persistentvolumeclaims');
export const PERSISTENT_VOLUMES: ResourceRef = { ...core('persistentvolumes'), namespaced: false };
export const STORAGE_CLASSES: ResourceRef = {
  group: 'storage.k8s.io',
  version: 'v1',
  plural: 'storageclasses',
  namespaced: false,
};
export const DAEMON_SETS = apps('daemonsets');
export const NODES: ResourceRef = { ...core('nodes'), namespaced: false };
export const STATEFUL_SETS = apps('statefulsets');
export const JOBS: ResourceRef = { group: 'batch', version: 'v1', plural: 'jobs', namespaced: true };
export const CRON_JOBS: ResourceRef = { ...JOBS, plural: 'cronjobs' };
export const DISRUPTION_BUDGETS: ResourceRef = {
  group: 'policy',
  version: 'v1',
  plural: 'poddisruptionbudgets',
  namespaced: true,
};

/** A number or, as text, a percentage. */
export type IntOrPercent = number | string;

export interface PodTemplate {
  metadata?: ObjectMeta;
  spec?: Record<string, unknown>;
}

export interface PodCondition {
  type: string;
  status: string;
  lastTransitionTime?: string | null;
  reason?: string;
  message?: string;
  observedGeneration?: number;
}

export interface Pod extends KubeObject {
  spec?: { nodeName?: string; hostname?: string; subdomain?: string; [field: string]: unknown };
  status?: {
    phase?: string;
    podIP?: string;
    podIPs?: { ip?: string }[];
    conditions?: PodCondition[];
    containerStatuses?: { restartCount?: number }[];
    [field: string]: unknown;
  };
}

export interface ReplicaSetStatus {
  replicas?: number;
  fullyLabeledReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  terminatingReplicas?: number;
  observedGeneration?: number;
  conditions?: WorkloadCondition[];
}

export interface ReplicaSet extends KubeObject {
  spec: { replicas?: number; minReadySeconds?: number; selector: LabelSelector; template: PodTemplate };
  status?: ReplicaSetStatus;
}

export interface DeploymentStatus {
  observedGeneration?: number;
  replicas?: number;
  updatedReplicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  unavailableReplicas?: number;
  terminatingReplicas?: number;
  collisionCount?: number;
  conditions?: WorkloadCondition[];
}

export interface Deployment extends KubeObject {
  spec: {
    replicas?: number;
    selector: LabelSelector;
    template: PodTemplate;
    strategy?: { type?: string; rollingUpdate?: { maxSurge?: IntOrPercent; maxUnavailable?: IntOrPercent } };
    minReadySeconds?: number;
    revisionHistoryLimit?: number;
    progressDeadlineSeconds?: number;
    paused?: boolean;
  };
  status?: DeploymentStatus;
}

export interface Taint {
  key: string;
  value?: string;
  effect: string;
}

export interface Node extends KubeObject {
  spec?: { unschedulable?: boolean; taints?: Taint[]; podCIDR?: string; [field: string]: unknown };
  status?: {
    capacity?: Record<string, string>;
    allocatable?: Record<string, string>;
    conditions?: { type: string; status: string; [field: string]: unknown }[];
    [field: string]: unknown;
  };
}
