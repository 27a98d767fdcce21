// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  ibmVpcMachineSpec,
  ibmVpcMachineSpecV1Beta1,
  legacyCondition,
  loadBalancerPoolMember,
  machineAddress,
} from './shared.js';

const ibmVpcMachineStatusV1Beta1Shape = object({
  addresses: optional(array(machineAddress)),
  instanceID: optional(string()),
  instanceState: optional(string()),
  ready: optional(boolean()),
});

/** A value of the shape IBMVPCMachineStatus in v1beta1. */
export interface IBMVPCMachineStatusV1Beta1 extends Infer<typeof ibmVpcMachineStatusV1Beta1Shape> {}

/** The shape IBMVPCMachineStatus in v1beta1. */
export const ibmVpcMachineStatusV1Beta1: Schema<IBMVPCMachineStatusV1Beta1> = named('IBMVPCMachineStatus', ibmVpcMachineStatusV1Beta1Shape);

const ibmVpcMachineStatusShape = object({
  addresses: optional(array(machineAddress)),
  conditions: optional(array(legacyCondition)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  instanceID: optional(string()),
  instanceState: optional(string()),
  loadBalancerPoolMembers: optional(array(loadBalancerPoolMember)),
  ready: optional(boolean()),
  v1beta2: optional(object({
    additionalVolumeIDs: optional(array(string())),
    conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  })),
});

/** A value of the shape IBMVPCMachineStatus. */
export interface IBMVPCMachineStatus extends Infer<typeof ibmVpcMachineStatusShape> {}

/** The shape IBMVPCMachineStatus. */
export const ibmVpcMachineStatus: Schema<IBMVPCMachineStatus> = named('IBMVPCMachineStatus', ibmVpcMachineStatusShape);

/** The kind IBMVPCMachine. */
export const ibmVpcMachine = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'IBMVPCMachine',
  plural: 'ibmvpcmachines',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      columns: [{ name: 'Ready', type: 'string', jsonPath: '.status.ready' }],
      subresources: { status: true },
      schema: object({ spec: optional(ibmVpcMachineSpecV1Beta1), status: optional(ibmVpcMachineStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [{ name: 'Ready', type: 'string', jsonPath: '.status.ready' }],
      subresources: { status: true },
      schema: object({ spec: optional(ibmVpcMachineSpec), status: optional(ibmVpcMachineStatus) }),
    },
  ],
});

/** IBMVPCMachine in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type IBMVPCMachineV1Beta1 = KindOf<typeof ibmVpcMachine, 'v1beta1'>;

/** IBMVPCMachine in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type IBMVPCMachine = KindOf<typeof ibmVpcMachine, 'v1beta2'>;
