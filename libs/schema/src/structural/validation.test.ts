import { cloneJson, fieldErrorMessage } from '@capstan/meta';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ratchetingCases } from './ratcheting.table.js';
import { shapingCases } from './shaping.table.js';
import { StructuralSchema } from './structural-schema.js';
import { validationCases } from './validation.table.js';

function schemaOf(member: object, minor = 36): StructuralSchema {
  return new StructuralSchema({ type: 'object', properties: { v: member } }, { minor });
}

function resource(value: unknown): Record<string, unknown> {
  return { apiVersion: 'g.io/v1', kind: 'Foo', metadata: { name: 'x' }, v: cloneJson(value) };
}

function messages(schema: StructuralSchema, value: unknown, old?: unknown): string[] {
  return schema.validate(value, old === undefined ? {} : { old }).errors.map(fieldErrorMessage);
}

describe('a value is validated as the server validates it', () => {
  test.each(validationCases)('$name', ({ schema, value, errors }) => {
    const structural = schemaOf(schema);
    const object = resource(value);
    structural.prepare(object);
    expect(messages(structural, object)).toEqual(errors);
  });
});

describe('a value is shaped on decoding as the server shapes it', () => {
  test.each(shapingCases)('$name', ({ schema, value, shaped, unknown }) => {
    const structural = schemaOf(schema);
    const object = resource(value);
    expect(structural.prepare(object)).toEqual(unknown);
    expect(object).toEqual(resource(shaped));
  });

  test('shaping twice changes nothing the second time', () => {
    for (const { schema, value } of shapingCases) {
      const structural = schemaOf(schema);
      const object = resource(value);
      structural.prepare(object);
      const once = cloneJson(object);
      expect(structural.prepare(object)).toEqual([]);
      expect(object).toEqual(once);
    }
  });

  test.each(shapingCases)('$name: is known to be shaped afterwards, and not before', ({ schema, value, shaped }) => {
    const structural = schemaOf(schema);
    // Whether nulls that stay are shaped is not worth finding out.
    const isKnown = !JSON.stringify(shaped ?? {}).includes('null');
    if (isKnown) expect(structural.isPrepared(resource(shaped))).toBe(true);
    const isShaped = JSON.stringify(value) === JSON.stringify(shaped);
    if (!isShaped) expect(structural.isPrepared(resource(value))).toBe(false);
  });

  test('a default is copied, never shared', () => {
    const structural = schemaOf({
      type: 'object',
      properties: { a: { type: 'object', default: { x: 1 }, properties: { x: { type: 'integer' } } } },
    });
    const first = resource({});
    structural.applyDefaults(first);
    (first['v'] as { a: { x: number } }).a.x = 2;
    const second = resource({});
    structural.applyDefaults(second);
    expect(second['v']).toEqual({ a: { x: 1 } });
  });

  test('a member called __proto__ is an unknown field like any other', () => {
    const structural = schemaOf({ type: 'object', properties: { a: { type: 'string' } } });
    const object = JSON.parse('{"v":{"a":"x","__proto__":{"b":1}}}') as Record<string, unknown>;
    expect(structural.prune(object)).toEqual(['v.__proto__']);
    expect(JSON.stringify(object)).toBe('{"v":{"a":"x"}}');
  });

  test('the root keeps its type fields and metadata only when it is a resource', () => {
    const structural = schemaOf({ type: 'string' });
    expect(structural.prune(resource('x'))).toEqual([]);
    expect(structural.prune(resource('x'), { root: false })).toEqual(['apiVersion', 'kind', 'metadata']);
  });
});

describe('an update may keep what was wrong before', () => {
  test.each(ratchetingCases)('$name', ({ schema, old, value, errors }) => {
    const structural = schemaOf(schema);
    const before = resource(old);
    const after = resource(value);
    structural.prepare(before);
    structural.prepare(after);
    expect(messages(structural, after, before)).toEqual(errors);
  });
});

describe('older releases', () => {
  const cases = [
    {
      name: 'do not bound an int32',
      minor: 35,
      schema: { type: 'integer', format: 'int32' },
      value: 2147483648,
      errors: [],
    },
    {
      name: 'word a text that is too long differently',
      minor: 31,
      schema: { type: 'string', maxLength: 2 },
      value: 'abc',
      errors: ['v: Too long: may not be longer than 2'],
    },
    {
      name: 'do not know the name formats',
      minor: 33,
      schema: { type: 'string', format: 'k8s-short-name' },
      value: 'A',
      errors: [],
    },
    {
      name: 'know the name formats from 1.34 on',
      minor: 34,
      schema: { type: 'string', format: 'k8s-short-name' },
      value: 'A',
      errors: ['v: Invalid value: "A": v in body must be of type k8s-short-name: "A"'],
    },
    {
      name: 'print compound values in Go syntax',
      minor: 33,
      schema: {
        type: 'array',
        'x-kubernetes-list-type': 'set',
        items: { type: 'object', 'x-kubernetes-map-type': 'atomic', 'x-kubernetes-preserve-unknown-fields': true },
      },
      value: [
        { b: ['x', null, 1.5], a: true },
        { a: true, b: ['x', null, 1.5] },
      ],
      errors: [
        'v[1]: Duplicate value: map[string]interface {}{"a":true, "b":[]interface {}{"x", interface {}(nil), 1.5}}',
      ],
    },
    {
      name: 'always count items in the plural',
      minor: 33,
      schema: { type: 'array', items: { type: 'string' }, maxItems: 1 },
      value: ['a', 'b'],
      errors: ['v: Too many: 2: must have at most 1 items'],
    },
    {
      name: 'say more about missing type fields',
      minor: 33,
      schema: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
      value: { kind: 'Foo' },
      errors: ['v.apiVersion: Required value: must not be empty'],
    },
    {
      name: 'print null as a text',
      minor: 33,
      schema: { type: 'string', nullable: true, enum: ['a'] },
      value: null,
      errors: ['v: Unsupported value: "null": supported values: "a"'],
    },
    {
      name: 'do not check whether a bound fits its type',
      minor: 35,
      schema: { type: 'integer', maximum: 1.5 },
      value: 1,
      errors: [],
    },
  ];
  test.each(cases)('$name', ({ minor, schema, value, errors }) => {
    expect(messages(schemaOf(schema, minor), resource(value))).toEqual(errors);
  });
});

describe('numbers beyond what a float holds', () => {
  test('a whole number beyond 64 bits is shown as the float it becomes', () => {
    expect(messages(schemaOf({ type: 'string' }), resource(9223372036854775808n))).toEqual([
      'v: Invalid value: "number": v in body must be of type string: "number"',
    ]);
    expect(
      messages(schemaOf({ 'x-kubernetes-preserve-unknown-fields': true, enum: ['a'] }), resource(9223372036854775808n)),
    ).toEqual(['v: Unsupported value: 9.223372036854776e+18: supported values: "a"']);
  });

  test('neighbours beyond 2^53 differ', () => {
    const schema = schemaOf({ type: 'integer', multipleOf: 2 });
    expect(messages(schema, resource(9007199254740994n))).toEqual([]);
    expect(messages(schema, resource(9007199254740993n))).toEqual([
      'v: Invalid value: 9007199254740993: v in body should be a multiple of 2',
    ]);
  });
});

test('a pattern takes time in proportion to the text, whatever it is', () => {
  const text = `${'a'.repeat(50_000)}!`;
  const rules = [{ rule: "!self.matches('^(a|a?)+$')" }];
  const schema = schemaOf({ type: 'string', pattern: '^(a+)+$', 'x-kubernetes-validations': rules });
  const started = performance.now();
  const [message = ''] = messages(schema, resource(text));
  // A backtracking engine would not live to see the end.
  expect(performance.now() - started).toBeLessThan(5000);
  expect(message).toMatch(/should match '\^\(a\+\)\+\$'$/);
});

describe('any value', () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  const schemas = validationCases.map(({ schema }) => schemaOf(schema));

  test('that is equal to its old self passes an update unless its root changed', () => {
    fc.assert(
      fc.property(json, fc.nat(schemas.length - 1), (value, at) => {
        const schema = schemas[at] as StructuralSchema;
        const object = resource(value);
        schema.prepare(object);
        const errors = schema.validateSchema(object, cloneJson(object));
        // Only what the schema cannot correlate may still be reported.
        const created = new Set(schema.validateSchema(object).map(fieldErrorMessage));
        for (const error of errors) expect(created).toContain(fieldErrorMessage(error));
      }),
    );
  });

  test('is known to be prepared only when it is', () => {
    const shaping = shapingCases.map(({ schema }) => schemaOf(schema));
    const all = [...schemas, ...shaping];
    fc.assert(
      fc.property(json, fc.nat(all.length - 1), fc.boolean(), (value, at, isFirstPrepared) => {
        const schema = all[at] as StructuralSchema;
        const object = resource(value);
        if (isFirstPrepared) schema.prepare(object);
        const copy = cloneJson(object);
        const isKnown = schema.isPrepared(object);
        schema.prepare(object);
        if (isKnown) expect(object).toEqual(copy);
      }),
    );
  });

  test('is checked without being changed', () => {
    fc.assert(
      fc.property(json, fc.nat(schemas.length - 1), (value, at) => {
        const object = resource(value);
        const copy = cloneJson(object);
        (schemas[at] as StructuralSchema).validate(object);
        expect(object).toEqual(copy);
      }),
    );
  });
});
