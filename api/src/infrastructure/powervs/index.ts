// Drafted by tools/src/api-kinds/draft from github.com/openshift/hypershift@v0.1.82-0.20260822141928-3ee9615567ac; not edited by hand.
import type { Kind } from '../../model/index.js';
import { ibmPowerVsCluster } from './tables/ibm-power-vs-cluster.js';
import { ibmPowerVsClusterTemplate } from './tables/ibm-power-vs-cluster-template.js';
import { ibmPowerVsImage } from './tables/ibm-power-vs-image.js';
import { ibmPowerVsMachine } from './tables/ibm-power-vs-machine.js';
import { ibmPowerVsMachineTemplate } from './tables/ibm-power-vs-machine-template.js';
import { ibmVpcCluster } from './tables/ibm-vpc-cluster.js';
import { ibmVpcClusterTemplate } from './tables/ibm-vpc-cluster-template.js';
import { ibmVpcMachine } from './tables/ibm-vpc-machine.js';
import { ibmVpcMachineTemplate } from './tables/ibm-vpc-machine-template.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [
  ibmPowerVsCluster,
  ibmPowerVsClusterTemplate,
  ibmPowerVsImage,
  ibmPowerVsMachine,
  ibmPowerVsMachineTemplate,
  ibmVpcCluster,
  ibmVpcClusterTemplate,
  ibmVpcMachine,
  ibmVpcMachineTemplate,
];

export {
  ibmPowerVsCluster,
  ibmPowerVsClusterTemplate,
  ibmPowerVsImage,
  ibmPowerVsMachine,
  ibmPowerVsMachineTemplate,
  ibmVpcCluster,
  ibmVpcClusterTemplate,
  ibmVpcMachine,
  ibmVpcMachineTemplate,
};
export type {
  IBMPowerVSCluster,
  IBMPowerVSClusterStatus,
  IBMPowerVSClusterStatusV1Beta1,
  IBMPowerVSClusterV1Beta1,
  Vpc,
} from './tables/ibm-power-vs-cluster.js';
export type {
  IBMPowerVSClusterTemplate,
  IBMPowerVSClusterTemplateSpec,
  IBMPowerVSClusterTemplateSpecV1Beta1,
  IBMPowerVSClusterTemplateV1Beta1,
} from './tables/ibm-power-vs-cluster-template.js';
export type {
  IBMPowerVSImage,
  IBMPowerVSImageSpec,
  IBMPowerVSImageSpecV1Beta1,
  IBMPowerVSImageStatus,
  IBMPowerVSImageStatusV1Beta1,
  IBMPowerVSImageV1Beta1,
} from './tables/ibm-power-vs-image.js';
export type {
  IBMPowerVSMachine,
  IBMPowerVSMachineStatus,
  IBMPowerVSMachineStatusV1Beta1,
  IBMPowerVSMachineV1Beta1,
} from './tables/ibm-power-vs-machine.js';
export type {
  IBMPowerVSMachineTemplate,
  IBMPowerVSMachineTemplateSpec,
  IBMPowerVSMachineTemplateSpecV1Beta1,
  IBMPowerVSMachineTemplateV1Beta1,
} from './tables/ibm-power-vs-machine-template.js';
export type {
  IBMVPCCluster,
  IBMVPCClusterSpecV1Beta1,
  IBMVPCClusterStatus,
  IBMVPCClusterStatusV1Beta1,
  IBMVPCClusterV1Beta1,
  Image,
  StatusVpc,
  VpcEndpoint,
} from './tables/ibm-vpc-cluster.js';
export type {
  IBMVPCMachine,
  IBMVPCMachineStatus,
  IBMVPCMachineStatusV1Beta1,
  IBMVPCMachineV1Beta1,
} from './tables/ibm-vpc-machine.js';
export type {
  IBMVPCMachineTemplate,
  IBMVPCMachineTemplateSpec,
  IBMVPCMachineTemplateSpecV1Beta1,
  IBMVPCMachineTemplateV1Beta1,
} from './tables/ibm-vpc-machine-template.js';
export type { IBMVPCClusterTemplate, IBMVPCClusterTemplateSpec } from './tables/ibm-vpc-cluster-template.js';
export type {
  APIEndpoint,
  BootVolume,
  IBMPowerVSClusterSpec,
  IBMPowerVSClusterSpecV1Beta1,
  IBMPowerVSMachineSpec,
  IBMPowerVSMachineSpecV1Beta1,
  IBMVPCClusterSpec,
  IBMVPCMachineSpec,
  IBMVPCMachineSpecV1Beta1,
  IBMVPCMachineTemplateStatus,
  LegacyCondition,
  LoadBalancer,
  LoadBalancerPoolMember,
  LoadBalancers,
  MachineAddress,
  Metadata,
  Network,
  ResourceGroup,
  SecurityGroup,
  Source,
  SshKey,
  Subnet,
  VpcSecurityGroup,
} from './tables/shared.js';
