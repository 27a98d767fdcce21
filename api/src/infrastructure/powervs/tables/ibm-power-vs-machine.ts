// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { ibmPowerVsMachineSpec, ibmPowerVsMachineSpecV1Beta1, legacyCondition, machineAddress } from './shared.js';

const ibmPowerVsMachineStatusV1Beta1Shape = object({
  addresses: optional(array(machineAddress)),
  conditions: optional(array(legacyCondition)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  fault: optional(string()),
  health: optional(string()),
  instanceID: optional(string()),
  instanceState: optional(string()),
  ready: optional(boolean()),
  region: optional(string()),
  zone: optional(string()),
});

/** A value of the shape IBMPowerVSMachineStatus in v1beta1. */
export interface IBMPowerVSMachineStatusV1Beta1 extends Infer<typeof ibmPowerVsMachineStatusV1Beta1Shape> {}

/** The shape IBMPowerVSMachineStatus in v1beta1. */
export const ibmPowerVsMachineStatusV1Beta1: Schema<IBMPowerVSMachineStatusV1Beta1> = named('IBMPowerVSMachineStatus', ibmPowerVsMachineStatusV1Beta1Shape);

const ibmPowerVsMachineStatusShape = object({
  addresses: optional(array(machineAddress)),
  conditions: optional(array(legacyCondition)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  fault: optional(string()),
  health: optional(string()),
  instanceID: optional(string()),
  instanceState: optional(string()),
  ready: optional(boolean()),
  region: optional(string()),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
  zone: optional(string()),
});

/** A value of the shape IBMPowerVSMachineStatus. */
export interface IBMPowerVSMachineStatus extends Infer<typeof ibmPowerVsMachineStatusShape> {}

/** The shape IBMPowerVSMachineStatus. */
export const ibmPowerVsMachineStatus: Schema<IBMPowerVSMachineStatus> = named('IBMPowerVSMachineStatus', ibmPowerVsMachineStatusShape);

/** The kind IBMPowerVSMachine. */
export const ibmPowerVsMachine = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'IBMPowerVSMachine',
  plural: 'ibmpowervsmachines',
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta2' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        {
          name: 'Machine',
          type: 'string',
          jsonPath: '.metadata.ownerReferences[?(@.kind=="Machine")].name',
          priority: 1,
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        {
          name: 'Internal-IP',
          type: 'string',
          jsonPath: '.status.addresses[?(@.type=="InternalIP")].address',
          priority: 1,
        },
        {
          name: 'External-IP',
          type: 'string',
          jsonPath: '.status.addresses[?(@.type=="ExternalIP")].address',
          priority: 1,
        },
        { name: 'State', type: 'string', jsonPath: '.status.instanceState' },
        { name: 'Health', type: 'string', jsonPath: '.status.health' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(ibmPowerVsMachineSpecV1Beta1), status: optional(ibmPowerVsMachineStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        {
          name: 'Machine',
          type: 'string',
          jsonPath: '.metadata.ownerReferences[?(@.kind=="Machine")].name',
          priority: 1,
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        {
          name: 'Internal-IP',
          type: 'string',
          jsonPath: '.status.addresses[?(@.type=="InternalIP")].address',
          priority: 1,
        },
        {
          name: 'External-IP',
          type: 'string',
          jsonPath: '.status.addresses[?(@.type=="ExternalIP")].address',
          priority: 1,
        },
        { name: 'State', type: 'string', jsonPath: '.status.instanceState' },
        { name: 'Health', type: 'string', jsonPath: '.status.health' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(ibmPowerVsMachineSpec), status: optional(ibmPowerVsMachineStatus) }),
    },
  ],
});

/** IBMPowerVSMachine in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type IBMPowerVSMachineV1Beta1 = KindOf<typeof ibmPowerVsMachine, 'v1beta1'>;

/** IBMPowerVSMachine in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type IBMPowerVSMachine = KindOf<typeof ibmPowerVsMachine, 'v1beta2'>;
