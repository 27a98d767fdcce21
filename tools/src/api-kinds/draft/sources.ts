import type { ConversionWebhook } from '@capstan/api/model';

/** A kind to draft, and where its definition lies in the module. */
export interface DraftKind {
  readonly file: string;
  /** The same definition as it is where one feature gate is on. */
  readonly gates?: Readonly<Record<string, string>>;
}

/** A folder of definitions under `api/src`, and the Go module whose definitions it follows. */
export interface DraftGroup {
  readonly folder: string;
  /** With its version: `path@version`. */
  readonly module: string;
  readonly kinds: readonly DraftKind[];
  /** Names of shared shapes, by a place where they occur. */
  readonly names?: Readonly<Record<string, string>>;
  /** Labels of the definitions that the authors add when they install them. */
  readonly labels?: Readonly<Record<string, string>>;
  readonly conversion?: ConversionWebhook;
}

const clusterApi: DraftGroup = {
  folder: 'cluster-api',
  module: 'sigs.k8s.io/cluster-api@v1.13.6',
  kinds: [
    'clusters',
    'machines',
    'machinesets',
    'machinedeployments',
    'machinepools',
    'machinehealthchecks',
    'machinedrainrules',
    'clusterclasses',
  ].map((plural) => ({ file: `config/crd/bases/cluster.x-k8s.io_${plural}.yaml` })),
  names: {
    'Machine.spec.bootstrap': 'Bootstrap',
    'Machine@v1beta2.spec.infrastructureRef': 'ContractVersionedObjectReference',
    'Machine@v1beta2.spec.bootstrap.configRef': 'ContractVersionedObjectReference',
    'Machine@v1beta1.spec.bootstrap.configRef': 'ObjectReference',
    'Machine@v1beta1.status.nodeRef': 'ObjectReference',
    'Machine.spec.taints': 'MachineTaint',
    'Machine.spec.readinessGates': 'MachineReadinessGate',
    'Machine.spec.deletion': 'MachineDeletion',
    'Machine.status.addresses': 'MachineAddress',
    'Machine.status.deletion': 'MachineDeletionStatus',
    'Machine.status.nodeInfo': 'NodeSystemInfo',
    'Machine.status.initialization': 'MachineInitializationStatus',
    'Machine@v1beta1.status.conditions': 'LegacyCondition',
    'Machine@v1beta2.status.deprecated.v1beta1.conditions': 'LegacyCondition',
    'Machine@v1beta2.status.deprecated.v1beta1': 'LegacyStatus',
    'MachineSet.spec.template': 'MachineTemplate',
    'MachineSet.spec.template.metadata': 'TemplateMetadata',
    'MachineSet@v1beta1.status.v1beta2': 'NextReplicaStatus',
    'MachineDeployment@v1beta1.spec.strategy': 'MachineDeploymentStrategy',
    'MachineDeployment@v1beta2.spec.rollout': 'MachineDeploymentRollout',
    'MachineDeployment@v1beta2.spec.rollout.strategy': 'MachineDeploymentRolloutStrategy',
    'MachineHealthCheck@v1beta1.spec.unhealthyConditions': 'UnhealthyNodeCondition',
    'MachineHealthCheck@v1beta1.spec.unhealthyMachineConditions': 'UnhealthyMachineCondition',
    'MachineHealthCheck@v1beta2.spec.checks.unhealthyNodeConditions': 'UnhealthyNodeCondition',
    'MachineHealthCheck@v1beta2.spec.checks.unhealthyMachineConditions': 'UnhealthyMachineCondition',
    'MachineHealthCheck@v1beta2.spec.checks': 'HealthChecks',
    'MachineHealthCheck@v1beta2.spec.remediation': 'Remediation',
    'MachineHealthCheck@v1beta2.spec.remediation.triggerIf': 'RemediationTrigger',
    'MachineHealthCheck@v1beta2.spec.remediation.templateRef': 'TemplateReference',
    'ClusterClass@v1beta2.spec.workers.machineDeployments.healthCheck.remediation': 'MachineDeploymentRemediation',
    'ClusterClass@v1beta2.spec.workers.machineDeployments.deletion': 'MachineDeploymentDeletion',
    'ClusterClass@v1beta1.spec.controlPlane.machineHealthCheck': 'HealthCheckClass',
    'ClusterClass.spec.controlPlane': 'ControlPlaneClass',
    'ClusterClass.spec.workers.machineDeployments': 'MachineDeploymentClass',
    'ClusterClass@v1beta1.spec.workers.machineDeployments.template': 'WorkerClassTemplate',
    'ClusterClass.spec.workers.machinePools': 'MachinePoolClass',
    'ClusterClass.spec.variables': 'ClusterClassVariable',
    'ClusterClass.spec.variables.schema.openAPIV3Schema': 'VariableSchema',
    'ClusterClass.spec.variables.schema.openAPIV3Schema.x-kubernetes-validations': 'VariableRule',
    'ClusterClass.spec.patches': 'ClusterClassPatch',
    'ClusterClass.spec.patches.definitions.jsonPatches': 'JsonPatchDefinition',
    'Cluster.spec.topology': 'Topology',
    'Cluster.spec.topology.controlPlane': 'ControlPlaneTopology',
    'Cluster@v1beta1.spec.topology.controlPlane.machineHealthCheck': 'HealthCheckTopology',
    'Cluster.spec.topology.workers.machineDeployments': 'MachineDeploymentTopology',
    'Cluster.spec.topology.workers.machinePools': 'MachinePoolTopology',
    'Cluster.spec.topology.variables': 'ClusterVariable',
    'Cluster.status.workers': 'ReplicaCounts',
  },
  labels: { 'cluster.x-k8s.io/provider': 'cluster-api' },
  conversion: { service: { namespace: 'capi-system', name: 'capi-webhook-service', path: '/convert' } },
};

/** Every folder that is drafted. */
export const draftGroups: readonly DraftGroup[] = [clusterApi];
