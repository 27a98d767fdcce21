// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Kind } from '../model/index.js';
import { agentNodePool } from './tables/agent-node-pool.js';
import { awsNodePool } from './tables/aws-node-pool.js';
import { azureNodePool } from './tables/azure-node-pool.js';
import { hostedAgentCluster } from './tables/hosted-agent-cluster.js';
import { hostedAwsCluster } from './tables/hosted-aws-cluster.js';
import { hostedAzureCluster } from './tables/hosted-azure-cluster.js';
import { hostedKubeVirtCluster } from './tables/hosted-kube-virt-cluster.js';
import { hostedOpenStackCluster } from './tables/hosted-open-stack-cluster.js';
import { hostedPowerVsCluster } from './tables/hosted-power-vs-cluster.js';
import { kubeVirtNodePool } from './tables/kube-virt-node-pool.js';
import { openStackNodePool } from './tables/open-stack-node-pool.js';
import { powerVsNodePool } from './tables/power-vs-node-pool.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [
  hostedAwsCluster,
  awsNodePool,
  hostedAzureCluster,
  azureNodePool,
  hostedKubeVirtCluster,
  kubeVirtNodePool,
  hostedPowerVsCluster,
  powerVsNodePool,
  hostedOpenStackCluster,
  openStackNodePool,
  hostedAgentCluster,
  agentNodePool,
];

export {
  agentNodePool,
  awsNodePool,
  azureNodePool,
  hostedAgentCluster,
  hostedAwsCluster,
  hostedAzureCluster,
  hostedKubeVirtCluster,
  hostedOpenStackCluster,
  hostedPowerVsCluster,
  kubeVirtNodePool,
  openStackNodePool,
  powerVsNodePool,
};
export type {
  AzureKMSKey,
  HostedAzureCluster,
  HostedAzureClusterSpec,
  ManagedIdentity,
} from './tables/hosted-azure-cluster.js';
export type { AWSFilter, AWSNodePool, AWSNodePoolSpec } from './tables/aws-node-pool.js';
export type { AgentNodePool, AgentNodePoolSpec } from './tables/agent-node-pool.js';
export type { AzureNodePool, AzureNodePoolSpec } from './tables/azure-node-pool.js';
export type { HostedAWSCluster, HostedAWSClusterSpec, HostedAWSClusterStatus } from './tables/hosted-aws-cluster.js';
export type { HostedAgentCluster, HostedAgentClusterSpec } from './tables/hosted-agent-cluster.js';
export type { HostedKubeVirtCluster, HostedKubeVirtClusterSpec } from './tables/hosted-kube-virt-cluster.js';
export type { HostedOpenStackCluster, HostedOpenStackClusterSpec } from './tables/hosted-open-stack-cluster.js';
export type { HostedPowerVSCluster, HostedPowerVSClusterSpec } from './tables/hosted-power-vs-cluster.js';
export type { KubeVirtNodePool, KubeVirtNodePoolSpec, KubeVirtNodePoolStatus } from './tables/kube-virt-node-pool.js';
export type { OpenStackNodePool, OpenStackNodePoolSpec } from './tables/open-stack-node-pool.js';
export type { PowerVSNodePool, PowerVSNodePoolSpec } from './tables/power-vs-node-pool.js';
export type {
  APIEndpoint,
  HostedClusterStatus,
  KubevirtCredentials,
  NodePoolStatus,
  ObjectReference,
  OpenStackNetwork,
  PowerVSResourceReference,
} from './tables/shared.js';
