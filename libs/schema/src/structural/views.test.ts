import { describe, expect, test } from 'vitest';
import { resolveFieldPath } from './schema/field-path.js';
import { parseSchema } from './schema/parse-schema.js';
import { publishSchema } from './schema/publish.js';
import { selectableFields } from './schema/selectable-fields.js';

const text = { type: 'string' };

describe('a published schema', () => {
  const gvk = { group: 'g.io', version: 'v1', kind: 'Foo' };

  test('has the type fields, the metadata and the identity of its kind', () => {
    const root = parseSchema({ type: 'object', required: ['spec'], properties: { spec: { type: 'object' } } });
    expect(publishSchema(root, gvk)).toEqual({
      type: 'object',
      required: ['spec'],
      properties: {
        spec: { type: 'object' },
        apiVersion: { type: 'string' },
        kind: { type: 'string' },
        metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
      },
      'x-kubernetes-group-version-kind': [{ group: 'g.io', kind: 'Foo', version: 'v1' }],
    });
  });

  test('replaces the metadata schema of the CRD', () => {
    const names = { type: 'object', properties: { name: { ...text, maxLength: 5 } } };
    const root = parseSchema({ type: 'object', properties: { metadata: names } });
    const metadata = { description: 'documented' };
    const fields = { apiVersion: text, kind: text, metadata };
    expect(publishSchema(root, gvk, { root: fields })['properties']).toEqual(fields);
  });

  const nodes = [
    {
      name: 'keeps extensions and rules',
      schema: {
        type: 'array',
        items: { type: 'object', required: ['k'], properties: { k: text } },
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['k'],
        'x-kubernetes-validations': [{ rule: 'true' }],
      },
    },
    { name: 'keeps bounds that are zero', schema: { type: 'string', minLength: 0, maxLength: 3, pattern: '^.$' } },
    { name: 'keeps defaults that are falsy', schema: { type: 'integer', default: 0 } },
    {
      name: 'keeps alternatives',
      schema: { type: 'object', properties: { a: text }, oneOf: [{ required: ['a'] }], not: { required: ['z'] } },
    },
    {
      name: 'leaves out empty keywords',
      schema: { type: 'string', nullable: false, description: '', enum: [] },
      published: { type: 'string' },
    },
    {
      name: 'spells out the types of int-or-string',
      schema: { 'x-kubernetes-int-or-string': true },
      published: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }] },
    },
    {
      name: 'leaves the types of int-or-string as they are spelled out',
      schema: { 'x-kubernetes-int-or-string': true, anyOf: [{ type: 'integer' }, { type: 'string' }], pattern: 'x' },
    },
    {
      name: 'puts the types of int-or-string before other alternatives',
      schema: { 'x-kubernetes-int-or-string': true, anyOf: [{ pattern: 'x' }] },
      published: {
        'x-kubernetes-int-or-string': true,
        anyOf: [{ pattern: 'x' }],
        allOf: [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }],
      },
    },
    { name: 'keeps maps of anything', schema: { type: 'object', additionalProperties: true } },
    {
      name: 'gives embedded resources their fields',
      schema: {
        type: 'object',
        required: ['spec'],
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      published: {
        type: 'object',
        required: ['spec', 'kind', 'apiVersion'],
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
        properties: {
          apiVersion: text,
          kind: text,
          metadata: { allOf: [{ $ref: '#/components/schemas/io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta' }] },
        },
      },
    },
  ];
  test.each(nodes)('$name', ({ schema, published = schema }) => {
    const root = parseSchema({ type: 'object', properties: { v: schema } });
    expect((publishSchema(root, gvk)['properties'] as Record<string, unknown>)['v']).toEqual(published);
  });

  test('names its selectable fields', () => {
    const options = { selectableFields: ['.spec.a'] };
    const published = publishSchema(parseSchema({ type: 'object' }), gvk, options);
    expect(published['x-kubernetes-selectable-fields']).toEqual([{ fieldPath: 'spec.a' }]);
  });
});

describe('a path through a schema', () => {
  const node = parseSchema({
    type: 'object',
    properties: {
      a: { type: 'object', properties: { 'b.c': text } },
      m: { type: 'object', additionalProperties: { type: 'object', properties: { x: text } } },
      l: { type: 'array', items: text },
    },
  });
  const cases = [
    { path: '.a', result: 'a' },
    { path: ".a['b.c']", result: 'a.b.c' },
    { path: '.m.k.x', result: 'm[k].x' },
    { path: ".m['k\\'s'].x", result: "m[k's].x" },
    { path: '', result: '' },
    { path: 'a', result: 'error: expected [ or . but got: a' },
    { path: '.', result: 'error: unexpected end of JSON path' },
    { path: '.z', result: 'error: does not refer to a valid field' },
    { path: '.l.x', result: 'error: does not refer to a valid field' },
    { path: '.a[b]', result: 'error: expected single quoted string but got b' },
    { path: ".a['b.c'", result: 'error: unexpected end of JSON path' },
    { path: ".a['b.c'.", result: 'error: expected ] but got .' },
    { path: ".a['\\q']", result: 'error: invalid string literal: invalid escape char \\q' },
  ];
  test.each(cases)('$path leads to $result', ({ path, result }) => {
    const resolved = resolveFieldPath(path, node);
    expect('error' in resolved ? `error: ${resolved.error}` : resolved.path).toBe(result);
  });
});

describe('selectable fields', () => {
  const root = parseSchema({
    type: 'object',
    properties: { spec: { type: 'object', properties: { a: text, n: { type: 'integer' }, b: { type: 'boolean' } } } },
  });
  const fields = selectableFields(['.spec.a', '.spec.n', '.spec.b', '.spec.none'], root);
  const read = (object: unknown): string[] => fields.map((field) => `${field.name}=${field.read(object)}`);
  test('read as texts', () => {
    expect(read({ spec: { a: 'x', n: 5, b: false } })).toEqual(['spec.a=x', 'spec.n=5', 'spec.b=false']);
  });
  test('read as nothing where the object has none', () => {
    expect(read({ spec: { a: null } })).toEqual(['spec.a=', 'spec.n=', 'spec.b=']);
    expect(read({})).toEqual(['spec.a=', 'spec.n=', 'spec.b=']);
  });
});
