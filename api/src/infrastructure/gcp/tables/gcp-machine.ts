// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { gcpMachineSpec } from './shared.js';

const gcpMachineStatusShape = object({
  addresses: optional(array(object({ address: string(), type: string() }))),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  instanceState: optional(string()),
  ready: optional(boolean()),
});

/** A value of the shape GCPMachineStatus. */
export interface GCPMachineStatus extends Infer<typeof gcpMachineStatusShape> {}

/** The shape GCPMachineStatus. */
export const gcpMachineStatus: Schema<GCPMachineStatus> = named('GCPMachineStatus', gcpMachineStatusShape);

/** The kind GCPMachine. */
export const gcpMachine = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'GCPMachine',
  plural: 'gcpmachines',
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
        { name: 'State', type: 'string', jsonPath: '.status.instanceState' },
        { name: 'Ready', type: 'string', jsonPath: '.status.ready' },
        { name: 'InstanceID', type: 'string', jsonPath: '.spec.providerID' },
        { name: 'Machine', type: 'string', jsonPath: '.metadata.ownerReferences[?(@.kind=="Machine")].name' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(gcpMachineSpec), status: optional(gcpMachineStatus) }),
    },
  ],
});

/** GCPMachine in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type GCPMachine = KindOf<typeof gcpMachine, 'v1beta1'>;
