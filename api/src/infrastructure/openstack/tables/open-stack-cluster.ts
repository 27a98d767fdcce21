// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Infer, KindOf, Schema } from '../../../model/index.js';
import { array, boolean, kind, map, named, object, optional, string } from '../../../model/index.js';
import { meanings } from '../meanings.table.js';
import { externalNetwork, legacyCondition, openStackClusterSpec, resolved } from './shared.js';

const workerSecurityGroupShape = object({ id: string(), name: string() });

/** A value of the shape WorkerSecurityGroup. */
export interface WorkerSecurityGroup extends Infer<typeof workerSecurityGroupShape> {}

/** The shape WorkerSecurityGroup. */
export const workerSecurityGroup: Schema<WorkerSecurityGroup> = named('WorkerSecurityGroup', workerSecurityGroupShape);

const loadBalancerNetworkShape = object({
  id: string(),
  name: string(),
  subnets: optional(array(object({ cidr: string(), id: string(), name: string(), tags: optional(array(string())) }))),
  tags: optional(array(string())),
});

/** A value of the shape LoadBalancerNetwork. */
export interface LoadBalancerNetwork extends Infer<typeof loadBalancerNetworkShape> {}

/** The shape LoadBalancerNetwork. */
export const loadBalancerNetwork: Schema<LoadBalancerNetwork> = named('LoadBalancerNetwork', loadBalancerNetworkShape);

const openStackClusterStatusShape = object({
  apiServerLoadBalancer: optional(object({
    allowedCIDRs: optional(array(string())),
    id: string(),
    internalIP: string(),
    ip: string(),
    loadBalancerNetwork: optional(loadBalancerNetwork),
    name: string(),
    tags: optional(array(string())),
  })),
  bastion: optional(object({
    floatingIP: optional(string()),
    id: optional(string()),
    ip: optional(string()),
    name: optional(string()),
    resolved: optional(resolved),
    resources: optional(object({ ports: optional(array(object({ id: string() }))) })),
    sshKeyName: optional(string()),
    state: optional(string()),
  })),
  bastionSecurityGroup: optional(workerSecurityGroup),
  conditions: optional(array(legacyCondition)),
  controlPlaneSecurityGroup: optional(workerSecurityGroup),
  externalNetwork: optional(externalNetwork),
  failureDomains: optional(map(object({ attributes: optional(map(string())), controlPlane: optional(boolean()) }))),
  failureMessage: optional(string()),
  failureReason: optional(string()),
  initialization: optional(object({ provisioned: optional(boolean()) })),
  network: optional(loadBalancerNetwork),
  ready: boolean({ default: false }),
  router: optional(object({ id: string(), ips: optional(array(string())), name: string(), tags: optional(array(string())) })),
  workerSecurityGroup: optional(workerSecurityGroup),
});

/** A value of the shape OpenStackClusterStatus. */
export interface OpenStackClusterStatus extends Infer<typeof openStackClusterStatusShape> {}

/** The shape OpenStackClusterStatus. */
export const openStackClusterStatus: Schema<OpenStackClusterStatus> = named('OpenStackClusterStatus', openStackClusterStatusShape);

/** The kind OpenStackCluster. */
export const openStackCluster = kind({
  group: 'infrastructure.cluster.x-k8s.io',
  kind: 'OpenStackCluster',
  plural: 'openstackclusters',
  shortNames: ['osc'],
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
        { name: 'Network', type: 'string', jsonPath: '.status.network.id' },
        { name: 'Endpoint', type: 'string', jsonPath: '.spec.controlPlaneEndpoint.host', priority: 1 },
        { name: 'Bastion IP', type: 'string', jsonPath: '.status.bastion.floatingIP' },
        { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
      ],
      subresources: { status: true },
      schema: object({ spec: optional(openStackClusterSpec), status: optional(openStackClusterStatus) }),
    },
  ],
});

/** OpenStackCluster in `infrastructure.cluster.x-k8s.io/v1beta1`. */
export type OpenStackCluster = KindOf<typeof openStackCluster, 'v1beta1'>;
