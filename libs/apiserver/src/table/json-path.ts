/**
 * A path is the text of one client and is followed through the objects of others: `..` and several indices of one bracket
 * multiply what was found, step by step. So many values, those in between counted, may be looked at in one object.
 */
const MAX_VALUES = 100_000;
/** A path for people to write; it is compiled by recursion. */
const MAX_PATH_CHARACTERS = 4_096;

/** Takes the values found so far one step further. Throws {@link NoResult} where the path does not fit the data. */
type Step = (values: readonly unknown[]) => unknown[];

/** The path cannot be followed through this object; a cell is then empty. */
class NoResult extends Error {}

/** A path compiled once and evaluated on many objects. */
export type JsonPath = (value: unknown) => unknown[];

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function field(name: string): Step {
  return (values) => {
    const found: unknown[] = [];
    for (const value of values) if (isObject(value) && Object.hasOwn(value, name)) found.push(value[name]);
    return found;
  };
}

function children(value: unknown): unknown[] {
  if (Array.isArray(value)) return value;
  return isObject(value) ? Object.values(value) : [];
}

function descend(values: readonly unknown[]): unknown[] {
  const found: unknown[] = [];
  const visit = (value: unknown): void => {
    const below = children(value);
    if (below.length === 0) return;
    look(1);
    found.push(value);
    below.forEach(visit);
  };
  values.forEach(visit);
  return found;
}

/** In the evaluation at hand, filters in it included; evaluations are never under way at the same time. */
let looked = 0;

function look(count: number): void {
  looked += count;
  if (looked > MAX_VALUES) throw new NoResult('too many values');
}

function arrayOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new NoResult('not an array');
  return value;
}

/** `[n]` when `end` is derived from the start, else `[start:end:step]`. */
function slice(start: number | undefined, end: number | undefined, step: number, single: boolean): Step {
  return (values) =>
    values.flatMap((value) => {
      if (value === null || value === undefined) return [];
      const array = arrayOf(value);
      const fromEnd = (at: number): number => (at < 0 ? at + array.length : at);
      const from = fromEnd(start ?? 0);
      const to = single ? from + 1 : fromEnd(end ?? array.length);
      if (from === to) return [];
      if (from < 0 || to < from || to > array.length) throw new NoResult('index out of bounds');
      return array.slice(from, to).filter((_, index) => index % step === 0);
    });
}

type Compare = (left: unknown, right: unknown) => boolean;

function sameKind(left: unknown, right: unknown): boolean {
  return typeof left === typeof right && ['string', 'number', 'boolean', 'bigint'].includes(typeof left);
}

function ordered(test: (left: string | number, right: string | number) => boolean): Compare {
  return (left, right) => {
    if (typeof left === 'number' && typeof right === 'number') return test(left, right);
    if (typeof left === 'string' && typeof right === 'string') return test(left, right);
    throw new NoResult('incomparable');
  };
}

const operators: ReadonlyMap<string, Compare> = new Map<string, Compare>([
  ['==', (left, right) => compareEqual(left, right)],
  ['!=', (left, right) => !compareEqual(left, right)],
  ['<', ordered((left, right) => left < right)],
  ['<=', ordered((left, right) => left <= right)],
  ['>', ordered((left, right) => left > right)],
  ['>=', ordered((left, right) => left >= right)],
]);

function compareEqual(left: unknown, right: unknown): boolean {
  if (!sameKind(left, right)) throw new NoResult('incomparable');
  return left === right;
}

function filter(text: string): Step {
  const match = /^([^!<>=]+)([!<>=]+)(.+?)$/s.exec(text);
  const left = compile(match?.[1] ?? text);
  const compare = match === null ? undefined : operators.get(match[2] ?? '');
  if (match !== null && compare === undefined) throw new SyntaxError(`unrecognized filter operator ${match[2]}`);
  const right = match === null ? undefined : operand(match[3] ?? '');
  const passes = (item: unknown): boolean => {
    look(1);
    const leftValues = run(left, item);
    if (compare === undefined || right === undefined) return leftValues.length > 0;
    const rightValues = right(item);
    if (leftValues.length === 0 || rightValues.length === 0) return false;
    if (leftValues.length > 1 || rightValues.length > 1) throw new NoResult('can only compare one element at a time');
    return compare(leftValues[0], rightValues[0]);
  };
  return (values) => values.flatMap((value) => arrayOf(value).filter(passes));
}

/** The right side of a filter: a literal, or a path of the same item. */
function operand(raw: string): (item: unknown) => unknown[] {
  const text = raw.trim();
  const quoted = /^(["'])(.*)\1$/s.exec(text);
  if (quoted !== null) return () => [(quoted[2] ?? '').replace(/\\(.)/gs, '$1')];
  if (text === 'true' || text === 'false') return () => [text === 'true'];
  if (/^[+-]?\d+(\.\d+)?$/.test(text)) return () => [Number(text)];
  const steps = compile(text);
  return (item) => run(steps, item);
}

function bracket(text: string): Step {
  if (text === '*') return slice(undefined, undefined, 1, false);
  const parts = text.split(',');
  if (parts.length > 1) {
    const steps = parts.map((part) => bracket(part.trim()));
    return (values) => {
      look(values.length * steps.length);
      return steps.flatMap((step) => step(values));
    };
  }
  const key = /^'([^']*)'$/.exec(text);
  if (key !== null) return field((key[1] ?? '').replaceAll('\\', ''));
  const range = /^(-?\d*)(?::(-?\d*))?(?::(-?\d*))?$/.exec(text);
  if (range === null) throw new SyntaxError(`invalid array index ${text}`);
  const number = (part: string | undefined): number | undefined =>
    part === undefined || part === '' ? undefined : Number(part);
  const step = number(range[3]) ?? 1;
  if (step <= 0) throw new SyntaxError('step must be > 0');
  return slice(number(range[1]), number(range[2]), step, range[2] === undefined && range[1] !== '');
}

/** Where the filter that opens at `start` closes, quotes in it left in peace. */
function filterEnd(text: string, start: number): number {
  let quote = '';
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] ?? '';
    if (quote !== '') {
      if (char === quote && text[at - 1] !== '\\') quote = '';
    } else if (char === '"' || char === "'") quote = char;
    else if (char === ')' && text[at + 1] === ']') return at;
  }
  throw new SyntaxError('unterminated filter');
}

const fieldPattern = /(?:\\.|[^.[\]\s@$'"(){}\\])*/sy;

function compile(text: string): readonly Step[] {
  const steps: Step[] = [];
  let at = 0;
  const readField = (): void => {
    fieldPattern.lastIndex = at;
    const name = fieldPattern.exec(text)?.[0] ?? '';
    at += name.length;
    if (name === '*') steps.push((values) => values.flatMap(children));
    else if (name !== '') steps.push(field(name.replaceAll('\\', '')));
  };
  while (at < text.length) {
    const char = text[at] ?? '';
    if (text.startsWith('[?(', at)) {
      const end = filterEnd(text, at + 3);
      steps.push(filter(text.slice(at + 3, end)));
      at = end + 2;
    } else if (text.startsWith('..', at)) {
      at += 2;
      steps.push(descend);
      readField();
    } else if (char === '[') {
      const end = text.indexOf(']', at);
      if (end < 0) throw new SyntaxError('unterminated array');
      steps.push(bracket(text.slice(at + 1, end)));
      at = end + 1;
    } else if (char === '.') {
      at += 1;
      readField();
    } else if (char === '@' || char === '$' || char === ' ') at += 1;
    else throw new SyntaxError(`unrecognized character in action: ${char}`);
  }
  return steps;
}

function run(steps: readonly Step[], value: unknown): unknown[] {
  let values: unknown[] = [value];
  for (const step of steps) {
    values = step(values);
    look(values.length);
  }
  return values;
}

/**
 * Compiles a path as printer columns use it: `.spec.x`, `['a.b']`, `[0]`, `[1:3]`, `[*]`, `[?(@.type=="Ready")]`, `..x`.
 * Missing keys give no result, and so does a path that does not fit the data. Throws a SyntaxError on a bad path.
 */
export function compileJsonPath(text: string): JsonPath {
  if (text.length > MAX_PATH_CHARACTERS) throw new SyntaxError(`a path has at most ${MAX_PATH_CHARACTERS} characters`);
  const steps = compile(text);
  return (value) => {
    looked = 0;
    try {
      return run(steps, value);
    } catch (error) {
      if (error instanceof NoResult) return [];
      throw error;
    }
  };
}
