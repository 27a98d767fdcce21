// Drafted by tools/src/api-kinds/draft from github.com/metal3-io/cluster-api-provider-metal3@v1.13.2; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string, time } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import {
  metaData,
  metal3MachineSpec,
  metal3MachineSpecV1Beta1,
  template,
  templateV1Beta1,
  v1beta1Condition,
} from './shared.js';

const addressShape = object({
  address: string({ maxLength: 256, minLength: 1 }),
  type: string({ enum: ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'] }),
});

/** A value of the shape Address. */
export interface Address extends Infer<typeof addressShape> {}

/** The shape Address. */
export const address: Schema<Address> = named('Address', addressShape);

const metal3MachineStatusShape = object({
  addresses: optional(array(address, { maxItems: 32, minItems: 1, listType: 'atomic' })),
  conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })),
  deprecated: optional(object({
    v1beta1: optional(object({
      conditions: optional(array(v1beta1Condition)),
      failureMessage: optional(string()),
      failureReason: optional(string()),
    })),
  })),
  initialization: optional(object({ provisioned: optional(boolean()) }, { minProperties: 1 })),
  lastUpdated: optional(time()),
  metaData: optional(metaData),
  networkData: optional(metaData),
  renderedData: optional(template),
  userData: optional(metaData),
});

/** A value of the shape Metal3MachineStatus. */
export interface Metal3MachineStatus extends Infer<typeof metal3MachineStatusShape> {}

/** The shape Metal3MachineStatus. */
export const metal3MachineStatus: Schema<Metal3MachineStatus> = named('Metal3MachineStatus', metal3MachineStatusShape);

const metal3MachineStatusV1Beta1Shape = object({
  addresses: optional(array(address)),
  conditions: optional(array(v1beta1Condition)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  lastUpdated: optional(time()),
  metaData: optional(metaData),
  networkData: optional(metaData),
  phase: optional(string()),
  ready: optional(boolean()),
  renderedData: optional(templateV1Beta1),
  userData: optional(metaData),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
});

/** A value of the shape Metal3MachineStatus in v1beta1. */
export interface Metal3MachineStatusV1Beta1 extends Infer<typeof metal3MachineStatusV1Beta1Shape> {}

/** The shape Metal3MachineStatus in v1beta1. */
export const metal3MachineStatusV1Beta1: Schema<Metal3MachineStatusV1Beta1> = named('Metal3MachineStatus', metal3MachineStatusV1Beta1Shape);

/** The kind Metal3Machine. */
export const metal3Machine = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'Metal3Machine',
  plural: 'metal3machines',
  shortNames: ['m3m', 'm3machine', 'm3machines', 'metal3m', 'metal3machine'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: {
    'cluster.x-k8s.io/v1beta1': 'v1beta1',
    'cluster.x-k8s.io/v1beta2': 'v1beta2',
    'cluster.x-k8s.io/provider': 'infrastructure-metal3',
  },
  conversion: {
    service: { namespace: 'capm3-system', name: 'capm3-webhook-service', path: '/convert' },
    reviewVersions: ['v1', 'v1beta1'],
  },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      deprecated: true,
      columns: [
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'ProviderID', type: 'string', jsonPath: '.spec.providerID' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Phase', type: 'string', jsonPath: '.status.phase' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(metal3MachineSpecV1Beta1), status: optional(metal3MachineStatusV1Beta1) }),
    },
    {
      name: 'v1beta2',
      storage: true,
      columns: [
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'ProviderID', type: 'string', jsonPath: '.spec.providerID' },
        { name: 'Provisioned', type: 'string', jsonPath: '.status.initialization.provisioned' },
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(metal3MachineSpec), status: optional(metal3MachineStatus) }),
    },
  ],
});

/** Metal3Machine in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type Metal3MachineV1Beta1 = KindOf<typeof metal3Machine, 'v1beta1'>;

/** Metal3Machine in `infrastructure.cluster.x-k8s.io/v1beta2`. */
export type Metal3Machine = KindOf<typeof metal3Machine, 'v1beta2'>;
