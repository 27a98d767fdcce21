/** Durations as Go writes them and as kubectl shows them. */
import { TimeParseError, timeQuote } from './errors.js';

const units: ReadonlyMap<string, bigint> = new Map([
  ['ns', 1n],
  ['us', 1_000n],
  ['\u00b5s', 1_000n],
  ['\u03bcs', 1_000n],
  ['ms', 1_000_000n],
  ['s', 1_000_000_000n],
  ['m', 60_000_000_000n],
  ['h', 3_600_000_000_000n],
]);
const limit = 2n ** 63n;
const second = 1_000_000_000n;

function bad(message: string, text: string): TimeParseError {
  return new TimeParseError(`time: ${message} ${timeQuote(text)}`);
}

/** The nanoseconds of a fraction, in floating point as Go computes them; digits beyond int64 are ignored. */
function fractionOf(digits: string, unit: bigint): bigint {
  let value = 0n;
  let scale = 1;
  for (const digit of digits) {
    if (value > (limit - 1n) / 10n) break;
    const next = value * 10n + BigInt(digit);
    if (next > limit) break;
    value = next;
    scale *= 10;
  }
  return BigInt(Math.trunc(Number(value) * (Number(unit) / scale)));
}

function splitTerm(rest: string): { all: string; whole: string; fraction: string; name: string } {
  const [all = '', whole = '', fraction = '', name = ''] = /^([0-9]*)(?:\.([0-9]*))?([^0-9.]*)/.exec(rest) ?? [];
  return { all, whole, fraction, name };
}

/** Takes one number with its unit off the front of `rest`; `text` is the whole, for messages. */
function readTerm(rest: string, text: string): { nanos: bigint; length: number } {
  const { all, whole, fraction, name } = splitTerm(rest);
  if (whole === '' && fraction === '') throw bad('invalid duration', text);
  const count = BigInt(whole);
  if (count > limit) throw bad('invalid duration', text);
  if (name === '') throw bad('missing unit in duration', text);
  const unit = units.get(name);
  if (unit === undefined) throw bad(`unknown unit ${timeQuote(name)} in duration`, text);
  const nanos = count * unit + fractionOf(fraction, unit);
  if (count > limit / unit || nanos > limit) throw bad('invalid duration', text);
  return { nanos, length: all.length };
}

/** Parses a Go duration such as `1h2m3.5s` into nanoseconds. Throws {@link TimeParseError}. */
export function parseDuration(text: string): bigint {
  const negative = text.startsWith('-');
  let rest = negative || text.startsWith('+') ? text.slice(1) : text;
  if (rest === '0') return 0n;
  if (rest === '') throw bad('invalid duration', text);
  let total = 0n;
  while (rest !== '') {
    const { nanos, length } = readTerm(rest, text);
    total += nanos;
    if (total > limit) throw bad('invalid duration', text);
    rest = rest.slice(length);
  }
  if (!negative && total === limit) throw bad('invalid duration', text);
  return negative ? -total : total;
}

function decimal(value: bigint, unit: bigint): string {
  const fraction = (value % unit)
    .toString()
    .padStart(unit.toString().length - 1, '0')
    .replace(/0+$/, '');
  return fraction === '' || unit === 1n ? `${value / unit}` : `${value / unit}.${fraction}`;
}

/** Nanoseconds as Go prints them: `1h2m3.5s`, `250ms`, `0s`. */
export function formatDuration(nanos: bigint): string {
  if (nanos === 0n) return '0s';
  const sign = nanos < 0n ? '-' : '';
  const value = nanos < 0n ? -nanos : nanos;
  if (value < 1_000n) return `${sign}${value}ns`;
  if (value < 1_000_000n) return `${sign}${decimal(value, 1_000n)}\u00b5s`;
  if (value < second) return `${sign}${decimal(value, 1_000_000n)}ms`;
  const minutes = value / (60n * second);
  const seconds = `${decimal(value % (60n * second), second)}s`;
  if (minutes === 0n) return sign + seconds;
  return `${sign}${minutes >= 60n ? `${minutes / 60n}h` : ''}${minutes % 60n}m${seconds}`;
}

/** `3m20s`, `4h5m`, `2d3h`, `45d`, `2y30d`: the age column of kubectl. */
export function humanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 120) return `${seconds}s`;
  const pair = (major: number, unit: string, minor: number, minorUnit: string): string =>
    minor === 0 ? `${major}${unit}` : `${major}${unit}${minor}${minorUnit}`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 10) return pair(minutes, 'm', seconds % 60, 's');
  if (minutes < 180) return `${minutes}m`;
  const hours = Math.floor(minutes / 60);
  if (hours < 8) return pair(hours, 'h', minutes % 60, 'm');
  if (hours < 48) return `${hours}h`;
  const days = Math.floor(hours / 24);
  if (hours < 24 * 8) return pair(days, 'd', hours % 24, 'h');
  if (hours < 24 * 365 * 2) return `${days}d`;
  const years = Math.floor(days / 365);
  return hours < 24 * 365 * 8 ? pair(years, 'y', days % 365, 'd') : `${years}y`;
}

/** One unit only: `3m`, `4h`, `45d`, `2y`. */
export function shortHumanDuration(ms: number): string {
  const seconds = Math.trunc(ms / 1000);
  if (seconds < -1) return '<invalid>';
  if (seconds < 0) return '0s';
  if (seconds < 60) return `${seconds}s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)}m`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 24) return `${hours}h`;
  return hours < 24 * 365 ? `${Math.floor(hours / 24)}d` : `${Math.floor(hours / 24 / 365)}y`;
}
