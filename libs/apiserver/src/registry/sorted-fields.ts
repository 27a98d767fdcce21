/** Sets of fields of custom resources, which are maps to the real server: their keys are sorted. */
import { compareBytes, deepFreeze, setOwn, Recent } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

const RECENT_SETS = 4_096;
/** Sets by the identity of what they were sorted from: those of managers that a write leaves alone come again and again. */
const sortedSets = new Recent<object, JsonObject>(RECENT_SETS);
/** Sorted sets by their members: objects that one program writes share them, and what was once read of them. */
const sharedSets = new Recent<string, JsonObject>(RECENT_SETS);

/** Whether a value is a map. */
export function isMap(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A set of fields with its keys in the order of their texts, `443` before `80`; one for all that have the same. */
export function sortedFields(set: Readonly<JsonObject>): JsonObject {
  const known = sortedSets.get(set);
  if (known !== undefined) return known;
  // Only what cannot change may be remembered, or handed out.
  const isFrozen = Object.isFrozen(set);
  const sorted = shared(isFrozen && isSorted(set) ? (set as JsonObject) : sortedCopy(set));
  if (isFrozen) sortedSets.set(set, sorted);
  return sorted;
}

/** Whether the keys are in order everywhere. */
function isSorted(set: Readonly<JsonObject>): boolean {
  let before = '';
  for (const key in set) {
    if (compareBytes(before, key) > 0) return false;
    const inside = set[key];
    if (isMap(inside) && !isSorted(inside)) return false;
    before = key;
  }
  return true;
}

function sortedCopy(set: Readonly<JsonObject>): JsonObject {
  const sorted: JsonObject = {};
  for (const key of Object.keys(set).sort(compareBytes)) {
    const inside = set[key];
    setOwn(sorted, key, isMap(inside) ? sortedCopy(inside) : inside);
  }
  return sorted;
}

function shared(sorted: JsonObject): JsonObject {
  const text = fieldsText(sorted);
  if (text === undefined) return sorted;
  const known = sharedSets.get(text);
  if (known !== undefined) return known;
  deepFreeze(sorted);
  sharedSets.set(text, sorted);
  sortedSets.set(sorted, sorted);
  return sorted;
}

/** The same for equal sets alone: keys come with their length. Undefined where something inside is no set. */
function fieldsText(set: Readonly<JsonObject>): string | undefined {
  let text = '(';
  for (const key in set) {
    const inside = set[key];
    const below = isMap(inside) ? fieldsText(inside) : undefined;
    if (below === undefined) return undefined;
    text += `${key.length}:${key}${below}`;
  }
  return `${text})`;
}
