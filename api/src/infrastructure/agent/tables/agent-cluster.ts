// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, int32, kind, map, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { legacyCondition, objectName } from './shared.js';

const agentClusterSpecShape = object({
  controlPlaneEndpoint: optional(object({ host: optional(string({ maxLength: 512 })), port: optional(int32()) })),
  ignitionEndpoint: optional(object({
    caCertificateReference: optional(object({ name: string(), namespace: string() })),
    url: optional(string()),
  })),
});

/** A value of the shape AgentClusterSpec. */
export interface AgentClusterSpec extends Infer<typeof agentClusterSpecShape> {}

/** The shape AgentClusterSpec. */
export const agentClusterSpec: Schema<AgentClusterSpec> = named('AgentClusterSpec', agentClusterSpecShape);

const agentClusterStatusShape = object({
  clusterDeploymentReference: objectName,
  conditions: optional(array(legacyCondition)),
  failureDomains: optional(map(object({ attributes: optional(map(string())), controlPlane: optional(boolean()) }))),
  ready: optional(boolean()),
});

/** A value of the shape AgentClusterStatus. */
export interface AgentClusterStatus extends Infer<typeof agentClusterStatusShape> {}

/** The shape AgentClusterStatus. */
export const agentClusterStatus: Schema<AgentClusterStatus> = named('AgentClusterStatus', agentClusterStatusShape);

/** The kind AgentCluster. */
export const agentCluster = kind({
  group: 'capi-provider.agent-install.openshift.io',
  kind: 'AgentCluster',
  plural: 'agentclusters',
  scope: 'Namespaced',
  labels: { 'cluster.x-k8s.io/v1beta1': 'v1beta1' },
  meanings: meanings,
  versions: [
    {
      name: 'v1alpha1',
      deprecated: true,
      deprecationWarning: 'v1alpha1 is a deprecated version for AgentCluster',
      subresources: { status: true },
      schema: object({ spec: optional(agentClusterSpec), status: optional(agentClusterStatus) }),
    },
    {
      name: 'v1beta1',
      storage: true,
      subresources: { status: true },
      schema: object({ spec: optional(agentClusterSpec), status: optional(agentClusterStatus) }),
    },
  ],
});

/** AgentCluster in `capi-provider.agent-install.openshift.io/v1alpha1`. */
export type AgentClusterV1Alpha1 = KindOf<typeof agentCluster, 'v1alpha1'>;

/** AgentCluster in `capi-provider.agent-install.openshift.io/v1beta1`. */
export type AgentCluster = KindOf<typeof agentCluster, 'v1beta1'>;
