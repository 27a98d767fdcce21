import { Buffer } from 'node:buffer';
import { structByName } from '@capstan/api/kubernetes';
import type { FieldDef, SpecialName, StructDef, TypeRef } from '@capstan/api/kubernetes';
import { canonicalQuantity, formatTime, parseJson } from '@capstan/meta';
import fc from 'fast-check';

/*
 * Random values of any struct, for tests. Nesting ends where `depth` is used up: structs may hold themselves. Only what
 * Go would print is made: no empty lists and maps, and no zero values where they are left out.
 */

const text = fc.oneof(
  fc.string({ maxLength: 40 }),
  fc.constant(''),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
  fc.string({ minLength: 100, maxLength: 300 }),
);
const int32 = fc.oneof(fc.integer(), fc.constantFrom(0, 1, 127, 128, -1, 2 ** 31 - 1, -(2 ** 31)));
const int64 = fc.oneof(
  fc.maxSafeInteger(),
  fc.constantFrom(0, 2 ** 31, 2 ** 32, 2 ** 32 - 1, 2 ** 52, -1, -(2 ** 32)),
  fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
  fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
);
const bytes = fc.uint8Array({ maxLength: 40 }).map((array) => Buffer.from(array).toString('base64'));
/** Integers no number holds are bigint here as everywhere. */
const json = fc.jsonValue({ maxDepth: 2 }).map((value) => parseJson(Buffer.from(JSON.stringify(value))).value);
const opaque = fc.dictionary(fc.string({ minLength: 1, maxLength: 8 }), json, { maxKeys: 3 });
const time = fc.integer({ min: -62_135_596_799, max: 253_402_300_799 }).map((seconds) => formatTime(seconds * 1000));
const microTime = fc
  .tuple(time, fc.nat(999_999))
  .map(([whole, micros]) => `${whole.slice(0, -1)}.${String(micros).padStart(6, '0')}Z`);
const quantity = fc
  .tuple(fc.nat(100_000), fc.constantFrom('', 'm', 'Ki', 'Mi', 'k', 'G'))
  .map(([amount, unit]) => canonicalQuantity(`${amount}${unit}`));

function schemaProps(depth: number): fc.Arbitrary<unknown> {
  const struct = structByName('apiextensions/v1.JSONSchemaProps');
  if (struct === undefined) throw new Error('no JSONSchemaProps');
  return structArbitrary(struct, depth - 1, true);
}

function specialArbitrary(special: SpecialName, depth: number): fc.Arbitrary<unknown> {
  switch (special) {
    case 'Time':
      return time;
    case 'MicroTime':
      return microTime;
    case 'Duration':
      return fc.constantFrom('0s', '1m30s', '1.5s', '-2h0m0s');
    case 'Quantity':
      return quantity;
    case 'IntOrString':
      return fc.oneof(int32, text);
    case 'RawExtension':
    case 'FieldsV1':
      return opaque;
    case 'JSON':
      return fc.oneof(fc.string(), fc.integer(), opaque, fc.boolean());
    case 'JSONSchemaPropsOrBool':
      return fc.oneof(fc.boolean(), schemaProps(depth));
    case 'JSONSchemaPropsOrArray':
      return fc.oneof(schemaProps(depth), fc.array(schemaProps(depth), { minLength: 1, maxLength: 2 }));
    case 'JSONSchemaPropsOrStringArray':
      return fc.oneof(schemaProps(depth), fc.array(text, { minLength: 1, maxLength: 2 }));
  }
}

function typeArbitrary(type: TypeRef, depth: number): fc.Arbitrary<unknown> {
  switch (type.kind) {
    case 'scalar':
      return {
        string: text,
        bool: fc.boolean(),
        int32,
        int64,
        float64: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
        bytes,
        any: json,
      }[type.scalar];
    case 'special':
      return specialArbitrary(type.special, depth);
    case 'struct':
      return structArbitrary(type.struct, depth - 1, true);
    case 'list':
      return fc.array(typeArbitrary(type.element, depth), { minLength: 1, maxLength: 3 });
    case 'map': {
      const key = fc.oneof(
        fc.string({ maxLength: 12 }),
        fc.constantFrom('10', '9', 'é', '__proto__', '\u{1f389}', '\uffff'),
      );
      return fc
        .array(fc.tuple(key, typeArbitrary(type.value, depth)), { minLength: 1, maxLength: 4 })
        .map((entries) => Object.fromEntries(entries));
    }
  }
}

function isDeep(type: TypeRef): boolean {
  return type.kind !== 'scalar' && !(type.kind === 'special' && !type.special.startsWith('JSONSchema'));
}

function fieldArbitrary(field: FieldDef, depth: number): fc.Arbitrary<unknown> | undefined {
  if (field.embeddedIn[0] === 'TypeMeta' || (depth <= 0 && isDeep(field.type))) return undefined;
  // Further down most fields stay away, or objects would be huge.
  const absent = { weight: depth > 4 ? 1 : 8 - depth, arbitrary: fc.constant(undefined) };
  return fc.oneof(absent, { weight: 4, arbitrary: typeArbitrary(field.type, depth) });
}

/** A random value of the struct, as a client might send it; `isPart` leaves out apiVersion and kind. */
export function structArbitrary(
  struct: StructDef,
  depth: number,
  isPart = false,
): fc.Arbitrary<Record<string, unknown>> {
  const model: Record<string, fc.Arbitrary<unknown>> = {};
  for (const field of struct.fields) {
    const arbitrary = isPart || field.embeddedIn[0] !== 'TypeMeta' ? fieldArbitrary(field, depth) : undefined;
    if (arbitrary !== undefined) model[field.name] = arbitrary;
  }
  return fc.record(model).map((value) => withoutUndefined(value));
}

function withoutUndefined(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined));
}
