// Drafted by tools/src/api-kinds/draft from github.com/nutanix-cloud-native/cluster-api-provider-nutanix@v1.10.3; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, condition, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { nodeRef, nutanixMachineSpec, statusCondition } from './shared.js';

const nutanixMachineStatusShape = object({
  addresses: optional(array(object({
    address: string({ maxLength: 256, minLength: 1 }),
    type: string({ enum: ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'] }),
  }))),
  conditions: optional(array(statusCondition)),
  failureDomain: optional(string()),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  nodeRef: optional(nodeRef),
  ready: optional(boolean()),
  v1beta2: optional(object({ conditions: optional(array(condition, { maxItems: 32, listMapKeys: ['type'], listType: 'map' })) })),
  vmUUID: optional(string()),
});

/** A value of the shape NutanixMachineStatus. */
export interface NutanixMachineStatus extends Infer<typeof nutanixMachineStatusShape> {}

/** The shape NutanixMachineStatus. */
export const nutanixMachineStatus: Schema<NutanixMachineStatus> = named('NutanixMachineStatus', nutanixMachineStatusShape);

/** The kind NutanixMachine. */
export const nutanixMachine = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'NutanixMachine',
  plural: 'nutanixmachines',
  shortNames: ['nma'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1', 'cluster.x-k8s.io/provider': 'infrastructure-nutanix' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Address', type: 'string', jsonPath: '.status.addresses[0].address' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'ProviderID', type: 'string', jsonPath: '.spec.providerID' },
        { name: 'FailureDomain', type: 'string', jsonPath: '.status.failureDomain' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(nutanixMachineSpec), status: optional(nutanixMachineStatus) }),
    },
  ],
});

/** NutanixMachine in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type NutanixMachine = KindOf<typeof nutanixMachine, 'v1beta1'>;
