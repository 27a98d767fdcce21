import type { Random } from '@capstan/meta';
import { Verbatim, at, copyOf, isTree, pathsOf, type Tree, type TreePath } from './json-tree.js';

/** One of several, evenly. */
export function pick<T>(random: Random, items: readonly T[]): T {
  const found = items[random.below(items.length)];
  if (found === undefined) throw new RangeError('nothing to pick from');
  return found;
}

/** True so many times of a hundred. */
export function chance(random: Random, percent: number): boolean {
  return random.below(100) < percent;
}

const verbatim = (text: string): Verbatim => new Verbatim(text);

/** Numbers that JSON allows, and Go reads otherwise than JavaScript or not at all. */
const NUMBERS = ['1e400', '-1e400', '1E3', '3.0', '1e1', '30e-1', '2.5', '-0', '-0.0', '0.1', '1e-400', '1e21'];
const LARGE = ['2147483648', '-2147483649', '4294967296', '9223372036854775807', '9223372036854775808', '1e30'];
const TEXTS = [
  '',
  ' ',
  'UPPER',
  'a b',
  'x'.repeat(70),
  'x'.repeat(260),
  '-bad',
  '1',
  '0x',
  '1Gi',
  '10%',
  '101%',
  '-5%',
  '-1',
  '1e3',
  '2020-01-01T00:00:00Z',
  '2020-01-01',
  'example.com/x',
  'a/b/c',
  'a=b',
  '10.0.0.1',
  '10.0.0.0/33',
  'fe80::1',
  'http',
  'TCP',
  'Always',
  '../x',
  '/x',
  '\u0000',
  'é',
  '😀',
  '\ud800',
  '<&>',
  'true',
  'null',
  '$(A)',
  '*',
  'self',
];
const OTHERS: readonly unknown[] = [
  null,
  true,
  false,
  -1,
  0,
  1,
  65536,
  99999999999,
  1.5,
  [],
  {},
  [1],
  ['a', 'a'],
  { a: 'b' },
  { a: 1 },
  [null],
  [{}],
  [[]],
  [''],
  { '': '' },
  { a: null },
];
const BAD: readonly unknown[] = [...NUMBERS.map(verbatim), ...LARGE.map(verbatim), ...TEXTS, ...OTHERS];

/** Names that fields of many kinds have, and some that none has. */
const FIELDS = [
  'name',
  'labels',
  'annotations',
  'finalizers',
  'ownerReferences',
  'spec',
  'status',
  'extra',
  'type',
  'replicas',
  'selector',
  'template',
  'ports',
  'resources',
  'kind',
  'apiVersion',
  'namespace',
  'generateName',
  'uid',
  'resourceVersion',
  'deletionTimestamp',
  'creationTimestamp',
  'generation',
  'managedFields',
  'metadata',
  '__proto__',
  'constructor',
  'Name',
  'a.b',
  '0',
  '',
];

/** What may be put into a body of a kind, besides what may be put anywhere. */
export interface Vocabulary {
  readonly fields: readonly string[];
  readonly values: readonly unknown[];
}

const NO_WORDS: Vocabulary = { fields: [], values: [] };

/** Bodies mostly keep their kind and version: without them nothing else is read. */
function isSpared(path: TreePath, random: Random): boolean {
  const [first] = path;
  if (path[1] === 'managedFields') return true;
  return path.length === 1 && (first === 'kind' || first === 'apiVersion') && !chance(random, 3);
}

/** A copy with one thing wrong, or odd. */
export function spoil(random: Random, good: Tree, words: Vocabulary = NO_WORDS): Tree {
  const body = copyOf(good);
  const paths = pathsOf(body).filter((path) => !isSpared(path, random));
  if (paths.length === 0) return body;
  const path = pick(random, paths);
  const holder = at(body, path.slice(0, -1)) as Record<string | number, unknown>;
  const key = path.at(-1) ?? '';
  const bad = (): unknown => copyOf(pick(random, words.values.length > 0 && chance(random, 40) ? words.values : BAD));
  const field = (): string => pick(random, words.fields.length > 0 && chance(random, 60) ? words.fields : FIELDS);
  switch (random.below(8)) {
    case 0:
      remove(holder, key);
      break;
    case 1:
      add(random, body, field(), bad());
      break;
    case 2:
      if (Array.isArray(holder)) holder.push(copyOf(holder[Number(key)]));
      else put(holder, field(), copyOf(holder[key]));
      break;
    case 3:
      put(holder, key, copyOf(at(body, pick(random, paths))) ?? null);
      break;
    default:
      put(holder, key, bad());
  }
  return body;
}

function remove(holder: Record<string | number, unknown>, key: string | number): void {
  if (Array.isArray(holder)) holder.splice(Number(key), 1);
  else delete holder[key];
}

function put(holder: Record<string | number, unknown>, key: string | number, value: unknown): void {
  Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
}

function add(random: Random, body: Tree, field: string, value: unknown): void {
  const holders = [body, ...pathsOf(body).map((path) => at(body, path))].filter(isTree);
  put(pick(random, holders), field, value);
}
