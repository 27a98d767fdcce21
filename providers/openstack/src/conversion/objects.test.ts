import { providerMap } from '@capstan/convert/machine-api';
import type { MachineContext } from '@capstan/convert/machine-api';
import type { JsonObject } from '@capstan/meta';
import { checkMalformed } from '@capstan/provider/testing';
import { describe, expect, it } from 'vitest';
import { conversionExamples } from '../testing/conversion-examples.js';
import { conversionMachines } from '../testing/conversion-machines.js';
import { conversion } from './index.js';

const { context } = conversionExamples;
const map = providerMap(conversion);
const { full, installed } = conversionMachines;
const { providerID, providerSpec } = installed.left['spec'] as {
  providerID: string;
  providerSpec: { value: JsonObject };
};

const withDefaults = (source: JsonObject): JsonObject =>
  JSON.parse(JSON.stringify(source, (_, value: unknown) => (isEmpty(value) ? undefined : value))) as JsonObject;
const isEmpty = (value: unknown): boolean =>
  value === '' || (typeof value === 'object' && value !== null && Object.values(value).every((each) => each === null));

describe('a server as it is installed', () => {
  it('is two objects in Cluster API', () => {
    const { errors, value, warnings } = map.forward(installed.left, context);
    expect({ errors, value }).toEqual({ errors: [], value: installed.right });
    expect(warnings.map(({ message, path }) => `${path}: ${message}`)).toEqual([
      'spec.providerSpec.value.serverGroupName: must name a server group that exists: Machine API creates a missing one, Cluster API waits for it',
    ]);
  });

  it('comes back as it was, but for empty records', () => {
    const { errors, value, warnings } = map.backward(installed.right, context);
    expect({ errors, warnings }).toEqual({ errors: [], warnings: [] });
    expect(value).toEqual(withDefaults(installed.left));
  });

  it('is read in the version of the first installers, and written in that of today', () => {
    const value = { ...providerSpec.value, apiVersion: 'openstackproviderconfig.openshift.io/v1alpha1' };
    expect(map.forward({ spec: { providerID, providerSpec: { value } } }, context).value).toEqual(installed.right);
  });
});

describe('a server with every field set', () => {
  it('is the same on both sides', () => {
    expect(map.forward(full.left, context)).toEqual({ value: full.right, errors: [], warnings: [] });
    const { errors, value } = map.backward(full.right, context);
    expect(errors).toEqual([]);
    expect(value).toEqual(withDefaults(full.left));
  });
});

describe('traits and failure domains', () => {
  it('are flavor and zone; the region is in the secret', () => {
    expect(conversion.traits(providerSpec.value)).toEqual({ instanceType: 'm1.xlarge', zone: 'nova' });
    expect(conversion.traits({ flavor: 7 })).toEqual({});
  });

  it('are zones of servers', () => {
    const domains = conversion.failureDomains;
    expect(domains?.toName({ availabilityZone: 'nova' }, context)).toEqual({ name: 'nova' });
    expect(domains?.toDomain('nova', context)).toEqual({ domain: { availabilityZone: 'nova' } });
    expect(domains?.toName({}, context)).toEqual({
      path: 'availabilityZone',
      message: 'is needed: in Cluster API it is the name of the failure domain',
    });
    expect(domains?.toName({ availabilityZone: 'nova', rootVolume: { volumeType: 'ssd' } }, context)).toEqual({
      path: 'rootVolume',
      message: 'cannot be kept: in Cluster API a failure domain is a zone of servers, and all have volumes of one type',
    });
  });
});

describe('objects with values of other types', () => {
  it.each<['left' | 'right', JsonObject, MachineContext]>([
    ['left', { spec: { providerID, ...(full.left['spec'] as JsonObject) } }, context],
    ['left', installed.left, context],
    ['right', full.right, context],
    ['right', installed.right, context],
  ])('give errors or come back, from the %s', (side, object, around) => {
    expect(() => checkMalformed(conversion, side, object, around)).not.toThrow();
  });
});
