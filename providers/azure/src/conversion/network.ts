/** The interface of a machine: where it is, and what it joins. */
import { constant, getAt, listOfOne, move, unsupported } from '@capstan/convert';
import type { Codec } from '@capstan/convert';
import { joint, ofCluster, refused, requiredText, runsControlPlane } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule, Reading } from '@capstan/convert/machine-api';
import { goQuote } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { LoadBalancer, LoadBalancers } from './cluster.js';
import { loadBalancersOf, resourceGroupOf } from './cluster.js';

/** Machine API has it off when absent; Cluster API then asks the size of the machine. */
const acceleration: Codec<MachineContext> = {
  forward: (value, field) => {
    if (value === undefined || typeof value === 'boolean') return value ?? false;
    field.error('must be true or false');
    return undefined;
  },
  backward: (value, field) => {
    if (typeof value === 'boolean') return value ? true : undefined;
    field.error('must be true or false: Machine API cannot leave it to the size of the machine');
    return undefined;
  },
  normal: { left: (value) => (value === false ? undefined : value) },
};

const networkInterface = listOfOne<MachineContext>({
  side: 'right',
  list: 'networkInterfaces',
  record: '',
  isRequired: true,
  more: 'machines of Machine API have one interface',
  rules: [
    move('subnet', 'subnetName', requiredText('must be set: nothing else gives the subnet of the machine')),
    move('acceleratedNetworking', 'acceleratedNetworking', acceleration),
    constant('right', 'privateIPConfigs', 1),
  ],
});

type MachineApiField = 'publicIP' | 'publicLoadBalancer' | 'internalLoadBalancer';

/** The subnet, in the record of either side. */
function subnetIn(record: JsonObject): string | undefined {
  const subnet = record['subnet'] ?? getAt(record, ['networkInterfaces', '0', 'subnetName']);
  return typeof subnet === 'string' ? subnet : undefined;
}

function joined<Name extends string>({ context, record, root }: Reading<Name>, hasPublicIP: boolean): LoadBalancers {
  const { infrastructureCluster: cluster } = context;
  if (cluster === undefined) return {};
  return loadBalancersOf(cluster, { isControlPlane: runsControlPlane(root), hasPublicIP, subnet: subnetIn(record) });
}

function compare(
  read: Reading<MachineApiField>,
  name: 'publicLoadBalancer' | 'internalLoadBalancer',
  there: LoadBalancer | undefined,
): void {
  const found = read.text(name);
  if (found === there?.name) return;
  if (read.context.infrastructureCluster === undefined) {
    read.warn(
      name,
      'cannot be compared with spec.networkSpec of the infrastructure cluster, which is not given',
      'ClusterUnknown',
    );
    return;
  }
  const own = found === undefined ? 'is not set' : `is ${goQuote(found)}`;
  const other =
    there === undefined
      ? 'such a machine joins no load balancer by spec.networkSpec of the infrastructure cluster'
      : `${there.path} of the infrastructure cluster has it join ${goQuote(there.name)}`;
  read.error(name, `${own}, but ${other}`, 'ClusterMismatch');
}

/** Which load balancers a machine joins Cluster API decides by the cluster, the role and the public address. */
const addressAndLoadBalancers = joint<MachineApiField, 'allocatePublicIP'>({
  left: {
    publicIP: 'publicIP',
    publicLoadBalancer: 'publicLoadBalancer',
    internalLoadBalancer: 'internalLoadBalancer',
  },
  right: { allocatePublicIP: 'allocatePublicIP' },
  forward: (read) => {
    const publicIP = read.flag('publicIP') ?? false;
    const { internalOne, publicOne } = joined(read, publicIP);
    compare(read, 'publicLoadBalancer', publicOne);
    compare(read, 'internalLoadBalancer', internalOne);
    return { allocatePublicIP: publicIP ? true : undefined };
  },
  backward: (read) => {
    const publicIP = read.flag('allocatePublicIP') ?? false;
    const { internalOne, publicOne } = joined(read, publicIP);
    return { publicIP, publicLoadBalancer: publicOne?.name, internalLoadBalancer: internalOne?.name };
  },
});

/** All that a machine has to do with networks. */
export const network: readonly MachineRule[] = [
  networkInterface,
  addressAndLoadBalancers,
  ofCluster('vnet', {
    path: 'spec.networkSpec.vnet.name',
    toProviderSpec: (value, _cluster, { clusterName }) => value ?? `${clusterName}-vnet`,
  }),
  ofCluster('networkResourceGroup', {
    path: 'spec.networkSpec.vnet.resourceGroup',
    toProviderSpec: (value, _cluster, context) => value ?? resourceGroupOf(context),
  }),
  unsupported('left', 'natRule', 'rules of load balancers for single machines have no place in Cluster API: remove it'),
  refused('left', 'securityGroup', 'Cluster API has security groups on subnets alone: put it on the subnet'),
  refused('left', 'applicationSecurityGroups', 'application security groups have no place in Cluster API: remove them'),
  refused('right', 'subnetName', 'is the old place: write networkInterfaces[0].subnetName'),
  refused('right', 'acceleratedNetworking', 'is the old place: write networkInterfaces[0].acceleratedNetworking'),
  refused('right', 'enableIPForwarding', 'machines of Machine API forward nothing: remove it'),
  refused('right', 'dnsServers', 'Machine API has no name servers for single machines: set them on the network'),
];
