import type { Random } from '@capstan/meta';

/** Anything that JSON can say. */
export type JsonValue = { readonly [key: string]: JsonValue } | boolean | number | string | readonly JsonValue[] | null;

/** As much of a structural schema as it takes to write nonsense that a server admits. */
export interface Shape {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly JsonValue[];
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly additionalProperties?: Shape | boolean;
  readonly required?: readonly string[];
  readonly items?: Shape;
}

/** One place of a status, and what could be written there instead: absent when it is removed. */
export interface Spoil {
  readonly path: readonly (number | string)[];
  readonly values: readonly (JsonValue | undefined)[];
}

const TEXTS = ['1.2.3', '99.0.0', 'nonsense', 'https://nonsense.example.com', '0'];
const TIMES = ['2001-01-01T00:00:00Z', '2099-01-01T00:00:00Z'];
const NUMBERS = [999, 0, 1];

function isObject(value: JsonValue | undefined): value is Readonly<Record<string, JsonValue>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Values of a shape that are not the one there is. Some may be refused: rules and patterns are not looked at. */
export function nonsense(shape: Shape, random: Random): JsonValue[] {
  if (shape.enum !== undefined) return [...shape.enum];
  const any = <T>(all: readonly T[]): T[] => {
    const from = random.below(all.length);
    return [...all.slice(from), ...all.slice(0, from)];
  };
  switch (shape.type) {
    case 'string':
      return shape.format === 'date-time' ? any(TIMES) : any(TEXTS);
    case 'integer':
    case 'number':
      return any(NUMBERS);
    case 'boolean':
      return [true, false];
    case 'array':
      return shape.items === undefined ? [] : nonsense(shape.items, random).map((item) => [item]);
    default:
      return objects(shape, random);
  }
}

function objects({ additionalProperties, properties = {}, required = [] }: Shape, random: Random): JsonValue[] {
  if (typeof additionalProperties === 'object')
    return nonsense(additionalProperties, random).map((value) => ({ nonsense: value }));
  const whole = (at: number): JsonValue =>
    Object.fromEntries(
      Object.entries(properties).flatMap(([name, shape]): [string, JsonValue][] => {
        const values = nonsense(shape, random);
        const value = values[at % Math.max(1, values.length)];
        return value === undefined ? [] : [[name, value]];
      }),
    );
  const least = Object.fromEntries(
    required.flatMap((name): [string, JsonValue][] => {
      const [value] = nonsense(properties[name] ?? {}, random);
      return value === undefined ? [] : [[name, value]];
    }),
  );
  return [whole(0), least, whole(1)];
}

/** Every place of a value of a shape: what is there, and what could be. */
export function spoils(shape: Shape, value: JsonValue | undefined, random: Random): Spoil[] {
  return placesOf(shape, value, [], random);
}

function placesOf(shape: Shape, value: JsonValue | undefined, path: Spoil['path'], random: Random): Spoil[] {
  const here: Spoil = { path, values: [...nonsense(shape, random), ...(value === undefined ? [] : [undefined])] };
  if (Array.isArray(value)) {
    const within = value.flatMap((item, at) => placesOf(shape.items ?? {}, item, [...path, at], random).slice(1));
    return [{ path, values: [[], undefined] }, ...within];
  }
  if (!isObject(value)) return [here];
  const { properties = {} } = shape;
  return [
    here,
    ...Object.keys(properties).flatMap((name) =>
      placesOf(properties[name] ?? {}, value[name], [...path, name], random),
    ),
  ];
}

/** A value with another in one of its places. */
export function spoiled(value: JsonValue, path: Spoil['path'], put: JsonValue | undefined): JsonValue | undefined {
  const [first, ...rest] = path;
  if (first === undefined) return put;
  if (Array.isArray(value) && typeof first === 'number')
    return value.flatMap((item, at): JsonValue[] => {
      const kept = at === first ? spoiled(item, rest, put) : item;
      return kept === undefined ? [] : [kept];
    });
  if (!isObject(value)) return value;
  const { [first]: before, ...others } = value;
  const after = spoiled(before ?? {}, rest, put);
  return after === undefined ? others : { ...others, [first]: after };
}
