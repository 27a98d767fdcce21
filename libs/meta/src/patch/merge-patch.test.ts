import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../json/stringify.js';
import { deepEqual, deepFreeze } from '../json/values.js';
import type { JsonObject } from '../object.js';
import { JsonPatchError } from './errors.js';
import { applyMergePatch, createMergePatch } from './merge-patch.js';

function apply(doc: string, patch: string): string {
  return canonicalJson(applyMergePatch(deepFreeze(JSON.parse(doc)), deepFreeze(JSON.parse(patch))));
}

describe('applyMergePatch', () => {
  it.each([
    ['replaces a member', '{"a":"b"}', '{"a":"c"}', '{"a":"c"}'],
    ['adds a member', '{"a":"b"}', '{"b":"c"}', '{"a":"b","b":"c"}'],
    ['deletes by null', '{"a":"b","b":"c"}', '{"a":null}', '{"b":"c"}'],
    ['ignores null for an absent member', '{"a":"b"}', '{"c":null}', '{"a":"b"}'],
    ['replaces a list by a scalar', '{"a":["b"]}', '{"a":"c"}', '{"a":"c"}'],
    ['replaces a scalar by a list', '{"a":"c"}', '{"a":["b"]}', '{"a":["b"]}'],
    ['merges nested objects', '{"a":{"b":"c"}}', '{"a":{"b":"d","c":null}}', '{"a":{"b":"d"}}'],
    ['replaces lists whole', '{"a":[{"b":"c"}]}', '{"a":[1]}', '{"a":[1]}'],
    ['makes objects of scalars', '{"a":"foo"}', '{"a":{"bb":{"ccc":null}}}', '{"a":{"bb":{}}}'],
    ['strips nulls inside new objects', '{}', '{"a":{"b":null,"c":{"d":null}}}', '{"a":{"c":{}}}'],
    ['strips nulls of objects inside lists', '{"a":1}', '{"a":[{"b":null},null]}', '{"a":[{},null]}'],
    ['strips nulls in a list that replaces a list', '{"a":[1]}', '{"a":[{"b":null}]}', '{"a":[{}]}'],
    ['keeps nulls in a list that replaces an object', '{"a":{}}', '{"a":[{"b":null}]}', '{"a":[{"b":null}]}'],
    ['takes a null member as absent', '{"a":null}', '{"a":{"b":null}}', '{"a":{}}'],
    ['keeps an existing null', '{"e":null}', '{"a":1}', '{"a":1,"e":null}'],
    ['sets __proto__ as an ordinary key', '{}', '{"__proto__":{"x":1}}', '{"__proto__":{"x":1}}'],
    ['deletes __proto__', '{"__proto__":{"x":1}}', '{"__proto__":null}', '{}'],
    ['does not take an inherited member for a present one', '{}', '{"constructor":{"a":1}}', '{"constructor":{"a":1}}'],
    ['replaces the document by a list', '{"a":1}', '[{"a":null},2]', '[{},2]'],
    ['replaces a list document by an object', '[1]', '{"a":null,"b":1}', '{"b":1}'],
  ])('%s', (_name, doc, patch, expected) => {
    expect(apply(doc, patch)).toBe(expected);
  });

  it.each(['null', '5', '"x"', 'true'])('refuses %s as a patch', (patch) => {
    expect(() => apply('{}', patch)).toThrow(new JsonPatchError('decode', 'Invalid JSON Patch'));
  });

  it('gives the very document when nothing changes', () => {
    const doc = deepFreeze({ a: { b: 1 }, c: [1] });
    expect(applyMergePatch(doc, { a: { b: 1, z: null } })).toBe(doc);
  });

  it('shares what it does not touch', () => {
    const doc = deepFreeze({ a: { b: 1 }, c: [1] });
    expect((applyMergePatch(doc, { a: { b: 2 } }) as typeof doc).c).toBe(doc.c);
  });
});

describe('createMergePatch', () => {
  it.each([
    ['{"a":1}', '{"a":1}', '{}'],
    ['{"a":1}', '{"a":2}', '{"a":2}'],
    ['{"a":1,"b":2}', '{"b":2}', '{"a":null}'],
    ['{"a":{"b":1,"c":2}}', '{"a":{"b":1}}', '{"a":{"c":null}}'],
    ['{"a":[1,2]}', '{"a":[1]}', '{"a":[1]}'],
    ['{"a":[{"b":1}]}', '{"a":[{"b":1}]}', '{}'],
    ['{"a":{"b":1}}', '{"a":[1]}', '{"a":[1]}'],
    ['{}', '{"__proto__":1}', '{"__proto__":1}'],
  ])('from %s to %s is %s', (from, to, patch) => {
    expect(canonicalJson(createMergePatch(JSON.parse(from) as JsonObject, JSON.parse(to) as JsonObject))).toBe(patch);
  });

  it('undoes the difference it found', () => {
    const leaf = fc.oneof(fc.integer(), fc.string(), fc.boolean());
    const tree = fc.letrec<{ node: unknown }>((tie) => ({
      node: fc.oneof(
        { maxDepth: 3 },
        leaf,
        fc.dictionary(fc.constantFrom('a', 'b', '__proto__', '1'), tie('node')),
        fc.array(leaf),
      ),
    })).node;
    const object = fc.dictionary(fc.constantFrom('a', 'b', 'c'), tree);
    fc.assert(
      fc.property(object, object, (from, to) => {
        expect(deepEqual(applyMergePatch(from, createMergePatch(from, to)), to)).toBe(true);
      }),
    );
  });
});
