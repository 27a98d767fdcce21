/** Paths of fields as validation writes them: `spec.list[0].name`, `spec.map[key]`. */
import { type JsonObject, cloneJson, deepEqual, getOwn } from '@capstan/meta';
import type { StructuralSchema } from '@capstan/schema';
import type { ExclusionTree } from './selection.js';

/** A step into an object, a map or a list. */
export type Step = string | number;

/** The steps of a path as it reads; a name with dots in it is several. */
function stepsAsRead(path: string): readonly Step[] {
  const steps: Step[] = [];
  for (const [, name, index] of path.matchAll(/([^.[\]]+)|\[([^\]]*)(?:\]|$)/g)) {
    if (name !== undefined) steps.push(name);
    else if (index !== undefined) steps.push(/^\d+$/.test(index) ? Number(index) : index);
  }
  return steps;
}

/** The rest of a path after a member; undefined where the path is not below that member. */
function restBehind(path: string, name: string): string | undefined {
  if (path.startsWith(`[${name}]`)) return path.slice(name.length + 2).replace(/^\./, '');
  if (!path.startsWith(name)) return undefined;
  const rest = path.slice(name.length);
  return rest === '' || rest.startsWith('[') ? rest : rest.startsWith('.') ? rest.slice(1) : undefined;
}

/** The steps of a path through members that are there, whatever their names are; undefined where it leads nowhere. */
function stepsFound(value: unknown, path: string): readonly Step[] | undefined {
  if (path === '') return [];
  if (typeof value !== 'object' || value === null) return undefined;
  for (const name of Object.keys(value)) {
    const rest = restBehind(path, Array.isArray(value) ? `[${name}]` : name);
    const below = rest === undefined ? undefined : stepsFound((value as JsonObject)[name], rest);
    if (below !== undefined) return [Array.isArray(value) ? Number(name) : name, ...below];
  }
  return undefined;
}

/** The steps of a path about an object. Of a field that is missing, those to what is there are found, and the rest is read. */
export function stepsIn(object: JsonObject, path: string): readonly Step[] {
  const found = stepsFound(object, path);
  if (found !== undefined) return found;
  const last = path.lastIndexOf('.');
  const parent = last < 0 ? undefined : stepsFound(object, path.slice(0, last));
  return parent === undefined ? stepsAsRead(path) : [...parent, path.slice(last + 1)];
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
