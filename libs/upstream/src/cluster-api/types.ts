/**
 * The core kinds in the version the program thinks in (v1beta2), as far as it reads and writes them: what they are is
 * defined in `@capstan/api/cluster-api`, of which these are parts that may be changed.
 */
import type { Condition, KubeObject, LabelSelector } from '@capstan/meta';

/** Names an object of a provider; its version follows from the contract of its kind. */
export interface Reference {
  apiGroup?: string;
  kind?: string;
  name?: string;
}

/** A condition in the style of before v1beta2. */
export interface OldCondition {
  type: string;
  status: string;
  severity?: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

export interface OldStatus {
  conditions?: readonly OldCondition[];
  failureReason?: string;
  failureMessage?: string;
}

interface Status<Old extends OldStatus = OldStatus> {
  observedGeneration?: number;
  conditions?: Condition[];
  deprecated?: { v1beta1?: Old };
}

/** Anything of the core that has conditions of both styles. */
export interface Conditioned extends KubeObject {
  status?: Status;
}

export interface ConditionGate {
  conditionType: string;
  polarity?: string;
}

export interface FailureDomain {
  name: string;
  controlPlane?: boolean;
  attributes?: Record<string, string>;
}

export interface ReplicaCounts {
  desiredReplicas?: number;
  replicas?: number;
  readyReplicas?: number;
  availableReplicas?: number;
  upToDateReplicas?: number;
}

export interface Cluster extends KubeObject {
  spec?: {
    paused?: boolean;
    controlPlaneEndpoint?: { host?: string; port?: number };
    controlPlaneRef?: Reference;
    infrastructureRef?: Reference;
    availabilityGates?: ConditionGate[];
    topology?: { classRef?: { name?: string }; version?: string };
  };
  status?: Status & {
    initialization?: { infrastructureProvisioned?: boolean; controlPlaneInitialized?: boolean };
    controlPlane?: ReplicaCounts;
    workers?: ReplicaCounts;
    failureDomains?: FailureDomain[];
    phase?: string;
  };
}

export interface MachineTaint {
  key: string;
  value?: string;
  effect: string;
  propagation?: string;
}

export interface MachineSpec {
  clusterName: string;
  bootstrap?: { configRef?: Reference; dataSecretName?: string };
  infrastructureRef?: Reference;
  version?: string;
  providerID?: string;
  failureDomain?: string;
  minReadySeconds?: number;
  readinessGates?: ConditionGate[];
  deletion?: {
    nodeDrainTimeoutSeconds?: number;
    nodeVolumeDetachTimeoutSeconds?: number;
    nodeDeletionTimeoutSeconds?: number;
  };
  taints?: MachineTaint[];
}

export interface Machine extends KubeObject {
  spec: MachineSpec;
  status?: Status & {
    initialization?: { infrastructureProvisioned?: boolean; bootstrapDataSecretCreated?: boolean };
    nodeRef?: { name: string };
    nodeInfo?: unknown;
    lastUpdated?: string;
    failureDomain?: string;
    addresses?: { type: string; address: string }[];
    phase?: string;
    certificatesExpiryDate?: string;
    deletion?: { nodeDrainStartTime?: string; waitForNodeVolumeDetachStartTime?: string };
  };
}

export interface MachineTemplate {
  metadata?: { labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: MachineSpec;
}

export interface MachineSet extends KubeObject {
  spec: {
    clusterName: string;
    replicas?: number;
    selector: LabelSelector;
    template: MachineTemplate;
    deletion?: { order?: string };
    machineNaming?: { template?: string };
  };
  status?: Status<OldStatus & { fullyLabeledReplicas?: number; readyReplicas?: number; availableReplicas?: number }> & {
    selector?: string;
    replicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    upToDateReplicas?: number;
  };
}

export type IntOrPercent = number | string;

export interface MachineDeployment extends KubeObject {
  spec: {
    clusterName: string;
    replicas?: number;
    rollout?: {
      after?: string;
      strategy?: {
        type?: string;
        rollingUpdate?: { maxSurge?: IntOrPercent; maxUnavailable?: IntOrPercent };
      };
    };
    selector: LabelSelector;
    template: MachineTemplate;
    paused?: boolean;
    deletion?: { order?: string };
    machineNaming?: { template?: string };
    remediation?: { maxInFlight?: IntOrPercent };
  };
  status?: Status<
    OldStatus & {
      updatedReplicas?: number;
      readyReplicas?: number;
      availableReplicas?: number;
      unavailableReplicas?: number;
    }
  > & {
    selector?: string;
    replicas?: number;
    readyReplicas?: number;
    availableReplicas?: number;
    upToDateReplicas?: number;
    phase?: string;
  };
}

export interface UnhealthyCondition {
  type: string;
  status: string;
  timeoutSeconds?: number;
}

export interface MachineHealthCheck extends KubeObject {
  spec: {
    clusterName: string;
    selector: LabelSelector;
    checks?: {
      nodeStartupTimeoutSeconds?: number;
      unhealthyNodeConditions?: UnhealthyCondition[];
      unhealthyMachineConditions?: UnhealthyCondition[];
    };
    remediation?: {
      triggerIf?: { unhealthyLessThanOrEqualTo?: IntOrPercent; unhealthyInRange?: string };
      templateRef?: { apiVersion?: string; kind?: string; name?: string };
    };
  };
  status?: Status & {
    expectedMachines?: number;
    currentHealthy?: number;
    remediationsAllowed?: number;
    targets?: string[];
  };
}

export interface MachineDrainRule extends KubeObject {
  spec: {
    drain: { behavior: string; order?: number };
    machines?: { selector?: LabelSelector; clusterSelector?: LabelSelector }[];
    pods?: { selector?: LabelSelector; namespaceSelector?: LabelSelector }[];
  };
}

export interface NodeCondition {
  type: string;
  status: string;
  reason?: string;
  message?: string;
  lastTransitionTime?: string;
}

export interface Taint {
  key: string;
  value?: string;
  effect: string;
}

export interface Node extends KubeObject {
  spec?: { providerID?: string; unschedulable?: boolean; taints?: Taint[] };
  status?: { conditions?: NodeCondition[]; nodeInfo?: unknown; volumesAttached?: { name: string }[] };
}

export interface Pod extends KubeObject {
  spec?: { nodeName?: string; volumes?: { emptyDir?: unknown; persistentVolumeClaim?: { claimName: string } }[] };
  status?: { phase?: string };
}
