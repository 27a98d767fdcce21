/** Whole numbers of custom resources that were written as floats: for as long as an object is validated they are. */
import { WholeFloat, setOwn } from '@capstan/meta';
import type { JsonNotes, JsonObject, KubeObject } from '@capstan/meta';
import { isFloatSpelling } from '../request/spelled-numbers.js';

type Path = readonly (string | number)[];

/** A whole number that is written as a float, and where. */
interface WrittenFloat {
  readonly path: Path;
  readonly value: number;
}

/** The same in an object, with what holds it. */
interface Place extends WrittenFloat {
  readonly holder: unknown;
}

const FLOATS = new WeakMap<KubeObject, readonly Place[]>();

/** Where a text has whole numbers that are written as floats. */
export function floatPaths(value: unknown, { spellings }: JsonNotes): WrittenFloat[] {
  const found: WrittenFloat[] = [];
  const visit = (holder: unknown, path: Path): void => {
    if (typeof holder !== 'object' || holder === null) return;
    for (const [key, spelling] of spellings.get(holder) ?? []) {
      const number = Number(spelling);
      if (Number.isSafeInteger(number) && isFloatSpelling(spelling))
        found.push({ path: [...path, key], value: number });
    }
    const keys = Array.isArray(holder) ? holder.keys() : Object.keys(holder);
    for (const key of keys) visit((holder as Record<string | number, unknown>)[key], [...path, key]);
  };
  if (spellings.size > 0) visit(value, []);
  return found;
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((holder, key) => (holder as Record<string | number, unknown> | undefined)?.[key], value);
}

/** Keeps where the floats of an object are. */
export function rememberFloats(object: KubeObject, floats: readonly WrittenFloat[]): void {
  const places = floats.map((float) => ({ ...float, holder: at(object, float.path.slice(0, -1)) }));
  if (places.length > 0) FLOATS.set(object, places);
}

/** Zeros that are negative are so for as long as something looks at the object; stored they are none. */
export function withNegativeZeros<T>(object: KubeObject, floats: readonly WrittenFloat[], look: () => T): T {
  const zeros = floats.filter(({ value }) => Object.is(value, -0));
  for (const { path } of zeros) putNumber(object, path, -0);
  const found = look();
  for (const { path } of zeros) putNumber(object, path, 0);
  return found;
}

function putNumber(object: KubeObject, path: Path, value: number): void {
  const holder = at(object, path.slice(0, -1)) as Record<string | number, unknown> | undefined;
  const key = path.at(-1) ?? '';
  if (holder?.[key] === value) holder[key] = value;
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
  let shown = object;
  for (const { path, holder, value } of FLOATS.get(object) ?? []) {
    const isSame = path.length === 1 || at(object, path.slice(0, -1)) === holder;
    if (isSame && at(object, path) === value + 0) shown = replaced(shown, path, new WholeFloat(value)) as KubeObject;
  }
  return shown;
}

/** A copy in which one place is another. */
function replaced(value: unknown, [key, ...rest]: Path, leaf: unknown): unknown {
  if (key === undefined) return leaf;
  const child = replaced((value as Record<string | number, unknown>)[key], rest, leaf);
  if (Array.isArray(value)) return value.with(Number(key), child);
  const copy: JsonObject = { ...(value as JsonObject) };
  setOwn(copy, String(key), child);
  return copy;
}
