import { describe, expect, it } from 'vitest';
import { excludeFields } from './field-filter.js';
import { sequences } from './sequences.table.js';
import { Gadget, gadgetSchema } from './testing.js';
import type { ApplySchema } from './schema-type.js';

const a = (fields: object = {}): object => ({ name: 'a', ...fields });

describe('ownership', () => {
  it.each(sequences)('%s', (_name, run, spec, owned) => {
    const gadget = new Gadget();
    run(gadget);
    expect(gadget.spec).toEqual(spec);
    const byPath = (lists: Record<string, string[]>): Record<string, string[]> =>
      Object.fromEntries(Object.entries(lists).map(([name, paths]) => [name, [...paths].sort()]));
    expect(byPath(gadget.owned)).toEqual(byPath(owned));
  });
});

describe('conflicts', () => {
  const applied = (): Gadget => new Gadget().apply('m', { text: 'x', items: [a({ value: 1 })] });

  it.each([
    ['a changed field', { text: 'y' }, 'Apply failed with 1 conflict: conflict with "m": .spec.text'],
    [
      'several changed fields',
      { text: 'y', items: [a({ value: 2 })] },
      'Apply failed with 2 conflicts: conflicts with "m":\n- .spec.text\n- .spec.items[name="a"].value',
    ],
  ])('%s', (_name, spec, message) => {
    expect(() => applied().apply('n', spec)).toThrow(message);
  });

  it('name the subresource and the version of updaters', () => {
    const gadget = new Gadget().apply('m', { number: 1 }).update('c', { number: 2 }, 'v1', 'scale');
    expect(() => gadget.apply('m', { number: 3 })).toThrow(
      'Apply failed with 1 conflict: conflict with "c" with subresource "scale" using test.dev/v1: .spec.number',
    );
  });

  it('are sorted by manager', () => {
    const gadget = new Gadget()
      .apply('z', { text: 'x' })
      .apply('b', { text: 'x' })
      .update('c', { text: 'x', number: 1 });
    expect(() => gadget.apply('n', { text: 'y', number: 2 })).toThrow(
      'Apply failed with 3 conflicts: conflicts with "b":\n- .spec.text\nconflicts with "c" using test.dev/v1:\n- .spec.number\nconflicts with "z":\n- .spec.text',
    );
  });

  it('leave everything as it was', () => {
    const gadget = applied();
    const before = gadget.object;
    expect(gadget.try('n', { text: 'y' }).type).toBe('conflicts');
    expect(gadget.object).toBe(before);
  });
});

describe('versions', () => {
  const renamed: ApplySchema = {
    type: 'object',
    properties: { spec: { type: 'object', properties: { word: { type: 'string' }, number: { type: 'number' } } } },
  };
  const convert = (object: Record<string, unknown>, version: string): Record<string, unknown> => {
    const { text, word, ...spec } = (object['spec'] ?? {}) as Record<string, unknown>;
    const value = word ?? text;
    const field = value === undefined ? {} : { [version === 'v2' ? 'word' : 'text']: value };
    return { ...object, apiVersion: `test.dev/${version}`, spec: { ...spec, ...field } };
  };
  const versioned = (): Gadget => new Gadget({ schemas: { v1: gadgetSchema, v2: renamed }, convert });

  it('an applier stays the same manager in another version', () => {
    const gadget = versioned().apply('m', { text: 'x', number: 1 }).apply('m', { word: 'x' }, { version: 'v2' });
    expect(gadget.spec).toEqual({ word: 'x' });
    expect(gadget.entries).toMatchObject([{ manager: 'm', apiVersion: 'test.dev/v2' }]);
    expect(gadget.owned).toEqual({ m: ['.word'] });
  });

  it('updaters are another manager in another version', () => {
    const gadget = versioned().update('c', { text: 'x' }).update('c', { word: 'x', number: 1 }, 'v2');
    expect(gadget.entries.map(({ manager, apiVersion }) => [manager, apiVersion])).toEqual([
      ['c', 'test.dev/v1'],
      ['c', 'test.dev/v2'],
    ]);
  });

  it('conflicts are found in the version of the owner', () => {
    const gadget = versioned().apply('m', { text: 'x' });
    expect(() => gadget.apply('n', { word: 'y' }, { version: 'v2' })).toThrow(
      'Apply failed with 1 conflict: conflict with "m": .spec.text',
    );
  });

  it('fields are taken in the version of the owner', () => {
    const gadget = versioned().apply('m', { text: 'x', number: 1 }).update('c', { word: 'y', number: 1 }, 'v2');
    expect(gadget.owned).toEqual({ m: ['.number'], '~c': ['.word'] });
  });

  it('managers of versions that are gone are forgotten', () => {
    const gadget = versioned().apply('m', { text: 'x' }).apply('n', { word: 'x' }, { version: 'v2' });
    gadget.schemas = { v2: renamed };
    gadget.apply('n', { word: 'y' }, { version: 'v2' });
    expect(gadget.owned).toEqual({ n: ['.word'] });
  });

  it('a list that has become atomic is owned as a whole', () => {
    const granular: ApplySchema = {
      type: 'object',
      properties: {
        spec: {
          type: 'object',
          properties: { atomic: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' } },
        },
      },
    };
    const gadget = new Gadget({ schemas: { v1: granular } }).apply('m', { atomic: ['a', 'b'] });
    gadget.schemas = { v1: gadgetSchema };
    gadget.apply('n', { text: 'x' });
    expect(gadget.owned).toEqual({ m: ['.atomic'], n: ['.text'] });
  });
});

describe('a schema stricter than what is stored', () => {
  const loose: ApplySchema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: { items: { type: 'array', items: { type: 'object' } }, text: { type: 'string' } },
      },
    },
  };
  const tightened = (tracked: boolean): Gadget => {
    const gadget = new Gadget({ schemas: { v1: loose } }).update('c', { items: [{ value: 1 }] });
    if (!tracked && gadget.object !== undefined)
      gadget.object = { ...gadget.object, metadata: { name: 'g', uid: 'u' } };
    gadget.schemas = { v1: gadgetSchema };
    return gadget;
  };
  const why =
    '.spec.items: element 0: associative list with keys has an element that omits all key fields ["name"] (and doesn\'t have default values for any key fields)';

  it('refuses applies', () => {
    const what = 'failed to create typed live object (/g; test.dev/v1, Kind=Gadget)';
    expect(() => tightened(true).apply('m', { text: 'x' })).toThrow(`${what}: ${why}`);
  });

  it('refuses the first apply', () => {
    const what =
      'failed to create manager for existing fields: failed to convert new object (/g; test.dev/v1, Kind=Gadget) to smd typed';
    expect(() => tightened(false).apply('m', { text: 'x' })).toThrow(`${what}: ${why}`);
  });

  it('ends tracking with the next update', () => {
    expect(tightened(true).update('c', { items: [{ value: 2 }] }).entries).toEqual([]);
  });
});

describe('reset fields', () => {
  const filtered = (): Gadget => new Gadget({ filter: excludeFields(['spec', 'inner'], ['spec', 'items']) });

  it('are owned by nobody', () => {
    expect(filtered().update('c', { text: 'x', inner: { a: '1' } }).owned).toEqual({ '~c': ['.text'] });
    expect(filtered().apply('m', { text: 'x', inner: { a: '1' }, items: [a()] }).owned).toEqual({ m: ['.text'] });
  });

  it('are not taken from those who have them', () => {
    const gadget = filtered();
    const plain = new Gadget().apply('m', { inner: { a: '1' } });
    gadget.object = plain.object;
    expect(gadget.update('c', { inner: { a: '2' }, text: 'x' }).owned).toEqual({ m: ['.inner.a'], '~c': ['.text'] });
    expect(() => gadget.apply('n', { inner: { a: '3' } })).not.toThrow();
  });
});
