/** What AzureMachines leave to their AzureCluster, with the defaults of its controllers. */
import { getAt, isRecord } from '@capstan/convert';
import type { Path } from '@capstan/convert';
import type { MachineContext } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';

const SUBSCRIPTION: Path = ['spec', 'subscriptionID'];
const RESOURCE_GROUP: Path = ['spec', 'resourceGroup'];
const NETWORK: Path = ['spec', 'networkSpec'];

const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

/** The subscription of the cluster; `undefined` when not known. */
export function subscriptionOf({ infrastructureCluster }: MachineContext): string | undefined {
  return text(getAt(infrastructureCluster, SUBSCRIPTION));
}

/** The message where a conversion cannot do without the subscription. */
export const NO_SUBSCRIPTION = 'spec.subscriptionID of the infrastructure cluster is needed, and not given';

/** The resource group of the machines of the cluster, which has its name unless it names another. */
export function resourceGroupOf({ clusterName, infrastructureCluster }: MachineContext): string {
  return text(getAt(infrastructureCluster, RESOURCE_GROUP)) ?? clusterName;
}

/** The load balancers that the interface of a machine joins, and where the AzureCluster has them. */
export interface LoadBalancers {
  readonly publicOne?: LoadBalancer | undefined;
  readonly internalOne?: LoadBalancer | undefined;
}

/** A load balancer. */
export interface LoadBalancer {
  readonly name: string;
  /** Of the AzureCluster. */
  readonly path: string;
}

/** What decides which load balancers a machine joins. */
export interface Joining {
  readonly isControlPlane: boolean;
  readonly hasPublicIP: boolean;
  readonly subnet: string | undefined;
}

function loadBalancer(network: JsonObject, field: string, suffix = ''): LoadBalancer | undefined {
  const name = text(getAt(network, [field, 'name']));
  return name === undefined ? undefined : { name: `${name}${suffix}`, path: `spec.networkSpec.${field}.name` };
}

/** Machines of a subnet with a gateway of its own need no load balancer to reach others. */
function hasGateway(network: JsonObject, subnet: string | undefined): boolean {
  const { subnets } = network;
  const found: unknown = Array.isArray(subnets)
    ? subnets.find((each) => isRecord(each) && each['name'] === subnet)
    : undefined;
  return subnet !== undefined && text(getAt(found, ['natGateway', 'name'])) !== undefined;
}

/** The public load balancer has an internal one next to it when it has a private address too. */
function hasInternalLoadBalancer(network: JsonObject): boolean {
  const addresses = getAt(network, ['apiServerLB', 'frontendIPs']);
  return Array.isArray(addresses) && addresses.some((each) => text(getAt(each, ['privateIP'])) !== undefined);
}

/** Which load balancers the programs of Cluster API have a machine join. */
export function loadBalancersOf(cluster: JsonObject, joining: Joining): LoadBalancers {
  const found = getAt(cluster, NETWORK);
  const network = isRecord(found) ? found : {};
  if (!joining.isControlPlane) {
    if (joining.hasPublicIP || hasGateway(network, joining.subnet)) return {};
    return { publicOne: loadBalancer(network, 'nodeOutboundLB') };
  }
  if (getAt(network, ['apiServerLB', 'type']) === 'Internal')
    return {
      publicOne: loadBalancer(network, 'controlPlaneOutboundLB'),
      internalOne: loadBalancer(network, 'apiServerLB'),
    };
  return {
    publicOne: loadBalancer(network, 'apiServerLB'),
    internalOne: hasInternalLoadBalancer(network) ? loadBalancer(network, 'apiServerLB', '-internal') : undefined,
  };
}
