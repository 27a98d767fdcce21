import { fieldErrorMessage } from '@capstan/meta';
import { describe, expect, test } from 'vitest';
import { type ObjectRequest, liveDefinition, objectCheck } from './object-check.js';
import { version, widgets } from './testing.js';

const text = { type: 'string' };
const spec = {
  type: 'object',
  required: ['size'],
  properties: {
    size: { type: 'integer', maximum: 5 },
    mode: { type: 'string', enum: ['A', 'B'] },
    filled: { type: 'string', default: 'x' },
    old: { type: 'string', maxLength: 2 },
    list: { type: 'array', items: { type: 'object', properties: { a: text } } },
  },
  'x-kubernetes-validations': [{ rule: "!has(self.mode) || self.mode != 'B' || self.size < 3", message: 'B is small' }],
};
const status = { type: 'object', properties: { ready: { type: 'boolean' }, count: { type: 'integer', maximum: 9 } } };

function crd(more: Record<string, unknown> = {}): object {
  const base = version('v1', spec);
  const schema = { openAPIV3Schema: { type: 'object', properties: { spec: { ...spec, ...more }, status } } };
  const scale = { specReplicasPath: '.spec.size', statusReplicasPath: '.status.count' };
  return widgets([{ ...base, schema, storage: true, subresources: { status: {}, scale } }, version('v2', spec)]);
}

function object(fields: object, rest: object = {}): object {
  return { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' }, spec: fields, ...rest };
}

const prepared = objectCheck(crd(), { versions: ['v1'], excludedFields: [{ path: 'spec.old' }] });
if (!('ok' in prepared)) throw new Error('the options are good');
const checker = prepared.ok;

function complaints(request: Partial<ObjectRequest>): readonly string[] {
  const { errors } = checker.check({ operation: 'CREATE', version: 'v1', object: {}, ...request });
  return errors.map(fieldErrorMessage);
}

const skipped =
  '<nil>: Invalid value: null: some validation rules were not checked because the object was invalid; correct the existing errors to complete validation';
const unknown = (path: string): string => `${path}: Forbidden: the required definition has no such field`;
const tooLarge = 'spec.size: Invalid value: 9: spec.size in body should be less than or equal to 5';

describe('objects that are created', () => {
  test.each<[string, object, readonly string[]]>([
    ['good', object({ size: 1 }), []],
    ['too large', object({ size: 9 }), [tooLarge]],
    ['without what is required', object({}), ['spec.size: Required value', skipped]],
    [
      'with an unknown field',
      object({ size: 1, extra: 1, list: [{ a: 'x', b: 1 }] }),
      [unknown('spec.extra'), unknown('spec.list[0].b')],
    ],
    ['against a rule', object({ size: 3, mode: 'B' }), ['spec: Invalid value: B is small']],
    ['with anything in an excluded field', object({ size: 1, old: 'longer than two' }), []],
  ])('%s', (_name, each, expected) => {
    expect(complaints({ object: each })).toEqual(expected);
  });

  test('in a version that is not required are let pass', () => {
    expect(complaints({ version: 'v2', object: object({ size: 9 }) })).toEqual([]);
    expect(complaints({ version: 'v3', object: object({ size: 9 }) })).toEqual([]);
  });

  test('may have what the live definition fills in', () => {
    const live = liveDefinition(
      crd({
        properties: {
          ...spec.properties,
          fresh: { type: 'object', default: { a: 1 }, properties: { a: {}, b: { default: 2 } } },
        },
      }),
    );
    expect(complaints({ live, object: object({ size: 1, fresh: { a: 1, b: 2 } }) })).toEqual([]);
    expect(complaints({ live, object: object({ size: 1, fresh: { a: 1, b: 3 } }) })).toEqual([unknown('spec.fresh')]);
  });
});

describe('objects that violate already', () => {
  const bad = object({ size: 9, extra: 1 });
  const update = (next: object, more: Partial<ObjectRequest> = {}): readonly string[] =>
    complaints({ operation: 'UPDATE', oldObject: bad, object: next, ...more });

  test('lose finalizers', () => {
    expect(update({ ...bad, metadata: { name: 'a', finalizers: [] } })).toEqual([]);
  });

  test('are deleted', () => {
    expect(complaints({ operation: 'DELETE', object: {}, oldObject: bad })).toEqual([]);
  });

  test('get status, but no bad one', () => {
    expect(update({ ...bad, status: { ready: true } }, { subresource: 'status' })).toEqual([]);
    expect(update({ ...bad, status: { count: 10, more: 1 } }, { subresource: 'status' })).toEqual([
      'status.count: Invalid value: 10: count in body should be less than or equal to 9',
      unknown('status.more'),
    ]);
  });

  test('may change elsewhere, and answer for what becomes worse', () => {
    expect(update(object({ size: 9, extra: 1, mode: 'A' }))).toEqual([]);
    expect(update(object({ size: 9, extra: 2 }))).toEqual([unknown('spec.extra')]);
    expect(update(object({ size: 8, extra: 1 }))).toEqual([tooLarge.replace('9', '8')]);
  });
});

test('a Scale is held to the schema of the field it stands for', () => {
  const scale = (replicas: number): object => ({ kind: 'Scale', metadata: { name: 'a' }, spec: { replicas } });
  const update = { operation: 'UPDATE', subresource: 'scale', oldObject: scale(9) };
  expect(complaints({ ...update, object: scale(5) })).toEqual([]);
  expect(complaints({ ...update, object: scale(9) })).toEqual([]);
  expect(complaints({ ...update, object: scale(7) })).toEqual([
    'spec.replicas: Invalid value: 7:  in body should be less than or equal to 5',
  ]);
});
