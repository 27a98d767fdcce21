import type { JsonObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { getAt, setAt } from '../engine/path.js';
import { MachineConverter } from './converter.js';
import { boat, context, controlPlane, harbour } from './testing/harbour.js';

const converter = new MachineConverter(harbour);
const OS = 'machine.openshift.io/os-id';

function set(): JsonObject {
  const spec = { providerSpec: getAt(boat(), ['spec', 'providerSpec']) };
  const template = { metadata: { labels: { [OS]: 'Windows' } }, spec };
  return {
    apiVersion: 'machine.openshift.io/v1beta1',
    kind: 'MachineSet',
    metadata: { name: 'w' },
    spec: { template },
  };
}

describe('machines with Windows', () => {
  it.each<[string, JsonObject, string]>([
    ['a machine', boat((it) => setAt(it, ['metadata', 'labels', OS], 'Windows')), 'metadata'],
    ['a set', set(), 'spec.template.metadata'],
    [
      'a set of control plane machines',
      controlPlane((it) => setAt(it, ['metadata', 'labels', OS], 'Windows')),
      'spec.template.machines_v1beta1_machine_openshift_io.metadata',
    ],
  ])('have a warning, as their user data are no Ignition: %s', (_, object, at) => {
    const { errors, warnings } = converter.toClusterApi(object, context);
    expect(errors).toEqual([]);
    expect(warnings.map(({ code, path }) => [code, path])).toEqual([['EffectDiffers', `${at}.labels[${OS}]`]]);
  });

  it('are none with another value of the label', () => {
    const machine = boat((it) => setAt(it, ['metadata', 'labels', OS], 'linux'));
    expect(converter.toClusterApi(machine, context).warnings).toEqual([]);
  });
});
