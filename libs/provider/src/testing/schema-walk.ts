import type { JsonSchema } from '@capstan/api/model';
import type { JsonObject } from '@capstan/meta';

/** A step of a path: a field, an element of a list, a value of a map. */
type Step = string;
const ELEMENT = '[]';
const VALUE = '{}';

/** A field that holds no other. */
export interface Leaf {
  readonly path: readonly Step[];
  readonly schema: JsonSchema;
}

/** Every field of a schema that holds no other, in order. */
export function leavesOf(schema: JsonSchema, path: readonly Step[] = []): Leaf[] {
  if (schema.items !== undefined) return leavesOf(schema.items, [...path, ELEMENT]);
  if (schema.properties !== undefined)
    return Object.entries(schema.properties).flatMap(([name, each]) => leavesOf(each, [...path, name]));
  if (typeof schema.additionalProperties === 'object') return leavesOf(schema.additionalProperties, [...path, VALUE]);
  return [{ path, schema }];
}

/** `rootVolume.size`, `subnet.filters[].name`, `nodeSelector{}` */
export function pathText(path: readonly Step[]): string {
  return path.map((step, at) => (at === 0 || step === ELEMENT || step === VALUE ? step : `.${step}`)).join('');
}

/** Whether a value has something at the path. */
export function hasPath(value: unknown, [step, ...rest]: readonly Step[]): boolean {
  if (step === undefined) return value !== undefined;
  if (step === ELEMENT) return Array.isArray(value) && value.some((each) => hasPath(each, rest));
  if (typeof value !== 'object' || value === null) return false;
  if (step === VALUE) return Object.values(value).some((each) => hasPath(each, rest));
  return Object.hasOwn(value, step) && hasPath((value as JsonObject)[step], rest);
}

const REMOVED = Symbol('removed');

/** Copies of a value that differ from it at the path alone: another value there, and none at all. */
export function variantsOf(value: JsonObject, { path, schema }: Leaf): JsonObject[] {
  return changesOf(schema).map((change) => changed(value, path, change) as JsonObject);
}

type Change = (value: unknown) => unknown;

function changesOf(schema: JsonSchema): Change[] {
  const choices = schema['enum'];
  const others = Array.isArray(choices) ? choices.map((choice) => () => choice as unknown) : [another];
  return [...others, () => REMOVED];
}

function another(value: unknown): unknown {
  if (typeof value === 'boolean') return !value;
  if (typeof value === 'number') return value + 1;
  return `${String(value)}x`;
}

function changed(value: unknown, [step, ...rest]: readonly Step[], change: Change): unknown {
  if (step === undefined) return change(value);
  if (step === ELEMENT)
    return Array.isArray(value)
      ? value.map((each) => changed(each, rest, change)).filter((each) => each !== REMOVED)
      : value;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value)
    .map(([name, each]) => [name, step === VALUE || name === step ? changed(each, rest, change) : each] as const)
    .filter(([, each]) => each !== REMOVED);
  return Object.fromEntries(entries);
}
