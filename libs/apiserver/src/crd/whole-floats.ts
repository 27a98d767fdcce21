/** Whole numbers of custom resources that were written as floats: for as long as an object is validated they are. */
import { WholeFloat, setOwn } from '@capstan/meta';
import type { JsonNotes, JsonObject, KubeObject } from '@capstan/meta';
import { isFloatSpelling } from '../request/spelled-numbers.js';

/** The way to an object or list, by its last step; the root has none. Ways share what they have in common. */
interface Way {
  readonly from: Way | undefined;
  readonly key: string | number;
}

/** A whole number that is written as a float, and where. */
interface WrittenFloat {
  /** To what holds it. */
  readonly way: Way | undefined;
  readonly key: string | number;
  readonly value: number;
}

/** The same in an object, with what holds it. */
interface Place extends WrittenFloat {
  readonly holder: unknown;
}

type Holder = Record<string | number, unknown>;

const FLOATS = new WeakMap<KubeObject, readonly Place[]>();

/** Where a text has whole numbers that are written as floats. */
export function floatPaths(value: unknown, { spellings }: JsonNotes): WrittenFloat[] {
  const found: WrittenFloat[] = [];
  const visit = (holder: unknown, way: Way | undefined): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const [key, spelling] of spellings.get(holder) ?? []) {
      const number = Number(spelling);
      if (Number.isSafeInteger(number) && isFloatSpelling(spelling)) found.push({ way, key, value: number });
    }
    const keys = Array.isArray(holder) ? holder.keys() : Object.keys(holder);
    for (const key of keys) {
      const child = (holder as Holder)[key];
      if (typeof child === 'object' && child !== null) visit(child, { from: way, key });
    }
  };
  if (spellings.size > 0) visit(value, undefined);
  return found;
}

/** Finds what ways lead to in an object; each step is taken once, however many ways have it in common. */
function follower(object: unknown): (way: Way | undefined) => unknown {
  const known = new Map<Way, unknown>();
  const follow = (way: Way | undefined): unknown => {
    if (way === undefined) return object;
    if (!known.has(way)) known.set(way, (follow(way.from) as Holder | undefined)?.[way.key]);
    return known.get(way);
  };
  return follow;
}

/** Keeps where the floats of an object are. */
export function rememberFloats(object: KubeObject, floats: readonly WrittenFloat[]): void {
  if (floats.length === 0) return;
  const follow = follower(object);
  FLOATS.set(
    object,
    floats.map((float) => ({ ...float, holder: follow(float.way) })),
  );
}

/** Zeros that are negative are so for as long as something looks at the object; stored they are none. */
export function withNegativeZeros<T>(object: KubeObject, floats: readonly WrittenFloat[], look: () => T): T {
  const zeros = floats.filter(({ value }) => Object.is(value, -0));
  putNumbers(object, zeros, -0);
  const found = look();
  putNumbers(object, zeros, 0);
  return found;
}

function putNumbers(object: KubeObject, places: readonly WrittenFloat[], value: number): void {
  const follow = follower(object);
  for (const { way, key } of places) {
    const holder = follow(way) as Holder | undefined;
    if (holder?.[key] === value) holder[key] = value;
  }
}

/** Whether something in the object was written as a float. */
export function hasFloats(object: KubeObject): boolean {
  return FLOATS.has(object);
}

/** Keeps it for a copy, too. */
export function keepFloats(object: KubeObject, copy: KubeObject): void {
  const places = FLOATS.get(object);
  if (places !== undefined) FLOATS.set(copy, places);
}

/** The object as validation is to see it. What has taken the place of a part of it since is none of the client's. */
export function withFloats(object: KubeObject): KubeObject {
  const places = FLOATS.get(object) ?? [];
  const follow = follower(object);
  const isSame = ({ way, key, holder, value }: Place): boolean => {
    const found = follow(way);
    return (way === undefined || found === holder) && (found as Holder | undefined)?.[key] === value + 0;
  };
  const shown = places.filter(isSame);
  if (shown.length === 0) return object;
  const root: JsonObject = { ...object };
  const copyOf = copier(root);
  for (const { way, key, value } of shown) put(copyOf(way), key, new WholeFloat(value));
  return root as KubeObject;
}

/** Copies what ways lead to, each holder once, into the copy of what holds it. */
function copier(root: object): (way: Way | undefined) => object {
  const copies = new Map<Way, object>();
  const copyOf = (way: Way | undefined): object => {
    const known = way === undefined ? root : copies.get(way);
    if (known !== undefined || way === undefined) return known ?? root;
    const holder = copyOf(way.from);
    const original = (holder as Holder)[way.key] as object;
    const copy: object = Array.isArray(original) ? [...(original as unknown[])] : { ...original };
    put(holder, way.key, copy);
    copies.set(way, copy);
    return copy;
  };
  return copyOf;
}

function put(holder: object, key: string | number, value: unknown): void {
  if (Array.isArray(holder)) holder[Number(key)] = value;
  else setOwn(holder as JsonObject, String(key), value);
}
