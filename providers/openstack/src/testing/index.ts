import { opaqueSecret } from '@capstan/provider';
import type { HostingExamples } from '@capstan/provider/testing';

const ID = '7f3e0c1a-3c27-4c0d-9a53-0d3b1f3a4c10';
const LEAST = { identityRef: { name: 'cloud', cloudName: 'openstack' } };
const FILTER = {
  name: 'net',
  description: 'a network',
  projectID: 'project',
  tags: ['a'],
  tagsAny: ['b'],
  notTags: ['c'],
  notTagsAny: ['d'],
};

/** What the platform is tried with. */
export const examples: HostingExamples = {
  clusters: [
    LEAST,
    {
      ...LEAST,
      disableExternalNetwork: false,
      externalNetwork: { id: ID },
      ingressFloatingIP: '192.0.2.7',
      managedSubnets: [{ allocationPools: [{ start: '10.0.0.10', end: '10.0.0.90' }], dnsNameservers: ['192.0.2.53'] }],
      network: { id: ID },
      networkMTU: 1500,
      router: { id: ID },
      tags: ['fleet'],
    },
    {
      ...LEAST,
      externalNetwork: { filter: FILTER },
      network: { filter: FILTER },
      router: { filter: FILTER },
      subnets: [
        {
          filter: {
            ...FILTER,
            cidr: '10.0.0.0/24',
            gatewayIP: '10.0.0.1',
            ipVersion: 4,
            ipv6AddressMode: 'slaac',
            ipv6RAMode: 'slaac',
          },
        },
      ],
    },
    { ...LEAST, subnets: [{ id: ID }] },
  ],
  pools: [
    { flavor: 'm1.large' },
    {
      flavor: 'm1.large',
      imageName: 'rhcos',
      availabilityZone: 'nova',
      additionalPorts: [
        {
          network: { id: ID },
          description: 'storage',
          allowedAddressPairs: [{ ipAddress: '10.1.0.0/24' }],
          portSecurityPolicy: 'Disabled',
          vnicType: 'direct',
        },
        { network: { filter: FILTER } },
      ],
    },
  ],
  secrets: [opaqueSecret('clusters', 'cloud', { 'clouds.yaml': 'clouds: {}\n', cacert: 'PEM' })],
  bootImages: {
    architectures: {
      x86_64: {
        artifacts: {
          openstack: {
            release: '9.6.1',
            formats: { 'qcow2.gz': { disk: { location: 'https://rhcos.example.com/rhcos.qcow2.gz', sha256: 'ab12' } } },
          },
        },
      },
    },
  },
  createFlags: { 'openstack-credentials-file': 'clouds: {}\n', 'openstack-node-flavor': 'm1.large' },
};

export { conversionExamples } from './conversion-examples.js';
export { conversionMachines } from './conversion-machines.js';
