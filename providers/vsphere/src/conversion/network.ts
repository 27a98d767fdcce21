/** The network of a machine: devices with fixed addresses, addresses of pools, or DHCP. */
import { isIP, isIPv4, isIPv6 } from 'node:net';
import { Field, always, listOf, nested, same, together } from '@capstan/convert';
import type { Codec } from '@capstan/convert';
import { refused, text, textList } from '@capstan/convert/machine-api';
import type { MachineContext, MachineRule } from '@capstan/convert/machine-api';
import { goQuote, stringifyJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

/** Kinds of address pools by their resources, both of the same group. Neither API distinguishes the two. */
const poolGroup = 'ipam.cluster.x-k8s.io';
const poolKinds: readonly (readonly [resource: string, kind: string])[] = [
  ['inclusterippools', 'InClusterIPPool'],
  ['globalinclusterippools', 'GlobalInClusterIPPool'],
];
const kindOf: ReadonlyMap<unknown, string> = new Map(poolKinds);
const resourceOf: ReadonlyMap<unknown, string> = new Map(poolKinds.map(([resource, kind]) => [kind, resource]));

const shown = (value: unknown): string => (typeof value === 'string' ? goQuote(value) : stringifyJson(value));

/** The group and the type of a pool, read together: another group may have a kind of the same name. */
function poolType(
  known: ReadonlyMap<unknown, string>,
  [group, type]: readonly unknown[],
  [, field]: readonly Field<MachineContext>[],
): readonly unknown[] {
  const other = group === poolGroup ? known.get(type) : undefined;
  if (other === undefined) {
    const names = [...known.keys()].map(shown).join(', ');
    field?.error(
      `is ${shown(type ?? '')} of the group ${shown(group ?? '')}, which has no known name in the other API: only ${names} of ${poolGroup} can be kept`,
    );
  }
  return [group, other];
}

const pool: readonly MachineRule[] = [
  together<MachineContext>({
    left: ['group', 'resource'],
    right: ['apiGroup', 'kind'],
    forward: (values, fields) => poolType(kindOf, values, fields),
    backward: (values, fields) => poolType(resourceOf, values, fields),
  }),
  same('name', text),
];

const isIn = (isAddress: (text: string) => boolean, value: unknown): boolean =>
  typeof value === 'string' && isAddress(value);
const notEmpty = (value: unknown): unknown => (value === '' ? undefined : value);

/** One gateway of either family in Machine API, one of each in Cluster API. */
const gateway: MachineRule = together<MachineContext>({
  left: ['gateway'],
  right: ['gateway4', 'gateway6'],
  forward: ([given], [field]) => {
    const address = notEmpty(given);
    if (address === undefined || isIn(isIPv4, address)) return [address];
    if (isIn(isIPv6, address)) return [undefined, address];
    field?.error(`must be an IPv4 or IPv6 address, and is ${shown(address)}`);
    return [];
  },
  backward: (given, [field4, field6]) => {
    const [four, six] = given.map(notEmpty);
    if (four !== undefined && !isIn(isIPv4, four)) field4?.error(`must be an IPv4 address, and is ${shown(four)}`);
    if (six !== undefined && !isIn(isIPv6, six)) field6?.error(`must be an IPv6 address, and is ${shown(six)}`);
    if (four !== undefined && six !== undefined)
      field6?.error(
        'cannot be kept together with gateway4: a device has one gateway in Machine API: remove one of them',
      );
    return [four ?? six];
  },
  normal: { left: (given) => given.map(notEmpty), right: (given) => given.map(notEmpty) },
});

function isPrefix(value: string): boolean {
  const slash = value.indexOf('/');
  const family = isIP(value.slice(0, Math.max(slash, 0)));
  const length = value.slice(slash + 1);
  return family !== 0 && /^\d{1,3}$/.test(length) && Number(length) <= (family === 4 ? 32 : 128);
}

const isFilled = (value: unknown): boolean => Array.isArray(value) && value.length > 0;

const texts = textList();

function checkedAddresses(value: unknown, field: Field<MachineContext>): unknown {
  const list = texts.forward(value, field);
  if (Array.isArray(list))
    for (const each of list as readonly string[])
      if (!isPrefix(each))
        field.error(`has ${goQuote(each)}, which must be an address with the length of its prefix, as 192.0.2.10/24`);
  return list;
}

/** Whether the source is a set, whose template stands for many machines. */
function isTemplate({ spec }: JsonObject): boolean {
  return typeof spec === 'object' && spec !== null && 'template' in spec;
}

/** Addresses with the length of their prefix: the webhook of vSphere machines takes no others, and none in templates. */
const addresses: Codec<MachineContext> = {
  forward: (value, field) => {
    if (isFilled(value) && isTemplate(field.root))
      field.error('are those of one machine, and a template has many: take them from a pool');
    return checkedAddresses(value, field);
  },
  backward: checkedAddresses,
  keepsShape: true,
};

/** Whether a device has nowhere to take its addresses from but DHCP, as Machine API reads it. */
function usesDhcp(device: Readonly<Record<string, unknown>>): boolean {
  return !isFilled(device['ipAddrs']) && !isFilled(device['addressesFromPools']);
}

const dhcp: MachineRule = {
  claims: { left: [], right: [{ path: 'dhcp4', fate: 'derived' }] },
  convert: (scope) => {
    const expected = usesDhcp(scope.source);
    if (scope.run.to === 'right') {
      if (expected) scope.target['dhcp4'] = true;
      return;
    }
    if (scope.run.from === 'left') return;
    const found = scope.source['dhcp4'] ?? false;
    if (found === expected) return;
    const field = new Field(scope, ['dhcp4'], []);
    if (typeof found !== 'boolean') field.error('must be true or false');
    else if (expected)
      field.error('must be true: in Machine API a device without addresses and pools takes them from DHCP');
    else field.error('must be false: in Machine API a device with addresses or pools takes none from DHCP');
  },
};

/** Cluster API requires an explicit value for none. */
const networkName: Codec<MachineContext> = {
  forward: (value, field) => text.forward(value ?? '', field),
  backward: (value, field) => text.backward(value === '' ? undefined : value, field),
  normal: { left: (value) => (value === '' ? undefined : value), right: (value) => value ?? '' },
  keepsShape: true,
};

const noPlace = 'has no place in Machine API: remove it, or keep the machine in Cluster API';

/** RHCOS takes fixed addresses at its first boot from what Machine API writes to the configuration of the VM. */
const kernelArguments: MachineRule = {
  claims: { left: [], right: [] },
  acts: (from, to) => from === 'left' && to === 'right',
  convert: (scope) => {
    if (scope.run.from !== 'left' || scope.run.to !== 'right') return;
    const name = isFilled(scope.source['addressesFromPools']) ? 'addressesFromPools' : 'ipAddrs';
    if (!isFilled(scope.source[name])) return;
    new Field(scope, [name], []).warn(
      'needs guestinfo.afterburn.initrd.network-kargs, which Machine API sets and Cluster API does not: set it in the template',
    );
  },
};

const device: readonly MachineRule[] = [
  same('networkName', networkName),
  gateway,
  same('ipAddrs', addresses),
  same('nameservers', texts),
  kernelArguments,
  listOf('addressesFromPools', 'addressesFromPools', pool),
  dhcp,
  ...[
    'deviceName',
    'dhcp4Overrides',
    'dhcp6',
    'dhcp6Overrides',
    'macAddr',
    'mtu',
    'routes',
    'searchDomains',
    'skipIPAllocation',
  ].map((name) => refused('right', name, noPlace)),
];

/** The rules of the network. */
export const network: MachineRule = nested('network', 'network', [
  listOf('devices', 'devices', device),
  always<MachineContext>('right', 'devices', () => []),
  refused('right', 'routes', noPlace),
  refused('right', 'preferredAPIServerCidr', noPlace),
]);
