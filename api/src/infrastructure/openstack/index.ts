// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Kind } from '../../model/index.js';
import { openStackCluster } from './tables/open-stack-cluster.js';
import { openStackClusterIdentity } from './tables/open-stack-cluster-identity.js';
import { openStackClusterTemplate } from './tables/open-stack-cluster-template.js';
import { openStackFloatingIpPool } from './tables/open-stack-floating-ip-pool.js';
import { openStackMachine } from './tables/open-stack-machine.js';
import { openStackMachineTemplate } from './tables/open-stack-machine-template.js';
import { openStackServer } from './tables/open-stack-server.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [
  openStackCluster,
  openStackClusterTemplate,
  openStackMachine,
  openStackMachineTemplate,
  openStackClusterIdentity,
  openStackFloatingIpPool,
  openStackServer,
];

export {
  openStackCluster,
  openStackClusterIdentity,
  openStackClusterTemplate,
  openStackFloatingIpPool,
  openStackMachine,
  openStackMachineTemplate,
  openStackServer,
};
export type {
  LoadBalancerNetwork,
  OpenStackCluster,
  OpenStackClusterStatus,
  WorkerSecurityGroup,
} from './tables/open-stack-cluster.js';
export type {
  OpenStackFloatingIPPool,
  OpenStackFloatingIPPoolSpec,
  OpenStackFloatingIPPoolStatus,
} from './tables/open-stack-floating-ip-pool.js';
export type {
  OpenStackMachineTemplate,
  OpenStackMachineTemplateSpec,
  OpenStackMachineTemplateStatus,
} from './tables/open-stack-machine-template.js';
export type { OpenStackClusterIdentity, OpenStackClusterIdentitySpec } from './tables/open-stack-cluster-identity.js';
export type { OpenStackClusterTemplate, OpenStackClusterTemplateSpec } from './tables/open-stack-cluster-template.js';
export type { OpenStackMachine, OpenStackMachineStatus } from './tables/open-stack-machine.js';
export type { OpenStackServer, OpenStackServerSpec, OpenStackServerStatus } from './tables/open-stack-server.js';
export type {
  AdditionalBlockDevice,
  AllNodesSecurityGroupRule,
  AllowedAddressPair,
  AvailabilityZone,
  ExternalNetwork,
  FloatingIPPoolRef,
  IdentityRef,
  Image,
  LegacyCondition,
  MachineAddress,
  Network,
  OpenStackClusterSpec,
  OpenStackMachineSpec,
  Port,
  Profile,
  Resolved,
  RootVolume,
  SchedulerHintAdditionalProperty,
  ServerGroup,
  ServerMetadata,
  Subnet,
  ValueSpec,
} from './tables/shared.js';
