// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api@v1.13.6; not edited by hand.
import type { Kind } from '../model/index.js';
import { cluster } from './tables/cluster.js';
import { clusterClass } from './tables/cluster-class.js';
import { machine } from './tables/machine.js';
import { machineDeployment } from './tables/machine-deployment.js';
import { machineDrainRule } from './tables/machine-drain-rule.js';
import { machineHealthCheck } from './tables/machine-health-check.js';
import { machinePool } from './tables/machine-pool.js';
import { machineSet } from './tables/machine-set.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [
  cluster,
  machine,
  machineSet,
  machineDeployment,
  machinePool,
  machineHealthCheck,
  machineDrainRule,
  clusterClass,
];

export {
  cluster,
  clusterClass,
  machine,
  machineDeployment,
  machineDrainRule,
  machineHealthCheck,
  machinePool,
  machineSet,
};
export type {
  Cluster,
  ClusterSpec,
  ClusterSpecV1Beta1,
  ClusterStatus,
  ClusterStatusV1Beta1,
  ClusterV1Beta1,
  ClusterVariable,
  ClusterVariableV1Beta1,
  ControlPlaneTopology,
  ControlPlaneTopologyV1Beta1,
  HealthCheckTopologyV1Beta1,
  MachineDeploymentTopology,
  MachineDeploymentTopologyV1Beta1,
  MachinePoolTopology,
  MachinePoolTopologyV1Beta1,
  ReplicaCounts,
  Topology,
  TopologyV1Beta1,
} from './tables/cluster.js';
export type {
  ClusterClass,
  ClusterClassPatch,
  ClusterClassPatchV1Beta1,
  ClusterClassSpec,
  ClusterClassSpecV1Beta1,
  ClusterClassStatus,
  ClusterClassStatusV1Beta1,
  ClusterClassV1Beta1,
  ClusterClassVariable,
  ClusterClassVariableV1Beta1,
  ControlPlaneClass,
  ControlPlaneClassV1Beta1,
  HealthCheckClassV1Beta1,
  JsonPatchDefinition,
  MachineDeploymentClass,
  MachineDeploymentClassV1Beta1,
  MachinePoolClass,
  MachinePoolClassV1Beta1,
  VariableRule,
  VariableSchema,
  VariableSchemaV1Beta1,
  WorkerClassTemplateV1Beta1,
} from './tables/cluster-class.js';
export type {
  Machine,
  MachineAddress,
  MachineDeletionStatus,
  MachineStatus,
  MachineStatusV1Beta1,
  MachineV1Beta1,
  NodeSystemInfo,
} from './tables/machine.js';
export type {
  MachineDeployment,
  MachineDeploymentSpec,
  MachineDeploymentSpecV1Beta1,
  MachineDeploymentStatus,
  MachineDeploymentStatusV1Beta1,
  MachineDeploymentV1Beta1,
} from './tables/machine-deployment.js';
export type {
  MachineHealthCheck,
  MachineHealthCheckSpec,
  MachineHealthCheckSpecV1Beta1,
  MachineHealthCheckStatus,
  MachineHealthCheckStatusV1Beta1,
  MachineHealthCheckV1Beta1,
} from './tables/machine-health-check.js';
export type {
  MachinePool,
  MachinePoolSpec,
  MachinePoolSpecV1Beta1,
  MachinePoolStatus,
  MachinePoolStatusV1Beta1,
  MachinePoolV1Beta1,
} from './tables/machine-pool.js';
export type {
  MachineSet,
  MachineSetSpec,
  MachineSetSpecV1Beta1,
  MachineSetStatus,
  MachineSetStatusV1Beta1,
  MachineSetV1Beta1,
} from './tables/machine-set.js';
export type { MachineDrainRule, MachineDrainRuleSpec, MachineDrainRuleV1Beta1 } from './tables/machine-drain-rule.js';
export type {
  Bootstrap,
  BootstrapV1Beta1,
  ContractVersionedObjectReference,
  HealthChecks,
  LegacyCondition,
  LegacyStatus,
  MachineDeletion,
  MachineDeploymentDeletion,
  MachineDeploymentRemediation,
  MachineDeploymentRollout,
  MachineDeploymentRolloutStrategy,
  MachineDeploymentStrategyV1Beta1,
  MachineInitializationStatus,
  MachineReadinessGate,
  MachineSpec,
  MachineSpecV1Beta1,
  MachineTaint,
  MachineTemplate,
  MachineTemplateV1Beta1,
  NextReplicaStatusV1Beta1,
  ObjectReference,
  Remediation,
  RemediationTrigger,
  TemplateMetadata,
  TemplateMetadataV1Beta1,
  TemplateReference,
  UnhealthyMachineCondition,
  UnhealthyMachineConditionV1Beta1,
  UnhealthyNodeCondition,
  UnhealthyNodeConditionV1Beta1,
} from './tables/shared.js';
