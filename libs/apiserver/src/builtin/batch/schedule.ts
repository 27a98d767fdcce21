/** Whether a cron schedule can be read, with the complaints of the library the server uses. */

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names: readonly string[];
}

const FIELDS: readonly Bounds[] = [
  { min: 0, max: 59, names: [] },
  { min: 0, max: 23, names: [] },
  { min: 1, max: 31, names: [] },
  { min: 1, max: 12, names: ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'] },
  { min: 0, max: 6, names: ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] },
];
const DESCRIPTORS = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);

class ScheduleError extends Error {}

function parseNumber(text: string, bounds: Bounds): number {
  const at = bounds.names.indexOf(text.toLowerCase());
  if (at >= 0) return at + bounds.min;
  if (!/^[+-]?[0-9]+$/.test(text)) {
    throw new ScheduleError(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${JSON.stringify(text)}: invalid syntax`,
    );
  }
  const value = Number(text);
  if (value < 0) throw new ScheduleError(`negative number (${value}) not allowed: ${text}`);
  return value;
}

function checkRange(expression: string, bounds: Bounds): void {
  const [span = '', step, ...moreSteps] = expression.split('/');
  const [low = '', high, ...moreHighs] = span.split('-');
  let start = bounds.min;
  let end = bounds.max;
  if (low !== '*' && low !== '?') {
    start = parseNumber(low, bounds);
    if (moreHighs.length > 0) throw new ScheduleError(`too many hyphens: ${expression}`);
    if (high !== undefined) end = parseNumber(high, bounds);
    else if (step === undefined) end = start;
  }
  if (moreSteps.length > 0) throw new ScheduleError(`too many slashes: ${expression}`);
  const stride = step === undefined ? 1 : parseNumber(step, { ...bounds, names: [] });
  if (start < bounds.min)
    throw new ScheduleError(`beginning of range (${start}) below minimum (${bounds.min}): ${expression}`);
  if (end > bounds.max) throw new ScheduleError(`end of range (${end}) above maximum (${bounds.max}): ${expression}`);
  if (start > end) throw new ScheduleError(`beginning of range (${start}) beyond end of range (${end}): ${expression}`);
  if (stride === 0) throw new ScheduleError(`step of range should be a positive number: ${expression}`);
}

/** What is wrong with a schedule; undefined when nothing is. */
export function cronScheduleError(schedule: string): string | undefined {
  const spec = schedule.replace(/^(TZ|CRON_TZ)=\S*\s+/, '');
  if (spec.startsWith('@')) {
    if (DESCRIPTORS.has(spec)) return undefined;
    if (!spec.startsWith('@every ')) return `unrecognized descriptor: ${spec}`;
    return /^@every [+-]?((?:[0-9]+(?:\.[0-9]+)?|\.[0-9]+)(ns|us|µs|ms|s|m|h))+$/.test(spec)
      ? undefined
      : `failed to parse duration ${spec}: time: invalid duration ${JSON.stringify(spec.slice(7))}`;
  }
  const parts = spec.trim() === '' ? [] : spec.trim().split(/\s+/);
  if (parts.length !== FIELDS.length) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  try {
    FIELDS.forEach((bounds, i) => {
      for (const expression of (parts[i] ?? '').split(',')) if (expression !== '') checkRange(expression, bounds);
    });
  } catch (error) {
    if (error instanceof ScheduleError) return error.message;
    throw error;
  }
  return undefined;
}
