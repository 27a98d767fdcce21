// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Kind } from '../../model/index.js';
import { addressScope } from './tables/address-scope.js';
import { applicationCredential } from './tables/application-credential.js';
import { domain } from './tables/domain.js';
import { endpoint } from './tables/endpoint.js';
import { flavor } from './tables/flavor.js';
import { floatingIp } from './tables/floating-ip.js';
import { group } from './tables/group.js';
import { image } from './tables/image.js';
import { keyPair } from './tables/key-pair.js';
import { network } from './tables/network.js';
import { port } from './tables/port.js';
import { project } from './tables/project.js';
import { role } from './tables/role.js';
import { router } from './tables/router.js';
import { routerInterface } from './tables/router-interface.js';
import { securityGroup } from './tables/security-group.js';
import { server } from './tables/server.js';
import { serverGroup } from './tables/server-group.js';
import { service } from './tables/service.js';
import { subnet } from './tables/subnet.js';
import { trunk } from './tables/trunk.js';
import { user } from './tables/user.js';
import { volume } from './tables/volume.js';
import { volumeType } from './tables/volume-type.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [
  addressScope,
  applicationCredential,
  domain,
  endpoint,
  flavor,
  floatingIp,
  group,
  image,
  keyPair,
  network,
  port,
  project,
  role,
  routerInterface,
  router,
  securityGroup,
  serverGroup,
  server,
  service,
  subnet,
  trunk,
  user,
  volume,
  volumeType,
];

export {
  addressScope,
  applicationCredential,
  domain,
  endpoint,
  flavor,
  floatingIp,
  group,
  image,
  keyPair,
  network,
  port,
  project,
  role,
  router,
  routerInterface,
  securityGroup,
  server,
  serverGroup,
  service,
  subnet,
  trunk,
  user,
  volume,
  volumeType,
};
export type {
  ApplicationCredential,
  ApplicationCredentialSpec,
  ApplicationCredentialStatus,
} from './tables/application-credential.js';
export type { AddressScope, AddressScopeSpec, AddressScopeStatus } from './tables/address-scope.js';
export type { Domain, DomainSpec, DomainStatus } from './tables/domain.js';
export type { Endpoint, EndpointSpec, EndpointStatus } from './tables/endpoint.js';
export type { Flavor, FlavorSpec, FlavorStatus } from './tables/flavor.js';
export type { FloatingIP, FloatingIPSpec, FloatingIPStatus } from './tables/floating-ip.js';
export type { Group } from './tables/group.js';
export type { Image, ImageSpec, ImageStatus } from './tables/image.js';
export type { KeyPair, KeyPairSpec, KeyPairStatus } from './tables/key-pair.js';
export type { Network, NetworkSpec, NetworkStatus } from './tables/network.js';
export type { Port, PortSpec, PortStatus } from './tables/port.js';
export type { Project, ProjectSpec, ProjectStatus } from './tables/project.js';
export type { Role } from './tables/role.js';
export type { Router, RouterSpec, RouterStatus } from './tables/router.js';
export type { RouterInterface, RouterInterfaceSpec, RouterInterfaceStatus } from './tables/router-interface.js';
export type { SecurityGroup, SecurityGroupSpec, SecurityGroupStatus } from './tables/security-group.js';
export type { Server, ServerSpec, ServerStatus } from './tables/server.js';
export type { ServerGroup, ServerGroupSpec, ServerGroupStatus } from './tables/server-group.js';
export type { Service, ServiceSpec, ServiceStatus } from './tables/service.js';
export type { Subnet, SubnetSpec, SubnetStatus } from './tables/subnet.js';
export type { Trunk, TrunkSpec, TrunkStatus } from './tables/trunk.js';
export type { User, UserSpec, UserStatus } from './tables/user.js';
export type { Volume, VolumeSpec, VolumeStatus } from './tables/volume.js';
export type { VolumeType, VolumeTypeSpec, VolumeTypeStatus } from './tables/volume-type.js';
export type {
  CloudCredentialsRef,
  ExtraSpec,
  IdentityResourceSpec,
  IdentityResourceStatus,
  Metadata,
  SpecImport,
} from './tables/shared.js';
