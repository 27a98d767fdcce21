import { describe, expect, test } from 'vitest';

import { LoadedTable } from './loader.js';
import type { TypeTable } from './model.js';

function load(text: string, others: readonly TypeTable[] = []): LoadedTable {
  const lookup = (path: string): LoadedTable | undefined => {
    const found = others.find((table) => table.path === path);
    return found === undefined ? undefined : new LoadedTable(found, lookup);
  };
  return new LoadedTable({ path: 'gear/v1', goPackage: 'v1', model: 'io.gear.v1', text }, lookup);
}

const other: TypeTable = {
  path: 'axle/v2',
  goPackage: 'v2',
  model: 'io.axle.v2',
  text: 'Name = string\nAxle\n size int32 1',
};

describe('a type table', () => {
  test('reads every flag of a field', () => {
    const table = load(
      'Gear atomic\n ports []Port 3 e z ! p:merge,retainKeys k:port l:map(port,protocol) m:atomic d:"x"\nPort\n port int32 1',
    );
    expect(table.struct('Gear')?.atomic).toBe(true);
    expect(table.struct('Gear')?.field('ports')).toMatchObject({
      proto: 3,
      omitEmpty: true,
      omitZero: true,
      required: true,
      patchStrategy: ['merge', 'retainKeys'],
      patchMergeKey: 'port',
      listType: 'map',
      listMapKeys: ['port', 'protocol'],
      mapType: 'atomic',
      defaultValue: 'x',
    });
  });

  test('reads types of its own, of other tables, and those that decode themselves', () => {
    const table = load(
      'Mode = string\nGear\n mode *Mode 1\n axles map[axle/v2.Name][]axle/v2.Axle 2\n wait Duration 3',
      [other],
    );
    const gear = table.struct('Gear');
    expect(gear?.field('mode')?.type).toEqual({ kind: 'scalar', scalar: 'string', goName: 'v1.Mode', pointer: true });
    expect(gear?.field('axles')?.type).toMatchObject({
      kind: 'map',
      keyGoName: 'v2.Name',
      value: { kind: 'list', element: { kind: 'struct', struct: { qualifiedName: 'axle/v2.Axle' } } },
    });
    expect(gear?.field('wait')?.type).toEqual({
      kind: 'special',
      special: 'Duration',
      goName: 'v1.Duration',
      pointer: false,
    });
  });

  test('lets a struct hold itself', () => {
    const node = load('Node\n next *Node 1').struct('Node');
    const next = node?.field('next')?.type;
    expect(next?.kind === 'struct' ? next.struct : undefined).toBe(node);
  });

  test.each([
    ['Gear\n a Nowhere 1', 'type tables: gear/v1 names an unknown type Nowhere'],
    ['Gear\n a far/v1.Thing 1', 'type tables: no table for far/v1.Thing'],
    ['Gear\n a string 1 q', 'type tables: unknown flag q in gear/v1: a string 1 q'],
  ])('is refused with the table %j', (text, message) => {
    expect(() => load(text).struct('Gear')?.fields).toThrow(expect.objectContaining({ name: 'BadTypeTable', message }));
  });
});
