/** Schemas of variables: both versions have the same fields, but v1beta1 cannot tell a flag that is off from none. */
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

/** Decides about one flag; `kept` is the same flag of the schema that was put aside. */
type FlagWriter = (value: unknown, kept: unknown) => unknown;

const turnedOn: FlagWriter = (value) => (value === true ? true : undefined);
const toldApart: FlagWriter = (value, kept) => (value === true ? true : kept === false ? false : undefined);

function schemasIn(held: JsonObject, kept: unknown, write: FlagWriter): JsonObject {
  return Object.fromEntries(
    Object.entries(held).map(([name, schema]) => [name, rewritten(schema, getAt(kept, [name]), write)]),
  );
}

function member(name: string, held: unknown, kept: unknown, write: FlagWriter): unknown {
  if (flags.has(name)) return write(held, kept);
  if (inner.has(name)) return rewritten(held, kept, write);
  if (name === 'properties' && isRecord(held)) return schemasIn(held, kept, write);
  if (!innerLists.has(name) || !Array.isArray(held)) return held;
  const isSameList = Array.isArray(kept) && kept.length === held.length;
  return held.map((schema, at) => rewritten(schema, isSameList ? kept[at] : undefined, write));
}

/** A copy of a schema with its flags as the other version holds them; what it does not know it copies. */
function rewritten(schema: unknown, kept: unknown, write: FlagWriter): unknown {
  if (!isRecord(schema)) return schema;
  const copy: JsonObject = {};
  for (const [name, held] of Object.entries(schema)) {
    const value = member(name, held, getAt(kept, [name]), write);
    if (value !== undefined) copy[name] = value;
  }
  for (const name of flags) {
    if (schema[name] !== undefined) continue;
    const value = write(undefined, getAt(kept, [name]));
    if (value !== undefined) copy[name] = value;
  }
  return copy;
}

/** The schema of a variable. A flag that was off in v1beta2 is off again after a way through v1beta1. */
export const variableSchema: Codec = {
  keepsShape: true,
  forward: (value, field) => (value === undefined ? undefined : rewritten(value, field.restored(), toldApart)),
  backward: (value, field) => {
    if (value === undefined) return undefined;
    field.preserve(value);
    return rewritten(value, undefined, turnedOn);
  },
  normal: { left: (value) => (value === undefined ? undefined : rewritten(value, undefined, turnedOn)) },
};
