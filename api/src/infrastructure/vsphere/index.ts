// Drafted by tools/src/api-kinds/draft from sigs.k8s.io/cluster-api-provider-vsphere@v1.16.1; not edited by hand.
import type { Kind } from '../../model/index.js';
import { vsphereCluster } from './tables/vsphere-cluster.js';
import { vsphereClusterIdentity } from './tables/vsphere-cluster-identity.js';
import { vsphereClusterTemplate } from './tables/vsphere-cluster-template.js';
import { vsphereDeploymentZone } from './tables/vsphere-deployment-zone.js';
import { vsphereFailureDomain } from './tables/vsphere-failure-domain.js';
import { vsphereMachine } from './tables/vsphere-machine.js';
import { vsphereMachineTemplate } from './tables/vsphere-machine-template.js';
import { vsphereVm } from './tables/vsphere-vm.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [
  vsphereCluster,
  vsphereClusterTemplate,
  vsphereMachine,
  vsphereMachineTemplate,
  vsphereVm,
  vsphereFailureDomain,
  vsphereDeploymentZone,
  vsphereClusterIdentity,
];

export {
  vsphereCluster,
  vsphereClusterIdentity,
  vsphereClusterTemplate,
  vsphereDeploymentZone,
  vsphereFailureDomain,
  vsphereMachine,
  vsphereMachineTemplate,
  vsphereVm,
};
export type {
  Address,
  VSphereMachine,
  VSphereMachineStatus,
  VSphereMachineStatusV1Beta1,
  VSphereMachineV1Beta1,
} from './tables/vsphere-machine.js';
export type {
  VSphereCluster,
  VSphereClusterStatus,
  VSphereClusterStatusV1Beta1,
  VSphereClusterV1Beta1,
} from './tables/vsphere-cluster.js';
export type {
  VSphereClusterIdentity,
  VSphereClusterIdentitySpec,
  VSphereClusterIdentitySpecV1Beta1,
  VSphereClusterIdentityV1Beta1,
} from './tables/vsphere-cluster-identity.js';
export type {
  VSphereClusterTemplate,
  VSphereClusterTemplateSpec,
  VSphereClusterTemplateSpecV1Beta1,
  VSphereClusterTemplateV1Beta1,
} from './tables/vsphere-cluster-template.js';
export type {
  VSphereDeploymentZone,
  VSphereDeploymentZoneSpec,
  VSphereDeploymentZoneSpecV1Beta1,
  VSphereDeploymentZoneV1Beta1,
} from './tables/vsphere-deployment-zone.js';
export type {
  VSphereFailureDomain,
  VSphereFailureDomainSpec,
  VSphereFailureDomainSpecV1Beta1,
  VSphereFailureDomainV1Beta1,
  Zone,
  ZoneV1Beta1,
} from './tables/vsphere-failure-domain.js';
export type {
  VSphereMachineTemplate,
  VSphereMachineTemplateSpec,
  VSphereMachineTemplateSpecV1Beta1,
  VSphereMachineTemplateV1Beta1,
} from './tables/vsphere-machine-template.js';
export type {
  VSphereVM,
  VSphereVMSpec,
  VSphereVMSpecV1Beta1,
  VSphereVMStatus,
  VSphereVMStatusV1Beta1,
  VSphereVMV1Beta1,
} from './tables/vsphere-vm.js';
export type {
  AddressesFromPool,
  AddressesFromPoolV1Beta1,
  DataDisk,
  DataDiskV1Beta1,
  Dhcp4Overrides,
  Dhcp4OverridesV1Beta1,
  Limits,
  Metadata,
  Network,
  NetworkV1Beta1,
  PciDevice,
  PciDeviceV1Beta1,
  Resources,
  Route,
  RouteV1Beta1,
  StatusNetwork,
  StatusNetworkV1Beta1,
  V1beta1Condition,
  VSphereClusterSpec,
  VSphereClusterSpecV1Beta1,
  VSphereDeploymentZoneStatus,
  VSphereDeploymentZoneStatusV1Beta1,
  VSphereMachineSpec,
  VSphereMachineSpecV1Beta1,
} from './tables/shared.js';
