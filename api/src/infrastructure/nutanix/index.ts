// Drafted by tools/src/api-kinds/draft from github.com/nutanix-cloud-native/cluster-api-provider-nutanix@v1.10.3; not edited by hand.
import type { Kind } from '../../model/index.js';
import { nutanixCluster } from './tables/nutanix-cluster.js';
import { nutanixClusterTemplate } from './tables/nutanix-cluster-template.js';
import { nutanixFailureDomain } from './tables/nutanix-failure-domain.js';
import { nutanixMachine } from './tables/nutanix-machine.js';
import { nutanixMachineTemplate } from './tables/nutanix-machine-template.js';
import { nutanixMetro } from './tables/nutanix-metro.js';
import { nutanixMetroSite } from './tables/nutanix-metro-site.js';
import { nutanixVirtualHaDomain } from './tables/nutanix-virtual-ha-domain.js';

/** Every kind of the group. */
export const kinds: readonly Kind[] = [
  nutanixCluster,
  nutanixClusterTemplate,
  nutanixFailureDomain,
  nutanixMachine,
  nutanixMachineTemplate,
  nutanixMetro,
  nutanixMetroSite,
  nutanixVirtualHaDomain,
];

export {
  nutanixCluster,
  nutanixClusterTemplate,
  nutanixFailureDomain,
  nutanixMachine,
  nutanixMachineTemplate,
  nutanixMetro,
  nutanixMetroSite,
  nutanixVirtualHaDomain,
};
export type {
  NutanixFailureDomain,
  NutanixFailureDomainSpec,
  NutanixFailureDomainStatus,
} from './tables/nutanix-failure-domain.js';
export type {
  NutanixMachineTemplate,
  NutanixMachineTemplateSpec,
  NutanixMachineTemplateStatus,
} from './tables/nutanix-machine-template.js';
export type {
  NutanixVirtualHADomain,
  NutanixVirtualHADomainSpec,
  NutanixVirtualHADomainStatus,
} from './tables/nutanix-virtual-ha-domain.js';
export type { NutanixCluster, NutanixClusterStatus } from './tables/nutanix-cluster.js';
export type { NutanixClusterTemplate, NutanixClusterTemplateSpec } from './tables/nutanix-cluster-template.js';
export type { NutanixMachine, NutanixMachineStatus } from './tables/nutanix-machine.js';
export type { NutanixMetro, NutanixMetroSpec } from './tables/nutanix-metro.js';
export type { NutanixMetroSite, NutanixMetroSiteSpec } from './tables/nutanix-metro-site.js';
export type {
  Category,
  NodeRef,
  NutanixClusterSpec,
  NutanixMachineSpec,
  NutanixMetroStatus,
  StatusCondition,
  Subnet,
} from './tables/shared.js';
