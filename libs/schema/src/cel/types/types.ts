/** CEL types: what the checker reasons about and by which the evaluator reads data. */
import { escapeIdentifier } from './escape.js';

/** The families of CEL types. `opaque` has a name and parameters but no fields (`optional_type`, `net.IP`). */
export type CelKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'timestamp'
  | 'duration'
  | 'dyn'
  | 'error'
  | 'list'
  | 'map'
  | 'object'
  | 'opaque'
  | 'type'
  | 'param';

/** How data of a declared type is bounded and read; the checker ignores it. */
export interface DataHints {
  /** Largest size the schema admits, the worst case of cost estimates. */
  readonly maxElements?: number;
  /** Null is a value instead of an error. */
  readonly nullable?: boolean;
  /** A `date` is a day; every other timestamp is a date-time. */
  readonly format?: 'date';
  /** The dynamic value is a string or an integer, nothing else. */
  readonly intOrString?: boolean;
  /** Sets and maps compare and add without regard to order. */
  readonly listType?: 'atomic' | 'set' | 'map';
  /** Key properties of a list of type map. */
  readonly listMapKeys?: readonly string[];
  /** Fields are known by the names of their properties, reserved words among them. */
  readonly verbatim?: boolean;
  /** Values of this type are not JSON: what they hold is found out when it is asked for. */
  readonly computed?: boolean;
}

/** One field of an object type. */
export interface CelField {
  /** The property in the data. */
  readonly property: string;
  /** The identifier in an expression. */
  readonly name: string;
  readonly type: CelType;
}

/** What only some types have. */
interface TypeDetails {
  readonly hints?: DataHints | undefined;
  readonly fields?: FieldTypes | undefined;
}

/** Types of fields by property; a function lets a type refer to itself. */
export type FieldTypes = ReadonlyMap<string, CelType> | (() => ReadonlyMap<string, CelType>);

const noHints: DataHints = {};
const noDetails: TypeDetails = {};

/** A CEL type. Compare with {@link sameType}; parameterless types are shared constants. */
export class CelType {
  readonly kind: CelKind;
  /** The name at run time: `list`, `google.protobuf.Timestamp`, `kubernetes.URL`. */
  readonly name: string;
  readonly params: readonly CelType[];
  readonly hints: DataHints;
  /** Whether plain JSON, if it is of this type, already is the CEL value, so that nothing need be wrapped. */
  readonly natural: boolean;
  readonly #fields: FieldTypes | undefined;
  #table: ReadonlyMap<string, CelField> | undefined;
  #properties: ReadonlyMap<string, CelField> | undefined;

  constructor(kind: CelKind, name: string, params: readonly CelType[] = [], details: TypeDetails = noDetails) {
    this.kind = kind;
    this.name = name;
    this.params = params;
    this.hints = details.hints ?? noHints;
    this.#fields = details.fields;
    this.natural = isNatural(kind);
  }

  /** The fields by identifier. Properties that have no CEL identifier are left out. */
  get fields(): ReadonlyMap<string, CelField> {
    if (this.#table === undefined) {
      const fields = typeof this.#fields === 'function' ? this.#fields() : this.#fields;
      this.#table = fieldTable(fields, this.hints.verbatim === true);
    }
    return this.#table;
  }

  /** The fields by property. */
  get properties(): ReadonlyMap<string, CelField> {
    this.#properties ??= new Map([...this.fields.values()].map((field) => [field.property, field]));
    return this.#properties;
  }

  /** The same type with other hints. */
  withHints(hints: DataHints): CelType {
    return new CelType(this.kind, this.name, this.params, {
      hints: { ...this.hints, ...hints },
      fields: this.#fields,
    });
  }
}

function isNatural(kind: CelKind): boolean {
  return kind === 'bool' || kind === 'int' || kind === 'string' || kind === 'dyn' || kind === 'param';
}

function fieldTable(
  fields: ReadonlyMap<string, CelType> | undefined,
  isVerbatim: boolean,
): ReadonlyMap<string, CelField> {
  const table = new Map<string, CelField>();
  for (const [property, type] of fields ?? []) {
    const name = isVerbatim ? property : escapeIdentifier(property);
    if (name !== undefined) table.set(name, { property, name, type });
  }
  return table;
}

export const boolType = new CelType('bool', 'bool');
export const intType = new CelType('int', 'int');
export const uintType = new CelType('uint', 'uint');
export const doubleType = new CelType('double', 'double');
export const stringType = new CelType('string', 'string');
export const bytesType = new CelType('bytes', 'bytes');
export const nullType = new CelType('null', 'null_type');
export const timestampType = new CelType('timestamp', 'google.protobuf.Timestamp');
export const durationType = new CelType('duration', 'google.protobuf.Duration');
export const dynType = new CelType('dyn', 'dyn');
export const errorType = new CelType('error', 'error');
export const typeType = new CelType('type', 'type');

const scalars = new Map(
  [boolType, intType, uintType, doubleType, stringType, bytesType, nullType].map((t) => [t.kind, t]),
);

/** The type of a scalar that a literal may have. */
export function scalarType(kind: string): CelType {
  return scalars.get(kind as CelKind) ?? errorType;
}

/** A list; data of list type `set` or `map` is compared and added without regard to order. */
export function listType(element: CelType, hints?: DataHints): CelType {
  return new CelType('list', 'list', [element], { hints });
}

/** A map. */
export function mapType(key: CelType, value: CelType, hints?: DataHints): CelType {
  return new CelType('map', 'map', [key, value], { hints });
}

/** An object of declared fields, keyed by property as the data has it. A function lets types refer to themselves. */
export function objectType(name: string, fields: FieldTypes, hints?: DataHints): CelType {
  return new CelType('object', name, [], { hints, fields });
}

/** A type of which only the name and its parameters are known. */
export function opaqueType(name: string, ...params: CelType[]): CelType {
  return new CelType('opaque', name, params);
}

/** `optional_type(T)`. */
export function optionalType(value: CelType): CelType {
  return new CelType('opaque', 'optional_type', [value]);
}

/** The type of the type name of T. */
export function typeOfType(value: CelType): CelType {
  return new CelType('type', 'type', [value]);
}

/** A type parameter of an overload. */
export function paramType(name: string): CelType {
  return new CelType('param', name);
}

/** Whether it is `optional_type(T)`. */
export function isOptional(type: CelType): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

/** Same kind, name and parameters; hints do not matter. */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.params.length !== b.params.length) return false;
  for (let at = 0; at < a.params.length; at++) {
    if (!sameType(a.params[at] ?? errorType, b.params[at] ?? errorType)) return false;
  }
  return true;
}

/** The type as messages print it: `list(int)`, `map(string, dyn)`, `timestamp`. */
export function formatType(type: CelType): string {
  if (type.kind === 'duration') return 'duration';
  if (type.kind === 'timestamp') return 'timestamp';
  if (type.kind === 'null') return 'null';
  if (type.kind === 'error') return '!error!';
  if (type.params.length === 0) return type.name;
  return `${type.name}(${type.params.map(formatType).join(', ')})`;
}

/** `(int, string)`, or `string.(int)` when the first is the receiver. */
export function formatSignature(args: readonly CelType[], member: boolean): string {
  const rest = args.slice(member ? 1 : 0).map(formatType);
  const receiver = member && args[0] !== undefined ? `${formatType(args[0])}.` : '';
  return `${receiver}(${rest.join(', ')})`;
}
