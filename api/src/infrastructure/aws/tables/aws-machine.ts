// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { awsMachineSpec, awsMachineSpecV1Beta1, legacyCondition, machineAddress } from './shared.js';

const awsMachineStatusV1Beta1Shape = object({
  addresses: optional(array(machineAddress)),
  conditions: optional(array(legacyCondition)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  instanceState: optional(string()),
  interruptible: optional(boolean()),
  ready: optional(boolean()),
});

/** A value of the shape AWSMachineStatus in v1beta1. */
export interface AWSMachineStatusV1Beta1 extends Infer<typeof awsMachineStatusV1Beta1Shape> {}

/** The shape AWSMachineStatus in v1beta1. */
export const awsMachineStatusV1Beta1: Schema<AWSMachineStatusV1Beta1> = named('AWSMachineStatus', awsMachineStatusV1Beta1Shape);

const awsMachineStatusShape = object({
  addresses: optional(array(machineAddress)),
  conditions: optional(array(legacyCondition)),
  dedicatedHost: optional(object({ id: optional(string()) })),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  instanceState: optional(string()),
  interruptible: optional(boolean()),
  ready: optional(boolean()),
});

/** A value of the shape AWSMachineStatus. */
export interface AWSMachineStatus extends Infer<typeof awsMachineStatusShape> {}

/** The shape AWSMachineStatus. */
export const awsMachineStatus: Schema<AWSMachineStatus> = named('AWSMachineStatus', awsMachineStatusShape);

/** The kind AWSMachine. */
export const awsMachine = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AWSMachine',
  plural: 'awsmachines',
  shortNames: ['awsm'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta2' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      served: false,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'State', type: 'string', jsonPath: '.status.instanceState' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'InstanceID', type: 'string', jsonPath: '.spec.providerID' },
        { name: 'Machine', type: 'string', jsonPath: '.metadata.ownerReferences[?(@.kind=="Machine")].name' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(awsMachineSpecV1Beta1), status: optional(awsMachineStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'State', type: 'string', jsonPath: '.status.instanceState' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'InstanceID', type: 'string', jsonPath: '.spec.providerID' },
        { name: 'Machine', type: 'string', jsonPath: '.metadata.ownerReferences[?(@.kind=="Machine")].name' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(awsMachineSpec), status: optional(awsMachineStatus) }),
    },
  ],
});

/** AWSMachine in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AWSMachineV1Beta1 = KindOf<typeof awsMachine, 'v1beta1'>;

/** AWSMachine in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type AWSMachine = KindOf<typeof awsMachine, 'v1beta2'>;
