/** Changes from a requirement to a live CRD, and what is to be found. */
import type { RequirementOptions } from './requirement.js';
import { version, widget, widgets } from './testing.js';

/** One row: the number of the change in the acceptance table, what changes, and the findings as `severity rule path`. */
export interface Row {
  readonly row: number;
  readonly change: string;
  readonly required: object;
  readonly live: object;
  readonly found: readonly string[];
  readonly options?: Partial<RequirementOptions>;
  /** Whether the server has the live CRD already: what it takes no more in new ones it keeps. */
  readonly stored?: boolean;
  /** How many of the errors nobody can prove. */
  readonly unproved?: number;
}

type Fields = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const integer = { type: 'integer' };
const keep = { 'x-kubernetes-preserve-unknown-fields': true };
const old = { server: { minor: 30 } };

/** A change of the one field `spec.a`. */
function field(
  ...[row, change, a, b, found, more = {}]: readonly [
    row: number,
    change: string,
    required: Fields,
    live: Fields,
    found: string[],
    more?: Partial<Row>,
  ]
): Row {
  return { row, change, required: widget({ a }), live: widget({ a: b }), found, ...more };
}

function object(properties: Fields, more: Fields = {}): Fields {
  return { type: 'object', properties, ...more };
}

function list(items: Fields, more: Fields = {}): Fields {
  return { type: 'array', items, ...more };
}

const keyed = object({ k: text, l: text, v: text }, { required: ['k', 'l'] });
const keyedBy = (...keys: string[]): Fields =>
  list(keyed, { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': keys });
const listType = (type: string): Fields => list(text, { 'x-kubernetes-list-type': type });
const rule = (...rules: string[]): Fields => ({ 'x-kubernetes-validations': rules.map((each) => ({ rule: each })) });
const same = widget({ a: text });

/** A change of the spec, of which `a` is excluded. */
function excluded(change: string, required: Fields, live: Fields, found: readonly string[]): Row {
  const of = (spec: Fields): object => widgets([{ ...version('v1', spec), storage: true }]);
  return {
    row: 4,
    change,
    required: of(required),
    live: of(live),
    found,
    options: { excludedFields: [{ path: 'spec.a' }] },
  };
}

const filled = { ...text, default: 'x' };
const either = { anyOf: [{ required: ['a'] }, { required: ['b'] }] };
const notBoth = { not: { required: ['a', 'b'] } };

/** Changes of an excluded field that others feel. */
const excludedRows: readonly Row[] = [
  excluded(
    'the default of an excluded field counted as a member',
    object({ a: filled, b: text }, { minProperties: 1 }),
    object({ b: text }, { minProperties: 1 }),
    ['error min-properties-tightened spec'],
  ),
  excluded(
    'the default of an excluded field was an alternative',
    object({ a: filled, b: text }, either),
    object({ b: text }, either),
    ['error alternatives-changed spec'],
  ),
  excluded(
    'an excluded field has a default and counts as a member',
    object({ a: text, b: text }, { maxProperties: 1 }),
    object({ a: filled, b: text }, { maxProperties: 1 }),
    ['error max-properties-tightened spec'],
  ),
  excluded(
    'an excluded field has a default and must not be there',
    object({ a: text, b: text }, notBoth),
    object({ a: filled, b: text }, notBoth),
    ['error alternatives-changed spec'],
  ),
  excluded(
    'an excluded field is required and removed',
    object({ a: text, b: text }, { required: ['a'] }),
    object({ b: text }, { required: ['a'] }),
    ['error required-excluded-field spec.a'],
  ),
];

/** Changes of schemas. */
export const schemaRows: readonly Row[] = [
  { row: 1, change: 'nothing', required: same, live: structuredClone(same), found: [] },
  {
    row: 2,
    change: 'an optional field is added',
    required: same,
    live: widget({ a: text, b: { ...integer, maximum: 3 } }),
    found: [],
  },
  {
    row: 2,
    change: 'an optional field with a default is added',
    required: same,
    live: widget({ a: text, b: { ...integer, default: 3 } }),
    found: ['warning default-on-new-field spec.b'],
  },
  {
    row: 2,
    change: 'a field is added where unknown ones are kept',
    required: widget({ a: object({}, keep) }),
    live: widget({ a: object({ b: text }, keep) }),
    found: ['error type-changed spec.a.b'],
  },
  {
    row: 3,
    change: 'a field is removed',
    required: widget({ a: text, b: object({ c: text }) }),
    live: widget({ a: text }),
    found: ['error field-removed spec.b'],
  },
  {
    row: 3,
    change: 'a field of items is removed',
    required: widget({ a: list(object({ b: text, c: text })) }),
    live: widget({ a: list(object({ c: text })) }),
    found: ['error field-removed spec.a.b'],
  },
  {
    row: 3,
    change: 'a field of map values is removed',
    required: widget({ a: { type: 'object', additionalProperties: object({ b: text, c: text }) } }),
    live: widget({ a: { type: 'object', additionalProperties: object({ c: text }) } }),
    found: ['error field-removed spec.a.*.b'],
  },
  {
    row: 4,
    change: 'an excluded field is removed',
    required: widget({ a: text, b: text }),
    live: widget({ a: text }),
    found: [],
    options: { excludedFields: [{ path: 'spec.b', versions: ['v1'] }] },
  },
  {
    row: 4,
    change: 'a field excluded from all versions is removed',
    required: widget({ a: text, b: list(object({ c: text, d: text })) }),
    live: widget({ a: text, b: list(object({ d: text })) }),
    found: [],
    options: { excludedFields: [{ path: 'spec.b.c' }] },
  },
  {
    row: 4,
    change: 'an excluded field with a default is removed, and members are counted',
    required: widgets([{ ...version('v1', object({ a: { ...text, default: 'x' }, b: text })), storage: true }]),
    live: widgets([{ ...version('v1', object({ b: text }, { minProperties: 1 })), storage: true }]),
    found: ['error min-properties-tightened spec'],
    options: { excludedFields: [{ path: 'spec.a', versions: ['v1'] }] },
  },
  ...excludedRows,
  {
    row: 5,
    change: 'a field is removed in a version nobody requires',
    required: widgets([
      { ...version('v1', object({ a: text })), storage: true },
      version('v2', object({ a: text, b: text })),
    ]),
    live: widgets([{ ...version('v1', object({ a: text })), storage: true }, version('v2', object({ a: text }))]),
    found: [],
  },
  field(6, 'fields give way to unknown ones', object({ b: text }), { type: 'object', ...keep }, [
    'warning unknown-fields-kept spec.a',
    'warning field-no-longer-described spec.a.b',
  ]),
  field(
    6,
    'fields with defaults give way to unknown ones',
    object({ b: { ...text, default: 'x' } }),
    { type: 'object', ...keep },
    [
      'error default-removed spec.a.b',
      'warning unknown-fields-kept spec.a',
      'warning field-no-longer-described spec.a.b',
    ],
  ),
  field(6, 'a set gives way to unknown fields', object({ b: listType('set') }), { type: 'object', ...keep }, [
    'error list-type-changed spec.a.b',
    'warning unknown-fields-kept spec.a',
    'warning field-no-longer-described spec.a.b',
  ]),
  field(7, 'unknown fields are no longer kept', object({ b: text }, keep), object({ b: text }), [
    'error unknown-fields-pruned spec.a',
  ]),
  field(8, 'unknown fields are kept', object({ b: text }), object({ b: text }, keep), [
    'warning unknown-fields-kept spec.a',
  ]),
  field(9, 'an optional field is required', object({ b: text }), object({ b: text }, { required: ['b'] }), [
    'error required-added spec.a.b',
  ]),
  field(
    9,
    'an optional field with a default is required',
    object({ b: { ...text, default: 'x' } }),
    object({ b: { ...text, default: 'x' } }, { required: ['b'] }),
    [],
  ),
  field(
    9,
    'an optional field is required and has a default',
    object({ b: text }),
    object({ b: { ...text, default: 'x' } }, { required: ['b'] }),
    ['error default-added spec.a.b'],
  ),
  field(10, 'an unknown field is required', object({ b: text }), object({ b: text, c: text }, { required: ['c'] }), [
    'error required-added spec.a.c',
  ]),
  field(
    10,
    'an unknown field with a default is required',
    object({ b: text }),
    object({ b: text, c: { ...text, default: 'x' } }, { required: ['c'] }),
    ['warning default-on-new-field spec.a.c'],
  ),
  field(
    11,
    'a field is required below a new one',
    object({ b: text }),
    object({ b: text, c: object({ d: text }, { required: ['d'] }) }),
    [],
  ),
  field(12, 'a field is no longer required', object({ b: text }, { required: ['b'] }), object({ b: text }), [
    'warning required-removed spec.a.b',
  ]),
  field(13, 'a text is a number', text, integer, ['error type-changed spec.a']),
  field(13, 'a number is a text', integer, text, ['error type-changed spec.a']),
  field(14, 'an integer may have a fraction', integer, { type: 'number' }, ['warning integer-became-number spec.a']),
  field(14, 'a number is an integer', { type: 'number' }, integer, ['error type-changed spec.a']),
  field(15, 'an object is a text', object({ b: text }), text, ['error type-changed spec.a']),
  field(15, 'a list is a text', list(text), text, ['error type-changed spec.a']),
  field(16, 'a list is a map', list(text), { type: 'object', additionalProperties: text }, [
    'error type-changed spec.a',
  ]),
  field(16, 'a map is a list', { type: 'object', additionalProperties: text }, list(text), [
    'error type-changed spec.a',
  ]),
  field(17, 'integer or string is an integer', { 'x-kubernetes-int-or-string': true }, integer, [
    'error int-or-string-narrowed spec.a',
  ]),
  field(17, 'integer or string is a text', { 'x-kubernetes-int-or-string': true }, text, [
    'error int-or-string-narrowed spec.a',
  ]),
  field(18, 'an integer may be a text', integer, { 'x-kubernetes-int-or-string': true }, [
    'warning int-or-string-widened spec.a',
  ]),
  field(19, 'a value is gone', { ...text, enum: ['A', 'B'] }, { ...text, enum: ['A'] }, [
    'error enum-value-removed spec.a',
  ]),
  field(20, 'a value is added', { ...text, enum: ['A'] }, { ...text, enum: ['A', 'B'] }, [
    'warning enum-value-added spec.a',
  ]),
  field(21, 'values are listed', text, { ...text, enum: ['A'] }, ['error enum-added spec.a']),
  field(21, 'both booleans are listed', { type: 'boolean' }, { type: 'boolean', enum: [true, false] }, []),
  field(21, 'one boolean is listed', { type: 'boolean' }, { type: 'boolean', enum: [true] }, [
    'error enum-added spec.a',
  ]),
  field(22, 'values are no longer listed', { ...text, enum: ['A'] }, text, ['warning enum-removed spec.a']),
  field(23, 'maximum is lowered', { ...integer, maximum: 5 }, { ...integer, maximum: 4 }, [
    'error maximum-tightened spec.a',
  ]),
  field(23, 'maximum is introduced', integer, { ...integer, maximum: 4 }, ['error maximum-tightened spec.a']),
  field(23, 'maxLength is lowered', { ...text, maxLength: 5 }, { ...text, maxLength: 4 }, [
    'error max-length-tightened spec.a',
  ]),
  field(23, 'maxItems is introduced', list(text), list(text, { maxItems: 2 }), ['error max-items-tightened spec.a']),
  field(
    23,
    'maxProperties is introduced',
    { type: 'object', additionalProperties: text },
    { type: 'object', additionalProperties: text, maxProperties: 2 },
    ['error max-properties-tightened spec.a'],
  ),
  field(
    23,
    'maxProperties is more than there are fields',
    object({ b: text }),
    object({ b: text }, { maxProperties: 2 }),
    [],
  ),
  field(24, 'maximum is raised', { ...integer, maximum: 5 }, { ...integer, maximum: 6 }, [
    'warning maximum-loosened spec.a',
  ]),
  field(24, 'maxLength is dropped', { ...text, maxLength: 5 }, text, ['warning max-length-loosened spec.a']),
  field(25, 'minimum is raised', { ...integer, minimum: 5 }, { ...integer, minimum: 6 }, [
    'error minimum-tightened spec.a',
  ]),
  field(25, 'minLength is introduced', text, { ...text, minLength: 1 }, ['error min-length-tightened spec.a']),
  field(25, 'minLength 0 is introduced', text, { ...text, minLength: 0 }, []),
  field(25, 'minItems is introduced', list(text), list(text, { minItems: 1 }), ['error min-items-tightened spec.a']),
  field(25, 'minItems 0 is introduced', list(text), list(text, { minItems: 0 }), []),
  field(
    25,
    'minProperties is what is required anyway',
    object({ b: text }, { required: ['b'] }),
    object({ b: text }, { required: ['b'], minProperties: 1 }),
    [],
  ),
  field(25, 'minProperties is introduced', object({ b: text }), object({ b: text }, { minProperties: 1 }), [
    'error min-properties-tightened spec.a',
  ]),
  field(26, 'minimum is lowered', { ...integer, minimum: 5 }, { ...integer, minimum: 4 }, [
    'warning minimum-loosened spec.a',
  ]),
  field(26, 'minItems is dropped', list(text, { minItems: 1 }), list(text), ['warning min-items-loosened spec.a']),
  field(26, 'minLength is lowered', { ...text, minLength: 5 }, { ...text, minLength: 4 }, [
    'warning min-length-loosened spec.a',
  ]),
  field(
    26,
    'limits of members are dropped',
    object({ b: text }, { minProperties: 1, maxProperties: 1 }),
    object({ b: text }),
    ['warning max-properties-loosened spec.a', 'warning min-properties-loosened spec.a'],
  ),
  field(24, 'maxItems is raised', list(text, { maxItems: 2 }), list(text, { maxItems: 3 }), [
    'warning max-items-loosened spec.a',
  ]),
  field(27, 'maximum is exclusive', { ...integer, maximum: 5 }, { ...integer, maximum: 5, exclusiveMaximum: true }, [
    'error maximum-tightened spec.a',
  ]),
  field(
    27,
    'minimum is no longer exclusive',
    { type: 'number', minimum: 5, exclusiveMinimum: true },
    { type: 'number', minimum: 5 },
    ['warning minimum-loosened spec.a'],
  ),
  field(28, 'multipleOf is introduced', integer, { ...integer, multipleOf: 2 }, ['error multiple-of-tightened spec.a']),
  field(28, 'multipleOf is a multiple', { ...integer, multipleOf: 2 }, { ...integer, multipleOf: 4 }, [
    'error multiple-of-tightened spec.a',
  ]),
  field(28, 'multipleOf divides the old one', { ...integer, multipleOf: 4 }, { ...integer, multipleOf: 2 }, [
    'warning multiple-of-loosened spec.a',
  ]),
  field(29, 'a pattern is introduced', text, { ...text, pattern: '^[a-z]+$' }, ['error pattern-changed spec.a']),
  field(29, 'a pattern is narrower', { ...text, pattern: '^[a-z]+$' }, { ...text, pattern: '^[a-z]{3}$' }, [
    'error pattern-changed spec.a',
  ]),
  field(
    29,
    'a pattern is written differently and accepts the same',
    { ...text, pattern: '^[a-z]+$' },
    { ...text, pattern: '^[a-z][a-z]*$' },
    [],
  ),
  field(29, 'a pattern takes more texts', { ...text, pattern: '^[a-z]+$' }, { ...text, pattern: '^[a-z][a-z0-9]*$' }, [
    'warning pattern-removed spec.a',
  ]),
  field(
    29,
    'a pattern that looks at words cannot be compared',
    { ...text, pattern: '^[a-z]+$' },
    { ...text, pattern: '^\\b[a-z]+$' },
    ['error pattern-changed spec.a'],
    { unproved: 1 },
  ),
  field(
    26,
    'a limit of the length follows from the pattern',
    { ...text, pattern: '^[a-z]{1,5}$' },
    { ...text, pattern: '^[a-z]{1,5}$', maxLength: 5, minLength: 1 },
    [],
  ),
  field(
    26,
    'a limit of the length follows from the format',
    { ...text, format: 'uuid' },
    { ...text, format: 'uuid', maxLength: 36, minLength: 32 },
    [],
  ),
  field(28, 'every integer is a multiple of one', integer, { ...integer, multipleOf: 1 }, []),
  field(
    29,
    'a pattern that all listed values match',
    { ...text, enum: ['a', 'b'] },
    { ...text, enum: ['a', 'b'], pattern: '^[a-z]$' },
    [],
  ),
  field(
    29,
    'a pattern that one listed value does not match',
    { ...text, enum: ['a', 'B'] },
    { ...text, enum: ['a', 'B'], pattern: '^[a-z]$' },
    ['error pattern-changed spec.a'],
  ),
  field(29, 'a pattern is dropped', { ...text, pattern: '^[a-z]+$' }, text, ['warning pattern-removed spec.a']),
  field(30, 'a format is introduced', text, { ...text, format: 'ipv4' }, ['error format-changed spec.a']),
  field(
    30,
    'a format that all listed values have',
    { ...text, enum: ['10.0.0.1'] },
    { ...text, enum: ['10.0.0.1'], format: 'ipv4' },
    [],
  ),
  field(30, 'an unknown format is introduced', text, { ...text, format: 'my-format' }, []),
  // An API server takes a list for a text with a format, whichever it is.
  field(30, 'a format is dropped', { ...text, format: 'ipv4' }, text, [
    'error format-took-lists spec.a',
    'warning format-removed spec.a',
  ]),
  field(30, 'a format that takes any text is dropped', { ...text, format: 'password' }, text, [
    'error format-took-lists spec.a',
  ]),
  field(
    30,
    'a format is dropped where values are listed',
    { ...text, format: 'ipv4', enum: ['1.2.3.4'] },
    { ...text, enum: ['1.2.3.4'] },
    ['warning format-removed spec.a'],
  ),
  field(30, 'a format is wider', { ...text, format: 'uuid4' }, { ...text, format: 'uuid' }, [
    'warning format-removed spec.a',
  ]),
  field(31, 'int64 is int32', { ...integer, format: 'int64' }, { ...integer, format: 'int32' }, [
    'error format-changed spec.a',
  ]),
  field(
    31,
    'int64 is int32 on an old server',
    { ...integer, format: 'int64' },
    { ...integer, format: 'int32' },
    ['warning format-not-enforced spec.a'],
    { options: old },
  ),
  field(31, 'int32 is int64', { ...integer, format: 'int32' }, { ...integer, format: 'int64' }, [
    'warning format-removed spec.a',
  ]),
  field(32, 'null is no longer permitted', { ...text, nullable: true }, text, ['error nullable-removed spec.a']),
  field(33, 'null is permitted', text, { ...text, nullable: true }, ['warning nullable-added spec.a']),
  field(
    33,
    'null is permitted next to a default',
    { ...text, default: 'x' },
    { ...text, default: 'x', nullable: true },
    ['error nullable-keeps-null spec.a'],
  ),
  field(34, 'the default differs', { ...text, default: 'x' }, { ...text, default: 'y' }, [
    'error default-changed spec.a',
  ]),
  field(35, 'the default is gone', { ...text, default: 'x' }, text, ['error default-removed spec.a']),
  field(36, 'a default is added', text, { ...text, default: 'x' }, ['error default-added spec.a']),
  field(
    37,
    'the default has its keys in another order',
    object({ b: text, c: text }, { default: { b: 'x', c: 'y' } }),
    object({ b: text, c: text }, { default: { c: 'y', b: 'x' } }),
    [],
  ),
  field(
    37,
    'the default spells out an inner default',
    object({ b: { ...text, default: 'x' } }, { default: {} }),
    object({ b: { ...text, default: 'x' } }, { default: { b: 'x' } }),
    [],
  ),
  field(
    38,
    'values of a map are narrower',
    { type: 'object', additionalProperties: text },
    { type: 'object', additionalProperties: { ...text, maxLength: 3 } },
    ['error max-length-tightened spec.a.*'],
  ),
  field(
    39,
    'values of a map gain a field',
    { type: 'object', additionalProperties: object({ b: text }) },
    { type: 'object', additionalProperties: object({ b: text, c: text }) },
    [],
  ),
  field(
    39,
    'values of a map gain a field with a default',
    { type: 'object', additionalProperties: object({ b: text }) },
    { type: 'object', additionalProperties: object({ b: text, c: { ...text, default: 'x' } }) },
    ['warning default-on-new-field spec.a.*.c'],
  ),
  field(40, 'a map is a struct', { type: 'object', additionalProperties: text }, object({ b: text }), [
    'error map-became-struct spec.a',
  ]),
  field(
    41,
    'a struct is a map that takes its values',
    object({ b: text }),
    { type: 'object', additionalProperties: text },
    ['warning struct-became-map spec.a'],
  ),
  field(
    41,
    'a struct is a map that does not take its values',
    object({ b: integer }),
    { type: 'object', additionalProperties: text },
    ['error type-changed spec.a.b', 'warning struct-became-map spec.a'],
  ),
  field(
    41,
    'a struct with a default is a map',
    object({ b: { ...text, default: 'x' } }),
    { type: 'object', additionalProperties: text },
    ['error default-removed spec.a.b', 'warning struct-became-map spec.a'],
  ),
  field(42, 'an atomic list is a set', list(text), listType('set'), ['error list-type-changed spec.a']),
  field(42, 'an atomic list is a map', list(keyed), keyedBy('k'), ['error list-type-changed spec.a']),
  field(43, 'a set is atomic', listType('set'), listType('atomic'), ['error list-type-changed spec.a']),
  field(43, 'a list map is atomic', keyedBy('k'), list(keyed), ['error list-type-changed spec.a']),
  field(44, 'keys are added', keyedBy('k'), keyedBy('k', 'l'), ['error list-map-keys-changed spec.a']),
  field(44, 'keys are removed', keyedBy('k', 'l'), keyedBy('k'), ['error list-map-keys-changed spec.a']),
  field(44, 'keys are in another order', keyedBy('k', 'l'), keyedBy('l', 'k'), []),
  field(
    44,
    'a set of objects is a list map',
    list({ ...keyed, 'x-kubernetes-map-type': 'atomic' }, { 'x-kubernetes-list-type': 'set' }),
    list(
      { ...keyed, 'x-kubernetes-map-type': 'atomic' },
      { 'x-kubernetes-list-type': 'map', 'x-kubernetes-list-map-keys': ['k'] },
    ),
    ['error list-type-changed spec.a'],
  ),
  field(
    45,
    'a granular map is atomic',
    object({ b: text, c: text }),
    object({ b: text, c: text }, { 'x-kubernetes-map-type': 'atomic' }),
    ['error map-type-changed spec.a'],
  ),
  field(
    45,
    'members are merged otherwise in items that are replaced as a whole',
    list(object({ b: object({ c: text, d: text }), e: listType('set') })),
    list(object({ b: object({ c: text, d: text }, { 'x-kubernetes-map-type': 'atomic' }), e: listType('atomic') })),
    [],
  ),
  field(
    45,
    'an atomic map is granular',
    object({ b: text, c: text }, { 'x-kubernetes-map-type': 'atomic' }),
    object({ b: text, c: text }),
    ['error map-type-changed spec.a'],
  ),
  field(
    46,
    'an object is a resource',
    object({ b: text }, keep),
    object({ b: text }, { ...keep, 'x-kubernetes-embedded-resource': true }),
    ['error embedded-resource-added spec.a'],
  ),
  field(
    46,
    'an object is no resource any more',
    object({ b: text }, { 'x-kubernetes-embedded-resource': true }),
    object({ b: text }),
    ['error embedded-resource-removed spec.a'],
  ),
  field(
    46,
    'an object that keeps unknown fields is no resource any more',
    object({ b: text }, { ...keep, 'x-kubernetes-embedded-resource': true }),
    object({ b: text }, keep),
    ['warning embedded-resource-unchecked spec.a'],
  ),
  field(47, 'a rule is added', integer, { ...integer, ...rule('self < 5') }, ['error rule-added spec.a']),
  field(47, 'a rule about changes is added', integer, { ...integer, ...rule('self >= oldSelf') }, [
    'error rule-added spec.a',
  ]),
  field(
    47,
    'a rule that always holds is added',
    integer,
    { ...integer, ...rule('self == self') },
    ['error rule-added spec.a'],
    { unproved: 1 },
  ),
  field(
    47,
    'a rule that what is required satisfies is added',
    object({ b: text }, { required: ['b'] }),
    object({ b: text, c: text }, rule('has(self.b) != has(self.c)')),
    ['warning required-removed spec.a.b'],
  ),
  field(
    47,
    'a rule that counts what is there, and finds what is required, is added',
    object({ b: text }, { required: ['b'] }),
    object({ b: text, c: text }, rule('[has(self.b),has(self.c)].filter(x,x==true).size() == 1')),
    ['warning required-removed spec.a.b'],
  ),
  field(
    47,
    'a rule that what is optional may break is added',
    object({ b: text }),
    object({ b: text, c: text }, rule('has(self.b) != has(self.c)')),
    ['error rule-added spec.a'],
  ),
  field(48, 'a rule is gone', { ...integer, ...rule('self < 5') }, integer, ['warning rule-removed spec.a']),
  field(49, 'a rule differs', { ...integer, ...rule('self < 5') }, { ...integer, ...rule('self < 4') }, [
    'error rule-changed spec.a',
  ]),
  field(
    49,
    'a rule is spelled differently',
    { ...integer, ...rule('self < 5') },
    { ...integer, ...rule('(self<5)') },
    [],
  ),
  field(
    49,
    'a rule sees another type',
    { ...integer, ...rule('type(self) == int') },
    { type: 'number', ...rule('type(self) == int') },
    ['error rule-sees-other-types spec.a', 'warning integer-became-number spec.a'],
  ),
  field(
    50,
    'the message of a rule differs',
    { ...integer, 'x-kubernetes-validations': [{ rule: 'self < 5', message: 'a' }] },
    { ...integer, 'x-kubernetes-validations': [{ rule: 'self < 5', message: 'b', reason: 'FieldValueForbidden' }] },
    [],
  ),
  field(
    51,
    'anyOf is introduced',
    object({ b: text, c: text }),
    object({ b: text, c: text }, { anyOf: [{ required: ['b'] }, { required: ['c'] }] }),
    ['error alternatives-changed spec.a'],
  ),
  field(
    51,
    'not is introduced',
    object({ b: text, c: text }),
    object({ b: text, c: text }, { not: { required: ['b', 'c'] } }),
    ['error alternatives-changed spec.a'],
  ),
  field(
    51,
    'allOf differs',
    object({ b: text }, { allOf: [{ minProperties: 0 }] }),
    object({ b: text }, { allOf: [{ minProperties: 1 }] }),
    ['error min-properties-tightened spec.a'],
  ),
  field(
    51,
    'allOf has a pattern more',
    { ...text, pattern: '^a' },
    { ...text, pattern: '^a', allOf: [{ pattern: 'b$' }] },
    ['error alternatives-changed spec.a'],
  ),
  field(
    51,
    'demands move into allOf',
    { ...text, pattern: '^a', maxLength: 5 },
    { ...text, allOf: [{ pattern: '^a' }, { maxLength: 5 }] },
    [],
  ),
  field(
    51,
    'demands move out of allOf',
    { ...integer, allOf: [{ minimum: 1 }, { maximum: 5, exclusiveMaximum: true }] },
    { ...integer, minimum: 1, maximum: 5, exclusiveMaximum: true },
    [],
  ),
  field(
    52,
    'one of some becomes any of them',
    object({ b: text, c: text }, { oneOf: [{ required: ['b'] }, { required: ['c'] }] }),
    object({ b: text, c: text }, { anyOf: [{ required: ['b'] }, { required: ['c'] }] }),
    ['warning alternatives-loosened spec.a'],
  ),
  field(
    52,
    'a branch asks for a new field',
    object({ b: text, c: text }, { oneOf: [{ required: ['b'] }, { required: ['c'] }] }),
    object(
      { b: text, c: text, d: text },
      { oneOf: [{ required: ['b'] }, { required: ['c'] }, { required: ['d'] }], not: { required: ['d', 'b'] } },
    ),
    [],
  ),
  field(
    52,
    'any of some becomes one of them',
    object({ b: text, c: text }, { anyOf: [{ required: ['b'] }, { required: ['c'] }] }),
    object({ b: text, c: text }, { oneOf: [{ required: ['b'] }, { required: ['c'] }] }),
    ['error alternatives-changed spec.a', 'warning alternatives-loosened spec.a'],
  ),
  field(
    52,
    'anyOf has another branch',
    object({ b: text, c: text }, { anyOf: [{ required: ['b'] }] }),
    object({ b: text, c: text }, { anyOf: [{ required: ['c'] }, { required: ['b'] }] }),
    ['warning alternatives-loosened spec.a'],
  ),
  field(
    52,
    'oneOf has another branch',
    object({ b: text, c: text }, { oneOf: [{ required: ['b'] }] }),
    object({ b: text, c: text }, { oneOf: [{ required: ['b'] }, { required: ['c'] }] }),
    ['error alternatives-changed spec.a'],
  ),
  field(
    52,
    'oneOf has its branches in another order',
    object({ b: text, c: text }, { oneOf: [{ required: ['b'] }, { required: ['c'] }] }),
    object({ b: text, c: text }, { oneOf: [{ required: ['c'] }, { required: ['b'] }] }),
    [],
  ),
  field(
    53,
    'oneOf is gone',
    object({ b: text, c: text }, { oneOf: [{ required: ['b'] }, { required: ['c'] }] }),
    object({ b: text, c: text }),
    ['warning alternatives-loosened spec.a'],
  ),
  field(
    53,
    'keywords that int-or-string implies are removed',
    { 'x-kubernetes-int-or-string': true, anyOf: [integer, text] },
    { 'x-kubernetes-int-or-string': true },
    [],
  ),
  field(
    54,
    'texts for people differ',
    { ...text, description: 'a', title: 'b', example: 'c' },
    { ...text, description: 'd', externalDocs: { url: 'https://example.com' } },
    [],
  ),
];
