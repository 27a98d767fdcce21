// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { azureMachineSpec, legacyCondition, longRunningOperationState } from './shared.js';

const azureMachineStatusShape = object({
  addresses: optional(array(object({ address: string(), type: string() }))),
  conditions: optional(array(legacyCondition)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  longRunningOperationStates: optional(array(longRunningOperationState)),
  ready: optional(boolean()),
  vmState: optional(string()),
});

/** A value of the shape AzureMachineStatus. */
export interface AzureMachineStatus extends Infer<typeof azureMachineStatusShape> {}

/** The shape AzureMachineStatus. */
export const azureMachineStatus: Schema<AzureMachineStatus> = named('AzureMachineStatus', azureMachineStatusShape);

/** The kind AzureMachine. */
export const azureMachine = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'AzureMachine',
  plural: 'azuremachines',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        {
          name: 'Cluster',
          type: 'string',
          jsonPath: '.metadata.labels.cluster\\.x-k8s\\.io/cluster-name',
          priority: 1,
        },
        { name: 'Ready', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].status" },
        { name: 'Severity', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].severity" },
        { name: 'Reason', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].reason" },
        { name: 'Message', type: 'string', jsonPath: ".status.conditions[?(@.type=='Ready')].message", priority: 1 },
        { name: 'State', type: 'string', jsonPath: '.status.vmState' },
        {
          name: 'Machine',
          type: 'string',
          jsonPath: '.metadata.ownerReferences[?(@.kind=="Machine")].name',
          priority: 1,
        },
        { name: 'VM ID', type: 'string', jsonPath: '.spec.providerID', priority: 1 },
        { name: 'VM Size', type: 'string', jsonPath: '.spec.vmSize', priority: 1 },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(azureMachineSpec), status: optional(azureMachineStatus) }),
    },
  ],
});

/** AzureMachine in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type AzureMachine = KindOf<typeof azureMachine, 'v1beta1'>;
