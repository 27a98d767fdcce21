// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { kind, labelSelector, named, object, optional } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { nodePoolStatus } from './shared.js';

const agentNodePoolSpecShape = object({ agentLabelSelector: optional(labelSelector) });

/** A value of the shape AgentNodePoolSpec. */
export interface AgentNodePoolSpec extends Infer<typeof agentNodePoolSpecShape> {}

/** The shape AgentNodePoolSpec. */
export const agentNodePoolSpec: Schema<AgentNodePoolSpec> = named('AgentNodePoolSpec', agentNodePoolSpecShape);

/** The kind AgentNodePool. */
export const agentNodePool = kind({
  group: 'infrastructure.hypershift.openshift.io',
  kind: 'AgentNodePool',
  plural: 'agentnodepools',
  scope: 'Namespaced',
  meanings: meanings,
  versions: [
    {
      name: 'v1beta1',
      storage: true,
      columns: [
        { name: 'Ready', type: 'boolean', jsonPath: '.status.ready' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: agentNodePoolSpec, status: optional(nodePoolStatus) }),
    },
  ],
});

/** AgentNodePool in `infrastructure.hypershift.openshift.io/v1beta1`. */
export type AgentNodePool = KindOf<typeof agentNodePool, 'v1beta1'>;
