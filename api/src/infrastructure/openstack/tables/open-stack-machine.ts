// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { legacyCondition, machineAddress, openStackMachineSpec, resolved } from './shared.js';

const openStackMachineStatusShape = object({
  addresses: optional(array(machineAddress)),
  conditions: optional(array(legacyCondition)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  initialization: optional(object({ provisioned: optional(boolean()) })),
  instanceID: optional(string()),
  instanceState: optional(string()),
  ready: optional(boolean()),
  resolved: optional(resolved),
  resources: optional(object({ ports: optional(array(object({ id: string() }))) })),
});

/** A value of the shape OpenStackMachineStatus. */
export interface OpenStackMachineStatus extends Infer<typeof openStackMachineStatusShape> {}

/** The shape OpenStackMachineStatus. */
export const openStackMachineStatus: Schema<OpenStackMachineStatus> = named('OpenStackMachineStatus', openStackMachineStatusShape);

/** The kind OpenStackMachine. */
export const openStackMachine = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'OpenStackMachine',
  plural: 'openstackmachines',
  shortNames: ['osm'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Cluster', type: 'string', jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'ProviderID', type: 'string', jsonPath: '.spec.providerID' },
        { name: 'Machine', type: 'string', jsonPath: '.metadata.ownerReferences[?(@.kind=="Machine")].name' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(openStackMachineSpec), status: optional(openStackMachineStatus) }),
    },
  ],
});

/** OpenStackMachine in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type OpenStackMachine = KindOf<typeof openStackMachine, 'v1beta1'>;
