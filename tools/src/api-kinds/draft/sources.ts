import type { ConversionWebhook, JsonSchema, Rule } from '@capstan/api/model';

import type { Derivation } from './derive.js';
import {
  clusterApiRules,
  requirementAdditions,
  requirementColumns,
  requirementRules,
} from './sources-apiextensions.js';
import { hypershiftGroup } from './sources-hypershift.js';
import { hypershiftInfrastructureGroup } from './sources-hypershift-infrastructure.js';
import { infrastructureGroups } from './sources-infrastructure.js';
import { openshift, openshiftModule } from './openshift.js';
import { machineGroup } from './sources-machine.js';

/** A field of ours in a kind of others. */
export interface Addition {
  /** With the version, lists being passed through: `v1beta1.status.fleet`. */
  readonly path: string;
  readonly schema: JsonSchema;
  readonly required?: true;
  /** Ours stands in place of theirs. */
  readonly replaces?: true;
  /** It is only where this feature gate is on. */
  readonly gate?: string;
  /** Why we have it and they do not. */
  readonly reason: string;
}

/** A CEL rule of theirs that reads otherwise in ours, or is not there. */
export interface RuleChange {
  /** With the version: `v1beta1.spec`. */
  readonly path: string;
  /** The message of the server for objects that violate it. */
  /** Whether it is a rule of what a list holds. */
  readonly ofItems?: boolean;
  readonly message: string;
  /** Ours; nothing takes theirs away. */
  readonly becomes?: string;
  readonly reason: string;
}

/** CEL rules of ours in addition to theirs. */
export interface RuleAddition {
  /** With the version: `v1beta1.status`. */
  readonly path: string;
  readonly rules: readonly Rule[];
  /** They are only where this feature gate is on. */
  readonly gate?: string;
  readonly reason: string;
}

/** A column of `kubectl get`. */
export interface PrinterColumn {
  readonly name: string;
  readonly type: 'date' | 'integer' | 'string';
  readonly jsonPath: string;
}

/** A kind to draft, and where its definition lies in the module. */
export interface DraftKind {
  readonly file: string;
  /** The same definition as it is where one feature gate is on. */
  readonly gates?: Readonly<Record<string, string>>;
  /** Fields that only ours has; the comparison expects them. */
  readonly additions?: readonly Addition[];
  /** Rules that ours has otherwise; the comparison expects them. */
  readonly rules?: readonly RuleChange[];
  /** Rules that only ours has; the comparison expects them. */
  readonly moreRules?: readonly RuleAddition[];
  /** Printer columns that only ours has, in every version; the comparison expects them. */
  readonly columns?: readonly PrinterColumn[];
  /** A kind of ours whose fields are embedded in the definition. */
  readonly derived?: Derivation;
  /** Labels of the CRD in addition to those of the group. */
  readonly labels?: Readonly<Record<string, string>>;
  /** Its authors convert its versions without the webhook of the group. */
  readonly unconverted?: true;
  /** Other intended differences, exactly as the comparison prints them, each with its reason. */
  readonly allowed?: Readonly<Record<string, string>>;
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

const configGroup: DraftGroup = {
  folder: 'config',
  module: openshiftModule,
  names: {
    'ClusterOperator.status.conditions': 'OperatorCondition',
    'ClusterVersion.spec.desiredUpdate': 'Update',
    'ClusterVersion.status.desired': 'Release',
    'ClusterVersion.status.history': 'UpdateHistory',
    'ClusterVersion.status.conditionalUpdates': 'ConditionalUpdate',
    'ClusterVersion.status.conditionalUpdates.risks.matchingRules': 'ClusterCondition',
    'Infrastructure.spec.platformSpec': 'PlatformSpec',
    'Infrastructure.spec.platformSpec.vsphere': 'VSpherePlatformSpec',
    'Infrastructure.spec.platformSpec.baremetal': 'OnPremisesPlatformSpec',
    'Infrastructure.spec.platformSpec.nutanix': 'NutanixPlatformSpec',
    'Infrastructure.spec.platformSpec.nutanix.failureDomains.cluster': 'NutanixResourceIdentifier',
    'Infrastructure.spec.platformSpec.nutanix.prismCentral': 'NutanixPrismEndpoint',
    'Infrastructure.spec.platformSpec.vsphere.nodeNetworking.external': 'VSphereNodeNetwork',
    'Infrastructure.spec.platformSpec.powervs.serviceEndpoints': 'PowerVSServiceEndpoint',
    'Infrastructure.spec.platformSpec.aws.serviceEndpoints': 'AWSServiceEndpoint',
    'Infrastructure.status.platformStatus': 'PlatformStatus',
    'Infrastructure.status.platformStatus.aws': 'AWSPlatformStatus',
    'Infrastructure.status.platformStatus.aws.cloudLoadBalancerConfig': 'CloudLoadBalancerConfig',
    'Infrastructure.status.platformStatus.aws.cloudLoadBalancerConfig.clusterHosted': 'CloudLoadBalancerIPs',
    'Infrastructure.status.platformStatus.azure': 'AzurePlatformStatus',
    'Infrastructure.status.platformStatus.gcp': 'GCPPlatformStatus',
    'Infrastructure.status.platformStatus.openstack': 'OpenStackPlatformStatus',
    'Infrastructure.status.platformStatus.baremetal': 'OnPremisesPlatformStatus',
    'Infrastructure.status.platformStatus.kubevirt': 'KubevirtPlatformStatus',
  },
  kinds: [
    ...['0000_10_config-operator_01_infrastructures', '0000_00_cluster-version-operator_01_clusterversions'].map(
      (name) => ({
        file: openshift('config/v1', `${name}-Default`),
        gates: { TechPreviewNoUpgrade: openshift('config/v1', `${name}-TechPreviewNoUpgrade`) },
      }),
    ),
    { file: openshift('config/v1', '0000_00_cluster-version-operator_01_clusteroperators') },
    { file: openshift('config/v1', '0000_10_config-operator_01_featuregates') },
  ],
};

const operatorGroup: DraftGroup = {
  folder: 'operator',
  module: openshiftModule,
  names: {
    'ClusterAPI.status.revisions': 'InstallerRevision',
    'ClusterAPI.status.revisions.components': 'InstallerComponent',
  },
  kinds: [{ file: openshift('operator/v1alpha1', '0000_30_cluster-api_01_clusterapis'), rules: clusterApiRules }],
};

const apiextensionsGroup: DraftGroup = {
  folder: 'apiextensions',
  module: openshiftModule,
  names: {
    'CompatibilityRequirement.spec.compatibilitySchema': 'CompatibilitySchema',
    'CompatibilityRequirement.spec.compatibilitySchema.excludedFields': 'ExcludedField',
    'CompatibilityRequirement.spec.objectSchemaValidation': 'ObjectSchemaValidation',
    'CompatibilityRequirement.spec.objectSchemaValidation.objectSelector': 'NonEmptyLabelSelector',
  },
  kinds: [
    {
      file: openshift('apiextensions/v1alpha1', '0000_20_crd-compatibility-checker_01_compatibilityrequirements'),
      additions: requirementAdditions,
      rules: requirementRules,
      columns: requirementColumns,
    },
  ],
};

/** Every folder that is drafted. */
export const draftGroups: readonly DraftGroup[] = [
  clusterApi,
  machineGroup,
  configGroup,
  operatorGroup,
  apiextensionsGroup,
  hypershiftGroup,
  hypershiftInfrastructureGroup,
  ...infrastructureGroups,
];
