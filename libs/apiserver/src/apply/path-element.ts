/**
 * Path elements are the texts FieldsV1 uses for them, in one canonical form, so that equal elements are equal strings:
 * `f:<name>` a member, `k:{"a":1}` a list item by its keys, `v:"x"` an item of a set, `i:0` an item by position.
 */
import { compareBytes, goFormat, goQuote, isDeeperThan, maxObjectDepth, parseJson, getOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import { asMap } from './apply-type.js';
import type { ApplyList } from './apply-type.js';
import { goJson, goJsonString } from './go-json.js';

/** A list item that has no path element. */
export class ItemError extends Error {}

/** Path elements of unknown kinds come from newer servers and are skipped. */
export const UNKNOWN_ELEMENT = Symbol('unknown path element');

const MAX_ELEMENTS = 20_000;
const fieldElements = new Map<string, string>();

/** The element of a member of a map; one text for each name, whose hash is known. */
export function fieldElement(name: string): string {
  return fieldElements.get(name) ?? remember(fieldElements, name, `f:${name}`);
}

/** Longer texts are not worth the room: thousands of them would be kept. */
const LONGEST_REMEMBERED = 1024;

function remember(elements: Map<string, string>, of: string, element: string): string {
  if (of.length > LONGEST_REMEMBERED) return element;
  if (elements.size >= MAX_ELEMENTS) elements.clear();
  elements.set(of, element);
  return element;
}

/** The element of an item of a set. */
export function valueElement(value: unknown): string {
  return `v:${goJson(value)}`;
}

/** The element of an item of a list of maps. */
export function keyElement(keys: Readonly<JsonObject>): string {
  return `k:${goJson(keys)}`;
}

/** How the items of a list are named. */
interface KeyPlan {
  readonly keys: readonly (readonly [name: string, text: string])[];
  /** Of lists with one key: the elements by the text that is the key. */
  readonly elements: Map<string, string>;
}

const keyPlans = new WeakMap<ApplyList, KeyPlan>();

function keyPlan(list: ApplyList): KeyPlan {
  let plan = keyPlans.get(list);
  if (plan === undefined) {
    const keys = [...list.keys].sort(compareBytes).map((name) => [name, `${goJsonString(name)}:`] as const);
    keyPlans.set(list, (plan = { keys, elements: new Map() }));
  }
  return plan;
}

/** The element of an item of an associative list. Throws {@link ItemError}. */
export function itemElement(list: ApplyList, item: unknown): string {
  return list.keys.length > 0 ? keyedElement(list, item) : setElement(item);
}

function keyedElement(list: ApplyList, item: unknown): string {
  if (item === null || item === undefined) {
    throw new ItemError('associative list with keys may not have a null element');
  }
  const object = asMap(item);
  if (object === undefined) throw new ItemError('associative list with keys may not have non-map elements');
  const { keys, elements } = keyPlan(list);
  const only = keys.length === 1 ? getOwn(object, list.keys[0] as string) : undefined;
  if (typeof only === 'string')
    return elements.get(only) ?? remember(elements, only, `k:{${keys[0]?.[1]}${goJsonString(only)}}`);
  return composedElement(list, object, keys);
}

function composedElement(list: ApplyList, object: Readonly<JsonObject>, keys: KeyPlan['keys']): string {
  let text = '';
  for (const [name, prefix] of keys) {
    const value = getOwn(object, name) ?? defaultKey(list, object, name);
    if (value === undefined) continue;
    text += `${text === '' ? '' : ','}${prefix}${typeof value === 'string' ? goJsonString(value) : goJson(value)}`;
  }
  if (text === '') {
    const names = list.keys.map(goQuote).join(' ');
    throw new ItemError(
      `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`,
    );
  }
  return `k:{${text}}`;
}

/** The value of a key that is not there: its default, if it has one. Null is there. */
function defaultKey(list: ApplyList, object: Readonly<JsonObject>, name: string): unknown {
  if (getOwn(object, name) === null) return null;
  const { map } = list.element;
  if (map !== undefined) return map.field(name)?.defaultValue ?? undefined;
  throw new ItemError(`couldn't find default value for ${name}: associative list may not have non-map types`);
}

function setElement(item: unknown): string {
  if (item === null || item === undefined) {
    throw new ItemError("associative list without keys has an element that's an explicit null");
  }
  if (Array.isArray(item)) throw new ItemError('not supported: associative list with lists as elements');
  if (typeof item === 'object') throw new ItemError("associative list without keys has an element that's a map type");
  return typeof item === 'string' ? `v:${goJsonString(item)}` : valueElement(item);
}

const canonicalTexts = new Map<string, string>();
const MAX_SORT_KEYS = 1_000;

/** Reads an element of a stored set into its canonical form. Throws when it is malformed. */
export function parseElement(text: string): string | typeof UNKNOWN_ELEMENT {
  if (text.length < 2) throw new SyntaxError('key must be 2 characters long:');
  if (text.charCodeAt(1) !== 0x3a) throw new SyntaxError(`missing colon: ${text}`);
  switch (text.charCodeAt(0)) {
    case 0x66: // f
      return text;
    case 0x6b: // k
    case 0x76: // v
      return canonicalElement(text);
    case 0x69: // i
      if (!/^[+-]?\d+$/.test(text.slice(2))) {
        throw new SyntaxError(`strconv.Atoi: parsing ${goQuote(text.slice(2))}: invalid syntax`);
      }
      return `i:${Number(text.slice(2))}`;
    default:
      return UNKNOWN_ELEMENT;
  }
}

/** It may be more than a number of JavaScript holds. */
const LONG_NUMBER = /\d{16}/;

/** A pure function of the text, remembered because the same few texts come again and again. */
function canonicalElement(text: string): string {
  let canonical = canonicalTexts.get(text);
  if (canonical === undefined) {
    const rest = text.slice(2);
    const read: unknown = JSON.parse(rest);
    // Where the depth of the object is counted, it is a string.
    if (isDeeperThan(read, maxObjectDepth)) throw new SyntaxError('exceeded max depth');
    const value = LONG_NUMBER.test(rest) ? parseJson(rest).value : read;
    if (text.startsWith('k:') && asMap(value) === undefined) throw new SyntaxError(`expect { or n, but found ${text}`);
    canonical = `${text.slice(0, 2)}${goJson(value)}`;
    remember(canonicalTexts, text, canonical);
  }
  return canonical;
}

function rankOf(value: unknown): number {
  if (typeof value === 'number') return 0;
  if (typeof value === 'string') return 1;
  if (typeof value === 'boolean') return 2;
  if (Array.isArray(value)) return 3;
  return value === null ? 5 : 4;
}

/** The total order of values: numbers, strings, booleans, lists, maps, null. */
function compareValues(a: unknown, b: unknown): number {
  const rank = rankOf(a);
  if (rank !== rankOf(b)) return rank - rankOf(b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  if (typeof a === 'string' && typeof b === 'string') return compareBytes(a, b);
  if (typeof a === 'boolean') return Number(a) - Number(b);
  if (Array.isArray(a) && Array.isArray(b)) return compareLists(a, b);
  return rank === 5 ? 0 : compareMembers(Object.entries(a as JsonObject), Object.entries(b as JsonObject));
}

function compareLists(a: readonly unknown[], b: readonly unknown[]): number {
  for (let k = 0; k < a.length && k < b.length; k++) {
    const order = compareValues(a[k], b[k]);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

type Members = readonly (readonly [name: string, value: unknown])[];

function compareMembers(a: Members, b: Members): number {
  for (let k = 0; k < a.length && k < b.length; k++) {
    const [aName, aValue] = a[k] ?? ['', null];
    const [bName, bValue] = b[k] ?? ['', null];
    const order = compareBytes(aName, bName) || compareValues(aValue, bValue);
    if (order !== 0) return order;
  }
  return a.length - b.length;
}

const KIND_ORDER = 'fkvi';

interface SortKey {
  readonly text: string;
  readonly kind: number;
  readonly value: unknown;
}

/** A pure function of the text too. */
const sortKeys = new Map<string, SortKey>();

function sortKey(text: string): SortKey {
  const kind = KIND_ORDER.indexOf(text.charAt(0));
  if (kind === 0) return { text, kind, value: undefined };
  let key = sortKeys.get(text);
  if (key === undefined) {
    const value: unknown = JSON.parse(text.slice(2));
    key = { text, kind, value: kind === 1 ? keyMembers(value as JsonObject) : value };
    if (text.length > LONGEST_REMEMBERED) return key;
    if (sortKeys.size >= MAX_SORT_KEYS) sortKeys.clear();
    sortKeys.set(text, key);
  }
  return key;
}

function keyMembers(value: JsonObject): Members {
  const names = Object.keys(value);
  // JS objects move integer-like names to the front.
  if (names.length > 1) names.sort(compareBytes);
  return names.map((name) => [name, value[name]] as const);
}

function compareSortKeys(a: SortKey, b: SortKey): number {
  if (a.kind !== b.kind) return a.kind - b.kind;
  if (a.kind === 0) return compareBytes(a.text, b.text);
  return a.kind === 1 ? compareMembers(a.value as Members, b.value as Members) : compareValues(a.value, b.value);
}

/** A member whose name sorts the same by its UTF-16 units as by its bytes. */
function isPlainField(text: string): boolean {
  return text.charCodeAt(0) === 0x66 && !HIGH_UNITS.test(text);
}

const HIGH_UNITS = /[\ud800-\uffff]/;

/** The elements in the order of stored sets: members by name, keyed items, set items, positions. */
export function sortElements(elements: Iterable<string>): string[] {
  const texts = [...elements];
  if (texts.length < 2) return texts;
  if (texts.every(isPlainField)) return texts.sort();
  return texts
    .map(sortKey)
    .sort(compareSortKeys)
    .map((key) => key.text);
}

/** Integers of elements are floats to the real server once they have been stored; `exactly` is before that. */
export type Integers = 'exactly' | 'as floats';

/** The element as messages print it: `.name`, `[port=80,protocol="TCP"]`, `[="x"]`, `[0]`. */
export function elementText(element: string, integers: Integers = 'as floats'): string {
  const read = (text: string): unknown => (integers === 'exactly' ? parseJson(text).value : JSON.parse(text));
  const rest = element.slice(2);
  switch (element.charAt(0)) {
    case 'f':
      return `.${rest}`;
    case 'k': {
      const members = keyMembers(read(rest) as JsonObject);
      return `[${members.map(([name, value]) => `${name}=${valueText(value)}`).join(',')}]`;
    }
    case 'v':
      return `[=${valueText(read(rest))}]`;
    default:
      return `[${rest}]`;
  }
}

function valueText(value: unknown): string {
  if (value === null) return 'null';
  if (typeof value === 'string') return goQuote(value);
  if (Array.isArray(value)) return `[${value.map(valueText).join(',')}]`;
  if (typeof value !== 'object') return goFormat(value);
  const object = value as JsonObject;
  return Object.keys(object)
    .map((key) => `${key}=${valueText(getOwn(object, key))}`)
    .join('');
}

/** The names of the key fields of a `k:` element; of other elements none. */
export function keyNamesOf(element: string): string[] {
  return element.startsWith('k:') ? Object.keys(JSON.parse(element.slice(2)) as JsonObject) : [];
}
