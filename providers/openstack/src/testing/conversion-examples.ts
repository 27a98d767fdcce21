import { absent, MapEntry } from '@capstan/convert';
import type { Choices, LeafMaker, PartChooser, Side } from '@capstan/convert';
import { providerFields } from '@capstan/convert/machine-api';
import type { ConversionExamples } from '@capstan/provider/testing';
import { conversion } from '../conversion/index.js';

const words = ['a', 'worker-1', 'Ready', 'x/y', 'ünï', '0', 'v1.33.1', '__proto__'];
const addresses = ['192.0.2.5', '192.0.2.7'];
const spec = 'spec.providerSpec.value.';

const word = (choices: Choices): string => words[choices.below(words.length)] as string;
const id = (choices: Choices): string => `7f3e0c1a-3c27-4c0d-9a53-0d3b1f3a4c${10 + choices.below(20)}`;
const isOften = (choices: Choices): boolean => choices.below(4) > 0;

/** Texts, of which only those with something in them come back as they are. */
const textLeaves = (side: Side): ReadonlySet<string> =>
  new Set(
    providerFields(conversion)
      [side].filter((line) => line.endsWith(' string'))
      .map((line) => line.slice(0, line.lastIndexOf(' '))),
  );
const texts = { left: textLeaves('left'), right: textLeaves('right') };

function profileEntry(choices: Choices): MapEntry {
  const capability = ['[switchdev]', '["switchdev"]', 'switchdev'][choices.below(3)];
  if (choices.below(2) === 0) return new MapEntry('capabilities', capability);
  return new MapEntry('trusted', ['true', 'false'][choices.below(2)]);
}

type Makers = Readonly<Record<string, (choices: Choices) => unknown>>;

/** The object that is being made, as far as one field has to know of another. */
const now = {
  hasUuid: false,
  isVolume: false,
  zone: 'Name' as string | symbol,
  providerId: '',
  trunk: false,
  isBehind: false,
  kind: 'port' as 'id' | 'filter' | 'subnet' | 'port',
  hasFilter: false,
  pair: 0,
};

const volumeType = (choices: Choices): string => {
  now.isVolume = isOften(choices);
  return now.isVolume ? 'Volume' : 'Local';
};
const ownUuid = (choices: Choices): unknown => {
  now.hasUuid = choices.below(2) === 0;
  return now.hasUuid ? id(choices) : absent;
};
const seldomId = (choices: Choices): unknown => (choices.below(6) === 0 ? id(choices) : absent);
const ipVersion = (choices: Choices): unknown => [4, 6, absent][choices.below(3)];
const tagText = (choices: Choices): string => ['a,b', 'b', 'c,,c'][choices.below(3)] as string;

const leftMakers: Makers = {
  'cloudsSecret.name': () => 'openstack-cloud-credentials',
  'cloudsSecret.namespace': (choices) => ['openshift-machine-api', ''][choices.below(2)],
  'userDataSecret.namespace': (choices) => ['openshift-machine-api', ''][choices.below(2)],
  cloudName: () => 'openstack',
  flavor: word,
  image: () => 'rhcos',
  'rootVolume.sourceUUID': (choices) => (choices.below(2) === 0 ? 'rhcos' : absent),
  'rootVolume.diskSize': (choices) => 1 + choices.below(100),
  'additionalBlockDevices[].name': (choices) => `disk-${choices.below(60)}`,
  'additionalBlockDevices[].sizeGiB': (choices) => 1 + choices.below(100),
  'additionalBlockDevices[].storage.type': volumeType,
  serverGroupID: (choices) => (choices.below(2) === 0 ? id(choices) : absent),
  'networks[].uuid': ownUuid,
  'networks[].filter.id': seldomId,
  'networks[].profile{}': profileEntry,
  'networks[].subnets[].uuid': ownUuid,
  'networks[].subnets[].filter.id': seldomId,
  'networks[].subnets[].filter.name': (choices) => (now.hasUuid && !isOften(choices) ? absent : word(choices)),
  'networks[].subnets[].filter.ipVersion': ipVersion,
  'ports[].networkID': id,
  'ports[].profile{}': profileEntry,
  'ports[].fixedIPs[].subnetID': id,
  'ports[].securityGroups[]': id,
  'ports[].allowedAddressPairs[].ipAddress': (choices) => `10.0.0.${choices.below(200)}`,
  'securityGroups[].uuid': ownUuid,
  'securityGroups[].name': (choices) => (now.hasUuid && isOften(choices) ? absent : word(choices)),
  'securityGroups[].filter.id': seldomId,
};

const left: LeafMaker = (path, choices) => {
  if (path === 'spec.providerID') return isOften(choices) ? `openstack:///${id(choices)}` : absent;
  const name = path.slice(spec.length);
  const make = leftMakers[name];
  if (make !== undefined) return make(choices);
  if (/\.(?:tags|tagsAny|notTags|notTagsAny)$/.test(name)) return isOften(choices) ? tagText(choices) : absent;
  if (!texts.left.has(path)) return undefined;
  return isOften(choices) || path.endsWith('[]') || path.endsWith('{}') ? word(choices) : absent;
};

const leftParts: PartChooser = (path) => {
  const name = path.slice(spec.length);
  if (name === 'cloudsSecret' || name === 'additionalBlockDevices[].storage') return true;
  if (name === 'networks[].subnets[].filter' && !now.hasUuid) return true;
  return name === 'additionalBlockDevices[].storage.volume' && !now.isVolume ? false : undefined;
};

const kinds = ['id', 'filter', 'subnet', 'port', 'filter', 'id'] as const;

/** The first field of a port: what the others may be hangs on what it is to be in Machine API. */
const beginPort = (choices: Choices): unknown => {
  now.kind = now.isBehind ? 'port' : (kinds[choices.below(kinds.length)] as typeof now.kind);
  now.isBehind ||= now.kind === 'port';
  now.pair = 0;
  return now.kind === 'port' ? undefined : absent;
};
const ofPort = (choices: Choices): unknown => (now.kind === 'port' && isOften(choices) ? word(choices) : absent);
const zoneFrom = (choices: Choices): unknown => {
  now.zone = ['Name', 'Machine', absent][choices.below(3)] as string | symbol;
  return now.zone;
};
const zoneName = (choices: Choices): unknown => (now.zone === 'Machine' ? absent : word(choices));
const idWithoutFilter = (choices: Choices): unknown => (now.hasFilter ? absent : id(choices));

const rightMakers: Makers = {
  'identityRef.type': () => 'Secret',
  'identityRef.name': word,
  'identityRef.cloudName': word,
  flavor: word,
  'image.filter.name': word,
  'rootVolume.sizeGiB': (choices) => 1 + choices.below(100),
  'rootVolume.availabilityZone.from': zoneFrom,
  'rootVolume.availabilityZone.name': zoneName,
  'additionalBlockDevices[].name': (choices) => `disk-${choices.below(60)}`,
  'additionalBlockDevices[].sizeGiB': (choices) => 1 + choices.below(100),
  'additionalBlockDevices[].storage.type': volumeType,
  'additionalBlockDevices[].storage.volume.availabilityZone.from': zoneFrom,
  'additionalBlockDevices[].storage.volume.availabilityZone.name': zoneName,
  'serverGroup.filter.name': word,
  'serverGroup.id': idWithoutFilter,
  'serverMetadata[].key': (choices) => `key-${choices.below(90)}`,
  'serverMetadata[].value': word,
  'securityGroups[].filter.name': word,
  'securityGroups[].id': idWithoutFilter,
  trunk: () => now.trunk,
  'ports[].adminStateUp': beginPort,
  'ports[].allowedAddressPairs[].ipAddress': (choices) =>
    now.kind === 'port' ? `10.0.0.${choices.below(200)}` : (addresses[now.pair++] ?? '10.0.0.1'),
  'ports[].allowedAddressPairs[].macAddress': ofPort,
  'ports[].description': ofPort,
  'ports[].macAddress': ofPort,
  'ports[].nameSuffix': ofPort,
  'ports[].fixedIPs[].ipAddress': ofPort,
  'ports[].fixedIPs[].subnet.filter.name': word,
  'ports[].fixedIPs[].subnet.filter.ipVersion': ipVersion,
  'ports[].fixedIPs[].subnet.id': idWithoutFilter,
  'ports[].network.filter.name': word,
  'ports[].network.id': idWithoutFilter,
  'ports[].securityGroups[].id': id,
  'ports[].trunk': (choices) => (now.kind === 'port' ? [absent, true, false][choices.below(3)] : now.trunk),
};

const right: LeafMaker = (path, choices) => {
  if (path === 'machine.spec.providerID') {
    now.trunk = choices.below(2) === 0;
    now.isBehind = false;
    now.providerId = `openstack:///${id(choices)}`;
    return now.providerId;
  }
  if (path === 'infrastructure.spec.providerID') return isOften(choices) ? now.providerId : absent;
  const name = path.slice('infrastructure.spec.'.length);
  const make = rightMakers[name];
  if (make !== undefined) return make(choices);
  if (!texts.right.has(path)) return undefined;
  return isOften(choices) || path.endsWith('[]') ? word(choices) : absent;
};

/** Of an ID and a filter one alone is there. */
const filterIf = (hasFilter: boolean): boolean => {
  now.hasFilter = hasFilter;
  return hasFilter;
};
const eitherFilter = (choices: Choices): boolean => filterIf(choices.below(2) === 0);

const rightPartsOf: Readonly<Record<string, (choices: Choices) => boolean | undefined>> = {
  image: () => true,
  'image.filter': () => true,
  'additionalBlockDevices[].storage': () => true,
  'additionalBlockDevices[].storage.volume': () => (now.isVolume ? undefined : false),
  'additionalBlockDevices[].storage.volume.availabilityZone': (choices) => (isOften(choices) ? true : undefined),
  'rootVolume.availabilityZone': (choices) => (isOften(choices) ? true : undefined),
  'serverGroup.filter': eitherFilter,
  'securityGroups[].filter': eitherFilter,
  'ports[].allowedAddressPairs': (choices) => (now.kind !== 'port' && choices.below(8) > 0 ? false : undefined),
  'ports[].fixedIPs': () => (now.kind === 'subnet' ? true : undefined),
  'ports[].fixedIPs[].subnet': () => true,
  'ports[].fixedIPs[].subnet.filter': (choices) => (now.kind === 'port' ? filterIf(false) : eitherFilter(choices)),
  'ports[].network': () => now.kind !== 'subnet',
  'ports[].network.filter': () => filterIf(now.kind === 'filter'),
  'ports[].securityGroups': () => (now.kind === 'port' ? undefined : false),
};

const rightParts: PartChooser = (path, choices) => rightPartsOf[path.slice('infrastructure.spec.'.length)]?.(choices);

/** What the conversion is tried with. */
export const conversionExamples: ConversionExamples = {
  context: {
    clusterName: 'shift-q9x4m',
    namespaces: { machineApi: 'openshift-machine-api', clusterApi: 'openshift-cluster-api' },
    infrastructureCluster: {
      spec: { identityRef: { type: 'Secret', name: 'openstack-cloud-credentials', cloudName: 'openstack' } },
    },
    infrastructure: {
      status: {
        platform: 'OpenStack',
        platformStatus: {
          type: 'OpenStack',
          openstack: { apiServerInternalIPs: [addresses[0]], ingressIPs: [addresses[1]] },
        },
      },
    },
  },
  makers: { left, right },
  parts: { left: leftParts, right: rightParts },
};
