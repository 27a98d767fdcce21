// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import {
  array,
  boolean,
  duration,
  int32,
  int64,
  kind,
  map,
  named,
  object,
  optional,
  string,
} from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  amiReference,
  awsResourceReference,
  ignition,
  instanceMetadataOptions,
  legacyCondition,
  privateDnsName,
  volume,
} from './shared.js';

const statusInstanceShape = object({ instanceID: optional(string()), version: optional(string()) });

/** A value of the shape StatusInstance. */
export interface StatusInstance extends Infer<typeof statusInstanceShape> {}

/** The shape StatusInstance. */
export const statusInstance: Schema<StatusInstance> = named('StatusInstance', statusInstanceShape);

const awsMachinePoolStatusV1Beta1Shape = object({
  asgStatus: optional(string()),
  conditions: optional(array(legacyCondition)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  instances: optional(array(statusInstance)),
  launchTemplateID: optional(string()),
  launchTemplateVersion: optional(string()),
  ready: optional(boolean()),
  replicas: optional(int32()),
});

/** A value of the shape AWSMachinePoolStatus in v1beta1. */
export interface AWSMachinePoolStatusV1Beta1 extends Infer<typeof awsMachinePoolStatusV1Beta1Shape> {}

/** The shape AWSMachinePoolStatus in v1beta1. */
export const awsMachinePoolStatusV1Beta1: Schema<AWSMachinePoolStatusV1Beta1> = named('AWSMachinePoolStatus', awsMachinePoolStatusV1Beta1Shape);

const awsMachinePoolStatusShape = object({
  asgStatus: optional(string()),
  conditions: optional(array(legacyCondition)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  infrastructureMachineKind: optional(string()),
  instances: optional(array(statusInstance)),
  launchTemplateID: optional(string()),
  launchTemplateVersion: optional(string()),
  ready: optional(boolean()),
  replicas: optional(int32()),
});

/** A value of the shape AWSMachinePoolStatus. */
export interface AWSMachinePoolStatus extends Infer<typeof awsMachinePoolStatusShape> {}

/** The shape AWSMachinePoolStatus. */
export const awsMachinePoolStatus: Schema<AWSMachinePoolStatus> = named('AWSMachinePoolStatus', awsMachinePoolStatusShape);

const awsMachinePoolSpecV1Beta1Shape = object({
  additionalTags: optional(map(string())),
  availabilityZones: optional(array(string())),
  awsLaunchTemplate: object({
    additionalSecurityGroups: optional(array(awsResourceReference)),
    ami: optional(amiReference),
    iamInstanceProfile: optional(string()),
    imageLookupBaseOS: optional(string()),
    imageLookupFormat: optional(string()),
    imageLookupOrg: optional(string()),
    instanceType: optional(string()),
    name: optional(string()),
    rootVolume: optional(volume),
    spotMarketOptions: optional(object({ maxPrice: optional(string()) })),
    sshKeyName: optional(string()),
    versionNumber: optional(int64()),
  }),
  capacityRebalance: optional(boolean()),
  defaultCoolDown: optional(string()),
  maxSize: int32({ default: 1, minimum: 1 }),
  minSize: int32({ default: 1, minimum: 0 }),
  mixedInstancesPolicy: optional(object({
    instancesDistribution: optional(object({
      onDemandAllocationStrategy: optional(string({ default: 'prioritized', enum: ['prioritized'] })),
      onDemandBaseCapacity: optional(int64({ default: 0 })),
      onDemandPercentageAboveBaseCapacity: optional(int64({ default: 100 })),
      spotAllocationStrategy: optional(string({ default: 'lowest-price', enum: ['lowest-price', 'capacity-optimized'] })),
    })),
    overrides: optional(array(object({ instanceType: string() }))),
  })),
  providerID: optional(string()),
  providerIDList: optional(array(string())),
  refreshPreferences: optional(object({ instanceWarmup: optional(int64()), minHealthyPercentage: optional(int64()), strategy: optional(string()) })),
  subnets: optional(array(awsResourceReference)),
});

/** A value of the shape AWSMachinePoolSpec in v1beta1. */
export interface AWSMachinePoolSpecV1Beta1 extends Infer<typeof awsMachinePoolSpecV1Beta1Shape> {}

/** The shape AWSMachinePoolSpec in v1beta1. */
export const awsMachinePoolSpecV1Beta1: Schema<AWSMachinePoolSpecV1Beta1> = named('AWSMachinePoolSpec', awsMachinePoolSpecV1Beta1Shape);

const awsMachinePoolSpecShape = object({
  additionalTags: optional(map(string())),
  availabilityZoneSubnetType: optional(string({ enum: ['public', 'private', 'all'] })),
  availabilityZones: optional(array(string())),
  awsLaunchTemplate: object({
    additionalSecurityGroups: optional(array(awsResourceReference)),
    ami: optional(amiReference),
    capacityReservationId: optional(string()),
    capacityReservationPreference: optional(string({
      allOf: [
        { enum: ['', 'None', 'CapacityReservationsOnly', 'Open'] },
        { enum: ['', 'None', 'CapacityReservationsOnly', 'Open'] },
      ],
    })),
    enclaveOptions: optional(object({ enabled: optional(boolean()) })),
    iamInstanceProfile: optional(string()),
    imageLookupBaseOS: optional(string()),
    imageLookupFormat: optional(string()),
    imageLookupOrg: optional(string()),
    instanceMetadataOptions: optional(instanceMetadataOptions),
    instanceType: optional(string()),
    marketType: optional(string({ enum: ['OnDemand', 'Spot', 'CapacityBlock'] })),
    name: optional(string()),
    nonRootVolumes: optional(array(volume)),
    privateDnsName: optional(privateDnsName),
    rootVolume: optional(volume),
    spotMarketOptions: optional(object({ maxPrice: optional(string()) })),
    sshKeyName: optional(string()),
    versionNumber: optional(int64()),
  }),
  capacityRebalance: optional(boolean()),
  defaultCoolDown: optional(string()),
  defaultInstanceWarmup: optional(string()),
  ignition: optional(ignition),
  lifecycleHooks: optional(array(object({
    defaultResult: optional(string({ enum: ['CONTINUE', 'ABANDON'] })),
    heartbeatTimeout: optional(duration()),
    lifecycleTransition: string({ enum: ['autoscaling:EC2_INSTANCE_LAUNCHING', 'autoscaling:EC2_INSTANCE_TERMINATING'] }),
    name: string(),
    notificationMetadata: optional(string()),
    notificationTargetARN: optional(string()),
    roleARN: optional(string()),
  }))),
  maxSize: int32({ default: 1, minimum: 1 }),
  minSize: int32({ default: 1, minimum: 0 }),
  mixedInstancesPolicy: optional(object({
    instancesDistribution: optional(object({
      onDemandAllocationStrategy: optional(string({ default: 'prioritized', enum: ['prioritized', 'lowest-price'] })),
      onDemandBaseCapacity: optional(int64({ default: 0 })),
      onDemandPercentageAboveBaseCapacity: optional(int64({ default: 100 })),
      spotAllocationStrategy: optional(string({
        default: 'lowest-price',
        enum: ['lowest-price', 'capacity-optimized', 'capacity-optimized-prioritized', 'price-capacity-optimized'],
      })),
    })),
    overrides: optional(array(object({ instanceType: string() }))),
  })),
  providerID: optional(string()),
  providerIDList: optional(array(string())),
  refreshPreferences: optional(object({
    disable: optional(boolean()),
    instanceWarmup: optional(int64()),
    maxHealthyPercentage: optional(int64({ maximum: 200, minimum: 100 })),
    minHealthyPercentage: optional(int64()),
    strategy: optional(string()),
  })),
  subnets: optional(array(awsResourceReference)),
  suspendProcesses: optional(object({
    all: optional(boolean()),
    processes: optional(object({
      addToLoadBalancer: optional(boolean()),
      alarmNotification: optional(boolean()),
      azRebalance: optional(boolean()),
      healthCheck: optional(boolean()),
      instanceRefresh: optional(boolean()),
      launch: optional(boolean()),
      replaceUnhealthy: optional(boolean()),
      scheduledActions: optional(boolean()),
      terminate: optional(boolean()),
    })),
  })),
});

/** A value of the shape AWSMachinePoolSpec. */
export interface AWSMachinePoolSpec extends Infer<typeof awsMachinePoolSpecShape> {}

/** The shape AWSMachinePoolSpec. */
export const awsMachinePoolSpec: Schema<AWSMachinePoolSpec> = named('AWSMachinePoolSpec', awsMachinePoolSpecShape);

/** The kind AWSMachinePool. */
export const awsMachinePool = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSMachinePool',
  plural: 'awsmachinepools',
  shortNames: ['awsmp'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      served: false,
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'MinSize', type: 'integer', jsonPath: '.spec.minSize' },
        { name: 'MaxSize', type: 'integer', jsonPath: '.spec.maxSize' },
        { name: 'LaunchTemplate ID', type: 'string', jsonPath: '.status.launchTemplateID' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(awsMachinePoolSpecV1Beta1), status: optional(awsMachinePoolStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'Replicas', type: 'integer', jsonPath: '.status.replicas' },
        { name: 'MinSize', type: 'integer', jsonPath: '.spec.minSize' },
        { name: 'MaxSize', type: 'integer', jsonPath: '.spec.maxSize' },
        { name: 'LaunchTemplate ID', type: 'string', jsonPath: '.status.launchTemplateID' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(awsMachinePoolSpec), status: optional(awsMachinePoolStatus) }),
    },
  ],
});

/** AWSMachinePool in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AWSMachinePoolV1Beta1 = KindOf<typeof awsMachinePool, 'v1beta1'>;

/** AWSMachinePool in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type AWSMachinePool = KindOf<typeof awsMachinePool, 'v1beta2'>;
