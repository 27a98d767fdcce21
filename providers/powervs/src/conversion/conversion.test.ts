import { isRecord } from '@capstan/convert';
import { StatusConverter, providerMap } from '@capstan/convert/machine-api';
import { cloneJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { conversionConformance, TRIAL_LIMIT_MS } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { conversionContext as context, conversionExamples as examples } from '../testing/conversion-examples.js';
import { conversionMachines } from '../testing/conversion-machines.js';
import { conversion } from './index.js';

const map = providerMap(conversion);
const { left, right } = conversionMachines.worker;
const { providerID } = left.spec;
const worker = left.spec.providerSpec.value;
const infrastructure = right.infrastructure.spec;

const forward = (fields: JsonObject) =>
  map.forward({ spec: { providerID, providerSpec: { value: { ...worker, ...fields } } } }, context);
const backward = (fields: JsonObject) =>
  map.backward(
    { machine: { spec: { providerID } }, infrastructure: { spec: { ...infrastructure, ...fields } } },
    context,
  );
const issuesOf = ({ errors }: ReturnType<typeof forward>): string[] =>
  errors.map(
    ({ message, path }) => `${path.replace(/^(?:spec\.providerSpec\.value|infrastructure\.spec)\./, '')}: ${message}`,
  );
const specOf = ({ value }: ReturnType<typeof forward>): JsonObject =>
  (value['infrastructure'] as { spec: JsonObject }).spec;
const providerSpecOf = ({ value }: ReturnType<typeof forward>): JsonObject =>
  (value['spec'] as { providerSpec: { value: JsonObject } }).providerSpec.value;

describe('machines on Power Virtual Server', () => {
  it.each(conversionConformance(conversion, examples).map(({ name, run }) => [name, run] as const))(
    '%s',
    { timeout: TRIAL_LIMIT_MS },
    (_, run) => {
      run();
    },
  );

  it('are the same machines in both APIs', () => {
    const there = forward({});
    expect(there).toEqual({
      value: right,
      errors: [],
      warnings: [],
    });
    const { metadata: _metadata, ...expected } = worker;
    expect(providerSpecOf(map.backward(there.value, context))).toEqual(expected);
  });

  it('keep what each API would give them', () => {
    const none = { memoryGiB: 0, processors: 0, processorType: '', systemType: '' };
    const usual = { systemType: 's922', processorType: 'Shared' };
    expect(specOf(forward(none))).toMatchObject({ ...usual, memoryGiB: 32, processors: '0.5' });
    expect(specOf(forward({ ...none, processorType: 'Dedicated' }))).toMatchObject({ processors: 1 });
    expect(providerSpecOf(backward(none))).toMatchObject({ ...usual, memoryGiB: 2, processors: '0.25' });
    expect(providerSpecOf(backward({ ...none, processorType: 'Dedicated' }))).toMatchObject({ processors: 1 });
  });

  it('are found by what older objects of Cluster API say', () => {
    const old = { serviceInstance: null, serviceInstanceID: 'other', image: null, imageRef: { name: 'imported' } };
    expect(providerSpecOf(backward(old))).toMatchObject({
      serviceInstance: { type: 'ID', id: 'other' },
      image: { type: 'Name', name: 'imported' },
    });
    expect(issuesOf(backward({ serviceInstanceID: 'service' }))).toEqual([]);
  });
});

describe('what Cluster API cannot say', () => {
  it.each<readonly [JsonObject, string]>([
    [
      { loadBalancers: [{ name: 'a', type: 'Application' }] },
      'loadBalancers: cannot be kept: Cluster API adds machines to the load balancers of the infrastructure cluster; remove them',
    ],
    [{ metadata: { name: 'a' } }, 'metadata: has no place in Cluster API, and nothing reads it: remove it'],
    [
      { credentialsSecret: { name: 'mine' } },
      'credentialsSecret.name: is "mine": only "powervs-credentials" can be kept, as Cluster API has credentials on the infrastructure cluster',
    ],
    [{ image: {} }, 'image: must be set: by id or by name'],
    [
      { image: { type: 'Crn', id: 'a' } },
      'image.type: Unsupported value: "Crn": supported values: "ID", "Name", "RegEx"',
    ],
    [{ network: { type: 'Name', id: 'a' } }, 'network.type: is "Name", and id is set: they must be about the same'],
    [
      { network: { type: 'ID', id: 'a', name: 'b' } },
      'network.name: cannot be set together with id: remove one of them',
    ],
    [
      { serviceInstance: { type: 'RegEx', regex: '.*' } },
      'serviceInstance.regex: cannot be kept: Machine API takes an id or a name here',
    ],
    [
      { systemType: 'e880' },
      'systemType: Unsupported value: "e880": supported values: "s922", "e980", "s1022", "e1050", "e1080", "s1122"',
    ],
    [
      { processorType: 'Own' },
      'processorType: Unsupported value: "Own": supported values: "Dedicated", "Shared", "Capped"',
    ],
    [{ processors: 'many' }, 'processors: must be a number, as it is or as a string, and is "many"'],
    [{ processors: '0.1' }, 'processors: must be 0.25 or more'],
    [{ memoryGiB: 1 }, 'memoryGiB: must be from 2 to 2147483647, and is 1'],
    [{ unknownField: 1 }, 'unknownField: is a field this conversion does not know'],
  ])('%j', (fields, message) => {
    expect(issuesOf(forward(fields))).toEqual([message]);
  });

  it('names the instance by its provider ID', () => {
    const source = { spec: { providerID: 'powervs:///a', providerSpec: { value: worker } } };
    expect(issuesOf(map.forward(source, context))).toEqual([
      'spec.providerID: is "powervs:///a": Machine API finds instances by ibmpowervs://<region>/<zone>/<service instance>/<instance>',
    ]);
  });
});

describe('what Machine API cannot say', () => {
  it.each<readonly [JsonObject, string]>([
    [{ network: {} }, 'network: must be set: by id or by name'],
    [{ image: { regex: '.*' } }, 'image.regex: cannot be kept: Machine API takes an id or a name here'],
    [{ image: { id: 'a', name: 'b' } }, 'image.name: cannot be set together with id: remove one of them'],
    [{ serviceInstanceID: 'other' }, 'serviceInstanceID: differs from serviceInstance: remove one of them'],
    [{ imageRef: { name: 'other' } }, 'imageRef.name: differs from image: remove one of them'],
    [
      { providerID: 'x' },
      `providerID: is "x", which belongs to no provider ID: the machine's leads to "${providerID}"`,
    ],
  ])('%j', (fields, message) => {
    expect(issuesOf(backward(fields))).toEqual([message]);
  });
});

describe('values of the wrong type', () => {
  const strange = ['text', 7, true, [], ['a'], [{}], {}, { a: 1 }, null];
  const places = (value: unknown, path: readonly string[] = []): (readonly string[])[] => {
    const inner = isRecord(value) || Array.isArray(value) ? Object.entries(value) : [];
    return [...(path.length === 0 ? [] : [path]), ...inner.flatMap(([name, each]) => places(each, [...path, name]))];
  };

  it.each([
    ['left', worker],
    ['right', { ...infrastructure, imageRef: { name: 'a' } }],
  ] as const)('throw nothing, wherever they are on the %s', (side, record) => {
    const convert = side === 'left' ? forward : backward;
    for (const path of places(record))
      for (const value of strange) {
        const fields = cloneJson(record) as JsonObject;
        let current = fields;
        for (const name of path.slice(0, -1)) current = current[name] as JsonObject;
        current[path.at(-1) ?? ''] = value;
        expect(Array.isArray(convert(fields).errors)).toBe(true);
      }
  });

  it.each<readonly [JsonObject, string]>([
    [{ image: 'rhcos' }, 'image: must be an object'],
    [{ image: { type: 'ID', id: 7 } }, 'image.id: must be a string'],
    [{ keyPairName: 7 }, 'keyPairName: must be a string'],
    [{ memoryGiB: '32' }, 'memoryGiB: must be a whole number'],
  ])('%j', (fields, message) => {
    expect(issuesOf(forward(fields))).toEqual([message]);
  });
});

describe('the status of an instance', () => {
  const converter = new StatusConverter(conversion);
  const lastTransitionTime = '2025-12-31T00:00:00Z';
  const conditions = [{ type: 'Ready', status: 'True', lastTransitionTime }];

  it('is converted to both APIs', () => {
    const source = {
      machine: { spec: { providerID } },
      infrastructure: { status: { ready: true, instanceID: 'instance', instanceState: 'ACTIVE', conditions } },
    };
    const { status } = converter.toMachineApi(source, context, lastTransitionTime);
    expect(status['providerStatus']).toMatchObject({
      instanceId: 'instance',
      instanceState: 'ACTIVE',
      serviceInstanceID: 'service',
      conditions: [{ type: 'MachineCreation', status: 'True' }],
    });
    const back = converter.toClusterApi({ spec: { providerID }, status }, context, lastTransitionTime);
    expect(back.status.infrastructure).toMatchObject({
      ready: true,
      instanceID: 'instance',
      conditions: [...conditions, { type: 'InstanceReady', status: 'True' }],
    });
  });
});
