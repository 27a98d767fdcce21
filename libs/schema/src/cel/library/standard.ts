/** The functions every CEL has: operators, conversions, sizes, strings, times. */
import { isList, isMap, listSize, mapFind, mapSize } from '../values/collections.js';
import { global, method } from './declarations.js';
import type { FunctionDeclaration, Implementation, Overload } from './declarations.js';
import { listContains } from '../values/equality.js';
import type { Operator } from '../values/numbers.js';
import {
  add,
  compare,
  isComparable,
  multiplicative,
  noOverload,
  operatorAccepts,
  opposite,
  subtract,
} from '../values/order.js';
import { matches } from '../values/regex.js';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  intType,
  listType,
  mapType,
  paramType,
  stringType,
  timestampType,
  uintType,
} from '../types/types.js';
import type { CelType } from '../types/types.js';
import { CelBytes, CelError, CelOpaque, kindOf, runeCount } from '../values/values.js';
import type { CelValue } from '../values/values.js';
import { conversionFunctions, timeFunctions } from './conversions.js';

const a = paramType('A');
const b = paramType('B');
const listOfA = listType(a);
const mapOfAB = mapType(a, b);

const suffixes = new Map<CelType, string>([
  [boolType, 'bool'],
  [intType, 'int64'],
  [uintType, 'uint64'],
  [doubleType, 'double'],
  [stringType, 'string'],
  [bytesType, 'bytes'],
  [timestampType, 'timestamp'],
  [durationType, 'duration'],
]);

function same(type: CelType, prefix: string, result: CelType): Overload {
  return global(`${prefix}_${suffixes.get(type)}`, [type, type], result);
}

/** Pairs of different numeric types that still have an order. */
const crossed: readonly (readonly [CelType, CelType])[] = [
  [intType, doubleType],
  [intType, uintType],
  [uintType, doubleType],
  [uintType, intType],
  [doubleType, intType],
  [doubleType, uintType],
];

function relation(name: string, prefix: string, holds: (order: number) => boolean): FunctionDeclaration {
  const overloads: Overload[] = [];
  for (const type of [boolType, intType, uintType, doubleType, stringType, bytesType, timestampType, durationType]) {
    overloads.push(same(type, prefix, boolType));
    for (const pair of crossed.filter(([left]) => left === type)) {
      overloads.push(global(`${prefix}_${suffixes.get(pair[0])}_${suffixes.get(pair[1])}`, pair, boolType));
    }
  }
  const run: Implementation = (x, y) => {
    const order = compare(x, y);
    return typeof order === 'number' ? holds(order) : order;
  };
  return { name, overloads, run, accepts: isComparable };
}

function operator(name: string, overloads: readonly Overload[], run: Implementation): FunctionDeclaration {
  const kinds = operatorAccepts[name];
  return { name, overloads, run, accepts: (value) => kinds?.has(kindOf(value)) ?? true };
}

/** The order decides what a value of unknown type is taken for. */
const numeric = [doubleType, intType, uintType];

function product(name: string, prefix: string, symbol: Operator, types: readonly CelType[]): FunctionDeclaration {
  const overloads = types.map((type) => same(type, prefix, type));
  return operator(name, overloads, (x, y) => multiplicative(symbol, x, y));
}

const operators: readonly FunctionDeclaration[] = [
  { name: '_?_:_', overloads: [global('conditional', [boolType, a, a], a)] },
  { name: '_&&_', overloads: [global('logical_and', [boolType, boolType], boolType)] },
  { name: '_||_', overloads: [global('logical_or', [boolType, boolType], boolType)] },
  {
    name: '!_',
    overloads: [global('logical_not', [boolType], boolType)],
    run: (x) => (typeof x === 'boolean' ? !x : noOverload),
  },
  { name: '@not_strictly_false', overloads: [global('not_strictly_false', [boolType], boolType)] },
  { name: '_==_', overloads: [global('equals', [a, a], boolType)] },
  { name: '_!=_', overloads: [global('not_equals', [a, a], boolType)] },
  operator(
    '_+_',
    [
      ...[bytesType, doubleType].map((type) => same(type, 'add', type)),
      global('add_duration_duration', [durationType, durationType], durationType),
      global('add_duration_timestamp', [durationType, timestampType], timestampType),
      global('add_timestamp_duration', [timestampType, durationType], timestampType),
      same(intType, 'add', intType),
      global('add_list', [listOfA, listOfA], listOfA),
      ...[stringType, uintType].map((type) => same(type, 'add', type)),
    ],
    add,
  ),
  operator(
    '_-_',
    [
      same(doubleType, 'subtract', doubleType),
      global('subtract_duration_duration', [durationType, durationType], durationType),
      same(intType, 'subtract', intType),
      global('subtract_timestamp_duration', [timestampType, durationType], timestampType),
      global('subtract_timestamp_timestamp', [timestampType, timestampType], durationType),
      same(uintType, 'subtract', uintType),
    ],
    subtract,
  ),
  product('_*_', 'multiply', '*', numeric),
  product('_/_', 'divide', '/', numeric),
  product('_%_', 'modulo', '%', [intType, uintType]),
  operator(
    '-_',
    [global('negate_double', [doubleType], doubleType), global('negate_int64', [intType], intType)],
    opposite,
  ),
  relation('_<_', 'less', (order) => order < 0),
  relation('_<=_', 'less_equals', (order) => order <= 0),
  relation('_>_', 'greater', (order) => order > 0),
  relation('_>=_', 'greater_equals', (order) => order >= 0),
  {
    name: '_[_]',
    overloads: [global('index_list', [listOfA, intType], a), global('index_map', [mapOfAB, a], b)],
  },
  {
    name: '@in',
    overloads: [global('in_list', [a, listOfA], boolType), global('in_map', [a, mapOfAB], boolType)],
    run: (x, y) => isIn(x, y),
  },
];

/** `x in y` for any container. */
export function isIn(x: CelValue, y: CelValue): CelValue {
  if (isList(y)) return listContains(y, x);
  if (!isMap(y)) return noOverload;
  const found = mapFind(y, x);
  return found instanceof CelError ? found : found !== undefined;
}

/** The size of a value, or undefined when it has none. */
export function sizeOf(value: CelValue): number | undefined {
  if (typeof value === 'string') return runeCount(value);
  if (isList(value)) return listSize(value);
  if (isMap(value)) return mapSize(value);
  return value instanceof CelBytes ? value.value.length : undefined;
}

function sizes(): FunctionDeclaration {
  const overloads = (
    [
      ['bytes', bytesType],
      ['list', listOfA],
      ['map', mapOfAB],
      ['string', stringType],
    ] as const
  ).flatMap(([name, type]) => [global(`size_${name}`, [type], intType), method(`${name}_size`, [type], intType)]);
  const run: Implementation = (value) => sizeOf(value) ?? (value instanceof CelOpaque ? value.costSize : noOverload);
  // IPs and CIDRs have a size but not the trait that would let size() ask for it.
  return { name: 'size', overloads, run, accepts: (value) => sizeOf(value) !== undefined };
}

function textTest(name: string, id: string, test: (text: string, part: string) => boolean): FunctionDeclaration {
  const run: Implementation = (text, part) =>
    typeof text === 'string' && typeof part === 'string' ? test(text, part) : noOverload;
  return {
    name,
    overloads: [method(id, [stringType, stringType], boolType, run)],
    unguarded: true,
  };
}

const texts: readonly FunctionDeclaration[] = [
  textTest('contains', 'contains_string', (text, part) => text.includes(part)),
  textTest('endsWith', 'ends_with_string', (text, part) => text.endsWith(part)),
  textTest('startsWith', 'starts_with_string', (text, part) => text.startsWith(part)),
  {
    name: 'matches',
    overloads: [
      global('matches', [stringType, stringType], boolType),
      method('matches_string', [stringType, stringType], boolType),
    ],
    run: (text, pattern) =>
      typeof text === 'string' && typeof pattern === 'string' ? matches(text, pattern) : noOverload,
    accepts: (value) => typeof value === 'string',
  },
];

/** The standard functions. */
export const standardFunctions: readonly FunctionDeclaration[] = [
  ...operators,
  sizes(),
  ...conversionFunctions,
  ...texts,
  ...timeFunctions,
];
