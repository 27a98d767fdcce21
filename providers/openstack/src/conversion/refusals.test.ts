import { providerMap } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { conversionExamples } from '../testing/conversion-examples.js';
import { conversion } from './index.js';

const { context } = conversionExamples;
const map = providerMap(conversion);
const ID = '7f3e0c1a-3c27-4c0d-9a53-0d3b1f3a4c10';
const OTHER = '0b9de3a1-6a0e-4a55-8f6e-0a41a2f8a111';
const least = {
  apiVersion: 'machine.openshift.io/v1alpha1',
  kind: 'OpenstackProviderSpec',
  cloudName: 'openstack',
  cloudsSecret: { name: 'openstack-cloud-credentials' },
  flavor: 'm1.xlarge',
  image: 'rhcos',
};
const leastRight = { flavor: 'm1.xlarge', image: { filter: { name: 'rhcos' } } };

const messages = (issues: readonly { readonly path: string; readonly message: string }[], prefix: string): string[] =>
  issues.map(({ path, message }) => `${path.startsWith(prefix) ? path.slice(prefix.length) : path}: ${message}`);

const there = (more: JsonObject): { errors: string[]; warnings: string[] } => {
  const { errors, warnings } = map.forward({ spec: { providerSpec: { value: { ...least, ...more } } } }, context);
  const prefix = 'spec.providerSpec.value.';
  return { errors: messages(errors, prefix), warnings: messages(warnings, prefix) };
};
const back = (more: JsonObject, machine: JsonObject = {}): { errors: string[]; warnings: string[] } => {
  const source = { machine: { spec: machine }, infrastructure: { spec: { ...leastRight, ...more } } };
  const { errors, warnings } = map.backward(source, context);
  const prefix = 'infrastructure.spec.';
  return { errors: messages(errors, prefix), warnings: messages(warnings, prefix) };
};

describe('what Cluster API has no place for', () => {
  const device = (storage: JsonObject): JsonObject => ({
    additionalBlockDevices: [{ name: 'a', sizeGiB: 1, storage }],
  });
  const network = (more: JsonObject): JsonObject => ({ networks: [{ uuid: ID, ...more }] });
  const port = (more: JsonObject): JsonObject => ({ ports: [{ networkID: ID, ...more }] });

  it.each<[JsonObject, string[]]>([
    [{ metadata: { name: 'x' } }, ['metadata: has no place in Cluster API, and nothing reads it: remove it']],
    [
      { floatingIP: '203.0.113.7' },
      ['floatingIP: cannot be kept: give floating addresses to servers otherwise, and leave it out'],
    ],
    [
      { cloudsSecret: undefined },
      [
        'cloudsSecret.name: is needed: the secret with the way to the cloud',
        'cloudName: cannot be kept without cloudsSecret.name',
      ],
    ],
    [{ cloudName: '' }, ['cloudName: is needed: which of the clouds in the secret']],
    [
      { cloudsSecret: { name: 'a', namespace: 'default' } },
      [
        'cloudsSecret.namespace: is "default": only secrets in "openshift-machine-api" can be kept, as Cluster API reads them where its machines are',
      ],
    ],
    [
      { userDataSecret: { name: 'a', namespace: 'default' } },
      [
        'userDataSecret.namespace: is "default": only secrets in "openshift-machine-api" can be kept, as Cluster API reads them where its machines are',
      ],
    ],
    [{ flavor: '' }, ['flavor: is needed']],
    [{ image: '' }, ['image: is needed: the name of an image']],
    [
      { rootVolume: { diskSize: 10, sourceUUID: 'other' } },
      ['rootVolume.sourceUUID: is not the image: say one of them, which the machine has'],
    ],
    [{ rootVolume: { volumeType: 'ssd' } }, ['rootVolume.diskSize: is needed: a size in GiB']],
    [
      { rootVolume: { diskSize: 10, availabilityZone: 'a b' } },
      ['rootVolume.availabilityZone: is "a b": must be without blanks'],
    ],
    [device({}), ['additionalBlockDevices[0].storage.type: is needed: Volume or Local']],
    [
      device({ type: 'Tape' }),
      ['additionalBlockDevices[0].storage.type: Unsupported value: "Tape": supported values: "Volume", "Local"'],
    ],
    [
      device({ type: 'Local', volume: { type: 'ssd' } }),
      ['additionalBlockDevices[0].storage.volume: belongs to devices of type Volume: leave it out'],
    ],
    [
      {
        additionalBlockDevices: ['a', 'a'].map((name) => ({ name, sizeGiB: 1, storage: { type: 'Local' } })),
      },
      ['additionalBlockDevices[1].name: Duplicate value: "a": Cluster API keeps the list by its name'],
    ],
    [{ serverGroupID: 'x' }, ['serverGroupID: is "x": must be a UUID']],
    [{ serverMetadata: { a: 'x'.repeat(256) } }, ['serverMetadata[a]: must have at most 255 characters']],
    [
      { serverMetadata: { ['x'.repeat(256)]: 'a' } },
      [`serverMetadata[${'x'.repeat(256)}]: has a key of more than 255 characters`],
    ],
    [{ securityGroups: [{}] }, ['securityGroups[0]: names no security group']],
    [
      { securityGroups: [{ uuid: 'x' }] },
      ['securityGroups[0].uuid: is "x": must be a UUID', 'securityGroups[0]: names no security group'],
    ],
    [network({ subnets: [{ filter: {} }] }), ['networks[0].subnets[0]: names no subnet']],
    [
      network({ profile: { color: 'red' } }),
      ['networks[0].profile[color]: cannot be kept: only capabilities and trusted have a place in Cluster API'],
    ],
    [
      network({ profile: { capabilities: 'none' } }),
      ['networks[0].profile[capabilities]: is "none": only switchdev can be kept'],
    ],
    [port({ profile: { trusted: 'yes' } }), ['ports[0].profile[trusted]: is "yes": must be "true" or "false"']],
    [port({ networkID: '' }), ['ports[0].networkID: is needed']],
    [port({ fixedIPs: [{ ipAddress: '10.0.0.1' }] }), ['ports[0].fixedIPs[0].subnetID: is needed']],
    [port({ allowedAddressPairs: [{}] }), ['ports[0].allowedAddressPairs[0].ipAddress: is needed']],
    [port({ securityGroups: ['x'] }), ['ports[0].securityGroups[0]: is "x": must be a UUID']],
    [
      { networks: [{ filter: { limit: 3 }, subnets: [{ uuid: ID }] }] },
      ['networks[0].filter: has nothing by which a network is found: leave it out'],
    ],
  ])('is an error: %j', (more, expected) => {
    expect(there(more).errors).toEqual(expected);
  });

  it('is an ID of a server that Machine API could not find', () => {
    const source = { spec: { providerID: `openstack://RegionOne/${ID}`, providerSpec: { value: least } } };
    expect(messages(map.forward(source, context).errors, '')).toEqual([
      `spec.providerID: is "openstack://RegionOne/${ID}": Machine API finds servers by openstack:///<id>`,
    ]);
  });

  it.each<[JsonObject, string[]]>([
    // The installer writes it where a cluster has a subnet of its own.
    [{ primarySubnet: ID }, ['primarySubnet: is ignored by Machine API, and left out']],
    [{ sshUserName: 'core' }, ['sshUserName: is ignored by Machine API, and left out']],
    [
      network({ fixedIp: '10.0.0.1', filter: { status: 'ACTIVE', name: 'net' } }),
      [
        'networks[0].filter.status: is not used, as the ID is given',
        'networks[0].filter.name: is not used, as the ID is given',
        'networks[0].fixedIp: is ignored by Machine API, and left out',
      ],
    ],
    [
      network({ subnets: [{ filter: { cidr: '10.0.0.0/8', networkId: ID }, portSecurity: false }] }),
      [
        'networks[0].subnets[0].filter.networkId: is ignored by Machine API, and left out',
        'networks[0].subnets[0].portSecurity: is ignored by Machine API, and left out',
      ],
    ],
    [network({ filter: { id: OTHER } }), ['networks[0].filter.id: is not used, as uuid is set']],
    [{ networks: [{ vnicType: 'direct' }] }, ['networks[0]: names neither a network nor a subnet, and is left out']],
    [
      port({ tenantID: 'a', projectID: 'b', hostID: 'c' }),
      ['tenantID', 'projectID', 'hostID'].map((name) => `ports[0].${name}: is ignored by Machine API, and left out`),
    ],
    [
      port({ profile: { capabilities: '["switchdev", "other"]' } }),
      ['ports[0].profile[capabilities]: has more than switchdev, which alone is kept, and used'],
    ],
    [
      { rootVolume: { diskSize: 1, sourceType: 'image', deviceType: 'disk' } },
      [
        'rootVolume.sourceType: is ignored by Machine API, and left out',
        'rootVolume.deviceType: is ignored by Machine API, and left out',
      ],
    ],
    [{ serverGroupID: ID, serverGroupName: 'a' }, ['serverGroupName: is not used, as serverGroupID is set']],
    [
      { securityGroups: [{ name: 'a', filter: { name: 'b', tenantId: 't', projectId: 'p', limit: 1, sortKey: 'k' } }] },
      [
        'securityGroups[0].filter.name: is not used, as name is set',
        'securityGroups[0].filter.tenantId: is not used, as projectId is set',
        'securityGroups[0].filter.limit: is ignored by Machine API, and left out',
        'securityGroups[0].filter.sortKey: is ignored by Machine API, and left out',
      ],
    ],
  ])('is a warning where it is not used: %j', (more, expected) => {
    expect(there(more)).toEqual({ errors: [], warnings: expected });
  });
});

describe('what Machine API has no place for', () => {
  const port = (more: JsonObject): JsonObject => ({ ports: [{ network: { id: ID }, ...more }] });
  const byFilter = (more: JsonObject): JsonObject => ({ ports: [{ network: { filter: { name: 'net' } }, ...more }] });
  const onlyById =
    'can be set in Machine API only for ports that name networks and subnets by ID, and not together with network';
  const unknown = 'is not known in Machine API: leave it out';
  const images = 'is not known in Machine API, which finds images by their names: use filter.name';

  it.each<[JsonObject, string[]]>([
    [
      { flavor: undefined, flavorID: ID },
      ['flavorID: is not known in Machine API, which finds flavors by their names: use flavor'],
    ],
    [{ image: { id: ID } }, [`image.id: ${images}`]],
    [{ image: { imageRef: { name: 'a' } } }, [`image.imageRef: ${images}`]],
    [{ image: {} }, ['image.filter.name: is needed: Machine API finds images by their names']],
    [{ image: { filter: { name: 'a', tags: ['b'] } } }, [`image.filter.tags: ${images}`]],
    [{ serverGroup: { filter: {} } }, ['serverGroup: names no server group: give its ID or its name']],
    [
      { serverGroup: { id: ID, filter: { name: 'a' } } },
      ['serverGroup.filter.name: cannot be set together with an ID: leave one of the two out'],
    ],
    [{ floatingIPPoolRef: { kind: 'a', name: 'b' } }, [`floatingIPPoolRef: ${unknown}`]],
    [
      { schedulerHintAdditionalProperties: [{ name: 'a', value: { type: 'Bool', bool: true } }] },
      [`schedulerHintAdditionalProperties: ${unknown}`],
    ],
    [
      { identityRef: { type: 'ClusterIdentity', name: 'a', cloudName: 'b' } },
      ['identityRef.type: must be "Secret": Machine API knows no other identities'],
    ],
    [
      { identityRef: { type: 'Secret', name: 'a', cloudName: 'b', region: 'c' } },
      ['identityRef.region: is not known in Machine API, which reads it in the secret: leave it out'],
    ],
    [
      {
        additionalBlockDevices: [
          { name: 'a', sizeGiB: 1, storage: { type: 'Volume', volume: { availabilityZone: {} } } },
        ],
      },
      ['additionalBlockDevices[0].storage.volume.availabilityZone: must have a name where it is from: Name'],
    ],
    [{ securityGroups: [{ filter: {} }] }, ['securityGroups[0]: names no security group']],
    [
      { securityGroups: [{ id: ID, filter: { name: 'a' } }] },
      ['securityGroups[0].filter: cannot be set together with an ID: leave one of the two out'],
    ],
    [port({ hostID: 'a' }), [`ports[0].hostID: ${unknown}`]],
    [port({ propagateUplinkStatus: true }), [`ports[0].propagateUplinkStatus: ${unknown}`]],
    [port({ valueSpecs: [{ key: 'a', name: 'b', value: 'c' }] }), [`ports[0].valueSpecs: ${unknown}`]],
    [byFilter({ hostID: 'a' }), [`ports[0].hostID: ${unknown}`]],
    [
      port({ nameSuffix: '' }),
      ['ports[0].nameSuffix: is empty, which Machine API cannot distinguish from absent: leave it out'],
    ],
    [
      port({ securityGroups: [{ filter: { name: 'a' } }] }),
      ['ports[0].securityGroups[0].filter: is not known of ports in Machine API: name the group by its ID'],
    ],
    [
      port({ macAddress: 'fa:16:3e:00:00:01', fixedIPs: [{ ipAddress: '10.0.0.1' }] }),
      ['ports[0].fixedIPs[0].subnet.id: is needed'],
    ],
    [byFilter({ nameSuffix: 'a' }), [`ports[0].nameSuffix: ${onlyById}`]],
    [
      byFilter({ fixedIPs: [{ ipAddress: '10.0.0.1' }] }),
      [`ports[0].fixedIPs[0].ipAddress: ${onlyById}`, 'ports[0].fixedIPs[0].subnet: names no subnet'],
    ],
    [byFilter({ securityGroups: [{ id: ID }] }), [`ports[0].securityGroups: ${onlyById}`]],
    [byFilter({ allowedAddressPairs: [{ ipAddress: '10.0.0.1' }] }), [`ports[0].allowedAddressPairs: ${onlyById}`]],
    [byFilter({ trunk: true }), [`ports[0].trunk: ${onlyById}`]],
    [{ ports: [{}] }, ['ports[0]: names no network: Machine API knows no network of the cluster, so name it']],
    [
      { ports: [{ fixedIPs: [{ subnet: { id: ID } }, { subnet: { id: OTHER } }] }] },
      ['ports[0].fixedIPs: has several subnets, for each of which Machine API would create a port: name their network'],
    ],
    [
      { ports: [{ network: { id: ID }, nameSuffix: 'a' }, { network: { filter: { name: 'b' } } }] },
      ['ports[1]: has network, as only networks of Machine API have, which come before all ports: move it ahead'],
    ],
  ])('is an error: %j', (more, expected) => {
    expect(back(more).errors).toEqual(expected);
  });

  it('is a volume in no zone where the server has one', () => {
    const rootVolume = { sizeGiB: 1 };
    expect(back({ rootVolume }, { failureDomain: 'nova' }).errors).toEqual([
      'rootVolume.availabilityZone: is needed: in Machine API a volume without a zone is created in that of its server; set from: Machine',
    ]);
    expect(back({ rootVolume }).errors).toEqual([]);
  });

  it('is an ID with a region', () => {
    expect(back({}, { providerID: `openstack://RegionOne/${ID}` }).errors).toEqual([
      `machine.spec.providerID: is "openstack://RegionOne/${ID}": Machine API finds servers by openstack:///<id>, and the ID of a node cannot change: replace the machine`,
    ]);
  });

  it('is an empty description, which gets to be that of all ports', () => {
    expect(back(port({ description: '' }))).toEqual({
      errors: [],
      warnings: ['ports[0].description: is empty, and comes to be what ports without a description have'],
    });
  });

  it('is an identity of the infrastructure cluster that Machine API does not know', () => {
    const spec = { identityRef: { type: 'ClusterIdentity', name: 'a', cloudName: 'b' } };
    const source = { infrastructure: { spec: leastRight } };
    expect(messages(map.backward(source, { ...context, infrastructureCluster: { spec } }).errors, '')).toEqual([
      'infrastructure.spec.identityRef.type: must be "Secret": Machine API knows no other identities, and they are set on the infrastructure cluster',
    ]);
  });

  it('is a machine without a way to the cloud, where the infrastructure cluster has none', () => {
    const source = { infrastructure: { spec: leastRight } };
    const { infrastructureCluster: _, ...unknownCluster } = context;
    expect(messages(map.backward(source, unknownCluster).errors, '')).toEqual([
      'infrastructure.spec.identityRef: is needed: neither the machine nor the infrastructure cluster has it',
    ]);
  });
});
