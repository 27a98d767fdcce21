/** Reads JSON data by its declared type: strings become times, numbers doubles, lists and objects keep their schema. */
import { goQuote, parseTime, plainFloat, TimeParseError, WholeFloat } from '@capstan/meta';
import { base64Decode } from './base64.js';
import { parseFormatDuration } from './format-duration.js';
import type { CelType } from '../types/types.js';
import { adapt, CelBoxed, CelBytes, CelDouble, CelDuration, CelError, CelTimestamp, fitsInt } from './values.js';
import type { CelValue } from './values.js';

/** A list of data whose elements need their schema to be read. */
export class DataList extends CelBoxed {
  readonly kind = 'list';
  readonly raw: readonly unknown[];
  readonly type: CelType;
  constructor(raw: readonly unknown[], type: CelType) {
    super();
    this.raw = raw;
    this.type = type;
  }
  /** The element type. */
  get element(): CelType {
    return this.type.params[0] as CelType;
  }
  /** The elements for a list of another type, in which what cannot be read here is an error of that type. */
  readable(element: CelType): readonly unknown[] {
    return this.raw.map((raw) => (fromData(raw, this.element) instanceof CelError ? unreadable(element) : raw));
  }
  /** The server's own name for such a value, which a message shows. */
  get goName(): string {
    const { listType } = this.type.hints;
    return `*common.unstructured${listType === 'set' ? 'Set' : listType === 'map' ? 'Map' : ''}List`;
  }
}

/** An object or a map of data whose values need their schema to be read. */
export class DataMap extends CelBoxed {
  readonly kind = 'map';
  /** The server's own name for such a value, which a message shows. */
  readonly goName = '*common.unstructuredMap';
  readonly raw: Readonly<Record<string, unknown>>;
  readonly type: CelType;
  constructor(raw: Readonly<Record<string, unknown>>, type: CelType) {
    super();
    this.raw = raw;
    this.type = type;
  }

  /** The value of a key as CEL sees it, or undefined. */
  find(key: string): CelValue {
    if (this.type.kind === 'object') {
      const field = this.type.fields.get(key);
      // Null fields of an object count as absent.
      if (field === undefined || !Object.hasOwn(this.raw, field.property)) return undefined;
      const raw = this.raw[field.property];
      return raw === null || raw === undefined ? undefined : fromData(raw, field.type);
    }
    return Object.hasOwn(this.raw, key) ? fromData(this.raw[key], this.type.params[1] as CelType) : undefined;
  }

  /** The keys a comprehension visits. */
  keys(): string[] {
    const keys = Object.keys(this.raw);
    if (this.type.kind !== 'object') return keys;
    return keys.flatMap((key) => this.type.properties.get(key)?.name ?? []);
  }
}

const zone = /([+-])(\d\d):(\d\d)$/;
const day = /^\d{4}-\d\d-\d\d$/;

/** Seconds east of UTC that a time was written with. */
export function offsetOf(text: string): number {
  const [, sign, hours, minutes] = zone.exec(text) ?? [];
  if (hours === undefined) return 0;
  return (sign === '-' ? -1 : 1) * (Number(hours) * 3600 + Number(minutes) * 60);
}

/** A timestamp from RFC 3339 text, or undefined. */
export function parseTimestamp(text: string): CelTimestamp | undefined {
  try {
    const { seconds, nanos } = parseTime(text);
    return new CelTimestamp(seconds, nanos, offsetOf(text));
  } catch (error) {
    if (error instanceof TimeParseError) return undefined;
    throw error;
  }
}

/** A layout that is shorter than RFC 3339: what a text begins with to fit it, and what it lacks. */
interface ShortLayout {
  readonly layout: string;
  readonly head: RegExp;
  readonly lacks: string;
}

const dateLayout: ShortLayout = { layout: '2006-01-02', head: /^\d{4}-\d\d-\d\d/, lacks: 'T00:00:00Z' };
const clockLayout: ShortLayout = {
  layout: '2006-01-02T15:04:05',
  head: /^\d{4}-\d\d-\d\dT\d\d?:\d\d:\d\d(?:[.,]\d+)?/,
  lacks: 'Z',
};

function failureOf(text: string): string {
  try {
    parseTime(text);
    return '';
  } catch (error) {
    if (error instanceof TimeParseError) return error.message;
    throw error;
  }
}

/** Why the server's parser does not take a text for a time of the layout, which is the last one it tries. */
function timeComplaint(text: string, { layout, head, lacks }: ShortLayout): string {
  const [start] = head.exec(text) ?? [];
  if (start === undefined) return failureOf(text).replace('"2006-01-02T15:04:05Z07:00"', `"${layout}"`);
  const [range] = /: \w+ out of range$/.exec(failureOf(`${start}${lacks}`)) ?? [];
  const isLate = range === ': day out of range' && start !== text;
  const why = isLate || range === undefined ? `: extra text: ${goQuote(text.slice(start.length))}` : range;
  return `parsing time ${goQuote(text)}${why}`;
}

function readDate(text: string): CelValue {
  const parsed = day.test(text) ? parseTimestamp(`${text}T00:00:00Z`) : undefined;
  return parsed ?? new CelError(`Invalid date formatted string ${text}: ${timeComplaint(text, dateLayout)}`);
}

/** An empty text is the epoch and a time without zone is in UTC: so the schema's format has it. */
function readDateTime(text: string): CelValue {
  if (text === '') return new CelTimestamp(0, 0);
  const parsed = parseTimestamp(text) ?? parseTimestamp(`${text}Z`);
  if (parsed !== undefined) return parsed;
  return new CelError(`Invalid date-time formatted string ${text}: ${timeComplaint(text, clockLayout)}`);
}

function readDuration(text: string): CelValue {
  const nanos = parseFormatDuration(text);
  return nanos === undefined
    ? new CelError(`Invalid duration ${text}: unable to parse ${text} as duration`)
    : new CelDuration(nanos);
}

function readBytes(text: string): CelValue {
  const bytes = base64Decode(text);
  if (typeof bytes !== 'number') return new CelBytes(bytes);
  return new CelError(`Invalid byte formatted string ${text}: illegal base64 data at input byte ${bytes}`);
}

function readText(text: string, type: CelType): CelValue {
  if (type.kind === 'timestamp') return type.hints.format === 'date' ? readDate(text) : readDateTime(text);
  if (type.kind === 'duration') return readDuration(text);
  return readBytes(text);
}

function readNull(type: CelType): CelValue {
  if (type.hints.nullable === true || type.kind === 'null' || type.kind === 'opaque') return null;
  return new CelError('invalid data, got null for schema with nullable=false');
}

/** The name of a JSON value's type in the server's own language. */
function goName(raw: unknown): string {
  if (typeof raw === 'number') return Number.isSafeInteger(raw) ? 'int64' : 'float64';
  if (typeof raw === 'bigint') return fitsInt(raw) ? 'int64' : 'float64';
  if (typeof raw === 'boolean') return 'bool';
  if (typeof raw === 'string') return 'string';
  if (raw instanceof WholeFloat) return 'float64';
  return Array.isArray(raw) ? '[]interface {}' : 'map[string]interface {}';
}

const shownNames: Readonly<Record<string, string>> = { bool: 'bool', int: 'int', double: 'float' };

/** The error of a value that its schema does not describe; an update may keep what was wrong before. */
function misfit(found: string, type: CelType): CelError {
  if (type.kind === 'dyn')
    return new CelError('invalid data, expected XIntOrString value to be either a string or integer');
  return new CelError(`invalid data, expected ${shownNames[type.kind] ?? 'string'}, got ${found}`);
}

/** The error of an error that is read as data. */
function unreadable(type: CelType): CelError {
  if (type.kind === 'object' || type.kind === 'map') return expected('a map', 'object');
  return type.kind === 'list' ? expected('an array', 'array') : misfit('*errors.errorString', type);
}

function isInteger(raw: unknown): boolean {
  return typeof raw === 'number' ? Number.isSafeInteger(raw) : typeof raw === 'bigint' && fitsInt(raw);
}

/** Whether plain JSON is of a natural type. */
function fits(raw: unknown, type: CelType): boolean {
  if (raw === null || raw === undefined) return type.hints.nullable === true || type.kind === 'dyn';
  switch (type.kind) {
    case 'string':
      return typeof raw === 'string';
    case 'bool':
      return typeof raw === 'boolean';
    case 'int':
      return isInteger(raw);
    default:
      return type.hints.intOrString !== true || typeof raw === 'string' || isInteger(raw);
  }
}

function read(raw: unknown, type: CelType): CelValue {
  switch (type.kind) {
    case 'object':
    case 'map':
      return isRecord(raw) ? new DataMap(raw, type) : expected('a map', 'object');
    case 'list':
      return Array.isArray(raw) ? new DataList(raw, type) : expected('an array', 'array');
    case 'double':
      return isNumber(plainFloat(raw)) ? new CelDouble(Number(plainFloat(raw))) : misfit(goName(raw), type);
    case 'timestamp':
    case 'duration':
    case 'bytes':
      return typeof raw === 'string' ? readText(raw, type) : misfit(goName(raw), type);
    default:
      return type.natural ? misfit(goName(raw), type) : adapt(raw);
  }
}

/** The CEL value of JSON data of a declared type. Values that already are CEL's pass through. */
export function fromData(raw: unknown, type: CelType): CelValue {
  if (raw instanceof CelBoxed) return raw;
  if (type.natural && fits(raw, type)) return adapt(raw);
  return raw === null || raw === undefined ? readNull(type) : read(raw, type);
}

/** What stands where an object of declared fields should be, as the error it is; undefined if it is one. */
export function misplaced(raw: unknown): CelError | undefined {
  return isRecord(raw) ? undefined : expected('a map', 'object');
}

function isRecord(raw: unknown): raw is Readonly<Record<string, unknown>> {
  return typeof raw === 'object' && raw !== null && !Array.isArray(raw) && !(raw instanceof WholeFloat);
}

function isNumber(raw: unknown): boolean {
  return typeof raw === 'number' || typeof raw === 'bigint';
}

function expected(what: string, schema: string): CelError {
  return new CelError(`invalid data, expected ${what} for the provided schema with type=${schema}`);
}
