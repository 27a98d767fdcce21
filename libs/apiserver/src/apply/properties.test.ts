import type { JsonObject } from '@capstan/meta';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compareValues, isSame } from './compare.js';
import {
  difference,
  equalSets,
  intersection,
  isEmptySet,
  isSubset,
  leaves,
  recursiveDifference,
  union,
} from './field-set.js';
import type { FieldSet } from './field-node.js';
import { fieldSetOf } from './field-set-of.js';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.js';
import { mergeValues } from './merge.js';
import { removeItems } from './remove.js';
import { applyTypeOfSchema } from './schema-type.js';
import { Gadget, gadgetSpec, pathsOf } from './testing.js';

const type = applyTypeOfSchema(gadgetSpec);
const word = fc.constantFrom('1', '2');
const dictionary = fc.dictionary(fc.constantFrom('x', 'y', 'constructor'), word, { minKeys: 1, maxKeys: 3 });
const subset = (of: readonly string[]): fc.Arbitrary<string[]> => fc.shuffledSubarray([...of], { minLength: 1 });

const itemFields = fc.record(
  { value: fc.constantFrom(1, 2), tags: subset(['p', 'q']), labels: dictionary },
  { requiredKeys: [] },
);
const items = fc
  .tuple(subset(['a', 'b', 'c']), fc.array(itemFields, { minLength: 3, maxLength: 3 }))
  .map(([names, fields]) => names.map((name, at) => ({ name, ...fields[at] })));

const members = {
  text: word,
  number: fc.constantFrom(1, 2),
  atomic: fc.array(word),
  set: subset(['a', 'b', 'c', 'd']),
  items,
  labels: dictionary,
  whole: dictionary,
  inner: fc.record({ a: word, b: word }, { requiredKeys: [] }).filter((inner) => Object.keys(inner).length > 0),
  free: fc.dictionary(fc.constantFrom('x', 'y'), fc.oneof(word, fc.array(word), dictionary), { minKeys: 1 }),
};
const specs: fc.Arbitrary<JsonObject> = fc.record(members, { requiredKeys: [] });

/** Field sets as they come about. */
const sets: fc.Arbitrary<FieldSet> = fc
  .tuple(specs, specs)
  .map(([a, b]) => union(compareValues({}, a, type).added, fieldSetOf(b, type)));

describe('sets', () => {
  it('obey the laws of sets', () => {
    fc.assert(
      fc.property(sets, sets, sets, (a, b, c) => {
        expect(equalSets(union(a, b), union(b, a))).toBe(true);
        expect(equalSets(union(union(a, b), c), union(a, union(b, c)))).toBe(true);
        expect(equalSets(intersection(a, b), intersection(b, a))).toBe(true);
        expect(equalSets(union(difference(a, b), intersection(a, b)), a)).toBe(true);
        expect(isEmptySet(intersection(difference(a, b), b))).toBe(true);
        expect(isSubset(recursiveDifference(a, b), difference(a, b))).toBe(true);
        expect(isSubset(leaves(a), a)).toBe(true);
        expect(isSubset(a, union(a, b))).toBe(true);
      }),
    );
  });

  it('survive being written and read', () => {
    fc.assert(
      fc.property(sets, (set) => {
        const stored: unknown = JSON.parse(JSON.stringify(encodeFieldsV1(set)));
        expect(equalSets(decodeFieldsV1(stored), set)).toBe(true);
        expect(JSON.stringify(encodeFieldsV1(decodeFieldsV1(stored)))).toBe(JSON.stringify(stored));
      }),
    );
  });
});

describe('values', () => {
  it('merged with themselves are themselves, and a merge has all that was applied', () => {
    fc.assert(
      fc.property(specs, specs, (live, config) => {
        expect(mergeValues(live, live, type)).toBe(live);
        const merged = mergeValues(live, config, type);
        expect(mergeValues(merged, config, type)).toEqual(merged);
        expect(isSubset(fieldSetOf(config, type), fieldSetOf(merged, type))).toBe(true);
      }),
    );
  });

  it('differ in nothing from themselves, and added mirrors removed', () => {
    fc.assert(
      fc.property(specs, specs, (a, b) => {
        expect(isSame(compareValues(a, structuredClone(a), type))).toBe(true);
        const there = compareValues(a, b, type);
        const back = compareValues(b, a, type);
        expect(equalSets(there.added, back.removed)).toBe(true);
        expect(equalSets(there.modified, back.modified)).toBe(true);
      }),
    );
  });

  it('lose everything they claim', () => {
    fc.assert(
      fc.property(specs, (spec) => {
        const rest = (removeItems(spec, fieldSetOf(spec, type), type) ?? {}) as JsonObject;
        expect(leafCount(rest)).toBe(0);
      }),
    );
  });
});

function leafCount(value: unknown): number {
  if (value === null || value === undefined) return 0;
  if (typeof value !== 'object') return 1;
  return Object.values(value).reduce((sum: number, member) => sum + leafCount(member), 0);
}

/** The same content under other names, so that it shares nothing with the original. */
function disjoint(spec: JsonObject): JsonObject {
  const renamed: JsonObject = {};
  if (Array.isArray(spec['set'])) renamed['set'] = spec['set'].map((each) => `${String(each)}'`);
  if (Array.isArray(spec['items'])) {
    renamed['items'] = (spec['items'] as JsonObject[]).map((each) => ({ ...each, name: `${String(each['name'])}'` }));
  }
  for (const field of ['labels', 'free']) {
    const map = spec[field] as JsonObject | undefined;
    if (map !== undefined)
      renamed[field] = Object.fromEntries(Object.entries(map).map(([key, member]) => [`${key}'`, member]));
  }
  return renamed;
}

describe('applies', () => {
  it('twice are once', () => {
    fc.assert(
      fc.property(specs, specs, (first, second) => {
        const gadget = new Gadget().apply('m', first).apply('n', second, { force: true });
        const before = gadget.object;
        const again = gadget.try('n', second);
        expect(again.type === 'applied' && again.unchanged).toBe(true);
        expect(gadget.object).toEqual(before);
      }),
    );
  });

  it('of disjoint configurations commute', () => {
    fc.assert(
      fc.property(specs, specs, (one, other) => {
        const two = disjoint(other);
        const ab = new Gadget().apply('A', one).apply('B', two);
        const ba = new Gadget().apply('B', two).apply('A', one);
        expect(sorted(ab.spec)).toEqual(sorted(ba.spec));
        expect(ab.owned).toEqual(ba.owned);
      }),
    );
  });

  it('taken back leave what was there', () => {
    fc.assert(
      fc.property(specs, specs, (first, second) => {
        const gadget = new Gadget().update('c', first);
        const before = gadget.spec;
        const added = disjoint(second);
        gadget.apply('m', added).apply('m', {});
        expect(sorted(gadget.spec)).toEqual(sorted(before));
        expect(gadget.owned['m'] ?? []).toEqual([]);
      }),
    );
  });

  const writes = fc.array(
    fc.record({
      manager: fc.constantFrom('p', 'q', 'r'),
      how: fc.constantFrom('apply', 'force', 'update'),
      spec: specs,
    }),
    { minLength: 1, maxLength: 8 },
  );

  it('and updates in any order leave every leaf with a manager that wrote it', () => {
    fc.assert(
      fc.property(writes, (steps) => {
        const gadget = new Gadget();
        const written = new Map<string, Set<string>>();
        for (const { manager, how, spec } of steps) {
          if (how === 'update') gadget.update(manager, spec);
          else if (gadget.try(manager, spec, { force: how === 'force' }).type === 'conflicts') continue;
          const name = how === 'update' ? `~${manager}` : manager;
          const paths = written.get(name) ?? new Set<string>();
          for (const path of pathsOf(compareValues({}, spec, type).added)) paths.add(path);
          written.set(name, paths);
        }
        // A map emptied by others can be left with nobody.
        const current = pathsOf(leaves(fieldSetOf(withoutEmpty(gadget.spec), type)));
        const unowned: string[] = [];
        const unwritten: string[] = [];
        for (const path of current) {
          const owners = Object.entries(gadget.owned).filter(([, paths]) => paths.includes(path));
          if (owners.length === 0) unowned.push(path);
          for (const [owner] of owners) if (written.get(owner)?.has(path) !== true) unwritten.push(`${owner} ${path}`);
        }
        expect(unowned).toEqual([]);
        expect(unwritten).toEqual([]);
      }),
    );
  });
});

/** Lists of maps and sets compare as such. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted).sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, sorted(member)]));
}

/** The value without empty maps, from the inside out. */
function withoutEmpty(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, withoutEmpty(member)] as const);
  return Object.fromEntries(members.filter(([, member]) => JSON.stringify(member) !== '{}'));
}
