import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDeeperThan, isTooDeep, maxContentDepth, maxObjectDepth } from './depth.js';
import { parseJson, readKeyPaths } from './parse.js';

/** The paths of all keys, each written out. */
function allPaths(value: unknown, at?: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item, index) => allPaths(item, `${at ?? ''}[${index}]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => {
    const path = at === undefined ? key : `${at}.${key}`;
    return [path, ...allPaths(item, path)];
  });
}

// Integer keys would come first in an object, and not in its text.
const key = fc.constantFrom('a', 'b', 'a.b', 'ab', '', 'é', '\u{1f600}', '[x]', '.');
const tree = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constant(1),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
})).value;

describe('readKeyPaths', () => {
  it('finds the paths it is asked for, as often and in the order they are met', () => {
    const property = fc.property(
      fc.dictionary(key, tree, { noNullPrototype: true }),
      fc.func(fc.boolean()),
      (value, isWanted) => {
        const all = allPaths(value);
        const wanted = all.filter((path) => isWanted(path));
        const found = readKeyPaths(Buffer.from(JSON.stringify(value)), [...wanted, 'nowhere']);
        expect(found).toEqual(all.filter((path) => wanted.includes(path)));
      },
    );
    fc.assert(property);
  });

  it('reports a key that occurs twice', () => {
    expect(readKeyPaths(Buffer.from('{"a":{"b":1,"b":2},"c":1,"a":{"b":3}}'), ['a.b', 'a'])).toEqual([
      'a',
      'a.b',
      'a.b',
      'a',
      'a.b',
    ]);
  });
});

describe('duplicates', () => {
  it('are reported by path once, though keys with points spell the same', () => {
    const text = '{"a":{"b":1,"b":2},"a":{"b":1,"b":2},"a.b":1,"a.b":2}';
    expect(parseJson(text).duplicates).toEqual([{ path: 'a.b' }, { path: 'a' }]);
  });

  it('are reported a hundred times at most', () => {
    const text = `{${Array.from({ length: 300 }, (_, i) => `"k${i}":1,"k${i}":1`).join(',')}}`;
    expect(parseJson(text).duplicates.map(({ path }) => path)).toEqual(Array.from({ length: 100 }, (_, i) => `k${i}`));
  });
});

function nested(levels: number): object {
  let value: object = {};
  for (let level = 1; level < levels; level += 1) value = { a: value };
  return value;
}

describe('depth', () => {
  it('is that of the deepest member', () => {
    expect([
      isDeeperThan(nested(5), 5),
      isDeeperThan(nested(6), 5),
      isDeeperThan([[1]], 1),
      isDeeperThan(1, 0),
    ]).toEqual([false, true, true, false]);
    expect(parseJson(JSON.stringify([1, [{ a: [] }], []])).depth).toBe(4);
    expect(parseJson('[1.0e1,[[]],[]]').depth).toBe(3);
  });

  it('of an object does not count what manages its fields', () => {
    const managedFields = [nested(maxObjectDepth - 4)];
    expect(isTooDeep({ metadata: { managedFields } })).toBe(false);
    expect(isTooDeep({ metadata: { managedFields: [nested(maxObjectDepth)] } })).toBe(true);
    expect([isTooDeep(nested(maxContentDepth)), isTooDeep(nested(maxContentDepth + 1))]).toEqual([false, true]);
  });
});
