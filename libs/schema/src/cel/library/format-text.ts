/** `'%s has %d'.format([…])`. */
import { compareBytes, goQuote } from '@capstan/meta';
import type { CelNode } from '../syntax/ast.js';
import { isList, isMap, listItems, mapFind, mapKeys } from '../values/collections.js';
import { toDouble, toText } from '../values/convert.js';
import { formatScientific, groupedFixed, plainFixed } from '../values/number-text.js';
import { dynType } from '../types/types.js';
import { CelBytes, CelDouble, CelError, CelUint, kindOf, typeNameOf } from '../values/values.js';
import type { CelValue } from '../values/values.js';

/** A bad clause; the offset is of the argument it failed on, if that is known. */
export class FormatError extends Error {
  readonly at: number | undefined;
  constructor(message: string, at?: number) {
    super(message);
    this.at = at;
  }
}

type Clause = 's' | 'd' | 'f' | 'e' | 'b' | 'x' | 'X' | 'o';

interface Directive {
  readonly clause: Clause;
  readonly precision: number;
}

const allowed: Readonly<Record<Clause, ReadonlySet<string>>> = {
  s: new Set([
    'list',
    'map',
    'int',
    'uint',
    'double',
    'bool',
    'string',
    'timestamp',
    'bytes',
    'duration',
    'type',
    'null',
  ]),
  d: new Set(['int', 'uint']),
  f: new Set(['double', 'string']),
  e: new Set(['double', 'string']),
  b: new Set(['int', 'uint', 'bool']),
  x: new Set(['int', 'uint', 'string', 'bytes']),
  X: new Set(['int', 'uint', 'string', 'bytes']),
  o: new Set(['int', 'uint']),
};
const hexKinds = 'only integers, byte buffers, and strings can be formatted as hex';
const textKinds = 'strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps';
const complaints: Readonly<Record<Clause, string>> = {
  s: `string clause can only be used on ${textKinds}`,
  d: 'decimal clause can only be used on integers',
  f: 'fixed-point clause can only be used on doubles',
  e: 'scientific clause can only be used on doubles',
  b: 'only integers and bools can be formatted as binary',
  x: hexKinds,
  X: hexKinds,
  o: 'octal clause can only be used on integers',
};

function refused(clause: Clause, typeName: string, at?: number): FormatError {
  return new FormatError(`error during formatting: ${complaints[clause]}, was given ${typeName}`, at);
}

const directive = /^(?:\.(\d*))?([^]?)/;

/** Splits a format into literal text and directives, and calls back for each directive. */
function scan(format: string, count: number, fill: (directive: Directive, index: number) => string): string {
  let out = '';
  let index = 0;
  for (let at = 0; at < format.length; at++) {
    if (format[at] !== '%') {
      out += format[at];
      continue;
    }
    if (format[at + 1] === '%') {
      out += '%';
      at++;
      continue;
    }
    if (at + 1 >= format.length) throw new FormatError(count > index ? 'unexpected end of string' : outOfRange(index));
    if (index >= count) throw new FormatError(outOfRange(index));
    const [whole, precision, clause = ''] = directive.exec(format.slice(at + 1)) ?? ['', undefined, ''];
    out += fill(directiveOf(precision, clause), index++);
    at += whole.length;
  }
  return out;
}

function outOfRange(index: number): string {
  return `index ${index} out of range`;
}

function directiveOf(precision: string | undefined, clause: string): Directive {
  const prefix = 'could not parse formatting clause: ';
  if (precision !== undefined && clause === '') {
    throw new FormatError(`${prefix}error while parsing precision: could not find end of precision specifier`);
  }
  if (precision === '') {
    const reason = 'error while converting precision to integer: strconv.Atoi: parsing "": invalid syntax';
    throw new FormatError(`${prefix}error while parsing precision: ${reason}`);
  }
  if (!Object.hasOwn(allowed, clause)) throw new FormatError(`${prefix}unrecognized formatting clause "${clause}"`);
  return { clause: clause as Clause, precision: precision === undefined ? 6 : Number(precision) };
}

function verify(node: CelNode, clause: Clause): void {
  const type = node.type ?? dynType;
  if (type.kind !== 'dyn' && !allowed[clause].has(type.kind)) throw refused(clause, type.name, node.at);
  if (clause !== 's') return;
  if (node.kind === 'list') for (const element of node.elements) verify(element, clause);
  else if (node.kind === 'map') {
    for (const { key, value } of node.entries) {
      verify(key, clause);
      verify(value, clause);
    }
  }
}

/** Checks a format against the types of its arguments; gives how many it uses. Throws {@link FormatError}. */
export function checkFormat(format: string, args: readonly CelNode[]): number {
  let used = 0;
  scan(format, args.length, ({ clause }, index) => {
    used = index + 1;
    verify(args[index] as CelNode, clause);
    return '';
  });
  return used;
}

/** A value inside a list or map, as a literal of the language. */
function literal(value: CelValue): string {
  switch (kindOf(value)) {
    case 'string':
      return goQuote(String(value));
    case 'bytes':
      return `b${goQuote(String(toText(value)))}`;
    case 'double': {
      const { value: number } = value as CelDouble;
      return Number.isFinite(number) ? plainFixed(number, 6) : goQuote(plainFixed(number, 6));
    }
    case 'timestamp':
      return `timestamp(${goQuote(String(toText(value)))})`;
    case 'duration':
      return `duration(${goQuote(String(toText(value)))})`;
    case 'optional':
    case 'opaque':
      throw new FormatError(`error during formatting: no formatting function for ${typeNameOf(value)}`);
    default:
      return text(value);
  }
}

const keyKinds = new Set(['string', 'bool', 'int', 'uint']);

function keyText(key: CelValue): string {
  if (keyKinds.has(kindOf(key))) return literal(key);
  throw new FormatError(`error during formatting: no formatting function for map key of type ${typeNameOf(key)}`);
}

function mapText(value: CelValue): string {
  if (!isMap(value)) return '';
  const pairs = mapKeys(value).map((key) => [keyText(key), literal(mapFind(value, key))] as const);
  pairs.sort(([a], [b]) => compareBytes(a, b));
  return `{${pairs.map(([key, item]) => `${key}:${item}`).join(', ')}}`;
}

function text(value: CelValue): string {
  if (isList(value)) return `[${listItems(value).map(literal).join(', ')}]`;
  if (isMap(value)) return mapText(value);
  const shown = toText(value);
  if (shown instanceof CelError) throw new FormatError(`error during formatting: ${shown.message}`);
  return String(shown);
}

function integer(value: CelValue): bigint {
  return value instanceof CelUint ? value.value : BigInt(value as number);
}

function hex(value: CelValue): string {
  if (typeof value === 'string') return hex(new CelBytes(new TextEncoder().encode(value)));
  if (!(value instanceof CelBytes)) return integer(value).toString(16);
  return [...value.value].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

const wordsForDoubles = new Set(['NaN', 'Infinity', '-Infinity']);

function double(value: CelValue, clause: Clause): number {
  if (typeof value === 'string' && !wordsForDoubles.has(value)) throw refused(clause, 'string');
  const converted = toDouble(value);
  return converted instanceof CelDouble ? converted.value : Number.NaN;
}

function apply({ clause, precision }: Directive, value: CelValue): string {
  if (!allowed[clause].has(kindOf(value))) throw refused(clause, typeNameOf(value));
  switch (clause) {
    case 's':
      return text(value);
    case 'd':
      return String(integer(value));
    case 'f':
      return groupedFixed(double(value, clause), precision);
    case 'e':
      return formatScientific(double(value, clause), precision);
    case 'b':
      return typeof value === 'boolean' ? String(Number(value)) : integer(value).toString(2);
    case 'o':
      return integer(value).toString(8);
    case 'x':
      return hex(value);
    case 'X':
      return hex(value).toUpperCase();
  }
}

/** Fills the format in; the error of a bad clause is a value. */
export function formatText(format: string, args: readonly CelValue[]): CelValue {
  try {
    return scan(format, args.length, (found, index) => apply(found, args[index]));
  } catch (error) {
    if (error instanceof FormatError) return new CelError(error.message);
    throw error;
  }
}
