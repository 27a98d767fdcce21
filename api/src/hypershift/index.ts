// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Kind } from '../model/index.js';
import { controlPlaneComponent } from './tables/control-plane-component.js';
import { hostedCluster } from './tables/hosted-cluster.js';
import { hostedControlPlane } from './tables/hosted-control-plane.js';
import { nodePool } from './tables/node-pool.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [hostedCluster, hostedControlPlane, nodePool, controlPlaneComponent];

export { controlPlaneComponent, hostedCluster, hostedControlPlane, nodePool };
export type {
  AWSNodePoolPlatform,
  AzureNodePoolPlatform,
  GCPNodePoolPlatform,
  KubevirtNodePoolPlatform,
  NodePool,
  NodePoolAutoscaling,
  NodePoolCondition,
  NodePoolManagement,
  NodePoolPlatform,
  NodePoolSpec,
  NodePoolStatus,
  OpenStackNodePoolPlatform,
  PowerVSNodePoolPlatform,
} from './tables/node-pool.js';
export type {
  ClusterNetworking,
  EtcdSpec,
  HostedCluster,
  HostedClusterSpec,
  HostedClusterStatus,
} from './tables/hosted-cluster.js';
export type {
  HostedControlPlane,
  HostedControlPlaneSpec,
  HostedControlPlaneStatus,
  KubeconfigReference,
} from './tables/hosted-control-plane.js';
export type { ControlPlaneComponent, ControlPlaneComponentStatus } from './tables/control-plane-component.js';
export type {
  APIEndpoint,
  APIServerNetworking,
  AWSFilter,
  AWSPlatform,
  AWSResourceReference,
  AutoNodeStatus,
  AzureKMSKey,
  AzurePlatform,
  Capabilities,
  ClusterAutoscaling,
  ClusterConfiguration,
  ClusterNetworkEntry,
  ClusterVersionStatus,
  ConditionalUpdate,
  ConfigurationStatus,
  ControlPlaneUpdateHistory,
  ControlPlaneVersionStatus,
  DNSSpec,
  DiagnosticsPlacement,
  EncryptionKey,
  EncryptionKeyFingerprint,
  EtcdScheduling,
  EtcdShardResource,
  GCPPlatform,
  GCPResourceLabel,
  IBMCloudKMSKey,
  ImageContentSource,
  KubevirtCredentials,
  KubevirtPlatform,
  ManagedEtcd,
  ManagedIdentity,
  MonitoringSpec,
  OpenStackNetwork,
  OpenStackPlatform,
  OperatorConfiguration,
  PlatformReference,
  PowerVSPlatform,
  PowerVSResourceReference,
  Release,
  SecretEncryption,
  SecretEncryptionStatus,
  ServicePublishing,
  Subnets,
  TokenRule,
  Toleration,
  UnmanagedEtcd,
  UpdateHistory,
} from './tables/shared.js';
