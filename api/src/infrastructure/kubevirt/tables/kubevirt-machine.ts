// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { kubevirtMachineSpec, legacyCondition } from './shared.js';

const kubevirtMachineStatusShape = object({
  addresses: optional(array(object({
    address: string({ maxLength: 256, minLength: 1 }),
    type: string({ enum: ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'] }),
  }))),
  conditions: optional(array(legacyCondition)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  loadBalancerConfigured: optional(boolean()),
  nodeupdated: optional(boolean()),
  ready: boolean({ default: false }),
});

/** A value of the shape KubevirtMachineStatus. */
export interface KubevirtMachineStatus extends Infer<typeof kubevirtMachineStatusShape> {}

/** The shape KubevirtMachineStatus. */
export const kubevirtMachineStatus: Schema<KubevirtMachineStatus> = named('KubevirtMachineStatus', kubevirtMachineStatusShape);

/** The kind KubevirtMachine. */
export const kubevirtMachine = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'KubevirtMachine',
  plural: 'kubevirtmachines',
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1alpha1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      storage: true,
      columns: [
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
        { name: 'Ready', type: 'boolean', jsonPath: '.status.ready' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(kubevirtMachineSpec), status: optional(kubevirtMachineStatus) }),
    },
  ],
});

/** KubevirtMachine in `infrastructure.cluster.x-k8s.io/v1alpha1`. */
export type KubevirtMachine = KindOf<typeof kubevirtMachine, 'v1alpha1'>;
