import { parseDuration, minOf } from '@capstan/meta';
import { zoneOf } from './time-zone.js';
import type { Zone } from './time-zone.js';

/** When something is due. */
export interface Schedule {
  /** The first time after this one, both in milliseconds; undefined when there is none within five years. */
  next(afterMs: number): number | undefined;
}

/** A schedule that cannot be read. */
export class ScheduleError extends Error {}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const DESCRIPTORS: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const HORIZON_DAYS = 5 * 366;

interface Field {
  readonly values: ReadonlySet<number>;
  /** Written with a star: it restricts nothing, which matters for days. */
  readonly isStar: boolean;
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

function numberOf(text: string, { min, names = [] }: Bounds): number {
  const at = names.indexOf(text.toLowerCase());
  if (at >= 0) return at + min;
  if (!/^\d+$/.test(text)) throw new ScheduleError(`failed to parse int from ${text}`);
  return Number(text);
}

function parseRange(text: string, bounds: Bounds): { first: number; last: number; step: number; isStar: boolean } {
  const [span = '', every] = text.split('/');
  const [low = '', high] = span.split('-');
  const step = every === undefined ? 1 : numberOf(every, { min: 0, max: 0 });
  if (step === 0) throw new ScheduleError(`step of range should be a positive number: ${text}`);
  if (low === '*' || low === '?') return { first: bounds.min, last: bounds.max, step, isStar: step === 1 };
  const first = numberOf(low, bounds);
  const openEnd = every === undefined ? first : bounds.max;
  const last = high === undefined ? openEnd : numberOf(high, bounds);
  if (first < bounds.min || last > bounds.max || first > last) throw new ScheduleError(`range out of bounds: ${text}`);
  return { first, last, step, isStar: false };
}

function parseField(text: string, bounds: Bounds): Field {
  const values = new Set<number>();
  let isStar = false;
  for (const part of text.split(',')) {
    const range = parseRange(part, bounds);
    isStar ||= range.isStar;
    for (let value = range.first; value <= range.last; value += range.step) values.add(value);
  }
  return { values, isStar };
}

class FieldSchedule implements Schedule {
  readonly #minutes: readonly number[];
  readonly #hours: readonly number[];
  readonly #days: Field;
  readonly #months: Field;
  readonly #weekdays: Field;
  readonly #zone: Zone;

  constructor(fields: readonly string[], zone: Zone) {
    const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
    const sorted = ({ values }: Field): number[] => [...values].sort((a, b) => a - b);
    this.#minutes = sorted(parseField(minute, { min: 0, max: 59 }));
    this.#hours = sorted(parseField(hour, { min: 0, max: 23 }));
    this.#days = parseField(day, { min: 1, max: 31 });
    this.#months = parseField(month, { min: 1, max: 12, names: MONTHS });
    this.#weekdays = parseField(weekday, { min: 0, max: 6, names: DAYS });
    this.#zone = zone;
  }

  next(afterMs: number): number | undefined {
    const wall = afterMs + this.#zone.offsetMs(afterMs);
    // A clock put back shows some of the day before again.
    const today = Math.floor(wall / DAY_MS) - 1;
    for (let day = today; day < today + HORIZON_DAYS; day += 1) {
      const found = this.#fits(day) ? this.#firstOf(day * DAY_MS, afterMs) : undefined;
      if (found !== undefined) return found;
    }
    return undefined;
  }

  #fits(day: number): boolean {
    const date = new Date(day * DAY_MS);
    if (!this.#months.values.has(date.getUTCMonth() + 1)) return false;
    const [byDay, byWeekday] = [this.#days.values.has(date.getUTCDate()), this.#weekdays.values.has(date.getUTCDay())];
    // Two restrictions on days are alternatives.
    return this.#days.isStar || this.#weekdays.isStar ? byDay && byWeekday : byDay || byWeekday;
  }

  #firstOf(midnight: number, afterMs: number): number | undefined {
    const moments = this.#zone.offsetsAround(midnight).flatMap((offset) => {
      const found = this.#firstAt(midnight, offset, afterMs);
      return found === undefined ? [] : [found];
    });
    return moments.length === 0 ? undefined : minOf(moments);
  }

  /** The first time of a day, read on a clock of that offset, at which the zone's clocks really have it. */
  #firstAt(midnight: number, offset: number, afterMs: number): number | undefined {
    for (const hour of this.#hours) {
      for (const minute of this.#minutes) {
        const at = midnight + (hour * 60 + minute) * MINUTE_MS - offset;
        if (at > afterMs && this.#zone.offsetMs(at) === offset) return at;
      }
    }
    return undefined;
  }
}

/** Reads a schedule as cron has it, with its descriptors and `@every`. Throws ScheduleError. */
export function parseSchedule(text: string, timeZone?: string): Schedule {
  const [, named, spec = text] = /^(?:CRON_)?TZ=(\S*)\s+(.*)$/s.exec(text.trim()) ?? [];
  const zone = zoneOf(timeZone ?? named ?? 'UTC');
  if (zone === undefined) throw new ScheduleError(`unknown time zone ${timeZone ?? named}`);
  if (spec.startsWith('@every ')) return everySchedule(spec.slice(7));
  const fields = (DESCRIPTORS[spec] ?? spec).trim().split(/\s+/);
  if (fields.length !== 5) throw new ScheduleError(`expected exactly 5 fields, found ${fields.length}: ${spec}`);
  return new FieldSchedule(fields, zone);
}

/** Whole seconds, at least one. */
function everySchedule(text: string): Schedule {
  let seconds: number;
  try {
    seconds = Math.max(1, Math.floor(Number(parseDuration(text)) / 1e9));
  } catch (error) {
    throw new ScheduleError(`failed to parse duration ${text}`, { cause: error });
  }
  return { next: (afterMs) => (Math.floor(afterMs / 1000) + seconds) * 1000 };
}
