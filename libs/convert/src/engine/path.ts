/** Paths into JSON records: as a declaration writes them, and as a message shows them. */
import { getOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';

/** Field names from the outside in. */
export type Path = readonly string[];

/** How a declaration names a field: `spec.replicas`, or the names one by one where a name holds a dot. */
export type PathLike = string | Path;

/** The names of a path. The empty text is the record itself. */
export function parsePath(path: PathLike): Path {
  const names = typeof path !== 'string' ? path : path === '' ? [] : path.split('.');
  if (names.includes('')) throw new RangeError(`a path has a name between any two dots: ${names.join('.')}`);
  if (typeof path === 'string' && /[[\]{}]/.test(path)) {
    throw new RangeError(`lists and maps have rules of their own; a path names fields alone: ${path}`);
  }
  return names;
}

/** A path as claims write it: a name that holds a dot or a bracket stands in quotes. */
export function claimPath(path: Path): string {
  return path.map((name) => (/[.[{]/.test(name) ? `"${name}"` : name)).join('.');
}

/** One step into a value, linked to the steps before it, so that a path costs nothing until a message needs it. */
export interface Step {
  readonly before: Step | undefined;
  readonly kind: 'field' | 'index' | 'key';
  readonly name: string;
}

/** The steps with more field names behind them. */
export function stepInto(at: Step | undefined, path: Path): Step | undefined {
  let last = at;
  for (const name of path) last = { before: last, kind: 'field', name };
  return last;
}

/** The names of all steps, outermost first; an index is its decimal text. */
export function namesOf(at: Step | undefined): string[] {
  const names: string[] = [];
  for (let step = at; step !== undefined; step = step.before) names.push(step.name);
  return names.reverse();
}

/** A path as Kubernetes writes it in messages: `spec.taints[0].key`, `metadata.labels[app]`. */
export function formatStep(at: Step | undefined): string {
  let text = '';
  for (let step = at; step !== undefined; step = step.before) {
    const own = step.kind === 'field' && !step.name.includes('.') ? step.name : `[${step.name}]`;
    const isJoined = text !== '' && !text.startsWith('[');
    text = isJoined ? `${own}.${text}` : `${own}${text}`;
  }
  return text;
}

/** Whether the value is a JSON record. */
export function isRecord(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The value at a path, through records and lists; null counts as absent. */
export function getAt(value: unknown, path: Path): unknown {
  let current = value;
  for (const name of path) {
    if (typeof current !== 'object' || current === null) return undefined;
    current = getOwn(current as JsonObject, name);
  }
  return current ?? undefined;
}

/** Writes a value, making the records on the way. */
export function setAt(record: JsonObject, path: Path, value: unknown): void {
  let current = record;
  const last = path.length - 1;
  for (let at = 0; at < last; at++) {
    const name = path[at] as string;
    const next = current[name];
    if (isRecord(next)) {
      current = next;
    } else {
      const made: JsonObject = {};
      current[name] = made;
      current = made;
    }
  }
  current[path[last] as string] = value;
}
