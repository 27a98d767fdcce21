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

/** The step to an item of a list. */
export function stepToItem(at: Step | undefined, list: Path, index: number): Step {
  return { before: stepInto(at, list), kind: 'index', name: String(index) };
}

/** Steps behind a place, the same ones as long as the place is the same: most places are reached by one way only. */
export class StepsBehind {
  readonly #path: Path;
  #at: Step | undefined;
  #last: Step | undefined;
  #items: Step[] = [];

  constructor(path: Path) {
    this.#path = path;
    this.#last = stepInto(undefined, path);
  }

  /** The steps of the path. */
  from(at: Step | undefined): Step | undefined {
    if (at !== this.#at) {
      this.#at = at;
      this.#last = stepInto(at, this.#path);
      this.#items = [];
    }
    return this.#last;
  }

  /** The step to an item of the list there. */
  item(at: Step | undefined, index: number): Step {
    const before = this.from(at);
    let step = this.#items[index];
    if (step === undefined) {
      step = { before, kind: 'index', name: String(index) };
      this.#items[index] = step;
    }
    return step;
  }
}

/** The names of all steps, outermost first; an index is its decimal text. */
export function namesOf(at: Step | undefined): string[] {
  const names: string[] = [];
  for (let step = at; step !== undefined; step = step.before) names.push(step.name);
  return names.reverse();
}

/** Rules that look into a list by themselves name its items by their index. */
const isFieldName = (name: string): boolean => !name.includes('.') && !/^\d+$/.test(name);

/** A path as Kubernetes writes it in messages: `spec.taints[0].key`, `metadata.labels[app]`. */
export function formatStep(at: Step | undefined): string {
  let text = '';
  for (let step = at; step !== undefined; step = step.before) {
    const own = step.kind === 'field' && isFieldName(step.name) ? step.name : `[${step.name}]`;
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
  for (let at = 0; at < path.length; at++) {
    if (typeof current !== 'object' || current === null) return undefined;
    const name = path[at] as string;
    const held = (current as JsonObject)[name];
    // What records inherit are functions, and one name that is none.
    current = typeof held === 'function' || name === '__proto__' ? getOwn(current as JsonObject, name) : held;
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
