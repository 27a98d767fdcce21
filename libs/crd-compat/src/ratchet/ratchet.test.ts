import { describe, expect, test } from 'vitest';
import { freshErrors, version, widget, widgets } from '../testing.js';

type Fields = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const integer = { type: 'integer' };
const keep = { 'x-kubernetes-preserve-unknown-fields': true };
const any = { ...keep, nullable: true };
const object = (properties: Fields, more: Fields = {}): Fields => ({ type: 'object', properties, ...more });
const map = (values: Fields): Fields => ({ type: 'object', additionalProperties: values });
const list = (items: Fields, more: Fields = {}): Fields => ({ type: 'array', items, ...more });
const rule = (each: string): Fields => ({ 'x-kubernetes-validations': [{ rule: each }] });
const most = (maxLength: number): Fields => ({ ...text, maxLength });

/** A requirement of `spec.a`, the live schema of it before and after, and the rules of what is worse. */
type Row = [string, required: Fields, before: Fields | undefined, after: Fields | undefined, fresh?: readonly string[]];

const nested = object({ b: object({ c: text, d: text }), e: text });
const resource = object({ metadata: object({ name: text, labels: map(text) }), x: text }, keep);
const embedded = { ...resource, 'x-kubernetes-embedded-resource': true };
const metadataOf = (...names: readonly string[]): Fields =>
  object({
    ...(resource['properties'] as Fields),
    apiVersion: text,
    kind: text,
    metadata: object(Object.fromEntries(names.map((name) => [name, name === 'labels' ? map(text) : text]))),
  });

const worse: readonly Row[] = [
  ['a tighter limit', most(9), most(5), most(4), ['max-length-tightened']],
  [
    'an exclusive bound in the place of an inclusive one',
    { ...integer, maximum: 9 },
    { ...integer, maximum: 5 },
    { ...integer, maximum: 5, exclusiveMaximum: true },
    ['maximum-tightened'],
  ],
  [
    'a struct that keeps fewer keys of a map',
    map(text),
    object({ x: text, y: text }),
    object({ x: text }),
    ['map-became-struct'],
  ],
  [
    'a struct that keeps other keys of a map',
    map(text),
    object({ x: text }),
    object({ y: text }),
    ['map-became-struct'],
  ],
  [
    'fewer keys kept where all were',
    object({}, keep),
    object({ x: any, y: any }),
    object({ x: any }),
    ['unknown-fields-pruned'],
  ],
  [
    'metadata that keeps less',
    embedded,
    metadataOf('name', 'labels'),
    metadataOf('name'),
    ['embedded-resource-removed'],
  ],
  [
    'a lost field next to a lost one',
    nested,
    object({ b: object({ d: text }), e: text }),
    object({ b: object({ d: text }) }),
    ['field-removed'],
  ],
  [
    'the parent of a lost field',
    nested,
    object({ b: object({ d: text }), e: text }),
    object({ e: text }),
    ['field-removed'],
  ],
  [
    'a field that came back with another type',
    nested,
    object({ e: text }),
    object({ b: text, e: text }),
    ['type-changed'],
  ],
  [
    'a field that came back and takes less',
    object({ b: most(9) }),
    object({}),
    object({ b: most(5) }),
    ['max-length-tightened'],
  ],
  [
    'a field that came back and is required',
    object({ b: text, c: text }),
    object({ c: text }),
    object({ b: text, c: text }, { required: ['b'] }),
    ['required-added'],
  ],
  ['a field that was refused and is dropped now', nested, text, object({ e: text }), ['field-removed']],
  [
    'a key of a map that is kept and refused now',
    map(integer),
    object({ x: integer }),
    object({ x: integer, y: text }),
    ['type-changed'],
  ],
  [
    'a field of map values, where one key was kept whole',
    map(object({ b: text, c: text })),
    object({ x: object({ b: text, c: text }) }),
    map(object({ b: text })),
    ['field-removed'],
  ],
  [
    'null that becomes a default',
    { type: 'boolean', nullable: true, default: true },
    { type: 'boolean' },
    { type: 'boolean', default: true },
    ['nullable-removed'],
  ],
  [
    'another default',
    { ...text, default: 'a' },
    { ...text, default: 'b' },
    { ...text, default: 'c' },
    ['default-changed'],
  ],
  [
    'a rule that refuses other values',
    integer,
    { ...integer, ...rule('self < 5') },
    { ...integer, ...rule('self > 5') },
    ['rule-added'],
  ],
  [
    'fewer values of an enumeration',
    { ...text, enum: ['A', 'B', 'C'] },
    { ...text, enum: ['A', 'B'] },
    { ...text, enum: ['A'] },
    ['enum-value-removed'],
  ],
  [
    'a limit next to a lost field',
    object({ b: text, c: text }),
    object({ c: text }),
    object({ b: text, c: text }, { maxProperties: 1 }),
    ['max-properties-tightened'],
  ],
  [
    'more fields that defaults fill in where members are counted',
    object({ b: text }, { maxProperties: 1 }),
    object({ b: text, c: { ...text, default: 'x' } }, { maxProperties: 1 }),
    object({ b: text, c: { ...text, default: 'x' }, d: { ...text, default: 'x' } }, { maxProperties: 1 }),
    ['max-properties-tightened'],
  ],
];

const repairs: readonly Row[] = [
  ['nothing', most(9), most(5), most(5)],
  ['everything', nested, undefined, nested],
  ['a milder limit', most(9), most(5), most(6)],
  ['a limit in the place of an enumeration', most(9), { ...text, enum: ['a', 'b'] }, most(5)],
  ['part of a lost field', nested, undefined, object({ b: object({ d: text }), e: text })],
  [
    'part of a lost field of items',
    list(nested),
    list(object({ e: text })),
    list(object({ b: object({ c: text }), e: text })),
  ],
  ['part of a lost field of a map', map(nested), map(object({})), map(object({ e: text }))],
  ['more keys of a map', map(text), object({ x: text }), object({ x: text, y: text })],
  ['more keys, where unknown ones were kept', object({}, keep), object({ x: any }), object({ x: any, y: any })],
  ['the map, but for a field of its values', map(object({ b: text, c: text })), object({}), map(object({ b: text }))],
  ['one of two', object({ b: most(9), c: text }), object({ b: most(5) }), object({ b: most(5), c: text })],
  ['the type, with a limit', most(9), integer, most(5)],
  ['the type, with a limit deeper down', object({ b: most(9) }), text, object({ b: most(5) })],
  ['the type, with a field that is required', object({ b: text }), text, object({ b: text }, { required: ['b'] })],
  [
    'more alternatives',
    object({ b: text, c: text }),
    object({ b: text, c: text }, { anyOf: [{ required: ['b'] }] }),
    object({ b: text, c: text }, { anyOf: [{ required: ['b'] }, { required: ['c'] }] }),
  ],
  [
    'an inclusive bound',
    { ...integer, maximum: 9 },
    { ...integer, maximum: 5, exclusiveMaximum: true },
    { ...integer, maximum: 5 },
  ],
];

describe('an update of a CRD that violates a requirement', () => {
  const live = (a: Fields | undefined): object => widget({ ...(a !== undefined && { a }), z: text });

  test.each(worse)('is worse: %s', (...[, required, before, after, fresh]) => {
    expect(freshErrors(live(required), live(before), live(after)).map((each) => each.rule)).toEqual(fresh);
  });

  test.each(repairs)('repairs: %s', (_name, required, before, after) => {
    expect(freshErrors(live(required), live(before), live(after))).toEqual([]);
  });

  test('answers for everything when there was no violation', () => {
    const fresh = freshErrors(live(nested), live(nested), live(most(5)));
    expect(fresh.map((each) => each.rule)).toEqual(['type-changed']);
  });

  test.each<[string, Fields]>([
    ['is not there', {}],
    ['is not served', { v1: { ...version('v1', object({ a: text })), served: false } }],
  ])('may bring back in part a version that %s', (_name, { v1 }) => {
    const other = { ...version('v2', object({ a: text })), storage: true };
    const required = widgets([{ ...version('v1', object({ a: text, b: text })), storage: true }]);
    const before = widgets([...(v1 === undefined ? [] : [v1 as object]), other]);
    const after = widgets([version('v1', object({ a: text })), other]);
    expect(freshErrors(required, before, after)).toEqual([]);
    expect(freshErrors(required, after, before)).toHaveLength(1);
  });
});
