/** Timestamps and durations: arithmetic, parts in a time zone, text. */
import { CelError, CelTimestamp } from './values.js';
import type { CelValue } from './values.js';

const billion = 1_000_000_000n;
/** 0001-01-01T00:00:00Z and the last second of 9999. */
const minSeconds = -62_135_596_800;
const maxSeconds = 253_402_300_799;
const timestampOverflow = new CelError('timestamp overflow');

/** Whether a timestamp of so many seconds exists. */
export function isTimestampSeconds(seconds: number | bigint): boolean {
  return seconds >= minSeconds && seconds <= maxSeconds;
}

/** The moment some nanoseconds later. */
export function addDuration(time: CelTimestamp, nanos: bigint): CelValue {
  const total = BigInt(time.seconds) * billion + BigInt(time.nanos) + nanos;
  const rest = ((total % billion) + billion) % billion;
  const seconds = (total - rest) / billion;
  if (!isTimestampSeconds(seconds)) return timestampOverflow;
  return new CelTimestamp(Number(seconds), Number(rest), time.offset);
}

/** Nanoseconds from b to a. */
export function between(a: CelTimestamp, b: CelTimestamp): bigint {
  return BigInt(a.seconds - b.seconds) * billion + BigInt(a.nanos - b.nanos);
}

/** Seconds east of UTC of a zone at a moment, or the error of an unknown zone. */
function zoneOffset(time: CelTimestamp, zone: string): number | CelError {
  if (zone === '' || zone === 'UTC' || zone === 'Local') return 0;
  const colon = zone.indexOf(':');
  if (colon !== -1) {
    const hours = /^[+-]?\d+$/.exec(zone.slice(0, colon));
    const minutes = /^[+-]?\d+$/.exec(zone.slice(colon + 1));
    const bad = hours === null ? zone.slice(0, colon) : zone.slice(colon + 1);
    if (hours === null || minutes === null) {
      return new CelError(`strconv.Atoi: parsing "${bad}": invalid syntax`);
    }
    const whole = Number(hours[0]) * 60;
    return (zone.startsWith('-') ? whole - Number(minutes[0]) : whole + Number(minutes[0])) * 60;
  }
  return namedOffset(time, zone);
}

const formatters = new Map<string, Intl.DateTimeFormat>();

function formatterOf(zone: string): Intl.DateTimeFormat | undefined {
  let formatter = formatters.get(zone);
  if (formatter === undefined) {
    try {
      formatter = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' });
    } catch {
      return undefined;
    }
    formatters.set(zone, formatter);
  }
  return formatter;
}

function namedOffset(time: CelTimestamp, zone: string): number | CelError {
  const formatter = formatterOf(zone);
  if (formatter === undefined) return new CelError(`unknown time zone ${zone}`);
  const text = formatter.formatToParts(time.seconds * 1000).find((part) => part.type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = '0', minutes = '0', seconds = '0'] = /GMT([+-])(\d+):(\d+)(?::(\d+))?/.exec(text) ?? [];
  const offset = Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds);
  return sign === '-' ? -offset : offset;
}

/** The parts of a date that expressions may ask for. */
export type TimePart =
  | 'getFullYear'
  | 'getMonth'
  | 'getDayOfYear'
  | 'getDayOfMonth'
  | 'getDate'
  | 'getDayOfWeek'
  | 'getHours'
  | 'getMinutes'
  | 'getSeconds'
  | 'getMilliseconds';

/** One part of a moment in a zone; UTC by default. */
export function timePart(part: TimePart, time: CelTimestamp, zone = 'UTC'): CelValue {
  const offset = zoneOffset(time, zone);
  if (typeof offset !== 'number') return offset;
  const date = new Date((time.seconds + offset) * 1000);
  switch (part) {
    case 'getFullYear':
      return date.getUTCFullYear();
    case 'getMonth':
      return date.getUTCMonth();
    case 'getDayOfYear': {
      const start = new Date(date);
      start.setUTCMonth(0, 1);
      return Math.round((date.getTime() - start.getTime()) / 86_400_000);
    }
    case 'getDayOfMonth':
      return date.getUTCDate() - 1;
    case 'getDate':
      return date.getUTCDate();
    case 'getDayOfWeek':
      return date.getUTCDay();
    case 'getHours':
      return date.getUTCHours();
    case 'getMinutes':
      return date.getUTCMinutes();
    case 'getSeconds':
      return date.getUTCSeconds();
    case 'getMilliseconds':
      return Math.floor(time.nanos / 1_000_000);
  }
}

/** A duration in whole hours, minutes, seconds or milliseconds, the rest dropped. */
export function durationPart(part: TimePart, nanos: bigint): CelValue {
  if (part === 'getHours') return Number(nanos / (3600n * billion));
  if (part === 'getMinutes') return Number(nanos / (60n * billion));
  return part === 'getSeconds' ? Number(nanos / billion) : Number(nanos / 1_000_000n);
}

function pad(value: number, width: number): string {
  return String(value).padStart(width, '0');
}

/** RFC 3339 with as many decimals as needed, in the zone it was written in. */
export function formatTimestamp(time: CelTimestamp): string {
  const date = new Date((time.seconds + time.offset) * 1000);
  const fraction = time.nanos === 0 ? '' : `.${pad(time.nanos, 9).replace(/0+$/, '')}`;
  const ymd = `${pad(date.getUTCFullYear(), 4)}-${pad(date.getUTCMonth() + 1, 2)}-${pad(date.getUTCDate(), 2)}`;
  const hms = `${pad(date.getUTCHours(), 2)}:${pad(date.getUTCMinutes(), 2)}:${pad(date.getUTCSeconds(), 2)}`;
  const minutes = Math.floor(Math.abs(time.offset) / 60);
  const zone = `${time.offset < 0 ? '-' : '+'}${pad(Math.floor(minutes / 60), 2)}:${pad(minutes % 60, 2)}`;
  return `${ymd}T${hms}${fraction}${time.offset === 0 ? 'Z' : zone}`;
}

/** Seconds with as many decimals as a double keeps, and an s. */
export function formatSeconds(nanos: bigint): string {
  const whole = nanos / billion;
  // The server goes through a double, and so must the rounding.
  const seconds = Number(whole) + Number(nanos % billion) / 1e9;
  return `${plainNumber(seconds)}s`;
}

/** The shortest decimal without an exponent. */
export function plainNumber(value: number): string {
  const text = String(value);
  const [, sign = '', digit = '', fraction = '', power] = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text) ?? [];
  if (power === undefined) return Object.is(value, -0) ? '-0' : text;
  const exponent = Number(power);
  if (exponent < 0) return `${sign}0.${'0'.repeat(-exponent - 1)}${digit}${fraction}`;
  return `${sign}${digit}${fraction.padEnd(exponent, '0')}`;
}
