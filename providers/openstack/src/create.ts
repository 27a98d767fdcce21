import type { JsonObject } from '@capstan/meta';
import { listed, opaqueSecret, withoutUndefined } from '@capstan/provider';
import type { CreateOptions, CreateRequest, Problem } from '@capstan/provider';
import { CA_KEY, CLOUDS_KEY } from './settings.js';

function cluster({ flags, name, namespace }: CreateRequest): ReturnType<CreateOptions['cluster']> {
  const clouds = flags['openstack-credentials-file'];
  if (clouds === undefined)
    return [{ path: '--openstack-credentials-file', message: 'give a clouds.yaml with the access to the cloud' }];
  const secret = `${name}-cloud-credentials`;
  const nameservers = listed(flags['openstack-dns-nameservers']);
  const network = flags['openstack-external-network-id'];
  const ca = flags['openstack-ca-cert-file'];
  return {
    settings: withoutUndefined({
      identityRef: { name: secret, cloudName: flags['openstack-cloud'] ?? 'openstack' },
      externalNetwork: network === undefined ? undefined : { id: network },
      ingressFloatingIP: flags['openstack-ingress-floating-ip'],
      managedSubnets: nameservers.length === 0 ? undefined : [{ dnsNameservers: nameservers }],
    }),
    objects: [opaqueSecret(namespace, secret, { [CLOUDS_KEY]: clouds, ...(ca === undefined ? {} : { [CA_KEY]: ca }) })],
    publishing: { apiServer: 'LoadBalancer', others: 'Route' },
    machineNetwork: '10.0.0.0/16',
  };
}

function nodePool({ flags }: CreateRequest): JsonObject | readonly Problem[] {
  const flavor = flags['openstack-node-flavor'];
  if (flavor === undefined)
    return [{ path: '--openstack-node-flavor', message: 'say which flavor the machines are of' }];
  return withoutUndefined({
    flavor,
    imageName: flags['openstack-node-image-name'],
    availabilityZone: flags['openstack-node-availability-zone'],
  });
}

/** `create cluster openstack` and `create nodepool openstack`. */
export const create: CreateOptions = {
  clusterFlags: [
    {
      name: 'openstack-credentials-file',
      value: '<file>',
      help: 'the clouds.yaml with the access to the cloud',
      isRequired: true,
      isFile: true,
    },
    { name: 'openstack-cloud', value: '<name>', help: 'the cloud of that file', default: 'openstack' },
    { name: 'openstack-ca-cert-file', value: '<file>', help: 'CA bundle of the cloud', isFile: true },
    { name: 'openstack-external-network-id', value: '<id>', help: 'network of floating addresses' },
    { name: 'openstack-ingress-floating-ip', value: '<address>', help: 'floating address of ingress' },
    { name: 'openstack-dns-nameservers', value: '<address,…>', help: 'name servers of the subnet that is created' },
  ],
  nodePoolFlags: [
    { name: 'openstack-node-flavor', value: '<flavor>', help: 'flavor of the machines', isRequired: true },
    { name: 'openstack-node-image-name', value: '<name>', help: 'image of the machines; default that of the release' },
    { name: 'openstack-node-availability-zone', value: '<zone>', help: 'zone of the machines' },
  ],
  cluster,
  nodePool,
};
