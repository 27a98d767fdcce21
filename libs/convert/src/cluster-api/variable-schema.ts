/** Schemas of variables: both versions have the same fields, but v1beta1 cannot distinguish a flag that is off from an absent one. */
import type { JsonObject } from '@capstan/meta';
import type { Codec } from '../engine/codec.js';
import { getAt, isRecord } from '../engine/path.js';

const flags: ReadonlySet<string> = new Set([
  'uniqueItems',
  'exclusiveMaximum',
  'exclusiveMinimum',
  'x-kubernetes-preserve-unknown-fields',
  'x-kubernetes-int-or-string',
]);
const inner: ReadonlySet<string> = new Set(['additionalProperties', 'items', 'not']);
const innerLists: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf']);

/** How a version writes what the other holds otherwise. */
interface Writer {
  /** A flag; `kept` is the same one of the schema that was put aside. */
  readonly flag: (value: unknown, kept: unknown) => unknown;
  /** The rule of a validation. */
  readonly rule: (value: unknown) => unknown;
}

const v1beta1: Writer = {
  flag: (value) => (value === true ? true : undefined),
  rule: (value) => value ?? '',
};
const v1beta2: Writer = {
  flag: (value, kept) => (value === true ? true : kept === false ? false : undefined),
  rule: (value) => (value === '' ? undefined : value),
};

const isEmpty = (value: unknown): boolean => isRecord(value) && Object.keys(value).length === 0;
const isNone = (value: unknown): boolean => value === undefined || isEmpty(value);

function validation(held: unknown, write: Writer): unknown {
  if (!isRecord(held)) return held;
  const { rule, ...others } = held;
  const written = write.rule(rule);
  return written === undefined ? others : { ...others, rule: written };
}

function schemasIn(held: JsonObject, kept: unknown, write: Writer): JsonObject {
  return Object.fromEntries(
    Object.entries(held).map(([name, schema]) => [name, rewritten(schema, getAt(kept, [name]), write)]),
  );
}

function member(name: string, held: unknown, kept: unknown, write: Writer): unknown {
  if (flags.has(name)) return write.flag(held, kept);
  if (inner.has(name)) return rewritten(held, kept, write);
  if (name === 'x-metadata' && isEmpty(held)) return undefined;
  if (name === 'properties' && isRecord(held)) return schemasIn(held, kept, write);
  if (name === 'x-kubernetes-validations' && Array.isArray(held)) return held.map((each) => validation(each, write));
  if (!innerLists.has(name) || !Array.isArray(held)) return held;
  return held.map((schema, at) => rewritten(schema, getAt(kept, [String(at)]), write));
}

/** A copy of a schema with its flags as the other version holds them; what it does not know it copies. */
function rewritten(schema: unknown, kept: unknown, write: Writer): unknown {
  if (!isRecord(schema)) return schema;
  const copy: JsonObject = {};
  for (const [name, held] of Object.entries(schema)) {
    const value = member(name, held, getAt(kept, [name]), write);
    if (value !== undefined) copy[name] = value;
  }
  for (const name of flags) {
    if (schema[name] !== undefined) continue;
    const value = write.flag(undefined, getAt(kept, [name]));
    if (value !== undefined) copy[name] = value;
  }
  return copy;
}

/** A schema in the form its own version gives it; its flags stay as they are. */
const ownForm = (write: Writer) => (value: unknown) => (isNone(value) ? undefined : rewritten(value, value, write));

/** The schema of a variable. A flag that was off in v1beta2 is off again after a way through v1beta1. */
export const variableSchema: Codec = {
  keeps: ['right'],
  keepsShape: true,
  forward: (value, field) => {
    const schema = rewritten(value ?? {}, field.restored(), v1beta2);
    return isNone(schema) ? undefined : schema;
  },
  backward: (value, field) => {
    if (isNone(value)) return undefined;
    field.preserve(value);
    return rewritten(value, undefined, v1beta1);
  },
  normal: { left: ownForm(v1beta1), right: ownForm(v1beta2) },
};
