import { MachineConverter, providerMap } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { conversionContext } from '../testing/conversion-examples.js';
import { conversionMachines } from '../testing/conversion-machines.js';
import { conversion } from './index.js';

const map = providerMap(conversion);
const singleStack = {
  ...conversionContext,
  infrastructure: { status: { platformStatus: { type: 'AWS', aws: { region: 'eu-north-1' } } } },
};
const { left, right } = conversionMachines.worker;
const worker = (left['spec'] as { providerSpec: { value: JsonObject } }).providerSpec.value;
const awsMachine = (right['infrastructure'] as { spec: JsonObject }).spec;

describe('a worker as the installer writes it', () => {
  it('is an AWSMachine with the same fields', () => {
    expect(map.forward(left, singleStack)).toEqual({ value: right, errors: [], warnings: [] });
  });

  it('comes back without empty fields, and with the authentication that is in force', () => {
    const { capacityReservationId: _none, metadata: _metadata, ...rest } = worker;
    const expected = {
      ...rest,
      blockDevices: [{ ebs: { encrypted: true, volumeSize: 120, volumeType: 'gp3' } }],
      metadataServiceOptions: { authentication: 'Optional' },
    };
    const { errors, value, warnings } = map.backward(right, singleStack);
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expect(value).toEqual({
      spec: { providerID: 'aws:///eu-north-1a/i-0f00ba4', providerSpec: { value: expected } },
    });
  });

  it('of the older API group is written in the newer one', () => {
    const old = { ...worker, apiVersion: 'awsproviderconfig.openshift.io/v1beta1' };
    const { value } = map.forward({ spec: { providerSpec: { value: old } } }, singleStack);
    const back = map.backward(value, singleStack).value as { spec: { providerSpec: { value: JsonObject } } };
    expect(back.spec.providerSpec.value['apiVersion']).toBe('machine.openshift.io/v1beta1');
  });

  it('has names and addresses of both families in a cluster that has them', () => {
    const { value } = map.forward(left, conversionContext);
    expect(value['infrastructure']).toEqual({
      spec: {
        ...awsMachine,
        assignPrimaryIPv6: 'enabled',
        privateDnsName: {
          enableResourceNameDnsAAAARecord: true,
          enableResourceNameDnsARecord: true,
          hostnameType: 'resource-name',
        },
      },
    });
  });
});

/** As one whole set of them, with all that core adds. */
describe('a set of workers', () => {
  const set = {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineSet',
    metadata: { name: 'workers', namespace: 'openshift-machine-api' },
    spec: {
      replicas: 2,
      selector: { matchLabels: { 'machine.openshift.io/cluster-api-machineset': 'workers' } },
      template: {
        metadata: { labels: { 'machine.openshift.io/cluster-api-machineset': 'workers' } },
        spec: { providerSpec: { value: worker } },
      },
    },
  };

  it('has a template without an instance', () => {
    const converter = new MachineConverter(conversion);
    const { errors, objects } = converter.toClusterApi(set, singleStack);
    expect(errors).toEqual([]);
    const [template] = objects;
    const { instanceID: _instance, providerID: _id, ...spec } = awsMachine;
    expect(template).toMatchObject({ kind: 'AWSMachineTemplate', spec: { template: { spec } } });
    expect(JSON.stringify(template)).not.toContain('instanceID');
  });
});
