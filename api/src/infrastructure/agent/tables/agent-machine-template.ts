// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { kind, named, object, optional } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { agentMachineSpec } from './shared.js';

const agentMachineTemplateSpecShape = object({ template: object({ spec: agentMachineSpec }) });

/** A value of the shape AgentMachineTemplateSpec. */
export interface AgentMachineTemplateSpec extends Infer<typeof agentMachineTemplateSpecShape> {}

/** The shape AgentMachineTemplateSpec. */
export const agentMachineTemplateSpec: Schema<AgentMachineTemplateSpec> = named('AgentMachineTemplateSpec', agentMachineTemplateSpecShape);

/** The kind AgentMachineTemplate. */
export const agentMachineTemplate = kind({
  group: 'capi-provider.agent-install.openshift.io',
  kind: 'AgentMachineTemplate',
  plural: 'agentmachinetemplates',
  shortNames: ['agentmt'],
  categories: ['cluster-api'],
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      deprecated: true,
      deprecationWarning: 'v1alpha1 is a deprecated version for AgentMachineTemplate',
      schema: object({ spec: optional(agentMachineTemplateSpec) }),
    },
    { name: 'v1beta1', storage: true, schema: object({ spec: optional(agentMachineTemplateSpec) }) },
  ],
});

/** AgentMachineTemplate in `capi-provider.agent-install.openshift.io/v1alpha1`. */
export type AgentMachineTemplateV1Alpha1 = KindOf<typeof agentMachineTemplate, 'v1alpha1'>;

/** AgentMachineTemplate in `capi-provider.agent-install.openshift.io/v1beta1`. */
export type AgentMachineTemplate = KindOf<typeof agentMachineTemplate, 'v1beta1'>;
