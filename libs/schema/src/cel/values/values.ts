/**
 * CEL values at run time. Plain JSON is a CEL value as it stands: an integer number or a bigint is an int, an array a
 * list, an object a map with string keys. Everything JSON cannot say is boxed.
 */
import { WholeFloat } from '@capstan/meta';

/** What a value is. */
export type ValueKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'optional'
  | 'type'
  | 'opaque'
  | 'error';

/** Any value an expression may produce or read: JSON, bigint, or a {@link CelBoxed}. */
export type CelValue = unknown;

/** A value that plain JSON cannot carry. */
export abstract class CelBoxed {
  abstract readonly kind: ValueKind;
}

/** A failed evaluation. It travels as a value because `&&`, `||` and the macros may absorb it. */
export class CelError extends CelBoxed {
  readonly kind = 'error';
  readonly message: string;
  constructor(message: string) {
    super();
    this.message = message;
  }
}

/** A double; a bare integer number is an int. */
export class CelDouble extends CelBoxed {
  readonly kind = 'double';
  readonly value: number;
  constructor(value: number) {
    super();
    this.value = value;
  }
}

/** An unsigned integer. */
export class CelUint extends CelBoxed {
  readonly kind = 'uint';
  readonly value: bigint;
  constructor(value: bigint) {
    super();
    this.value = value;
  }
}

/** A sequence of bytes. */
export class CelBytes extends CelBoxed {
  readonly kind = 'bytes';
  readonly value: Uint8Array;
  constructor(value: Uint8Array) {
    super();
    this.value = value;
  }
}

/** A moment; the offset is only remembered to print it as it was written. */
export class CelTimestamp extends CelBoxed {
  readonly kind = 'timestamp';
  /** Whole seconds since the epoch, rounded down. */
  readonly seconds: number;
  readonly nanos: number;
  /** Seconds east of UTC. */
  readonly offset: number;
  constructor(seconds: number, nanos: number, offset = 0) {
    super();
    this.seconds = seconds;
    this.nanos = nanos;
    this.offset = offset;
  }
}

/** A span of time. */
export class CelDuration extends CelBoxed {
  readonly kind = 'duration';
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    super();
    this.nanos = nanos;
  }
}

/** A type as a value: `int`, `type(x)`. */
export class CelTypeValue extends CelBoxed {
  readonly kind = 'type';
  readonly name: string;
  constructor(name: string) {
    super();
    this.name = name;
  }
}

/** A value that may be absent. */
export class CelOptional extends CelBoxed {
  readonly kind = 'optional';
  readonly present: boolean;
  readonly value: CelValue;
  constructor(present: boolean, value: CelValue) {
    super();
    this.present = present;
    this.value = value;
  }
}

/** A value of a library type (URL, IP, quantity…), known by its type name. */
export abstract class CelOpaque extends CelBoxed {
  readonly kind = 'opaque';
  abstract readonly typeName: string;
  /** Equality with a value of the same type. */
  abstract equals(other: CelOpaque): boolean;
  /** What `size` is for cost accounting, where the library defines one. */
  get costSize(): number {
    return 1;
  }
  /** Length of the pattern a format stands for. */
  get patternSize(): number {
    return 0;
  }
}

/** The optional without a value. */
export const optionalNone = new CelOptional(false, undefined);

/** An optional with a value. */
export function optionalOf(value: CelValue): CelOptional {
  return new CelOptional(true, value);
}

/** Whether it is an error. */
export function isError(value: CelValue): value is CelError {
  return value instanceof CelError;
}

/** What a value is. Numbers must have been adapted, so a bare number is an int. */
export function kindOf(value: CelValue): ValueKind {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'number':
    case 'bigint':
      return 'int';
    default:
  }
  if (value === null || value === undefined) return 'null';
  if (value instanceof CelBoxed) return value.kind;
  return Array.isArray(value) ? 'list' : 'map';
}

const runtimeNames: Readonly<Record<ValueKind, string>> = {
  bool: 'bool',
  int: 'int',
  uint: 'uint',
  double: 'double',
  string: 'string',
  bytes: 'bytes',
  null: 'null_type',
  timestamp: 'google.protobuf.Timestamp',
  duration: 'google.protobuf.Duration',
  list: 'list',
  map: 'map',
  optional: 'optional_type',
  type: 'type',
  opaque: 'opaque',
  error: 'error',
};

/** The name of a value's type, as `type(x)` and messages show it. */
export function typeNameOf(value: CelValue): string {
  const kind = kindOf(value);
  return kind === 'opaque' ? (value as CelOpaque).typeName : runtimeNames[kind];
}

const minInt = -(2n ** 63n);
const maxInt = 2n ** 63n - 1n;

/** Whether a bigint fits an int. */
export function fitsInt(value: bigint): boolean {
  return value >= minInt && value <= maxInt;
}

/** The shortest representation of an int known to fit. */
export function normalInt(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

/** Turns what JSON data holds into a value: only numbers that are no int64 need a box. */
export function adapt(raw: unknown): CelValue {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? raw : new CelDouble(raw);
  if (typeof raw === 'bigint') return fitsInt(raw) ? normalInt(raw) : new CelDouble(Number(raw));
  if (raw instanceof WholeFloat) return new CelDouble(raw.value);
  return raw === undefined ? null : raw;
}

/** Number of code points. */
export function runeCount(text: string): number {
  let count = text.length;
  for (let at = 0; at < text.length - 1; at++) {
    const unit = text.charCodeAt(at);
    if (unit >= 0xd800 && unit < 0xdc00) {
      const next = text.charCodeAt(at + 1);
      if (next >= 0xdc00 && next < 0xe000) {
        count--;
        at++;
      }
    }
  }
  return count;
}

const goNames: Readonly<Record<ValueKind, string>> = {
  bool: 'types.Bool',
  int: 'types.Int',
  uint: 'types.Uint',
  double: 'types.Double',
  string: 'types.String',
  bytes: 'types.Bytes',
  null: 'types.Null',
  timestamp: 'types.Timestamp',
  duration: 'types.Duration',
  list: '*types.baseList',
  map: '*types.baseMap',
  optional: '*types.Optional',
  type: '*types.Type',
  opaque: 'types.Opaque',
  error: '*types.Err',
};

/** The name of a value's type in the server's own language, which some messages show. */
export function goTypeOf(value: CelValue): string {
  return goNames[kindOf(value)];
}
