// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api@v1.13.6; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import {
  anything,
  array,
  boolean,
  condition,
  int32,
  int64,
  intOrString,
  kind,
  map,
  named,
  object,
  optional,
  string,
  time,
} from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  contractVersionedObjectReference,
  healthChecks,
  legacyCondition,
  legacyStatus,
  machineDeletion,
  machineDeploymentDeletion,
  machineDeploymentRemediation,
  machineDeploymentRollout,
  machineDeploymentStrategyV1Beta1,
  machineReadinessGate,
  machineTaint,
  objectReference,
  remediation,
  templateMetadata,
  templateMetadataV1Beta1,
  unhealthyMachineConditionV1Beta1,
  unhealthyNodeConditionV1Beta1,
} from './shared.js';

const clusterVariableShape = object({ name: string({ maxLength: 256, minLength: 1 }), value: anything() });

/** A value of the shape ClusterVariable. */
export interface ClusterVariable extends Infer<typeof clusterVariableShape> {}

/** The shape ClusterVariable. */
export const clusterVariable: Schema<ClusterVariable> = named('ClusterVariable', clusterVariableShape);

const clusterVariableV1Beta1Shape = object({
  definitionFrom: optional(string({ maxLength: 256 })),
  name: string({ maxLength: 256, minLength: 1 }),
  value: anything(),
});

/** A value of the shape ClusterVariable in v1beta1. */
export interface ClusterVariableV1Beta1 extends Infer<typeof clusterVariableV1Beta1Shape> {}

/** The shape ClusterVariable in v1beta1. */
export const clusterVariableV1Beta1: Schema<ClusterVariableV1Beta1> = named('ClusterVariable', clusterVariableV1Beta1Shape);

const replicaCountsShape = object({
  availableReplicas: optional(int32()),
  desiredReplicas: optional(int32()),
  readyReplicas: optional(int32()),
  replicas: optional(int32()),
  upToDateReplicas: optional(int32()),
});

/** A value of the shape ReplicaCounts. */
export interface ReplicaCounts extends Infer<typeof replicaCountsShape> {}

/** The shape ReplicaCounts. */
export const replicaCounts: Schema<ReplicaCounts> = named('ReplicaCounts', replicaCountsShape);

const healthCheckTopologyV1Beta1Shape = object({
  enable: optional(boolean()),
  maxUnhealthy: optional(intOrString()),
  nodeStartupTimeout: optional(string()),
  remediationTemplate: optional(objectReference),
  unhealthyConditions: optional(array(unhealthyNodeConditionV1Beta1, { maxItems: 100 })),
  unhealthyMachineConditions: optional(array(unhealthyMachineConditionV1Beta1, { maxItems: 100, minItems: 1, listType: 'atomic' })),
  unhealthyRange: optional(string({ maxLength: 32, minLength: 1, pattern: '^\\[[0-9]+-[0-9]+\\]$' })),
});

/** A value of the shape HealthCheckTopology in v1beta1. */
export interface HealthCheckTopologyV1Beta1 extends Infer<typeof healthCheckTopologyV1Beta1Shape> {}

/** The shape HealthCheckTopology in v1beta1. */
export const healthCheckTopologyV1Beta1: Schema<HealthCheckTopologyV1Beta1> = named('HealthCheckTopology', healthCheckTopologyV1Beta1Shape);

const machinePoolTopologyV1Beta1Shape = object({
  class: string({ maxLength: 256, minLength: 1 }),
  failureDomains: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 100 })),
  metadata: optional(templateMetadataV1Beta1),
  minReadySeconds: optional(int32()),
  name: string({ maxLength: 63, minLength: 1 }),
  nodeDeletionTimeout: optional(string()),
  nodeDrainTimeout: optional(string()),
  nodeVolumeDetachTimeout: optional(string()),
  replicas: optional(int32()),
  taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
  variables: optional(object({
    overrides: optional(array(clusterVariableV1Beta1, { maxItems: 1000, listMapKeys: ['name'], listType: 'map' })),
  })),
});

/** A value of the shape MachinePoolTopology in v1beta1. */
export interface MachinePoolTopologyV1Beta1 extends Infer<typeof machinePoolTopologyV1Beta1Shape> {}

/** The shape MachinePoolTopology in v1beta1. */
export const machinePoolTopologyV1Beta1: Schema<MachinePoolTopologyV1Beta1> = named('MachinePoolTopology', machinePoolTopologyV1Beta1Shape);

const machinePoolTopologyShape = object({
  class: string({ maxLength: 256, minLength: 1 }),
  deletion: optional(machineDeletion),
  failureDomains: optional(array(string({ maxLength: 256, minLength: 1 }), { maxItems: 100, minItems: 1, listType: 'atomic' })),
  metadata: optional(templateMetadata),
  minReadySeconds: optional(int32({ minimum: 0 })),
  name: string({
    maxLength: 63,
    minLength: 1,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  }),
  replicas: optional(int32()),
  taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
  variables: optional(object(
    {
      overrides: optional(array(clusterVariable, { maxItems: 1000, minItems: 1, listMapKeys: ['name'], listType: 'map' })),
    },
    { minProperties: 1 },
  )),
});

/** A value of the shape MachinePoolTopology. */
export interface MachinePoolTopology extends Infer<typeof machinePoolTopologyShape> {}

/** The shape MachinePoolTopology. */
export const machinePoolTopology: Schema<MachinePoolTopology> = named('MachinePoolTopology', machinePoolTopologyShape);

const clusterStatusV1Beta1Shape = object({
  conditions: optional(array(legacyCondition)),
  controlPlaneReady: optional(boolean()),
  failureDomains: optional(map(object({ attributes: optional(map(string())), controlPlane: optional(boolean()) }))),
  failureMessage: optional(string({ maxLength: 10240, minLength: 1 })),
  failureReason: optional(string()),
  infrastructureReady: optional(boolean()),
  observedGeneration: optional(int64()),
  phase: optional(string({ enum: ['Pending', 'Provisioning', 'Provisioned', 'Deleting', 'Failed', 'Unknown'] })),
  v1beta2: optional(object({
    conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
    controlPlane: optional(replicaCounts),
    workers: optional(replicaCounts),
  })),
});

/** A value of the shape ClusterStatus in v1beta1. */
export interface ClusterStatusV1Beta1 extends Infer<typeof clusterStatusV1Beta1Shape> {}

/** The shape ClusterStatus in v1beta1. */
export const clusterStatusV1Beta1: Schema<ClusterStatusV1Beta1> = named('ClusterStatus', clusterStatusV1Beta1Shape);

const clusterStatusShape = object(
  {
    conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
    controlPlane: optional(replicaCounts),
    deprecated: optional(object({ v1beta1: optional(legacyStatus) })),
    failureDomains: optional(array(
      object({
        attributes: optional(map(string())),
        controlPlane: optional(boolean()),
        name: string({ maxLength: 256, minLength: 1 }),
      }),
      { maxItems: 100, minItems: 1, listMapKeys: ['name'], listType: 'map' },
    )),
    initialization: optional(object(
      { controlPlaneInitialized: optional(boolean()), infrastructureProvisioned: optional(boolean()) },
      { minProperties: 1 },
    )),
    observedGeneration: optional(int64({ minimum: 1 })),
    phase: optional(string({ enum: ['Pending', 'Provisioning', 'Provisioned', 'Deleting', 'Failed', 'Unknown'] })),
    workers: optional(replicaCounts),
  },
  { minProperties: 1 },
);

/** A value of the shape ClusterStatus. */
export interface ClusterStatus extends Infer<typeof clusterStatusShape> {}

/** The shape ClusterStatus. */
export const clusterStatus: Schema<ClusterStatus> = named('ClusterStatus', clusterStatusShape);

const controlPlaneTopologyV1Beta1Shape = object({
  machineHealthCheck: optional(healthCheckTopologyV1Beta1),
  metadata: optional(templateMetadataV1Beta1),
  nodeDeletionTimeout: optional(string()),
  nodeDrainTimeout: optional(string()),
  nodeVolumeDetachTimeout: optional(string()),
  readinessGates: optional(array(machineReadinessGate, { maxItems: 32, listMapKeys: ['conditionType'], listType: 'map' })),
  replicas: optional(int32()),
  rollout: optional(object({ after: optional(time()) }, { minProperties: 1 })),
  taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
  variables: optional(object({
    overrides: optional(array(clusterVariableV1Beta1, { maxItems: 1000, listMapKeys: ['name'], listType: 'map' })),
  })),
});

/** A value of the shape ControlPlaneTopology in v1beta1. */
export interface ControlPlaneTopologyV1Beta1 extends Infer<typeof controlPlaneTopologyV1Beta1Shape> {}

/** The shape ControlPlaneTopology in v1beta1. */
export const controlPlaneTopologyV1Beta1: Schema<ControlPlaneTopologyV1Beta1> = named('ControlPlaneTopology', controlPlaneTopologyV1Beta1Shape);

const controlPlaneTopologyShape = object(
  {
    deletion: optional(machineDeletion),
    healthCheck: optional(object(
      { checks: optional(healthChecks), enabled: optional(boolean()), remediation: optional(remediation) },
      { minProperties: 1 },
    )),
    metadata: optional(templateMetadata),
    readinessGates: optional(array(
      machineReadinessGate,
      { maxItems: 32, minItems: 1, listMapKeys: ['conditionType'], listType: 'map' },
    )),
    replicas: optional(int32()),
    rollout: optional(object({ after: optional(time()) }, { minProperties: 1 })),
    taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
    variables: optional(object(
      {
        overrides: optional(array(clusterVariable, { maxItems: 1000, minItems: 1, listMapKeys: ['name'], listType: 'map' })),
      },
      { minProperties: 1 },
    )),
  },
  { minProperties: 1 },
);

/** A value of the shape ControlPlaneTopology. */
export interface ControlPlaneTopology extends Infer<typeof controlPlaneTopologyShape> {}

/** The shape ControlPlaneTopology. */
export const controlPlaneTopology: Schema<ControlPlaneTopology> = named('ControlPlaneTopology', controlPlaneTopologyShape);

const machineDeploymentTopologyV1Beta1Shape = object({
  class: string({ maxLength: 256, minLength: 1 }),
  failureDomain: optional(string({ maxLength: 256, minLength: 1 })),
  machineHealthCheck: optional(healthCheckTopologyV1Beta1),
  metadata: optional(templateMetadataV1Beta1),
  minReadySeconds: optional(int32()),
  name: string({ maxLength: 63, minLength: 1 }),
  nodeDeletionTimeout: optional(string()),
  nodeDrainTimeout: optional(string()),
  nodeVolumeDetachTimeout: optional(string()),
  readinessGates: optional(array(machineReadinessGate, { maxItems: 32, listMapKeys: ['conditionType'], listType: 'map' })),
  replicas: optional(int32()),
  rollout: optional(object({ after: optional(time()) }, { minProperties: 1 })),
  strategy: optional(machineDeploymentStrategyV1Beta1),
  taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
  variables: optional(object({
    overrides: optional(array(clusterVariableV1Beta1, { maxItems: 1000, listMapKeys: ['name'], listType: 'map' })),
  })),
});

/** A value of the shape MachineDeploymentTopology in v1beta1. */
export interface MachineDeploymentTopologyV1Beta1 extends Infer<typeof machineDeploymentTopologyV1Beta1Shape> {}

/** The shape MachineDeploymentTopology in v1beta1. */
export const machineDeploymentTopologyV1Beta1: Schema<MachineDeploymentTopologyV1Beta1> = named('MachineDeploymentTopology', machineDeploymentTopologyV1Beta1Shape);

const machineDeploymentTopologyShape = object({
  class: string({ maxLength: 256, minLength: 1 }),
  deletion: optional(machineDeploymentDeletion),
  failureDomain: optional(string({ maxLength: 256, minLength: 1 })),
  healthCheck: optional(object(
    {
      checks: optional(healthChecks),
      enabled: optional(boolean()),
      remediation: optional(machineDeploymentRemediation),
    },
    { minProperties: 1 },
  )),
  metadata: optional(templateMetadata),
  minReadySeconds: optional(int32({ minimum: 0 })),
  name: string({
    maxLength: 63,
    minLength: 1,
    pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
  }),
  readinessGates: optional(array(machineReadinessGate, { maxItems: 32, minItems: 1, listMapKeys: ['conditionType'], listType: 'map' })),
  replicas: optional(int32()),
  rollout: optional(machineDeploymentRollout),
  taints: optional(array(machineTaint, { maxItems: 64, minItems: 1, listMapKeys: ['key', 'effect'], listType: 'map' })),
  variables: optional(object(
    {
      overrides: optional(array(clusterVariable, { maxItems: 1000, minItems: 1, listMapKeys: ['name'], listType: 'map' })),
    },
    { minProperties: 1 },
  )),
});

/** A value of the shape MachineDeploymentTopology. */
export interface MachineDeploymentTopology extends Infer<typeof machineDeploymentTopologyShape> {}

/** The shape MachineDeploymentTopology. */
export const machineDeploymentTopology: Schema<MachineDeploymentTopology> = named('MachineDeploymentTopology', machineDeploymentTopologyShape);

const topologyV1Beta1Shape = object({
  class: string({ maxLength: 253, minLength: 1 }),
  classNamespace: optional(string({ maxLength: 63, minLength: 1, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' })),
  controlPlane: optional(controlPlaneTopologyV1Beta1),
  rolloutAfter: optional(time()),
  variables: optional(array(clusterVariableV1Beta1, { maxItems: 1000, listMapKeys: ['name'], listType: 'map' })),
  version: string({ maxLength: 256, minLength: 1 }),
  workers: optional(object({
    machineDeployments: optional(array(machineDeploymentTopologyV1Beta1, { maxItems: 2000, listMapKeys: ['name'], listType: 'map' })),
    machinePools: optional(array(machinePoolTopologyV1Beta1, { maxItems: 2000, listMapKeys: ['name'], listType: 'map' })),
  })),
});

/** A value of the shape Topology in v1beta1. */
export interface TopologyV1Beta1 extends Infer<typeof topologyV1Beta1Shape> {}

/** The shape Topology in v1beta1. */
export const topologyV1Beta1: Schema<TopologyV1Beta1> = named('Topology', topologyV1Beta1Shape);

const topologyShape = object({
  classRef: object({
    name: string({
      maxLength: 253,
      minLength: 1,
      pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$',
    }),
    namespace: optional(string({ maxLength: 63, minLength: 1, pattern: '^[a-z0-9]([-a-z0-9]*[a-z0-9])?$' })),
  }),
  controlPlane: optional(controlPlaneTopology),
  variables: optional(array(clusterVariable, { maxItems: 1000, minItems: 1, listMapKeys: ['name'], listType: 'map' })),
  version: string({ maxLength: 256, minLength: 1 }),
  workers: optional(object(
    {
      machineDeployments: optional(array(
        machineDeploymentTopology,
        { maxItems: 2000, minItems: 1, listMapKeys: ['name'], listType: 'map' },
      )),
      machinePools: optional(array(machinePoolTopology, { maxItems: 2000, minItems: 1, listMapKeys: ['name'], listType: 'map' })),
    },
    { minProperties: 1 },
  )),
});

/** A value of the shape Topology. */
export interface Topology extends Infer<typeof topologyShape> {}

/** The shape Topology. */
export const topology: Schema<Topology> = named('Topology', topologyShape);

const clusterSpecV1Beta1Shape = object({
  availabilityGates: optional(array(machineReadinessGate, { maxItems: 32, listMapKeys: ['conditionType'], listType: 'map' })),
  clusterNetwork: optional(object({
    apiServerPort: optional(int32()),
    pods: optional(object({ cidrBlocks: array(string({ maxLength: 43, minLength: 1 }), { maxItems: 100 }) })),
    serviceDomain: optional(string({ maxLength: 253, minLength: 1 })),
    services: optional(object({ cidrBlocks: array(string({ maxLength: 43, minLength: 1 }), { maxItems: 100 }) })),
  })),
  controlPlaneEndpoint: optional(object({ host: optional(string({ maxLength: 512 })), port: optional(int32()) })),
  controlPlaneRef: optional(objectReference),
  infrastructureRef: optional(objectReference),
  paused: optional(boolean()),
  topology: optional(topologyV1Beta1),
});

/** A value of the shape ClusterSpec in v1beta1. */
export interface ClusterSpecV1Beta1 extends Infer<typeof clusterSpecV1Beta1Shape> {}

/** The shape ClusterSpec in v1beta1. */
export const clusterSpecV1Beta1: Schema<ClusterSpecV1Beta1> = named('ClusterSpec', clusterSpecV1Beta1Shape);

const clusterSpecShape = object(
  {
    availabilityGates: optional(array(
      machineReadinessGate,
      { maxItems: 32, minItems: 1, listMapKeys: ['conditionType'], listType: 'map' },
    )),
    clusterNetwork: optional(object(
      {
        apiServerPort: optional(int32({ maximum: 65535, minimum: 1 })),
        pods: optional(object({
          cidrBlocks: array(
            string({ maxLength: 43, minLength: 1 }),
            { maxItems: 100, minItems: 1, listType: 'atomic' },
          ),
        })),
        serviceDomain: optional(string({ maxLength: 253, minLength: 1 })),
        services: optional(object({
          cidrBlocks: array(
            string({ maxLength: 43, minLength: 1 }),
            { maxItems: 100, minItems: 1, listType: 'atomic' },
          ),
        })),
      },
      { minProperties: 1 },
    )),
    controlPlaneEndpoint: optional(object(
      {
        host: optional(string({ maxLength: 512, minLength: 1 })),
        port: optional(int32({ maximum: 65535, minimum: 1 })),
      },
      { minProperties: 1 },
    )),
    controlPlaneRef: optional(contractVersionedObjectReference),
    infrastructureRef: optional(contractVersionedObjectReference),
    paused: optional(boolean()),
    topology: optional(topology),
  },
  { minProperties: 1 },
);

/** A value of the shape ClusterSpec. */
export interface ClusterSpec extends Infer<typeof clusterSpecShape> {}

/** The shape ClusterSpec. */
export const clusterSpec: Schema<ClusterSpec> = named('ClusterSpec', clusterSpecShape);

/** The kind Cluster. */
export const cluster = kind({
  group: 'cluster.x-k8s.io',
  kind: 'Cluster',
  plural: 'clusters',
  shortNames: ['cl'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/provider': 'cluster-api' },
  conversion: { service: { namespace: 'capi-system', name: 'capi-webhook-service', path: '/convert' } },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      columns: [
        { name: 'ClusterClass', type: 'string', jsonPath: '.spec.topology.class' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.topology.version' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(clusterSpecV1Beta1), status: optional(clusterStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'ClusterClass', type: 'string', jsonPath: '.spec.topology.classRef.name' },
        { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
        { name: 'CP Desired', type: 'integer', jsonPath: '.status.controlPlane.desiredReplicas' },
        { name: 'CP Current', type: 'integer', jsonPath: '.status.controlPlane.replicas', priority: 10 },
        { name: 'CP Ready', type: 'integer', jsonPath: '.status.controlPlane.readyReplicas', priority: 10 },
        { name: 'CP Available', type: 'integer', jsonPath: '.status.controlPlane.availableReplicas' },
        { name: 'CP Up-to-date', type: 'integer', jsonPath: '.status.controlPlane.upToDateReplicas' },
        { name: 'W Desired', type: 'integer', jsonPath: '.status.workers.desiredReplicas' },
        { name: 'W Current', type: 'integer', jsonPath: '.status.workers.replicas', priority: 10 },
        { name: 'W Ready', type: 'integer', jsonPath: '.status.workers.readyReplicas', priority: 10 },
        { name: 'W Available', type: 'integer', jsonPath: '.status.workers.availableReplicas' },
        { name: 'W Up-to-date', type: 'integer', jsonPath: '.status.workers.upToDateReplicas' },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Version', type: 'string', jsonPath: '.spec.topology.version' },
      ],
      subresources: { status: true },
      schema: object({ spec: clusterSpec, status: optional(clusterStatus) }),
    },
  ],
});

/** Cluster in `cluster.x-k8s.io/v1beta1`. */
export type ClusterV1Beta1 = KindOf<typeof cluster, 'v1beta1'>;

/** Cluster in `cluster.x-k8s.io/v1beta2`. */
export type Cluster = KindOf<typeof cluster, 'v1beta2'>;
