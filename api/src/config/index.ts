// Drafted by tools/src/api-kinds/draft from github.com/openshift/api@v0.0.0-20260813212709-d4bb0b443cb8; not edited by hand.
import type { Kind } from '../model/index.js';
import { clusterOperator } from './tables/cluster-operator.js';
import { clusterVersion } from './tables/cluster-version.js';
import { featureGate } from './tables/feature-gate.js';
import { infrastructure } from './tables/infrastructure.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [infrastructure, clusterVersion, clusterOperator, featureGate];

export { clusterOperator, clusterVersion, featureGate, infrastructure };
export type {
  AWSPlatformStatus,
  AWSServiceEndpoint,
  AzurePlatformStatus,
  CloudLoadBalancerConfig,
  CloudLoadBalancerIPs,
  GCPPlatformStatus,
  Infrastructure,
  InfrastructureSpec,
  InfrastructureStatus,
  KubevirtPlatformStatus,
  NutanixPlatformSpec,
  NutanixPrismEndpoint,
  NutanixResourceIdentifier,
  OnPremisesPlatformSpec,
  OnPremisesPlatformStatus,
  OpenStackPlatformStatus,
  PlatformSpec,
  PlatformStatus,
  PowerVSServiceEndpoint,
  VSphereNodeNetwork,
  VSpherePlatformSpec,
} from './tables/infrastructure.js';
export type {
  ClusterCondition,
  ClusterVersion,
  ClusterVersionSpec,
  ClusterVersionStatus,
  ConditionalUpdate,
  Release,
  Update,
  UpdateHistory,
} from './tables/cluster-version.js';
export type { ClusterOperator, ClusterOperatorStatus } from './tables/cluster-operator.js';
export type { FeatureGate, FeatureGateSpec, FeatureGateStatus } from './tables/feature-gate.js';
export type { OperatorCondition } from './tables/shared.js';
