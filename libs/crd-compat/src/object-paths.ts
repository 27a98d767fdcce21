/** Paths of fields as validation writes them: `spec.list[0].name`, `spec.map[key]`. */
import { type JsonObject, cloneJson, deepEqual, getOwn } from '@capstan/meta';
import type { StructuralSchema } from '@capstan/schema';
import type { ExclusionTree } from './selection.js';

/** A step into an object, a map or a list. */
export type Step = string | number;

/** The steps of a path. A name with dots in it reads as several: then nothing is found there. */
export function stepsOf(path: string): readonly Step[] {
  const steps: Step[] = [];
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[([^\]]*)\]/g)) {
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(/^\d+$/.test(index) ? Number(index) : index);
  }
  return steps;
}

/** What is there; undefined when nothing is. */
export function valueAt(value: unknown, steps: readonly Step[]): unknown {
  let at = value;
  for (const step of steps) {
    if (typeof at !== 'object' || at === null) return undefined;
    at = Array.isArray(at) ? (at as readonly unknown[])[Number(step)] : getOwn(at as JsonObject, String(step));
  }
  return at;
}

/** Whether a path is at or below an excluded field; lists are passed through. */
export function isExcluded(tree: ExclusionTree | undefined, steps: readonly Step[]): boolean {
  let at = tree;
  for (const step of steps) {
    if (typeof step === 'number') continue;
    if (at?.has(step) !== true) return false;
    at = at.get(step);
    if (at === undefined) return true;
  }
  return false;
}

/** Whether what is there is what a schema would have filled in, alone or with all that is around it. */
export function isFilledIn(value: JsonObject, steps: readonly Step[], schema: StructuralSchema): boolean {
  for (let length = steps.length; length > 0; length -= 1) {
    const path = steps.slice(0, length);
    const last = path.at(-1);
    if (typeof last !== 'string') continue;
    const copy = cloneJson(value);
    const parent = valueAt(copy, path.slice(0, -1));
    if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) continue;
    delete (parent as JsonObject)[last];
    schema.applyDefaults(copy);
    const filled = valueAt(copy, path);
    if (filled !== undefined && deepEqual(filled, valueAt(value, path))) return true;
  }
  return false;
}
