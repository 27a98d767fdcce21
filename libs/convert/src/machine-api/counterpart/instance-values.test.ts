import type { JsonObject } from '@capstan/meta';
import { deepFreeze } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { getAt, setAt } from '../../engine/path.js';
import { MachineConverter } from '../converter.js';
import { boat, context, harbour } from '../testing/harbour.js';
import { keepInstanceValues } from './instance-values.js';

const converter = new MachineConverter(harbour);
const [infrastructure = {}, machine = {}] = converter.toClusterApi(boat(), context).objects;
const moved = { ...context, infrastructureCluster: { spec: { port: 'bremen' } } };
const desired = deepFreeze(converter.toMachineApi({ machine, infrastructure }, moved).objects[0]) as JsonObject;
const PORT = ['spec', 'providerSpec', 'value', 'port'];

describe('a running machine, when the infrastructure cluster was edited', () => {
  it('stays where it was created, and that is reported', () => {
    expect(getAt(desired, PORT)).toBe('bremen');
    const { conflicts, object } = keepInstanceValues(desired, boat(), harbour);
    expect(getAt(object, PORT)).toBe('hamburg');
    expect(conflicts).toEqual([
      {
        code: 'ClusterMismatch',
        object: { apiVersion: 'machine.openshift.io/v1beta1', kind: 'Machine', name: 'worker-a-1' },
        path: 'spec.providerSpec.value.port',
        message: 'stays "hamburg", with which the instance was created; the infrastructure cluster has "bremen" now',
      },
    ]);
  });

  it('follows its own changes', () => {
    const berth = [...PORT.slice(0, -1), 'berth'];
    const existing = boat((it) => setAt(it, berth, 'b-1'));
    expect(getAt(keepInstanceValues(desired, existing, harbour).object, berth)).toBe('b-4');
  });

  it.each<[string, JsonObject]>([
    ['another instance', boat((it) => setAt(it, ['spec', 'providerID'], 'harbour://boat-8'))],
    ['no instance', boat((it) => delete it.spec['providerID'])],
    ['no such field', boat((it) => delete (getAt(it, PORT.slice(0, -1)) as JsonObject)['port'])],
    ['no provider spec', boat((it) => delete it.spec['providerSpec'])],
  ])('is as the cluster is, where the existing one has %s', (_, existing) => {
    expect(keepInstanceValues(desired, existing, harbour)).toEqual({ object: desired, conflicts: [] });
  });

  it('has nothing to report when nothing was edited', () => {
    const [same = {}] = converter.toMachineApi({ machine, infrastructure }, context).objects;
    expect(keepInstanceValues(same, boat(), harbour)).toEqual({ object: same, conflicts: [] });
  });
});
