/** Objects of a schema, made from a list of choices: shorter lists and smaller numbers make simpler objects. */
import { formatDuration, setOwn } from '@capstan/meta';
import type { JsonObject } from '@capstan/meta';
import type { FieldList, LeafType } from './field-list.js';
import { parseFieldList } from './field-list.js';
import { claimSteps } from './unknown-fields.js';

/** Decides. When its numbers have run out it decides for 0, which stands for the simplest. */
export class Choices {
  readonly #numbers: readonly number[];
  #next = 0;

  constructor(numbers: readonly number[]) {
    this.#numbers = numbers;
  }

  /** A whole number from 0 to below `limit`. */
  below(limit: number): number {
    const number = this.#numbers[this.#next] ?? 0;
    this.#next += 1;
    return Math.abs(Math.trunc(number)) % limit;
  }
}

interface Shape {
  type?: LeafType;
  items?: Shape;
  values?: Shape;
  readonly fields: Map<string, Shape>;
}

/** What a maker gives for a leaf that is to be left out. */
export const absent = Symbol('absent');

/** Makes a value for leaves of a path; `undefined` leaves it to the type. */
export type LeafMaker = (path: string, choices: Choices) => unknown;

/** What a maker gives for a value of a map, where also its key matters. */
export class MapEntry {
  readonly key: string;
  readonly value: unknown;

  constructor(key: string, value: unknown) {
    this.key = key;
    this.value = value;
  }
}

/** Whether a list, a map or a record with fields is to be there; `undefined` leaves it to chance. */
export type PartChooser = (path: string, choices: Choices) => boolean | undefined;

interface Making {
  readonly leaf: LeafMaker;
  readonly part: PartChooser;
}

const words = ['a', 'worker-1', '', 'Ready', 'True', 'x/y', 'ünï', '0', 'v1.33.1', '__proto__'];
const maxItems = 3;

function childOf(shape: Shape, step: string): Shape {
  if (step === '[]') return (shape.items ??= { fields: new Map() });
  if (step === '{}') return (shape.values ??= { fields: new Map() });
  let child = shape.fields.get(step);
  if (child === undefined) {
    child = { fields: new Map() };
    shape.fields.set(step, child);
  }
  return child;
}

function shapeOf(fields: FieldList): Shape {
  const root: Shape = { fields: new Map() };
  for (const leaf of parseFieldList(fields)) {
    let shape = root;
    for (const step of claimSteps(leaf.path)) shape = childOf(shape, step);
    shape.type = leaf.type;
  }
  return root;
}

const wordOf = (choices: Choices): string => words[choices.below(words.length)] as string;

const makers: Readonly<Record<LeafType, (choices: Choices) => unknown>> = {
  string: wordOf,
  int32: (choices) => choices.below(50),
  int64: (choices) => choices.below(1000),
  number: (choices) => choices.below(100) / 4,
  bool: (choices) => choices.below(2) === 1,
  time: (choices) => `2024-01-0${1 + choices.below(9)}T00:00:0${choices.below(10)}Z`,
  duration: (choices) => formatDuration(BigInt(choices.below(4000)) * 500_000_000n),
  intOrString: (choices) => (choices.below(2) === 0 ? choices.below(20) : `${choices.below(100)}%`),
  any: (choices) => (choices.below(2) === 0 ? wordOf(choices) : { inner: [choices.below(9), wordOf(choices)] }),
};

function makeMap(values: Shape, path: string, choices: Choices, making: Making): unknown {
  const record: JsonObject = {};
  const count = 1 + choices.below(maxItems);
  for (let at = 0; at < count; at++) {
    const key = wordOf(choices);
    const value = make(values, `${path}{}`, choices, making);
    if (value instanceof MapEntry) setOwn(record, value.key, value.value);
    else if (value !== absent) setOwn(record, key, value);
  }
  return Object.keys(record).length === 0 ? absent : record;
}

/** The value of a field: `absent` when a maker wants it so, `undefined` when chance does. */
function makeField(shape: Shape, path: string, choices: Choices, making: Making): unknown {
  const fixed = shape.type === undefined ? undefined : making.leaf(path, choices);
  if (fixed !== undefined) return fixed;
  const isThere = shape.type === undefined ? making.part(path, choices) : undefined;
  if (isThere === false) return absent;
  return isThere === true || choices.below(4) > 0 ? make(shape, path, choices, making) : undefined;
}

/** A record whose fields are all to be left out is left out itself; one that has none by chance is there, and empty. */
function makeRecord(fields: ReadonlyMap<string, Shape>, path: string, choices: Choices, making: Making): unknown {
  const record: JsonObject = {};
  let isLeftOut = false;
  for (const [name, child] of fields) {
    const value = makeField(child, path === '' ? name : `${path}.${name}`, choices, making);
    if (value === absent) isLeftOut = true;
    else if (value !== undefined) record[name] = value;
  }
  return isLeftOut && path !== '' && Object.keys(record).length === 0 ? absent : record;
}

function make(shape: Shape, path: string, choices: Choices, making: Making): unknown {
  if (shape.type !== undefined) return making.leaf(path, choices) ?? makers[shape.type](choices);
  if (shape.values !== undefined) return makeMap(shape.values, path, choices, making);
  const { items } = shape;
  if (items === undefined) return makeRecord(shape.fields, path, choices, making);
  const count = 1 + choices.below(maxItems);
  const all = Array.from({ length: count }, () => make(items, `${path}[]`, choices, making));
  const there = all.filter((item) => item !== absent);
  return there.length === 0 ? absent : there;
}

/**
 * A generator of objects with the fields listed. Leaves that `special` makes are there unless it returns `absent`; what `part`
 * leaves out has no fields either.
 */
export function objectMaker(
  fields: FieldList,
  special: LeafMaker = () => undefined,
  part: PartChooser = () => undefined,
): (choices: Choices) => JsonObject {
  const shape = shapeOf(fields);
  const making = { leaf: special, part };
  return (choices) => make(shape, '', choices, making) as JsonObject;
}
