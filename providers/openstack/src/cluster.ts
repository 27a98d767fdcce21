import type { AllNodesSecurityGroupRule, OpenStackClusterSpec } from '@capstan/api/infrastructure/openstack';
import { withoutUndefined } from '@capstan/provider';
import type { HostedClusterInputs } from '@capstan/provider';
import { clusterSettings } from './settings.js';

/** What nodes must be reached by: name, protocol and ports, from the machine network alone or from everywhere. */
const FROM_MACHINES = [
  ['esp-ingress', 'esp'],
  ['icmp-ingress', 'icmp'],
  ['router-ingress', 'tcp', 1936, 1936],
  ['ssh-ingress', 'tcp', 22, 22],
  ['vrrp-ingress', 'vrrp'],
] as const;
const FROM_ALL = [
  ['http-ingress', 'tcp', 80, 80],
  ['https-ingress', 'tcp', 443, 443],
  ['geneve-ingress', 'udp', 6081, 6081],
  ['ike-ingress', 'udp', 500, 500],
  ['ike-nat-ingress', 'udp', 4500, 4500],
  ['internal-ingress-tcp', 'tcp', 9000, 9999],
  ['internal-ingress-udp', 'udp', 9000, 9999],
  ['vxlan-ingress', 'udp', 4789, 4789],
] as const;

type Opening = readonly [name: string, protocol: string, from?: number, to?: number];

function rule([name, protocol, from, to]: Opening, remoteIPPrefix: string): AllNodesSecurityGroupRule {
  return withoutUndefined({
    name,
    protocol,
    portRangeMin: from,
    portRangeMax: to,
    remoteIPPrefix,
    description: 'Created by hypershift',
    direction: 'ingress' as const,
    etherType: 'IPv4' as const,
  });
}

function machineNetworks({ hostedCluster }: HostedClusterInputs): string[] {
  return (hostedCluster.spec?.networking?.machineNetwork ?? []).map(({ cidr }) => cidr);
}

/** The network that the platform makes, unless users have one. */
function subnetsOf(inputs: HostedClusterInputs): Pick<OpenStackClusterSpec, 'managedSubnets' | 'subnets'> {
  const { managedSubnets = [], subnets = [] } = clusterSettings(inputs.hostedCluster);
  if (subnets.length > 0) return { subnets };
  const [cidr] = machineNetworks(inputs);
  const [asked] = managedSubnets;
  return {
    managedSubnets: [
      withoutUndefined({
        cidr: cidr ?? '',
        dnsNameservers: asked?.dnsNameservers,
        allocationPools: asked?.allocationPools,
      }),
    ],
  };
}

/** The infrastructure cluster; its own program makes networks, a router and security groups of it. */
export function clusterSpec(inputs: HostedClusterInputs): OpenStackClusterSpec {
  const settings = clusterSettings(inputs.hostedCluster);
  const networks = machineNetworks(inputs);
  return withoutUndefined({
    identityRef: { type: 'Secret' as const, ...settings.identityRef },
    ...subnetsOf(inputs),
    router: settings.router,
    network: settings.network,
    networkMTU: settings.networkMTU,
    externalNetwork: settings.externalNetwork,
    disableExternalNetwork: settings.disableExternalNetwork,
    // The API server is not on a machine of the cluster.
    disableAPIServerFloatingIP: true,
    managedSecurityGroups: {
      allowAllInClusterTraffic: false,
      allNodesSecurityGroupRules: [
        ...networks.flatMap((cidr) => FROM_MACHINES.map((each) => rule(each, cidr))),
        ...FROM_ALL.map((each) => rule(each, '0.0.0.0/0')),
      ],
    },
    tags: [`openshiftClusterID=${inputs.infraID}`, ...(settings.tags ?? [])],
  });
}
