/** The stored form of field sets. */
import { Recent } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { asMap } from './apply-type.js';
import { EMPTY_SET, LEAF, fieldNode } from './field-node.js';
import type { FieldChildren, FieldSet } from './field-node.js';
import { UNKNOWN_ELEMENT, parseElement, sortElements } from './path-element.js';

const SELF = '.';
const NOTHING: Readonly<Record<string, unknown>> = Object.freeze({});

/** Enough for the objects that are being worked on; those of more would only take memory. */
const RECENT_SETS = 4_096;
/** Sets already read, by the identity of the JSON they were read from: stored objects are handed out again and again. */
const decodedSets = new Recent<object, FieldSet>(RECENT_SETS);

/** Reads a set. Throws a SyntaxError on a malformed path element; unknown kinds of elements are left out. */
export function decodeFieldsV1(fields: unknown): FieldSet {
  const object = asMap(fields);
  if (object === undefined) return EMPTY_SET;
  let set = decodedSets.get(object);
  if (set === undefined) {
    set = decodeNode(object, true);
    // Only what cannot change may be remembered.
    if (Object.isFrozen(object)) decodedSets.set(object, set);
  }
  return set;
}

function decodeNode(object: JsonObject, isRoot: boolean): FieldSet {
  let member = false;
  let children: Map<string, FieldSet> | undefined;
  for (const key in object) {
    if (key === SELF) {
      member = true;
      continue;
    }
    const element = parseElement(key);
    if (element === UNKNOWN_ELEMENT) continue;
    const below = asMap(object[key]);
    (children ??= new Map()).set(element, below === undefined ? LEAF : decodeNode(below, false));
  }
  if (children === undefined) return isRoot ? EMPTY_SET : LEAF;
  return fieldNode(member && !isRoot, children);
}

/** Writes a set with its elements in the server's order. The result is shared between equal sets, and frozen. */
export function encodeFieldsV1(set: FieldSet): Readonly<Record<string, unknown>> {
  if (set.children === undefined) return NOTHING;
  if (set.encoded !== undefined) return set.encoded;
  const fields = encodeNode(set, set.children);
  decodedSets.set(fields, set);
  return fields;
}

function encodeNode(set: FieldSet, children: FieldChildren): Readonly<Record<string, unknown>> {
  const fields: JsonObject = {};
  if (set.member) fields[SELF] = NOTHING;
  for (const element of sortElements(children.keys())) {
    const child = children.get(element);
    const below = child?.children;
    // No element is `__proto__`: all have a kind before their name.
    if (child !== undefined)
      fields[element] = below === undefined ? NOTHING : (child.encoded ?? encodeNode(child, below));
  }
  return (set.encoded = Object.freeze(fields));
}
