/**
 * What server-side apply knows of a type. A type that can be only one of scalar, list and map has only that part; an
 * untyped one has all three, and the value decides.
 */
import type { JsonObject } from '@capstan/meta';

/** What a scalar may be; `untyped` is any scalar. */
export type ScalarKind = 'string' | 'numeric' | 'boolean' | 'untyped';

/** A type as the field manager sees it. */
export interface ApplyType {
  readonly scalar: ScalarKind | undefined;
  readonly list: ApplyList | undefined;
  readonly map: ApplyMap | undefined;
}

/** A list: atomic, a set (associative without keys), or a map of items by their keys. */
export interface ApplyList {
  readonly atomic: boolean;
  /** In the order of the declaration. */
  readonly keys: readonly string[];
  readonly element: ApplyType;
}

/** A map or struct. */
export interface ApplyMap {
  readonly atomic: boolean;
  /** Nothing is declared of its content: never reconciled with a changed schema. */
  readonly deduced: boolean;
  /** The type of all keys that are not fields; undefined: there may be no others. */
  readonly element: ApplyType | undefined;
  field(name: string): ApplyField | undefined;
}

/** A declared field. */
export interface ApplyField {
  /** What its name is in a path. */
  readonly element: string;
  readonly type: ApplyType;
  /** Counts as the value of an absent list-map key; undefined: none. */
  readonly defaultValue: unknown;
}

/** Which part of a type a value belongs to. */
export type Shape = 'map' | 'scalar' | 'list';

/** The part the value fits; of null and of what fits nothing, the first the type has. */
export function shapeOf(type: ApplyType, value: unknown): Shape {
  if (typeof value === 'object') {
    if (Array.isArray(value)) {
      if (type.list !== undefined) return 'list';
    } else if (value !== null && type.map !== undefined) return 'map';
  } else if (value !== undefined && type.scalar !== undefined) return 'scalar';
  return type.map !== undefined ? 'map' : type.scalar !== undefined ? 'scalar' : 'list';
}

const noField = (): undefined => undefined;

/** Any value, changed only as a whole. */
export const atomicType: ApplyType = {
  scalar: 'untyped',
  get list(): ApplyList {
    return atomicList;
  },
  get map(): ApplyMap {
    return atomicMap;
  },
};

const atomicList: ApplyList = { atomic: true, keys: [], element: atomicType };
const atomicMap: ApplyMap = { atomic: true, deduced: false, element: atomicType, field: noField };

/** Any value, nothing known: maps are granular, lists atomic. */
export const deducedType: ApplyType = {
  scalar: 'untyped',
  list: atomicList,
  get map(): ApplyMap {
    return deducedMap;
  },
};

const deducedMap: ApplyMap = {
  atomic: false,
  deduced: true,
  get element(): ApplyType {
    return deducedType;
  },
  field: noField,
};

const scalars: Readonly<Record<ScalarKind, ApplyType>> = {
  string: { scalar: 'string', list: undefined, map: undefined },
  numeric: { scalar: 'numeric', list: undefined, map: undefined },
  boolean: { scalar: 'boolean', list: undefined, map: undefined },
  untyped: { scalar: 'untyped', list: undefined, map: undefined },
};

/** The type of a scalar. */
export function scalarType(kind: ScalarKind): ApplyType {
  return scalars[kind];
}

/** A type that is only a list. */
export function listType(list: ApplyList): ApplyType {
  return { scalar: undefined, list, map: undefined };
}

/** A type that is only a map. */
export function mapType(map: ApplyMap): ApplyType {
  return { scalar: undefined, list: undefined, map };
}

/** The type of one key of a map, or undefined when the key is not declared. */
export function memberType(map: ApplyMap, key: string): ApplyType | undefined {
  return map.field(key)?.type ?? map.element;
}

/** The value as a map, undefined when it is none. */
export function asMap(value: unknown): JsonObject | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as JsonObject) : undefined;
}

/** The value as a list, undefined when it is none. */
export function asList(value: unknown): readonly unknown[] | undefined {
  return Array.isArray(value) ? (value as unknown[]) : undefined;
}

/** Whether the map has no members. */
export function isEmptyMap(object: Readonly<JsonObject>): boolean {
  for (const key in object) if (object[key] !== undefined) return false;
  return true;
}
