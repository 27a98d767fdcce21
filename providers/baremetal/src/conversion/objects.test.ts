import { providerMap } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { checkMalformed } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { conversionExamples } from '../testing/conversion-examples.js';
import { full, fullMetal3, hostId, installed, machineOf, type } from '../testing/conversion-machines.js';
import { conversion } from './index.js';

const { context } = conversionExamples;
const map = providerMap(conversion);
const rightOf = (infrastructure: JsonObject, machine: JsonObject = {}): JsonObject => ({
  machine: { spec: { bootstrap: { dataSecretName: 'infra-user-data' }, ...machine } },
  infrastructure: { spec: infrastructure },
});

const messages = (issues: readonly { readonly path: string; readonly message: string }[]): string[] =>
  issues.map(({ path, message }) => `${path}: ${message}`);

describe('a worker as it is installed', () => {
  const right = {
    machine: { spec: { providerID: hostId, bootstrap: { dataSecretName: 'worker-user-data-managed' } } },
    infrastructure: { spec: { providerID: hostId, customDeploy: { method: 'install_coreos' } } },
  };

  it('has no image that is none', () => {
    expect(map.forward(machineOf(installed, hostId), context)).toEqual({ value: right, errors: [], warnings: [] });
  });

  it('comes back without the empty records', () => {
    const { metadata: _metadata, hostSelector: _selector, image: _image, ...rest } = installed;
    expect(map.backward(right, context)).toEqual({ value: machineOf(rest, hostId), errors: [], warnings: [] });
  });
});

describe('a machine with every field set', () => {
  it('is the same on both sides', () => {
    expect(map.forward(machineOf(full), context)).toEqual({ value: rightOf(fullMetal3), errors: [], warnings: [] });
    const { value, errors } = map.backward(rightOf(fullMetal3), context);
    const [disk, broken] = full.hostSelector.matchExpressions;
    const { values: _none, ...withoutValues } = broken as JsonObject;
    const selector = { ...full.hostSelector, matchExpressions: [disk, withoutValues] };
    expect(errors).toEqual([]);
    expect(value).toEqual(machineOf({ ...full, hostSelector: selector }));
  });
});

describe('what Cluster API has no place for', () => {
  const long = 'x'.repeat(513);
  const value = 'spec.providerSpec.value';
  it.each<[JsonObject, string]>([
    [{ metadata: { name: 'x' } }, 'metadata: has no place in Cluster API, and nothing reads it: remove it'],
    [
      { userData: { name: 'x', namespace: 'default' } },
      'userData.namespace: is "default": only secrets in "openshift-machine-api" can be kept, as Cluster API reads them where its machines are',
    ],
    [
      { image: { url: 'http://a/b' } },
      'image.checksum: is needed: Machine API leaves out an image that has not both a URL and a checksum',
    ],
    [
      { image: { checksum: 'abc', url: '' } },
      'image.url: is needed: Machine API leaves out an image that has not both a URL and a checksum',
    ],
    [{ image: { url: 'rhcos', checksum: 'abc' } }, 'image.url: is "rhcos": must be a URL'],
    [{ customDeploy: { method: long } }, 'customDeploy.method: must have at most 512 characters'],
    [{ hostSelector: { matchExpressions: [{ operator: 'In' }] } }, 'hostSelector.matchExpressions[0].key: is needed'],
    [{ hostSelector: { matchExpressions: [{ key: 'a' }] } }, 'hostSelector.matchExpressions[0].operator: is needed'],
    [
      { hostSelector: { matchExpressions: [{ key: 'a', operator: 'In', values: ['x', ''] }] } },
      'hostSelector.matchExpressions[0].values: has an item that cannot be kept: an empty string has no meaning',
    ],
    [
      {
        hostSelector: {
          matchExpressions: [
            { key: 'a', operator: 'Exists' },
            { key: 'a', operator: 'NotIn', values: ['x'] },
          ],
        },
      },
      'hostSelector.matchExpressions[1].key: Duplicate value: "a": Cluster API keeps the list by its key',
    ],
  ])('is an error: %j', (more, expected) => {
    expect(messages(map.forward(machineOf({ ...type, ...more }), context).errors)).toEqual([`${value}.${expected}`]);
  });

  it('is an ID that names no host', () => {
    const { errors } = map.forward(machineOf(installed, 'metal3://ns/worker-0/m'), context);
    expect(messages(errors)).toEqual([
      'spec.providerID: is "metal3://ns/worker-0/m": Machine API finds hosts by baremetalhost:///<namespace>/<name>/<uid>',
    ]);
  });

  it('is a machine without anything to run', () => {
    const about = { isControlPlane: false, context };
    expect(conversion.check?.(type, about)).toEqual([
      { path: 'image', message: 'is needed where there is no customDeploy: nothing sets what a host runs' },
    ]);
    expect(conversion.check?.(installed, about)).toEqual([]);
    expect(conversion.check?.({ ...type, image: full.image }, about)).toEqual([]);
  });
});

describe('what Machine API has no place for', () => {
  const host = 'leave it out, and set it on the BareMetalHost';
  it.each<[JsonObject, string]>([
    [{ automatedCleaningMode: 'disabled' }, `automatedCleaningMode: is not known of machines in Machine API: ${host}`],
    [{ dataTemplate: { name: 'x' } }, 'dataTemplate: is not known in Machine API: leave it out'],
    [{ metaData: { name: 'x' } }, 'metaData: is not known in Machine API: leave it out'],
    [{ networkData: { name: 'x' } }, `networkData: is not known of machines in Machine API: ${host}`],
    [{ failureDomain: 'r1' }, 'failureDomain: is not known on bare metal in Machine API: choose hosts by hostSelector'],
    [
      { image: { ...full.image, checksumType: 'sha256' } },
      'image.checksumType: is not known in Machine API: leave it out, and have the host find the type',
    ],
    [
      { image: { ...full.image, diskFormat: 'raw' } },
      'image.diskFormat: is not known in Machine API, which takes disk images as they are: leave it out',
    ],
    [
      { image: { url: 'oci://quay.io/os' } },
      'image.checksum: is needed: Machine API leaves out an image that has not both a URL and a checksum',
    ],
    [{ providerID: hostId }, `providerID: is "${hostId}", which belongs to no provider ID: the machine has none`],
  ])('is an error: %j', (infrastructure, expected) => {
    expect(messages(map.backward(rightOf(infrastructure), context).errors)).toEqual([
      `infrastructure.spec.${expected}`,
    ]);
  });

  it('is a failure domain of the machine', () => {
    expect(messages(map.backward(rightOf({}, { failureDomain: 'r1' }), context).errors)).toEqual([
      'machine.spec.failureDomain: is not known on bare metal in Machine API: choose hosts by hostSelector',
    ]);
  });

  it('is an ID that Metal3 gave to a node', () => {
    const right = rightOf({}, { providerID: 'metal3://ns/worker-0/m' });
    expect(messages(map.backward(right, context).errors)).toEqual([
      'machine.spec.providerID: is "metal3://ns/worker-0/m": Machine API finds hosts by baremetalhost:///<namespace>/<name>/<uid>, and the ID of a node cannot change: replace the machine',
    ]);
  });

  it('is user data of its own, which counts only where the machine has none', () => {
    const own = { userData: { name: 'own' } };
    expect(messages(map.backward(rightOf(own), context).warnings)).toEqual([
      'infrastructure.spec.userData: is not used, as the machine has bootstrap.dataSecretName',
    ]);
    expect(messages(map.backward(rightOf(own, { bootstrap: {} }), context).errors)).toEqual([
      'infrastructure.spec.userData: must be bootstrap.dataSecretName of the machine: name the secret there',
    ]);
  });
});

describe('objects with values of other types', () => {
  const right = rightOf({ ...fullMetal3, userData: { name: 'x', namespace: 'y' }, providerID: hostId });
  it.each<['left' | 'right', JsonObject]>([
    ['left', machineOf({ ...full, metadata: { name: 'x' } }, hostId)],
    ['left', machineOf(full, hostId)],
    ['right', right],
    ['right', rightOf(fullMetal3, { providerID: hostId })],
  ])('give errors or come back, from the %s', (side, object) => {
    expect(() => checkMalformed(conversion, side, object, context)).not.toThrow();
  });

  it.each<[JsonObject, string]>([
    [{ image: 'x' }, 'image: must be an object'],
    [{ image: { url: 7, checksum: 'a' } }, 'image.url: must be a string'],
    [{ userData: 'x' }, 'userData: must be an object'],
    [{ customDeploy: ['x'] }, 'customDeploy: must be an object'],
    [{ hostSelector: { matchLabels: 'x' } }, 'hostSelector.matchLabels: must be an object with a text for each key'],
    [{ hostSelector: { matchExpressions: {} } }, 'hostSelector.matchExpressions: must be a list'],
    [{ hostSelector: { matchExpressions: [7] } }, 'hostSelector.matchExpressions[0]: must be an object'],
  ])('give errors with their path: %j', (more, expected) => {
    const { errors } = map.forward(machineOf({ ...type, ...more }), context);
    expect(messages(errors)).toEqual([`spec.providerSpec.value.${expected}`]);
  });
});
