/** Strategic merge patch, as the Kubernetes server applies it to built-in types. */
import type { JsonObject } from '../object.js';
import { goFormat, goFormatString } from '../json/go-format.js';
import { goQuote } from '../json/go-text.js';
import { getOwn, setOwn } from '../json/set-own.js';
import {
  badArgType,
  editedOrder,
  elementType,
  interleave,
  isMap,
  mergeKeyOf,
  noMergeKey,
  partition,
} from './element-order.js';
import { StrategicMergePatchError } from './errors.js';
import type { PatchField, PatchSchema } from './patch-schema.js';

const directive = '$patch';
const retainKeys = '$retainKeys';
const deletePrefix = '$deleteFromPrimitiveList';
const orderPrefix = '$setElementOrder';
const listType = '[]interface {}';

/** Types whose fields are not known: a lookup in them fails as in a Go map. */
const unknownType: PatchSchema = { kind: 'map', field: () => undefined };

function internal(message: string): StrategicMergePatchError {
  return new StrategicMergePatchError('internal', message);
}

function badFormat(what: string): StrategicMergePatchError {
  return new StrategicMergePatchError('bad-request', `invalid patch format of ${what}`);
}

function lookup(schema: PatchSchema, name: string): PatchField {
  if (schema.kind !== undefined && schema.kind !== 'struct') {
    throw internal(`merging an object in json but data type is not struct, instead is: ${schema.kind}`);
  }
  const field = schema.field(name);
  if (field !== undefined) return field;
  throw internal(`unable to find api field in struct ${schema.name ?? ''} for the json field ${goQuote(name)}`);
}

/** The field a parallel-list directive is about. */
function directiveTarget(key: string, prefix: string, what: string): string {
  const slash = key.indexOf('/');
  if (slash !== prefix.length) throw badFormat(what);
  return key.slice(slash + 1);
}

/** What a patch value becomes where there is nothing to merge with; undefined when a directive drops it. */
function adopt(value: unknown, dropNulls: boolean): unknown {
  if (Array.isArray(value))
    return value.map((item: unknown) => adopt(item, dropNulls)).filter((item) => item !== undefined);
  if (!isMap(value)) return value;
  if (Object.hasOwn(value, directive)) return undefined;
  const out: JsonObject = {};
  for (const key of Object.keys(value)) {
    const item = value[key];
    if (item === null && dropNulls) continue;
    const adopted = adopt(item, dropNulls);
    if (adopted !== undefined) setOwn(out, key, adopted);
  }
  return out;
}

function directedMap(patch: JsonObject): JsonObject {
  const value = patch[directive];
  if (value === 'delete') return {};
  if (value === 'replace') {
    const out = { ...patch };
    delete out[directive];
    return out;
  }
  throw internal(`unknown patch type: ${goFormatString(value)} in map: ${goFormat(patch)}`);
}

/** Clears what `$retainKeys` does not list. */
function applyRetainKeys(target: JsonObject, patch: JsonObject): void {
  const listed = getOwn(patch, retainKeys);
  if (!Array.isArray(listed)) throw badFormat('retainKeys');
  const keep = new Set<unknown>(listed);
  for (const key of Object.keys(patch)) {
    if (key === retainKeys || patch[key] === null || key.startsWith(deletePrefix) || key.startsWith(orderPrefix))
      continue;
    if (!keep.has(key)) throw badFormat('retainKeys');
  }
  for (const key of Object.keys(target)) {
    if (!keep.has(key)) delete target[key];
  }
}

/** The patch's elements must occur in the order list, and in its order; deletions do not count. */
function checkOrder(patch: readonly unknown[], order: readonly unknown[], mergeKey: string): void {
  if (patch.length === 0 || order.length === 0) return;
  const kept =
    mergeKey === ''
      ? patch
      : patch.filter((element) => {
          if (!isMap(element)) throw badArgType('map[string]interface {}', element);
          return getOwn(element, directive) !== 'delete';
        });
  let at = 0;
  let orderAt = 0;
  while (at < kept.length && orderAt < order.length) {
    const element = kept[at];
    if (isMap(element) && Object.hasOwn(element, directive)) {
      at++;
      continue;
    }
    const same =
      mergeKey === ''
        ? element === order[orderAt]
        : mergeKeyOf(element, mergeKey) === mergeKeyOf(order[orderAt], mergeKey);
    if (same) at++;
    orderAt++;
  }
  if (at < kept.length && orderAt >= order.length) {
    throw internal(
      `The order in patch list:\n${goFormat(patch)}\n doesn't match ${orderPrefix} list:\n${goFormat(order)}\n`,
    );
  }
}

function asList(value: unknown, present: boolean): unknown[] | undefined {
  if (!present) return undefined;
  if (!Array.isArray(value)) throw badArgType(listType, value);
  return value as unknown[];
}

/** Handles one `$setElementOrder/…` and the list it orders; gives the name of that list when the patch had it. */
function applyElementOrder(
  target: JsonObject,
  patch: JsonObject,
  key: string,
  schema: PatchSchema,
): string | undefined {
  const patchOrder = asList(patch[key], true) ?? [];
  const name = directiveTarget(key, orderPrefix, 'setElementOrder list');
  const live = asList(getOwn(target, name), Object.hasOwn(target, name));
  const change = asList(getOwn(patch, name), Object.hasOwn(patch, name));
  const field = lookup(schema, name);
  checkOrder(change ?? [], patchOrder, field.mergeKey ?? '');
  if (live === undefined && change === undefined) return undefined;
  setOwn(target, name, orderedList(live, change, patchOrder, field));
  return change === undefined ? undefined : name;
}

function orderedList(
  live: unknown[] | undefined,
  change: unknown[] | undefined,
  patchOrder: unknown[],
  field: PatchField,
): unknown[] {
  const mergeKey = field.mergeKey ?? '';
  let merged = live ?? [];
  if (change !== undefined) {
    merged = live === undefined ? (adopt(change, false) as unknown[]) : mergeListField(live, change, field, false);
  }
  const { named, rest } = partition(merged, patchOrder, mergeKey);
  const maps = elementType(live ?? [], change ?? []).startsWith('map');
  const liveOrder = maps ? editedOrder(live ?? [], change ?? [], field) : (live ?? []);
  return interleave({ patched: named, liveOnly: rest, patchOrder, liveOrder }, mergeKey, maps);
}

function mergeMap(original: JsonObject, patch: JsonObject, schema: PatchSchema): JsonObject {
  if (Object.hasOwn(patch, directive)) return directedMap(patch);
  const target = { ...original };
  const done = new Set<string>();
  if (Object.hasOwn(patch, retainKeys)) {
    applyRetainKeys(target, patch);
    done.add(retainKeys);
  }
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(orderPrefix)) continue;
    done.add(key);
    const name = applyElementOrder(target, patch, key, schema);
    if (name !== undefined) done.add(name);
  }
  for (const key of Object.keys(patch)) {
    if (!done.has(key)) mergeMember(target, key, patch[key], schema);
  }
  return target;
}

function mergeMember(target: JsonObject, key: string, change: unknown, schema: PatchSchema): void {
  const isDeletion = key.startsWith(deletePrefix);
  const name = isDeletion ? directiveTarget(key, deletePrefix, 'primitive list') || key : key;
  if (change === null || change === undefined) {
    delete target[name];
    return;
  }
  const current = getOwn(target, name);
  let next: unknown;
  if (isMap(current) && isMap(change)) {
    next = mergeMapField(current, change, lookup(schema, name));
  } else if (Array.isArray(current) && Array.isArray(change)) {
    next = mergeListField(current, change, lookup(schema, name), isDeletion);
  } else if (isDeletion) {
    next = scalarUnderDeletion(current, change);
  } else {
    next = adopt(change, true);
  }
  if (next === undefined) delete target[name];
  else setOwn(target, name, next);
}

/** Nothing to delete from: only a scalar overwrites a scalar of its own type, as the server has it. */
function scalarUnderDeletion(current: unknown, change: unknown): unknown {
  return typeof current === typeof change && typeof change !== 'object' ? change : current;
}

function mergeMapField(live: JsonObject, change: JsonObject, field: PatchField): JsonObject {
  return field.strategy === 'replace' ? change : mergeMap(live, change, field.schema ?? unknownType);
}

/** A list without the merge strategy is replaced; deletions work on any list. */
function mergeListField(live: unknown[], change: unknown[], field: PatchField, isDeletion: boolean): unknown[] {
  if (field.strategy !== 'merge' && !isDeletion) return change;
  if (live.length === 0 && change.length === 0) return live;
  const maps = elementType(live, change).startsWith('map');
  const mergeKey = field.mergeKey ?? '';
  if (!maps) {
    if (isDeletion) {
      const gone = new Set(change);
      return live.filter((element) => !gone.has(element));
    }
    const { named, rest } = partition([...new Set([...live, ...change])], change, mergeKey);
    return interleave({ patched: named, liveOnly: rest, patchOrder: change, liveOrder: live }, mergeKey, maps);
  }
  const schema = field.schema ?? unknownType;
  if (mergeKey === '') throw internal(`cannot merge lists without merge key for ${schema.kind ?? 'struct'}`);
  const { base, changes } = applySpecialElements(live as JsonObject[], change as JsonObject[], mergeKey);
  const { named, rest } = partition(mergeElements(base, changes, mergeKey, schema), changes, mergeKey);
  return interleave({ patched: named, liveOnly: rest, patchOrder: changes, liveOrder: base }, mergeKey, maps);
}

/** Carries out the elements with a `$patch` of their own. */
function applySpecialElements(
  live: readonly JsonObject[],
  change: readonly JsonObject[],
  mergeKey: string,
): { base: JsonObject[]; changes: JsonObject[] } {
  const changes: JsonObject[] = [];
  const gone = new Set<unknown>();
  let replace = false;
  for (const element of change) {
    if (!Object.hasOwn(element, directive)) {
      changes.push(element);
      continue;
    }
    switch (element[directive]) {
      case 'delete':
        if (!Object.hasOwn(element, mergeKey)) throw noMergeKey(element, mergeKey);
        gone.add(element[mergeKey]);
        break;
      case 'replace':
        replace = true;
        break;
      case 'merge':
        throw internal('merging lists cannot yet be specified in the patch');
      default:
        throw internal(`unknown patch type: ${goFormatString(element[directive])} in map: ${goFormat(element)}`);
    }
  }
  if (replace) return { base: changes, changes: [] };
  if (gone.size === 0) return { base: [...live], changes };
  const isGone = (element: JsonObject): boolean => Object.hasOwn(element, mergeKey) && gone.has(element[mergeKey]);
  return { base: live.filter((element) => !isGone(element)), changes };
}

function mergeElements(base: JsonObject[], changes: JsonObject[], mergeKey: string, schema: PatchSchema): JsonObject[] {
  const merged = [...base];
  const places = new Map<unknown, number>();
  merged.forEach((element, index) => {
    if (Object.hasOwn(element, mergeKey) && !places.has(element[mergeKey])) places.set(element[mergeKey], index);
  });
  for (const change of changes) {
    if (!Object.hasOwn(change, mergeKey)) throw noMergeKey(change, mergeKey);
    const place = places.get(change[mergeKey]);
    const current = place === undefined ? undefined : merged[place];
    if (place !== undefined && current !== undefined) {
      merged[place] = mergeMap(current, change, schema);
    } else {
      places.set(change[mergeKey], merged.length);
      merged.push(change);
    }
  }
  return merged;
}

/**
 * The object with the patch applied; neither is changed and untouched subtrees are shared. Lists and objects the patch
 * adds keep their nulls and directives wherever the server keeps them. Throws {@link StrategicMergePatchError}.
 */
export function applyStrategicMergePatch(doc: JsonObject, patch: JsonObject, schema: PatchSchema): JsonObject {
  return mergeMap(doc, patch, schema);
}
