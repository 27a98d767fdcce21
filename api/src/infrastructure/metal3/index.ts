// Drafted by tools/src/api-kinds/draft from github.com/metal3-io/cluster-api-provider-metal3@v1.13.2; not edited by hand.
import type { Kind } from '../../model/index.js';
import { metal3Cluster } from './tables/metal3-cluster.js';
import { metal3ClusterTemplate } from './tables/metal3-cluster-template.js';
import { metal3Data } from './tables/metal3-data.js';
import { metal3DataClaim } from './tables/metal3-data-claim.js';
import { metal3DataTemplate } from './tables/metal3-data-template.js';
import { metal3Machine } from './tables/metal3-machine.js';
import { metal3MachineTemplate } from './tables/metal3-machine-template.js';
import { metal3Remediation } from './tables/metal3-remediation.js';
import { metal3RemediationTemplate } from './tables/metal3-remediation-template.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [
  metal3Cluster,
  metal3ClusterTemplate,
  metal3Machine,
  metal3MachineTemplate,
  metal3Data,
  metal3DataClaim,
  metal3DataTemplate,
  metal3Remediation,
  metal3RemediationTemplate,
];

export {
  metal3Cluster,
  metal3ClusterTemplate,
  metal3Data,
  metal3DataClaim,
  metal3DataTemplate,
  metal3Machine,
  metal3MachineTemplate,
  metal3Remediation,
  metal3RemediationTemplate,
};
export type {
  Address,
  Metal3Machine,
  Metal3MachineStatus,
  Metal3MachineStatusV1Beta1,
  Metal3MachineV1Beta1,
} from './tables/metal3-machine.js';
export type {
  FromPoolAnnotation,
  FromPoolAnnotationV1Beta1,
  FromPoolRef,
  FromPoolRefV1Beta1,
  GatewaysFromIPPoolV1Beta1,
  GatewaysFromPool,
  Ipv6DHCP,
  Ipv6DHCPV1Beta1,
  Ipv6Route,
  Ipv6RouteV1Beta1,
  MacAddress,
  MacAddressV1Beta1,
  Metal3DataTemplate,
  Metal3DataTemplateSpec,
  Metal3DataTemplateSpecV1Beta1,
  Metal3DataTemplateStatus,
  Metal3DataTemplateStatusV1Beta1,
  Metal3DataTemplateV1Beta1,
  Route,
  RouteV1Beta1,
} from './tables/metal3-data-template.js';
export type {
  Metal3Cluster,
  Metal3ClusterStatus,
  Metal3ClusterStatusV1Beta1,
  Metal3ClusterV1Beta1,
} from './tables/metal3-cluster.js';
export type {
  Metal3ClusterTemplate,
  Metal3ClusterTemplateSpec,
  Metal3ClusterTemplateSpecV1Beta1,
  Metal3ClusterTemplateV1Beta1,
} from './tables/metal3-cluster-template.js';
export type {
  Metal3Data,
  Metal3DataSpec,
  Metal3DataSpecV1Beta1,
  Metal3DataStatus,
  Metal3DataStatusV1Beta1,
  Metal3DataV1Beta1,
} from './tables/metal3-data.js';
export type {
  Metal3DataClaim,
  Metal3DataClaimSpec,
  Metal3DataClaimSpecV1Beta1,
  Metal3DataClaimStatus,
  Metal3DataClaimStatusV1Beta1,
  Metal3DataClaimV1Beta1,
} from './tables/metal3-data-claim.js';
export type {
  Metal3MachineTemplate,
  Metal3MachineTemplateSpec,
  Metal3MachineTemplateSpecV1Beta1,
  Metal3MachineTemplateV1Beta1,
} from './tables/metal3-machine-template.js';
export type {
  Metal3RemediationTemplate,
  Metal3RemediationTemplateSpec,
  Metal3RemediationTemplateSpecV1Beta1,
  Metal3RemediationTemplateStatus,
  Metal3RemediationTemplateStatusV1Beta1,
  Metal3RemediationTemplateV1Beta1,
} from './tables/metal3-remediation-template.js';
export type { Metal3Remediation, Metal3RemediationV1Beta1 } from './tables/metal3-remediation.js';
export type {
  FailureDomain,
  FailureDomainsV1Beta1,
  MetaData,
  Metadata,
  Metal3ClusterSpec,
  Metal3ClusterSpecV1Beta1,
  Metal3MachineSpec,
  Metal3MachineSpecV1Beta1,
  Metal3RemediationSpec,
  Metal3RemediationSpecV1Beta1,
  Metal3RemediationStatus,
  Metal3RemediationStatusV1Beta1,
  Template,
  TemplateV1Beta1,
  V1beta1Condition,
} from './tables/shared.js';
