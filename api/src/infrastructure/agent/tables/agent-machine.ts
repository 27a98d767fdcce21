// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, kind, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { agentMachineSpec, legacyCondition, objectName } from './shared.js';

const agentMachineStatusShape = object({
  addresses: optional(array(object({
    address: string({ maxLength: 256, minLength: 1 }),
    type: string({ enum: ['Hostname', 'ExternalIP', 'InternalIP', 'ExternalDNS', 'InternalDNS'] }),
  }))),
  agentRef: optional(objectName),
  conditions: optional(array(legacyCondition)),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  ready: optional(boolean()),
});

/** A value of the shape AgentMachineStatus. */
export interface AgentMachineStatus extends Infer<typeof agentMachineStatusShape> {}

/** The shape AgentMachineStatus. */
export const agentMachineStatus: Schema<AgentMachineStatus> = named('AgentMachineStatus', agentMachineStatusShape);

/** The kind AgentMachine. */
export const agentMachine = kind({
  group: 'capi-provider.agent-install.openshift.io',
  kind: 'AgentMachine',
  plural: 'agentmachines',
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      deprecated: true,
      deprecationWarning: 'v1alpha1 is a deprecated version for AgentMachine',
      subresources: { status: true },
      schema: object({ spec: optional(agentMachineSpec), status: optional(agentMachineStatus) }),
    },
    {
      name: 'v1beta1',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(agentMachineSpec), status: optional(agentMachineStatus) }),
    },
  ],
});

/** AgentMachine in `capi-provider.agent-install.openshift.io/v1alpha1`. */
export type AgentMachineV1Alpha1 = KindOf<typeof agentMachine, 'v1alpha1'>;

/** AgentMachine in `capi-provider.agent-install.openshift.io/v1beta1`. */
export type AgentMachine = KindOf<typeof agentMachine, 'v1beta1'>;
