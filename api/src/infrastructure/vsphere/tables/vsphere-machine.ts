// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  statusNetwork,
  statusNetworkV1Beta1,
  v1beta1Condition,
  vsphereMachineSpec,
  vsphereMachineSpecV1Beta1,
} from './shared.js';

const addressShape = object({
  address: string({ maxLength: 256, minLength: 1 }),
  type: string({ enum: ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'] }),
});

/** A value of the shape Address. */
export interface Address extends Infer<typeof addressShape> {}

/** The shape Address. */
export const address: Schema<Address> = named('Address', addressShape);

const vsphereMachineStatusV1Beta1Shape = object({
  addresses: optional(array(address)),
  conditions: optional(array(v1beta1Condition)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  network: optional(array(statusNetworkV1Beta1)),
  ready: optional(boolean()),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
});

/** A value of the shape VSphereMachineStatus in v1beta1. */
export interface VSphereMachineStatusV1Beta1 extends Infer<typeof vsphereMachineStatusV1Beta1Shape> {}

/** The shape VSphereMachineStatus in v1beta1. */
export const vsphereMachineStatusV1Beta1: Schema<VSphereMachineStatusV1Beta1> = named('VSphereMachineStatus', vsphereMachineStatusV1Beta1Shape);

const vsphereMachineStatusShape = object(
  {
    addresses: optional(array(address, { maxItems: 128, listType: 'atomic' })),
    conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
    deprecated: optional(object({
      v1beta1: optional(object({
        conditions: optional(array(v1beta1Condition)),
        failureMessage: optional(string({ maxLength: 10240, minLength: 1 })),
        failureReason: optional(string()),
      })),
    })),
    initialization: optional(object({ provisioned: optional(boolean()) }, { minProperties: 1 })),
    network: optional(array(statusNetwork, { maxItems: 128, listType: 'atomic' })),
  },
  { minProperties: 1 },
);

/** A value of the shape VSphereMachineStatus. */
export interface VSphereMachineStatus extends Infer<typeof vsphereMachineStatusShape> {}

/** The shape VSphereMachineStatus. */
export const vsphereMachineStatus: Schema<VSphereMachineStatus> = named('VSphereMachineStatus', vsphereMachineStatusShape);

/** The kind VSphereMachine. */
export const vsphereMachine = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'VSphereMachine',
  plural: 'vspheremachines',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: {
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/v1beta2': 'v1beta2',
    'cluster.x-k8s.io/provider': 'infrastructure-vsphere',
  },
  conversion: { service: { namespace: 'capv-system', name: 'capv-webhook-service', path: '/convert' } },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'ProviderID', type: 'string', jsonPath: '.spec.providerID' },
        {
          name: 'Machine',
          type: 'string',
          jsonPath: '.metadata.ownerReferences[?(@.kind=="Machine")].name',
          priority: 1,
        },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(vsphereMachineSpecV1Beta1), status: optional(vsphereMachineStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: ".metadata.labels['cluster\\.x-k8s\\.io/cluster-name']" },
        { name: 'Provider ID', type: 'string', jsonPath: '.spec.providerID', priority: 10 },
        { name: 'Template', type: 'string', jsonPath: '.spec.template', priority: 10 },
        { name: 'Paused', type: 'string', jsonPath: '.status.conditions[?(@.type=="Paused")].status', priority: 10 },
        { name: 'Provisioned', type: 'string', jsonPath: '.status.initialization.provisioned' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: vsphereMachineSpec, status: optional(vsphereMachineStatus) }),
    },
  ],
});

/** VSphereMachine in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type VSphereMachineV1Beta1 = KindOf<typeof vsphereMachine, 'v1beta1'>;

/** VSphereMachine in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type VSphereMachine = KindOf<typeof vsphereMachine, 'v1beta2'>;
