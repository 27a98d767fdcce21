// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../model/index.js';
import { kind, named, object, optional, string } from '../../model/index.js';
import { meanings } from '../meanings.table.js';
import { hostedClusterStatus } from './shared.js';

const hostedAgentClusterSpecShape = object({ agentNamespace: string({ maxLength: 63 }) });

/** A value of the shape HostedAgentClusterSpec. */
export interface HostedAgentClusterSpec extends Infer<typeof hostedAgentClusterSpecShape> {}

/** The shape HostedAgentClusterSpec. */
export const hostedAgentClusterSpec: Schema<HostedAgentClusterSpec> = named('HostedAgentClusterSpec', hostedAgentClusterSpecShape);

/** The kind HostedAgentCluster. */
export const hostedAgentCluster = kind({
  group: 'infrastructure.hypershift.openshift.io',
  kind: 'HostedAgentCluster',
  plural: 'hostedagentclusters',
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
      schema: object({ spec: hostedAgentClusterSpec, status: optional(hostedClusterStatus) }),
    },
  ],
});

/** HostedAgentCluster in `infrastructure.hypershift.openshift.io/v1beta1`. */
export type HostedAgentCluster = KindOf<typeof hostedAgentCluster, 'v1beta1'>;
