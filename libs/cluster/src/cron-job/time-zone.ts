const HOUR_MS = 3_600_000;

/** How far the clocks of a place are ahead of universal time. */
export interface Zone {
  /** At a moment, in milliseconds. */
  offsetMs(atMs: number): number;
  /** The offsets there may be during a day, given by its first millisecond as the clocks show it. */
  offsetsAround(wallMidnightMs: number): readonly number[];
}

const UTC: Zone = { offsetMs: () => 0, offsetsAround: () => [0] };

/** The zone of a name of the time zone database; undefined when there is none. */
export function zoneOf(name: string): Zone | undefined {
  if (name === '' || name === 'UTC' || name === 'Etc/UTC') return UTC;
  let format: Intl.DateTimeFormat;
  try {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'iso8601',
      numberingSystem: 'latn',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
  } catch {
    return undefined;
  }
  const known = new Map<number, number>();
  const offsetMs = (atMs: number): number => {
    // Clocks are changed at full quarters of hours.
    const quarter = Math.floor(atMs / (HOUR_MS / 4));
    let offset = known.get(quarter);
    if (offset === undefined) {
      offset = wallMs(format, quarter * (HOUR_MS / 4)) - quarter * (HOUR_MS / 4);
      if (known.size > 10_000) known.clear();
      known.set(quarter, offset);
    }
    return offset;
  };
  return {
    offsetMs,
    offsetsAround: (midnight) => [
      ...new Set([-24, -12, 0, 12, 24, 36, 48].map((h) => offsetMs(midnight + h * HOUR_MS))),
    ],
  };
}

function wallMs(format: Intl.DateTimeFormat, atMs: number): number {
  const parts = new Map(format.formatToParts(atMs).map(({ type, value }) => [type, Number(value)]));
  const part = (type: Intl.DateTimeFormatPartTypes): number => parts.get(type) ?? 0;
  return Date.UTC(part('year'), part('month') - 1, part('day'), part('hour'), part('minute'), part('second'));
}
