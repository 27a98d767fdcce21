import { providerMap } from '@capstan/convert/machine-api';
import type { MachineContext } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { conversionExamples } from '../testing/conversion-examples.js';
import { conversion } from './index.js';

/* What other converters lose or get wrong, one by one. */

const { context } = conversionExamples;
const map = providerMap(conversion);
const ID = '7f3e0c1a-3c27-4c0d-9a53-0d3b1f3a4c10';
const OTHER = '0b9de3a1-6a0e-4a55-8f6e-0a41a2f8a111';
const vips = [{ ipAddress: '192.0.2.5' }, { ipAddress: '192.0.2.7' }];
const least = {
  apiVersion: 'machine.openshift.io/v1alpha1',
  kind: 'OpenstackProviderSpec',
  cloudName: 'openstack',
  cloudsSecret: { name: 'openstack-cloud-credentials', namespace: 'openshift-machine-api' },
  flavor: 'm1.xlarge',
  image: 'rhcos',
};

const infrastructureOf = (more: JsonObject, around: MachineContext = context): JsonObject => {
  const { value, errors } = map.forward({ spec: { providerSpec: { value: { ...least, ...more } } } }, around);
  expect(errors).toEqual([]);
  return (value['infrastructure'] as JsonObject)['spec'] as JsonObject;
};
const providerSpecOf = (infrastructure: JsonObject, machine: JsonObject = {}, around = context): JsonObject => {
  const source = { machine: { spec: machine }, infrastructure: { spec: infrastructure } };
  const { value, errors } = map.backward(source, around);
  expect(errors).toEqual([]);
  return ((value['spec'] as JsonObject)['providerSpec'] as JsonObject)['value'] as JsonObject;
};
const roundTrip = (more: JsonObject): JsonObject => providerSpecOf(infrastructureOf(more));

describe('ports', () => {
  it('keep the subnets of their addresses', () => {
    const ports = [{ networkID: ID, fixedIPs: [{ subnetID: OTHER, ipAddress: '10.0.0.5' }] }];
    expect(infrastructureOf({ ports })['ports']).toEqual([
      { network: { id: ID }, fixedIPs: [{ subnet: { id: OTHER }, ipAddress: '10.0.0.5' }] },
    ]);
    expect(roundTrip({ ports })['ports']).toEqual(ports);
  });

  it('keep the one security group they have', () => {
    const ports = [{ networkID: ID, securityGroups: [OTHER] }];
    expect(roundTrip({ ports })['ports']).toEqual(ports);
  });

  it('have no name and no description that are empty: all ports of a server would be one', () => {
    const [port] = infrastructureOf({ ports: [{ networkID: ID }] })['ports'] as JsonObject[];
    expect(port).toEqual({ network: { id: ID } });
  });

  it('distinguish port security that is on from absent', () => {
    const ports = [{ networkID: ID, portSecurity: true }, { networkID: ID, portSecurity: false }, { networkID: ID }];
    const made = infrastructureOf({ ports })['ports'] as JsonObject[];
    expect(made.map((port) => port['disablePortSecurity'])).toEqual([false, true, undefined]);
    expect(roundTrip({ ports })['ports']).toEqual(ports);
  });
});

describe('networks', () => {
  it('keep port security, profile, type of card and address pairs', () => {
    const networks = [
      {
        uuid: ID,
        noAllowedAddressPairs: true,
        portSecurity: false,
        profile: { capabilities: '[switchdev]', trusted: 'true' },
        vnicType: 'direct',
      },
    ];
    expect(infrastructureOf({ networks })['ports']).toEqual([
      {
        network: { id: ID },
        disablePortSecurity: true,
        profile: { ovsHWOffload: true, trustedVF: true },
        vnicType: 'direct',
        trunk: false,
      },
    ]);
    expect(roundTrip({ networks })['networks']).toEqual(networks);
  });

  it('by ID come back as networks, and ports as ports', () => {
    const spec = { networks: [{ uuid: ID }, { uuid: OTHER, noAllowedAddressPairs: true }], ports: [{ networkID: ID }] };
    const { networks, ports } = roundTrip(spec);
    expect({ networks, ports }).toEqual(spec);
  });

  it('come before ports, as servers have them: the first is that of the kubelet', () => {
    const spec = { ports: [{ networkID: OTHER }], networks: [{ uuid: ID, noAllowedAddressPairs: true }] };
    const made = infrastructureOf(spec)['ports'] as JsonObject[];
    expect(made.map((port) => (port['network'] as JsonObject)['id'])).toEqual([ID, OTHER]);
  });

  it('let the addresses of the cluster through by default', () => {
    const networks = [{ uuid: ID }, { uuid: OTHER, noAllowedAddressPairs: true }];
    const made = infrastructureOf({ networks })['ports'] as JsonObject[];
    expect(made.map((port) => port['allowedAddressPairs'])).toEqual([vips, undefined]);
  });

  it('let none through where users manage the load balancer', () => {
    const openstack = { apiServerInternalIPs: ['192.0.2.5'], loadBalancer: { type: 'UserManaged' } };
    const around = { ...context, infrastructure: { status: { platformStatus: { openstack } } } };
    const made = infrastructureOf({ networks: [{ uuid: ID }] }, around)['ports'] as JsonObject[];
    expect(made).toEqual([{ network: { id: ID }, trunk: false }]);
  });

  it('need the Infrastructure for that, and say so', () => {
    const { infrastructure: _, ...around } = context;
    const source = { spec: { providerSpec: { value: { ...least, networks: [{ uuid: ID }] } } } };
    expect(map.forward(source, around).errors.map(({ path, message }) => `${path}: ${message}`)).toEqual([
      'spec.providerSpec.value.networks[0]: lets the addresses of the API server and of ingress through, which the Infrastructure has, and it is not given',
    ]);
  });

  it('that are not named are a port for each subnet, with its tags and no others', () => {
    const networks = [
      {
        portTags: ['n'],
        subnets: [
          { uuid: ID, portTags: ['a'] },
          { uuid: OTHER, portTags: ['b'] },
        ],
      },
    ];
    expect(infrastructureOf({ networks })['ports']).toEqual([
      { fixedIPs: [{ subnet: { id: ID } }], tags: ['n', 'a'], allowedAddressPairs: vips, trunk: false },
      { fixedIPs: [{ subnet: { id: OTHER } }], tags: ['n', 'b'], allowedAddressPairs: vips, trunk: false },
    ]);
    expect(roundTrip({ networks })['networks']).toEqual([
      { portTags: ['n', 'a'], subnets: [{ uuid: ID }] },
      { portTags: ['n', 'b'], subnets: [{ uuid: OTHER }] },
    ]);
  });

  it('take no port security of subnets, which Machine API ignores', () => {
    const networks = [{ subnets: [{ uuid: ID, portSecurity: false }] }];
    const [port] = infrastructureOf({ networks })['ports'] as JsonObject[];
    expect(port).not.toHaveProperty('disablePortSecurity');
  });

  it('have an ID or a filter in Cluster API, never both, nor an ID that is empty', () => {
    const networks = [
      { filter: { name: 'net' }, subnets: [{ uuid: ID, filter: { name: 'sub' } }, { filter: { name: 'x' } }] },
    ];
    const [port] = infrastructureOf({ networks })['ports'] as JsonObject[];
    expect(port?.['network']).toEqual({ filter: { name: 'net' } });
    expect(port?.['fixedIPs']).toEqual([{ subnet: { id: ID } }, { subnet: { filter: { name: 'x' } } }]);
  });
});

describe('security groups', () => {
  it('are found by the older name of their project, and by an ID in the filter', () => {
    const securityGroups = [{ filter: { name: 'a', tenantId: 'p' } }, { filter: { id: ID } }];
    expect(infrastructureOf({ securityGroups })['securityGroups']).toEqual([
      { filter: { name: 'a', projectID: 'p' } },
      { id: ID },
    ]);
    expect(roundTrip({ securityGroups })['securityGroups']).toEqual([
      { name: 'a', filter: { projectId: 'p' } },
      { uuid: ID },
    ]);
  });
});

describe('disks', () => {
  it('are made of the image that a root volume names, as the installer writes it', () => {
    const rootVolume = { diskSize: 25, sourceUUID: 'shift-rhcos', volumeType: 'ssd' };
    const made = infrastructureOf({ image: '', rootVolume });
    expect(made['image']).toEqual({ filter: { name: 'shift-rhcos' } });
    const { image, rootVolume: again } = providerSpecOf(made);
    expect({ image, rootVolume: again }).toEqual({ image: undefined, rootVolume });
  });

  it('without a zone are made in that of their server', () => {
    const more = {
      availabilityZone: 'nova',
      rootVolume: { diskSize: 1 },
      additionalBlockDevices: [{ name: 'a', sizeGiB: 1, storage: { type: 'Volume', volume: { type: 'ssd' } } }],
    };
    const made = infrastructureOf(more);
    expect(made['rootVolume']).toEqual({ sizeGiB: 1, availabilityZone: { from: 'Machine' } });
    expect(made['additionalBlockDevices']).toEqual([
      {
        name: 'a',
        sizeGiB: 1,
        storage: { type: 'Volume', volume: { type: 'ssd', availabilityZone: { from: 'Machine' } } },
      },
    ]);
    expect(providerSpecOf(made, { failureDomain: 'nova' })['additionalBlockDevices']).toEqual(
      more.additionalBlockDevices,
    );
  });
});

describe('servers', () => {
  it('have their ID on the infrastructure machine, too', () => {
    const providerID = `openstack:///${ID}`;
    const { value } = map.forward({ spec: { providerID, providerSpec: { value: least } } }, context);
    expect(value).toMatchObject({ machine: { spec: { providerID } }, infrastructure: { spec: { providerID } } });
  });

  it('of Cluster API take the way to the cloud that the infrastructure cluster has', () => {
    const { cloudName, cloudsSecret } = providerSpecOf({ flavor: 'a', image: { filter: { name: 'b' } } });
    expect({ cloudName, cloudsSecret }).toEqual({ cloudName: least.cloudName, cloudsSecret: least.cloudsSecret });
  });

  it('keep the metadata that are empty, and get them back in a map', () => {
    const serverMetadata = { b: '', a: 'x' };
    expect(infrastructureOf({ serverMetadata })['serverMetadata']).toEqual([
      { key: 'a', value: 'x' },
      { key: 'b', value: '' },
    ]);
    expect(roundTrip({ serverMetadata })['serverMetadata']).toEqual(serverMetadata);
  });
});
