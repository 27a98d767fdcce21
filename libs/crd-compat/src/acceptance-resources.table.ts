/** Changes of null, and of the type fields and metadata of resources. */
import type { Row } from './acceptance.table.js';
import { widget, widgets } from './testing.js';

type Fields = Readonly<Record<string, unknown>>;

const text = { type: 'string' };
const keep = { 'x-kubernetes-preserve-unknown-fields': true };
const types = { apiVersion: text, kind: text };

function object(properties: Fields, more: Fields = {}): Fields {
  return { type: 'object', properties, ...more };
}

function resource(properties: Fields, more: Fields = {}): Fields {
  return object(properties, { 'x-kubernetes-embedded-resource': true, ...more });
}

function metadata(properties: Fields, more: Fields = {}): Fields {
  return { metadata: object(properties, more) };
}

function field(row: number, change: string, [a, b]: readonly [Fields, Fields], ...found: string[]): Row {
  return { row, change, required: widget({ a }), live: widget({ a: b }), found };
}

/** A change of the whole schema. */
function root(row: number, change: string, [a, b]: readonly [Fields, Fields], ...found: string[]): Row {
  const definition = (schema: Fields): object =>
    widgets([{ name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object', ...schema } } }]);
  return { row, change, required: definition(a), live: definition(b), found };
}

/** Changes of null. */
const nullRows: readonly Row[] = [
  field(
    33,
    'null is permitted next to an enum without null',
    [
      { ...text, enum: ['x'] },
      { ...text, enum: ['x'], nullable: true },
    ],
    'error nullable-refuses-null spec.a',
  ),
  field(
    12,
    'an enum of a nullable boolean is added',
    [
      { type: 'boolean', nullable: true },
      { type: 'boolean', nullable: true, enum: [true, false] },
    ],
    'error enum-added spec.a',
  ),
  field(
    33,
    'null is permitted in a member of an object whose members are counted',
    [
      object({ b: text, c: text }, { maxProperties: 1 }),
      object({ b: { ...text, nullable: true }, c: text }, { maxProperties: 1 }),
    ],
    'error max-properties-tightened spec.a',
    'warning nullable-added spec.a.b',
  ),
  field(
    33,
    'null is permitted in a member that alternatives ask for',
    [
      object({ b: text, c: text }, { oneOf: [{ required: ['b'] }, { required: ['c'] }] }),
      object({ b: { ...text, nullable: true }, c: text }, { oneOf: [{ required: ['b'] }, { required: ['c'] }] }),
    ],
    'error alternatives-changed spec.a',
    'warning nullable-added spec.a.b',
  ),
  field(
    33,
    'null is permitted in a member that must not be there',
    [
      object({ b: text, c: text }, { not: { required: ['b', 'c'] } }),
      object({ b: { ...text, nullable: true }, c: text }, { not: { required: ['b', 'c'] } }),
    ],
    'error alternatives-changed spec.a',
    'warning nullable-added spec.a.b',
  ),
  field(
    33,
    'null is permitted in a member of an enumerated object',
    [
      object({ b: text, c: text }, { enum: [{ c: 'x' }] }),
      object({ b: { ...text, nullable: true }, c: text }, { enum: [{ c: 'x' }] }),
    ],
    'error alternatives-changed spec.a',
    'warning nullable-added spec.a.b',
  ),
  field(
    2,
    'a field with a default is added to an enumerated object',
    [
      object({ b: text }, { enum: [{ b: 'x' }] }),
      object({ b: text, c: { ...text, default: 'y' } }, { enum: [{ b: 'x' }] }),
    ],
    'error alternatives-changed spec.a',
    'warning default-on-new-field spec.a.c',
  ),
];

/** Changes of embedded resources. */
const embeddedRows: readonly Row[] = [
  field(
    46,
    'a resource whose metadata is declared is none any more',
    [resource({ ...types, ...metadata({ name: text }) }), object({ ...types, ...metadata({ name: text }) })],
    'error embedded-resource-removed spec.a',
  ),
  field(
    46,
    'a resource is none any more and keeps its metadata whole',
    [resource({ ...types, ...metadata({}) }), object({ ...types, ...metadata({}, keep) })],
    'warning embedded-resource-unchecked spec.a',
  ),
  field(
    46,
    'the kind of a resource is enumerated',
    [resource({ b: text }), resource({ b: text, kind: { ...text, enum: ['Secret'] } })],
    'error enum-added spec.a.kind',
  ),
  field(
    46,
    'the apiVersion of a resource has a pattern',
    [resource({ apiVersion: text }), resource({ apiVersion: { ...text, pattern: '^apps/' } })],
    'error pattern-changed spec.a.apiVersion',
  ),
  field(
    46,
    'the kind of a resource has a rule',
    [
      resource({ b: text }),
      resource({ b: text, kind: { ...text, 'x-kubernetes-validations': [{ rule: "self == 'Secret'" }] } }),
    ],
    'error rule-added spec.a.kind',
  ),
  field(
    46,
    'the kind of a resource has no default any more',
    [resource({ kind: { ...text, default: 'Secret' } }), resource({ kind: text })],
    'error default-removed spec.a.kind',
  ),
  field(
    46,
    'the metadata of a resource is required',
    [resource({ b: text, ...metadata({}) }), resource({ b: text, ...metadata({}) }, { required: ['metadata'] })],
    'error required-added spec.a.metadata',
  ),
  field(
    46,
    'labels of a resource are required',
    [resource({ b: text }), resource({ b: text, ...metadata({}, { required: ['labels'] }) })],
    'error required-added spec.a.metadata.labels',
  ),
  field(
    46,
    'names of resources are shorter',
    [resource(metadata({ name: text })), resource(metadata({ name: { ...text, maxLength: 3 } }))],
    'error max-length-tightened spec.a.metadata.name',
  ),
  field(
    46,
    'the kind of a resource is no longer enumerated',
    [resource({ b: text, kind: { ...text, enum: ['Secret'] } }), resource({ b: text })],
    'warning enum-removed spec.a.kind',
  ),
];

/** Changes of the type fields at the root. */
const rootRows: readonly Row[] = [
  root(
    73,
    'the kind of every object is refused',
    [{}, { properties: { kind: { ...text, enum: ['Other'] } } }],
    'error enum-value-removed kind',
  ),
  root(
    73,
    'the apiVersion of every object is refused',
    [{ properties: { apiVersion: text } }, { properties: { apiVersion: { ...text, pattern: '^other/' } } }],
    'error pattern-changed apiVersion',
  ),
  root(73, 'the kind that every object has is enumerated', [
    {},
    { properties: { kind: { ...text, enum: ['Widget'] } } },
  ]),
  root(73, 'type fields are required that every object has', [
    {},
    { properties: { kind: text }, required: ['apiVersion', 'kind', 'metadata'] },
  ]),
];

/** All of them. */
export const resourceRows: readonly Row[] = [...nullRows, ...embeddedRows, ...rootRows];
