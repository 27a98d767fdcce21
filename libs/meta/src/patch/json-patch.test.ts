import { describe, expect, it } from 'vitest';
import { canonicalJson } from '../json/stringify.js';
import { deepFreeze } from '../json/values.js';
import { JsonPatchError } from './errors.js';
import { applyJsonPatch, decodeJsonPatch, type JsonPatchOperation } from './json-patch.js';

function apply(doc: string, patch: string): string {
  const operations = deepFreeze(JSON.parse(patch) as JsonPatchOperation[]);
  return canonicalJson(applyJsonPatch(deepFreeze(JSON.parse(doc)), operations));
}

describe('applyJsonPatch', () => {
  it.each([
    ['adds a member', '{"foo":"bar"}', '[{"op":"add","path":"/baz","value":"qux"}]', '{"baz":"qux","foo":"bar"}'],
    [
      'inserts an element',
      '{"foo":["bar","baz"]}',
      '[{"op":"add","path":"/foo/1","value":"qux"}]',
      '{"foo":["bar","qux","baz"]}',
    ],
    ['appends with a dash', '{"foo":["bar"]}', '[{"op":"add","path":"/foo/-","value":["x"]}]', '{"foo":["bar",["x"]]}'],
    ['appends at the length', '{"foo":[1]}', '[{"op":"add","path":"/foo/1","value":2}]', '{"foo":[1,2]}'],
    ['removes a member', '{"baz":"qux","foo":"bar"}', '[{"op":"remove","path":"/baz"}]', '{"foo":"bar"}'],
    ['removes an element', '{"foo":[1,2,3]}', '[{"op":"remove","path":"/foo/1"}]', '{"foo":[1,3]}'],
    ['counts negative indices from the end', '{"foo":[1,2,3]}', '[{"op":"remove","path":"/foo/-1"}]', '{"foo":[1,2]}'],
    ['inserts at a negative index', '{"foo":[1,2]}', '[{"op":"add","path":"/foo/-1","value":3}]', '{"foo":[1,2,3]}'],
    ['replaces a member', '{"a":1}', '[{"op":"replace","path":"/a","value":2}]', '{"a":2}'],
    ['adds by replacing an absent member', '{}', '[{"op":"replace","path":"/a","value":2}]', '{"a":2}'],
    ['replaces the document', '{"a":1}', '[{"op":"replace","path":"","value":{"b":2}}]', '{"b":2}'],
    ['moves a member', '{"a":{"b":1},"c":{}}', '[{"op":"move","from":"/a/b","path":"/c/d"}]', '{"a":{},"c":{"d":1}}'],
    ['moves an element', '{"a":[1,2,3]}', '[{"op":"move","from":"/a/0","path":"/a/2"}]', '{"a":[2,3,1]}'],
    ['copies a member', '{"a":{"b":1}}', '[{"op":"copy","from":"/a","path":"/c"}]', '{"a":{"b":1},"c":{"b":1}}'],
    ['copies an absent member as null', '{}', '[{"op":"copy","from":"/a","path":"/c"}]', '{"c":null}'],
    [
      'copies into the copied value',
      '{"a":{"b":1}}',
      '[{"op":"add","path":"/a/c","value":2},{"op":"copy","from":"/a","path":"/a/d"}]',
      '{"a":{"b":1,"c":2,"d":{"b":1,"c":2}}}',
    ],
    [
      'keeps copies apart',
      '{"a":{"b":1}}',
      '[{"op":"copy","from":"/a","path":"/c"},{"op":"add","path":"/c/x","value":1},{"op":"add","path":"/a/y","value":2}]',
      '{"a":{"b":1,"y":2},"c":{"b":1,"x":1}}',
    ],
    [
      'passes a test',
      '{"a":{"b":[1,{"c":null}]}}',
      '[{"op":"test","path":"/a","value":{"b":[1,{"c":null}]}}]',
      '{"a":{"b":[1,{"c":null}]}}',
    ],
    ['takes absent for null in a test', '{}', '[{"op":"test","path":"/a","value":null}]', '{}'],
    ['takes null for absent in a test', '{"a":null}', '[{"op":"test","path":"/a"}]', '{"a":null}'],
    ['tests the whole document', '{"a":1}', '[{"op":"test","path":"","value":{"a":1}}]', '{"a":1}'],
    [
      'decodes escapes once',
      '{"/":1,"~1":2}',
      '[{"op":"test","path":"/~01","value":2},{"op":"remove","path":"/~1"}]',
      '{"~1":2}',
    ],
    ['reaches empty keys', '{"":{"":1}}', '[{"op":"replace","path":"//","value":2}]', '{"":{"":2}}'],
    ['ignores text before the first slash', '{"b":1}', '[{"op":"remove","path":"a/b"}]', '{}'],
    ['adds null for a missing value', '{}', '[{"op":"add","path":"/a"}]', '{"a":null}'],
    ['ignores unknown members', '{}', '[{"op":"add","path":"/a","value":1,"xyz":1}]', '{"a":1}'],
    ['reads signed and padded indices', '{"a":[1,2]}', '[{"op":"remove","path":"/a/+01"}]', '{"a":[1]}'],
    [
      'sets __proto__ as an ordinary key',
      '{}',
      '[{"op":"add","path":"/__proto__","value":{"x":1}}]',
      '{"__proto__":{"x":1}}',
    ],
    ['works on a list document', '[1]', '[{"op":"add","path":"/-","value":2}]', '[1,2]'],
  ])('%s', (_name, doc, patch, expected) => {
    expect(apply(doc, patch)).toBe(expected);
  });

  it.each([
    [
      '{"a":1}',
      '[{"op":"add","path":"/b/c","value":1}]',
      'add operation does not apply: doc is missing path: "/b/c": missing value',
    ],
    [
      '{"a":1}',
      '[{"op":"add","path":"","value":{}}]',
      'add operation does not apply: doc is missing path: "": missing value',
    ],
    [
      '{"a":1}',
      '[{"op":"add","path":"/a/b","value":1}]',
      'add operation does not apply: doc is missing path: "/a/b": missing value',
    ],
    ['{"a":1}', '[{"op":"add","value":1}]', 'add operation failed to decode path: missing value'],
    [
      '{"a":[]}',
      '[{"op":"add","path":"/a/1","value":1}]',
      "error in add for path: '/a/1': Unable to access invalid index: 1: invalid index referenced",
    ],
    [
      '{"a":[1]}',
      '[{"op":"add","path":"/a/-3","value":1}]',
      "error in add for path: '/a/-3': Unable to access invalid index: -3: invalid index referenced",
    ],
    [
      '{"a":[]}',
      '[{"op":"add","path":"/a/x","value":1}]',
      `error in add for path: '/a/x': value was not a proper array index: 'x': strconv.Atoi: parsing "x": invalid syntax`,
    ],
    [
      '{}',
      '[{"op":"remove","path":"/a"}]',
      "error in remove for path: '/a': Unable to remove nonexistent key: a: missing value",
    ],
    [
      '{}',
      '[{"op":"remove","path":"/__proto__"}]',
      "error in remove for path: '/__proto__': Unable to remove nonexistent key: __proto__: missing value",
    ],
    [
      '{}',
      '[{"op":"remove","path":"/constructor/name"}]',
      'remove operation does not apply: doc is missing path: "/constructor/name": missing value',
    ],
    [
      '{"a":[1]}',
      '[{"op":"remove","path":"/a/1"}]',
      "error in remove for path: '/a/1': Unable to access invalid index: 1: invalid index referenced",
    ],
    [
      '{"a":[1]}',
      '[{"op":"remove","path":"/a/-"}]',
      `error in remove for path: '/a/-': strconv.Atoi: parsing "-": invalid syntax`,
    ],
    [
      '{"a":[1]}',
      '[{"op":"remove","path":"/a/99999999999999999999"}]',
      `error in remove for path: '/a/99999999999999999999': strconv.Atoi: parsing "99999999999999999999": value out of range`,
    ],
    [
      '{"a":[1]}',
      '[{"op":"replace","path":"/a/1","value":2}]',
      'replace operation does not apply: doc is missing key: /a/1: missing value',
    ],
    [
      '{}',
      '[{"op":"replace","path":"/a/b","value":2}]',
      'replace operation does not apply: doc is missing path: /a/b: missing value',
    ],
    ['{}', '[{"op":"replace","path":"","value":2}]', 'replace operation value must be object or array: %!w(<nil>)'],
    [
      '{}',
      '[{"op":"replace","value":2}]',
      'replace operation failed to decode path: operation missing path field: missing value',
    ],
    [
      '{}',
      '[{"op":"move","from":"/a","path":"/b"}]',
      "error in move for path: 'a': Unable to remove nonexistent key: a: missing value",
    ],
    [
      '{}',
      '[{"op":"move","path":"/b"}]',
      'move operation failed to decode from: operation, missing from field: missing value',
    ],
    [
      '{"a":1}',
      '[{"op":"move","from":"/a","path":"/b/c"}]',
      'move operation does not apply: doc is missing destination path: /b/c: missing value',
    ],
    [
      '{"a":{"b":1}}',
      '[{"op":"move","from":"/a","path":"/a/b"}]',
      'move operation does not apply: doc is missing destination path: /a/b: missing value',
    ],
    [
      '{}',
      '[{"op":"copy","from":"/a/b","path":"/c"}]',
      'copy operation does not apply: doc is missing from path: /a/b: missing value',
    ],
    [
      '{"a":[]}',
      '[{"op":"copy","from":"/a/0","path":"/c"}]',
      "error in copy for from: '/a/0': Unable to access invalid index: 0: invalid index referenced",
    ],
    ['{"a":1}', '[{"op":"test","path":"/a","value":2}]', 'testing value /a failed: test failed'],
    ['{"a":1}', '[{"op":"test","path":"/b","value":2}]', 'testing value /b failed: test failed'],
    ['{"a":"1"}', '[{"op":"test","path":"/a","value":1}]', 'testing value /a failed: test failed'],
    [
      '{"a":1}',
      '[{"op":"test","path":"/b/c","value":2}]',
      'test operation does not apply: is missing path: /b/c: missing value',
    ],
    ['{}', '[{"op":"spam","path":"/a"}]', 'Unexpected kind: spam'],
    ['{}', '[{"path":"/a"}]', 'Unexpected kind: unknown'],
  ])('of %s with %s fails', (doc, patch, message) => {
    expect(() => apply(doc, patch)).toThrow(new JsonPatchError('apply', message));
  });

  it('changes nothing when a later operation fails', () => {
    const doc = { a: [1], b: { c: 1 } };
    const operations = [
      { op: 'add', path: '/b/d', value: 1 },
      { op: 'test', path: '/a', value: 0 },
    ];
    expect(() => applyJsonPatch(doc, operations)).toThrow(JsonPatchError);
    expect(doc).toEqual({ a: [1], b: { c: 1 } });
  });

  it('shares what it does not touch', () => {
    const doc = deepFreeze({ a: { x: 1 }, b: { c: 1 } });
    expect((applyJsonPatch(doc, [{ op: 'add', path: '/b/d', value: 1 }]) as typeof doc).a).toBe(doc.a);
  });

  it('limits what copies add', () => {
    const doc = { a: 'x'.repeat(10) };
    expect(() => applyJsonPatch(doc, [{ op: 'copy', from: '/a', path: '/b' }], { maxCopyBytes: 11 })).toThrow(
      new JsonPatchError(
        'copy-limit',
        'Unable to complete the copy, the accumulated size increase of copy is 12, exceeding the limit 11',
      ),
    );
    expect(applyJsonPatch(doc, [{ op: 'copy', from: '/a', path: '/b' }], { maxCopyBytes: 12 })).toEqual({
      a: doc.a,
      b: doc.a,
    });
  });
});

describe('decodeJsonPatch', () => {
  it.each([
    [
      '{"op":"add"}',
      'error decoding patch: json: cannot unmarshal object into Go value of type []handlers.jsonPatchOp',
    ],
    ['"x"', 'error decoding patch: json: cannot unmarshal string into Go value of type []handlers.jsonPatchOp'],
    ['[1]', 'error decoding patch: json: cannot unmarshal number into Go value of type handlers.jsonPatchOp'],
    ['[[]]', 'error decoding patch: json: cannot unmarshal array into Go value of type handlers.jsonPatchOp'],
    [
      '[{"op":1}]',
      'error decoding patch: json: cannot unmarshal number into Go struct field jsonPatchOp.op of type string',
    ],
    [
      '[{"path":true}]',
      'error decoding patch: json: cannot unmarshal bool into Go struct field jsonPatchOp.path of type string',
    ],
  ])('refuses %s', (patch, message) => {
    expect(() => decodeJsonPatch(JSON.parse(patch))).toThrow(new JsonPatchError('decode', message));
  });

  it('takes null for no operations and reports unknown fields', () => {
    expect(decodeJsonPatch(null)).toEqual({ operations: [], unknownFields: [] });
    expect(decodeJsonPatch([{ op: 'add', foo: 1 }, null]).unknownFields).toEqual(['[0].foo']);
  });
});
