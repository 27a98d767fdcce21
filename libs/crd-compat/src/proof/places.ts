/** Places in values. */
import { type FieldError, getOwn, type JsonObject, setOwn } from '@capstan/meta';
import { type SchemaNode, StructuralSchema } from '@capstan/schema';
import { ANY, itemsOf, resourceNames, restOf } from '../drafts/any.js';
import { embeddedMember } from '../drafts/resource-members.js';
import { ABSENT, type Site } from '../drafts/site.js';
import { knownNodes } from '../definition.js';

/** The way to a place in a value. */
export type Keys = readonly (number | string)[];

/** The keys of a path as field errors write it: `spec.list[0].a`, `spec.labels[key]`. */
export function keysOf(path: string): Keys {
  return [...path.matchAll(/\[([^\]]*)(?:\]|$)|([^.[\]]+)/g)].map(([, inside, name]) => {
    if (name !== undefined) return name;
    return /^\d+$/.test(inside ?? '') ? Number(inside) : (inside ?? '');
  });
}

/** Where an error is; alternatives are reported at the root and name their place in the text. */
export function placeOf({ detail, field }: FieldError): Keys {
  if (field !== '' && field !== '<nil>') return keysOf(field);
  const named = /^"([^"]*)" must /.exec(detail) ?? / in ([^ ]*)$/.exec(detail);
  return keysOf((named?.[1] ?? '').replace(/^\./, ''));
}

/** The value at a place. */
export function valueAt(value: unknown, keys: Keys): unknown {
  let at = value;
  for (const key of keys) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = getOwn(at as Readonly<Record<string, unknown>>, String(key));
  }
  return at;
}

/** The schema of a member. */
function memberOf(node: SchemaNode, name: string): SchemaNode {
  const own = node.properties?.get(name);
  if (node.embeddedResource && resourceNames.has(name)) return embeddedMember(name, own) ?? ANY;
  return own ?? restOf(node) ?? ANY;
}

/** The schema of a place. */
export function schemaAt(root: SchemaNode, keys: Keys): SchemaNode {
  let node = root;
  for (const key of keys) {
    node = typeof key === 'number' && node.type !== 'object' ? itemsOf(node) : memberOf(node, String(key));
  }
  return node;
}

/** Sets the value at a place whose parents are there; {@link ABSENT} removes it, and so does a value that was not found. */
export function setAt(value: unknown, keys: Keys, leaf: unknown): void {
  const parent = valueAt(value, keys.slice(0, -1));
  const key = keys.at(-1);
  if (typeof parent !== 'object' || parent === null || key === undefined) return;
  const isAbsent = leaf === ABSENT || leaf === undefined;
  if (Array.isArray(parent)) {
    if (isAbsent) parent.splice(Number(key), 1);
    else parent[Number(key)] = leaf;
  } else if (isAbsent) delete (parent as JsonObject)[key];
  else setOwn(parent as JsonObject, String(key), leaf);
}

/** The schema of a site. */
export function schemaOf(root: SchemaNode, site: Site): SchemaNode {
  let node = root;
  for (const step of site) {
    if (step.kind === 'item') node = itemsOf(node);
    else if (step.kind === 'value') node = restOf(node) ?? ANY;
    else node = memberOf(node, step.name);
  }
  return node;
}

const schemas = new Map<number, WeakMap<object, StructuralSchema>>();

/** The schema of a node by itself, made once. */
export function schemaFor({ raw }: SchemaNode, minor: number): StructuralSchema {
  let byNode = schemas.get(minor);
  if (byNode === undefined) schemas.set(minor, (byNode = new WeakMap()));
  let schema = byNode.get(raw);
  if (schema === undefined) byNode.set(raw, (schema = new StructuralSchema(raw, { minor, known: knownNodes })));
  return schema;
}
