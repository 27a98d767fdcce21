// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Kind } from '../../model/index.js';
import { awsCluster } from './tables/aws-cluster.js';
import { awsClusterControllerIdentity } from './tables/aws-cluster-controller-identity.js';
import { awsClusterRoleIdentity } from './tables/aws-cluster-role-identity.js';
import { awsClusterStaticIdentity } from './tables/aws-cluster-static-identity.js';
import { awsClusterTemplate } from './tables/aws-cluster-template.js';
import { awsMachine } from './tables/aws-machine.js';
import { awsMachinePool } from './tables/aws-machine-pool.js';
import { awsMachineTemplate } from './tables/aws-machine-template.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [
  awsCluster,
  awsMachine,
  awsMachineTemplate,
  awsClusterTemplate,
  awsMachinePool,
  awsClusterControllerIdentity,
  awsClusterRoleIdentity,
  awsClusterStaticIdentity,
];

export {
  awsCluster,
  awsClusterControllerIdentity,
  awsClusterRoleIdentity,
  awsClusterStaticIdentity,
  awsClusterTemplate,
  awsMachine,
  awsMachinePool,
  awsMachineTemplate,
};
export type {
  AWSCluster,
  AWSClusterStatus,
  AWSClusterStatusV1Beta1,
  AWSClusterV1Beta1,
  Attributes,
  FailureDomains,
  HealthChecks,
  Instance,
  Listener,
  LoadBalancer,
} from './tables/aws-cluster.js';
export type {
  AWSClusterControllerIdentity,
  AWSClusterControllerIdentitySpec,
  AWSClusterControllerIdentityV1Beta1,
} from './tables/aws-cluster-controller-identity.js';
export type {
  AWSClusterRoleIdentity,
  AWSClusterRoleIdentitySpec,
  AWSClusterRoleIdentityV1Beta1,
} from './tables/aws-cluster-role-identity.js';
export type {
  AWSClusterStaticIdentity,
  AWSClusterStaticIdentitySpec,
  AWSClusterStaticIdentityV1Beta1,
} from './tables/aws-cluster-static-identity.js';
export type {
  AWSClusterTemplate,
  AWSClusterTemplateSpec,
  AWSClusterTemplateSpecV1Beta1,
  AWSClusterTemplateV1Beta1,
} from './tables/aws-cluster-template.js';
export type {
  AWSMachinePool,
  AWSMachinePoolSpec,
  AWSMachinePoolSpecV1Beta1,
  AWSMachinePoolStatus,
  AWSMachinePoolStatusV1Beta1,
  AWSMachinePoolV1Beta1,
  StatusInstance,
} from './tables/aws-machine-pool.js';
export type {
  AWSMachineTemplate,
  AWSMachineTemplateSpec,
  AWSMachineTemplateSpecV1Beta1,
  AWSMachineTemplateStatus,
  AWSMachineTemplateStatusV1Beta1,
  AWSMachineTemplateV1Beta1,
} from './tables/aws-machine-template.js';
export type { AWSMachine, AWSMachineStatus, AWSMachineStatusV1Beta1, AWSMachineV1Beta1 } from './tables/aws-machine.js';
export type {
  AMIReference,
  AMIReferenceV1Beta1,
  APIEndpoint,
  AWSClusterSpec,
  AWSClusterSpecV1Beta1,
  AWSMachineSpec,
  AWSMachineSpecV1Beta1,
  AWSResourceReference,
  AWSResourceReferenceV1Beta1,
  AllowedNamespaces,
  Bastion,
  CloudInit,
  ControlPlaneLoadBalancer,
  CpuOptions,
  ElasticIpPool,
  Filter,
  IdentityRef,
  Ignition,
  IngressRule,
  InstanceMetadataOptions,
  IpamPool,
  LegacyCondition,
  MachineAddress,
  PrivateDnsName,
  TemplateMetadata,
  Volume,
} from './tables/shared.js';
