/** Times on the wire: read as Go's time.Parse reads the RFC 3339 layouts, written in UTC. */
import { civilFromSeconds, daysFromCivil, daysIn } from './civil.js';
import { TimeParseError, timeQuote } from './errors.js';

/** A moment, exact to the nanosecond. */
export interface Instant {
  /** Whole seconds since the epoch, rounded down. */
  readonly seconds: number;
  /** 0 to 999,999,999. */
  readonly nanos: number;
}

const secondLayout = '2006-01-02T15:04:05Z07:00';
const microLayout = '2006-01-02T15:04:05.000000Z07:00';
/** Of a time in UTC with six decimals; no other strict one is as long. */
const MICRO_LENGTH = '2006-01-02T15:04:05.000000Z'.length;
const strict = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.(\d+))?Z$/;
/** 0001-01-01T00:00:00Z, which the server takes for "not set". */
const zeroSeconds = -62_135_596_800;

/** Reads a layout element by element, with Go's tolerances: one-digit hours, a comma before the fraction. */
class LayoutReader {
  readonly #layout: string;
  readonly #text: string;
  #rest: string;

  constructor(layout: string, text: string) {
    this.#layout = layout;
    this.#text = text;
    this.#rest = text;
  }

  read(): Instant {
    const year = this.#year();
    this.#literal('-');
    const month = this.#number('01', true);
    if (month < 1 || month > 12) throw this.#outOfRange('month');
    this.#literal('-');
    const day = this.#number('02', true);
    this.#literal('T');
    const hour = this.#number('15', false);
    if (hour > 23) throw this.#outOfRange('hour');
    this.#literal(':');
    const minute = this.#number('04', true);
    if (minute > 59) throw this.#outOfRange('minute');
    this.#literal(':');
    const second = this.#number('05', true);
    if (second > 59) throw this.#outOfRange('second');
    const nanos = this.#layout === microLayout ? this.#micros() : this.#fraction();
    const offset = this.#zone();
    if (this.#rest !== '') throw this.#error(`: extra text: ${timeQuote(this.#rest)}`);
    if (day < 1 || day > daysIn(month, year)) throw this.#outOfRange('day');
    const seconds = daysFromCivil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second - offset;
    return { seconds, nanos };
  }

  #literal(char: string): void {
    if (!this.#rest.startsWith(char)) throw this.#cannotParse(this.#rest, char);
    this.#rest = this.#rest.slice(1);
  }

  #year(): number {
    const digits = /^\d{4}/.exec(this.#rest)?.[0];
    if (digits === undefined) throw this.#cannotParse(this.#rest, '2006');
    this.#rest = this.#rest.slice(4);
    return Number(digits);
  }

  #number(element: string, fixed: boolean): number {
    const digits = (fixed ? /^\d\d/ : /^\d\d?/).exec(this.#rest)?.[0];
    if (digits === undefined) throw this.#cannotParse(this.#rest, element);
    this.#rest = this.#rest.slice(digits.length);
    return Number(digits);
  }

  /** A fraction of any length where the layout has none. */
  #fraction(): number {
    const digits = /^[.,](\d+)/.exec(this.#rest)?.[1];
    if (digits === undefined) return 0;
    this.#rest = this.#rest.slice(digits.length + 1);
    return Number(digits.slice(0, 9).padEnd(9, '0'));
  }

  /** Exactly six digits, as in the layout. */
  #micros(): number {
    const digits = /^[.,]([+-]?\d+)/.exec(this.#rest.slice(0, 7))?.[1];
    if (digits?.length !== 6) throw this.#cannotParse(this.#rest, '.000000');
    this.#rest = this.#rest.slice(7);
    if (digits.startsWith('-') && Number(digits) !== 0) throw this.#outOfRange('fractional second');
    return Math.abs(Number(digits)) * 1000;
  }

  /** Offset from UTC in seconds. */
  #zone(): number {
    if (this.#rest.startsWith('Z')) {
      this.#rest = this.#rest.slice(1);
      return 0;
    }
    const held = this.#rest;
    if (held.length < 6 || held[3] !== ':') throw this.#cannotParse(held, 'Z07:00');
    this.#rest = held.slice(6);
    const hourText = held.slice(1, 3);
    const minuteText = held.slice(4, 6);
    const hours = /^\d\d$/.test(hourText) ? Number(hourText) : Number.NaN;
    const minutes = /^\d\d$/.test(minuteText) && !Number.isNaN(hours) ? Number(minuteText) : Number.NaN;
    // The minute's complaint overrides the hour's, and either overrides a syntax error.
    if (minutes > 60) throw this.#outOfRange('time zone offset minute');
    if (hours > 24) throw this.#outOfRange('time zone offset hour');
    const sign = held[0] === '+' ? 1 : held[0] === '-' ? -1 : Number.NaN;
    const offset = sign * (hours * 3600 + minutes * 60);
    if (Number.isNaN(offset)) throw this.#cannotParse(held, 'Z07:00');
    return offset;
  }

  #cannotParse(value: string, element: string): TimeParseError {
    return this.#error(` as ${timeQuote(this.#layout)}: cannot parse ${timeQuote(value)} as ${timeQuote(element)}`);
  }

  #outOfRange(what: string): TimeParseError {
    return this.#error(`: ${what} out of range`);
  }

  #error(message: string): TimeParseError {
    return new TimeParseError(`parsing time ${timeQuote(this.#text)}${message}`);
  }
}

/** A time as the server writes it; undefined: it takes a closer look. */
function strictTime(text: string): Instant | undefined {
  const match = strict.exec(text);
  if (match === null) return undefined;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])];
  const isDate = month >= 1 && month <= 12 && day >= 1 && day <= daysIn(month, year);
  if (!isDate || hour > 23 || minute > 59 || second > 59) return undefined;
  const nanos = match[7] === undefined ? 0 : Number(match[7].slice(0, 9).padEnd(9, '0'));
  return { seconds: daysFromCivil(year, month, day) * 86_400 + hour * 3600 + minute * 60 + second, nanos };
}

/** Reads an RFC 3339 time; fractions and offsets are accepted. Throws {@link TimeParseError}. */
export function parseTime(text: string): Instant {
  return strictTime(text) ?? new LayoutReader(secondLayout, text).read();
}

/** Reads a time that must carry exactly six fractional digits. Throws {@link TimeParseError}. */
export function parseMicroTime(text: string): Instant {
  const plain = text.length === MICRO_LENGTH ? strictTime(text) : undefined;
  return plain ?? new LayoutReader(microLayout, text).read();
}

function pad(value: number, width: number): string {
  return value < 0 ? `-${String(-value).padStart(width, '0')}` : String(value).padStart(width, '0');
}

function formatSeconds(seconds: number): string {
  const { year, month, day, hour, minute, second } = civilFromSeconds(seconds);
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${pad(hour, 2)}:${pad(minute, 2)}:${pad(second, 2)}`;
}

/** Milliseconds since the epoch, the fraction of a millisecond dropped. */
export function instantToMs(instant: Instant): number {
  return instant.seconds * 1000 + Math.floor(instant.nanos / 1_000_000);
}

/** `2006-01-02T15:04:05Z`, the fraction of a second dropped. */
export function formatTime(epochMs: number): string {
  return `${formatSeconds(Math.floor(epochMs / 1000))}Z`;
}

/** `2006-01-02T15:04:05.000000Z`; the milliseconds may have a fraction. */
export function formatMicroTime(epochMs: number): string {
  const micros = Math.floor(epochMs * 1000);
  const seconds = Math.floor(micros / 1_000_000);
  return `${formatSeconds(seconds)}.${pad(micros - seconds * 1_000_000, 6)}Z`;
}

function isZero(instant: Instant): boolean {
  return instant.seconds === zeroSeconds && instant.nanos === 0;
}

/** The canonical time that was seen last: an object holds the same few again and again. */
let lastCanonical = '';

/** What the server stores for a time it was sent: UTC, whole seconds, null for the zero time. */
export function canonicalTime(text: string): string | null {
  if (text === lastCanonical && text !== '') return text;
  const instant = parseTime(text);
  if (isZero(instant)) return null;
  const canonical = `${formatSeconds(instant.seconds)}Z`;
  if (canonical === text) lastCanonical = text;
  return canonical;
}

/** What the server stores for a micro time it was sent: UTC, six decimals, null for the zero time. */
export function canonicalMicroTime(text: string): string | null {
  const instant = parseMicroTime(text);
  if (isZero(instant)) return null;
  return `${formatSeconds(instant.seconds)}.${pad(Math.floor(instant.nanos / 1000), 6)}Z`;
}
