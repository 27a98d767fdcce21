import type { Random } from '@capstan/meta';
import type { CloudPlatform, InstanceAddress, InstanceRequest } from './instance.js';

/** How a platform names its instances. */
interface Naming {
  /** The identifier within the platform. */
  id(request: InstanceRequest, random: Random): string;
  /** As Nodes and Machines write it. */
  providerId(id: string, request: InstanceRequest): string;
  /** Which of its addresses the Node takes its name from. Default: the name of the instance. */
  hostname?(ip: string, request: InstanceRequest): string;
}

const hex = (random: Random, digits: number): string =>
  Buffer.from(random.bytes(Math.ceil(digits / 2)))
    .toString('hex')
    .slice(0, digits);

function uuid(_: InstanceRequest, random: Random): string {
  const text = hex(random, 32);
  const parts = [text.slice(0, 8), text.slice(8, 12), `4${text.slice(13, 16)}`, `a${text.slice(17, 20)}`];
  return [...parts, text.slice(20)].join('-');
}

const named = ({ name }: InstanceRequest): string => name;

const NAMING: Readonly<Record<CloudPlatform, Naming>> = {
  agent: { id: uuid, providerId: (id) => `agent://${id}` },
  aws: {
    id: (_, random) => `i-0${hex(random, 16)}`,
    providerId: (id, { zone }) => `aws:///${zone}/${id}`,
    hostname: (ip, { region }) => `ip-${ip.replaceAll('.', '-')}.${region}.compute.internal`,
  },
  azure: {
    id: ({ account = '', group = '', name }) =>
      `/subscriptions/${account}/resourceGroups/${group}/providers/Microsoft.Compute/virtualMachines/${name}`,
    providerId: (id) => `azure://${id}`,
  },
  gcp: {
    id: named,
    providerId: (id, { account = '', zone }) => `gce://${account}/${zone}/${id}`,
  },
  harbour: { id: named, providerId: (id, { zone }) => `harbour://${zone}/${id}` },
  kubevirt: { id: named, providerId: (id) => `kubevirt://${id}` },
  metal3: { id: uuid, providerId: (id) => `metal3://${id}` },
  nutanix: { id: uuid, providerId: (id) => `nutanix://${id}` },
  openstack: { id: uuid, providerId: (id) => `openstack:///${id}` },
  powervs: {
    id: uuid,
    providerId: (id, { account = '', region, zone }) => `ibmpowervs://${region}/${zone}/${account}/${id}`,
  },
  vsphere: { id: uuid, providerId: (id) => `vsphere://${id}` },
};

/** What an instance is known by. */
export interface InstanceIdentity {
  readonly id: string;
  readonly providerId: string;
  readonly hostname: string;
  readonly addresses: readonly InstanceAddress[];
}

/** Names an instance as its platform would; `ordinal` makes its address unique. */
export function identify(request: InstanceRequest, ordinal: number, random: Random): InstanceIdentity {
  const naming = NAMING[request.platform];
  const id = naming.id(request, random);
  const ip = `10.${64 + ((ordinal >> 16) & 63)}.${(ordinal >> 8) & 255}.${ordinal & 255}`;
  const hostname = naming.hostname?.(ip, request) ?? request.name;
  return {
    id,
    providerId: naming.providerId(id, request),
    hostname,
    addresses: [
      { type: 'InternalIP', address: ip },
      { type: 'InternalDNS', address: hostname },
      { type: 'Hostname', address: hostname },
    ],
  };
}

/** The identifier of the instance that a provider id means. */
export function instanceIdOf(providerId: string): string {
  const azure = 'azure://';
  return providerId.startsWith(azure)
    ? providerId.slice(azure.length)
    : providerId.slice(providerId.lastIndexOf('/') + 1);
}
