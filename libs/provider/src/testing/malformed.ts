/** Objects as nobody should write them, and some will. */
import { cloneJson } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

const REPLACEMENTS: readonly unknown[] = ['text', 7, -1.5, true, null, [], [7], [null], {}, { inner: ['x'] }];

/** An object with one value replaced. */
export interface Malformed {
  readonly path: string;
  readonly object: JsonObject;
}

function* pathsOf(value: unknown, path: readonly string[]): Generator<readonly string[]> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) yield* pathsOf(inner, [...path, name]);
}

/** The object with each of its values in turn, leaves and records and lists, replaced by values of every other type. */
export function* malformed(object: JsonObject): Generator<Malformed> {
  for (const path of pathsOf(object, [])) {
    for (const replacement of REPLACEMENTS) {
      const copy = cloneJson(object) as JsonObject;
      let current = copy;
      for (const name of path.slice(0, -1)) current = current[name] as JsonObject;
      current[path.at(-1) as string] = cloneJson(replacement);
      yield { path: path.join('.'), object: copy };
    }
  }
}
