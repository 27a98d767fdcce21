import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { TimeParseError } from './errors.js';
import {
  canonicalMicroTime,
  canonicalTime,
  formatMicroTime,
  formatTime,
  instantToMs,
  parseMicroTime,
  parseTime,
} from './rfc3339.js';

function messageOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return error instanceof TimeParseError ? error.message : `another error: ${String(error)}`;
  }
  return 'no error';
}

const layout = '"2006-01-02T15:04:05Z07:00"';

describe('canonicalTime', () => {
  it.each([
    ['2024-02-29T12:34:56Z', '2024-02-29T12:34:56Z'],
    ['2024-01-02T03:04:05.999999999Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05+02:00', '2024-01-02T01:04:05Z'],
    ['2024-01-02T03:04:05.5-07:30', '2024-01-02T10:34:05Z'],
    ['2024-01-02T3:04:05Z', '2024-01-02T03:04:05Z'],
    ['2024-01-02T03:04:05,5Z', '2024-01-02T03:04:05Z'],
    ['1969-12-31T23:59:59.9Z', '1969-12-31T23:59:59Z'],
    ['0099-03-01T00:00:00Z', '0099-03-01T00:00:00Z'],
    ['9999-12-31T23:59:59-01:00', '10000-01-01T00:59:59Z'],
    ['0000-01-01T00:00:00+01:00', '-0001-12-31T23:00:00Z'],
    ['0001-01-01T00:00:00Z', null],
  ])('of %s is %s', (text, canonical) => {
    expect(canonicalTime(text)).toBe(canonical);
  });

  it.each([
    ['', `parsing time "" as ${layout}: cannot parse "" as "2006"`],
    ['x', `parsing time "x" as ${layout}: cannot parse "x" as "2006"`],
    ['\u00e9"', `parsing time "\\xc3\\xa9\\"" as ${layout}: cannot parse "\\xc3\\xa9\\"" as "2006"`],
    ['2024-1-02T03:04:05Z', `parsing time "2024-1-02T03:04:05Z" as ${layout}: cannot parse "1-02T03:04:05Z" as "01"`],
    ['2024-01-02 03:04:05Z', `parsing time "2024-01-02 03:04:05Z" as ${layout}: cannot parse " 03:04:05Z" as "T"`],
    ['2024-01-02T03:04:05', `parsing time "2024-01-02T03:04:05" as ${layout}: cannot parse "" as "Z07:00"`],
    ['2024-01-02T03:04:05z', `parsing time "2024-01-02T03:04:05z" as ${layout}: cannot parse "z" as "Z07:00"`],
    [
      '2024-01-02T03:04:05+0200',
      `parsing time "2024-01-02T03:04:05+0200" as ${layout}: cannot parse "+0200" as "Z07:00"`,
    ],
    ['2024-13-01T00:00:00Z', 'parsing time "2024-13-01T00:00:00Z": month out of range'],
    ['2023-02-29T00:00:00Z', 'parsing time "2023-02-29T00:00:00Z": day out of range'],
    ['2024-01-01T24:00:00Z', 'parsing time "2024-01-01T24:00:00Z": hour out of range'],
    ['2024-01-01T00:60:00Z', 'parsing time "2024-01-01T00:60:00Z": minute out of range'],
    ['2024-01-01T00:00:60Z', 'parsing time "2024-01-01T00:00:60Z": second out of range'],
    ['2024-01-01T00:00:00+25:00', 'parsing time "2024-01-01T00:00:00+25:00": time zone offset hour out of range'],
    ['2024-01-01T00:00:00+24:61', 'parsing time "2024-01-01T00:00:00+24:61": time zone offset minute out of range'],
    ['2024-01-01T00:00:00Zx', 'parsing time "2024-01-01T00:00:00Zx": extra text: "x"'],
  ])('refuses %s', (text, message) => {
    expect(messageOf(() => canonicalTime(text))).toBe(message);
  });

  it('agrees with the platform on every second it knows', () => {
    fc.assert(
      fc.property(fc.integer({ min: -62_135_596_799, max: 253_402_300_799 }), (seconds) => {
        const text = `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
        expect(formatTime(seconds * 1000 + 999)).toBe(text);
        expect(parseTime(text)).toEqual({ seconds, nanos: 0 });
      }),
    );
  });
});

describe('micro times', () => {
  it.each([
    ['2024-01-02T03:04:05.123456Z', '2024-01-02T03:04:05.123456Z'],
    ['2024-01-02T03:04:05.000001+01:00', '2024-01-02T02:04:05.000001Z'],
    ['0001-01-01T00:00:00.000000Z', null],
  ])('of %s is %s', (text, canonical) => {
    expect(canonicalMicroTime(text)).toBe(canonical);
  });

  it.each([
    [
      '2024-01-02T03:04:05Z',
      'parsing time "2024-01-02T03:04:05Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "Z" as ".000000"',
    ],
    [
      '2024-01-02T03:04:05.1234567Z',
      'parsing time "2024-01-02T03:04:05.1234567Z" as "2006-01-02T15:04:05.000000Z07:00": cannot parse "7Z" as "Z07:00"',
    ],
  ])('refuses %s', (text, message) => {
    expect(messageOf(() => canonicalMicroTime(text))).toBe(message);
  });

  it('are written with six decimals, also before the epoch', () => {
    expect(formatMicroTime(0)).toBe('1970-01-01T00:00:00.000000Z');
    expect(formatMicroTime(1_704_164_645_123.456)).toBe('2024-01-02T03:04:05.123456Z');
    expect(formatMicroTime(-1)).toBe('1969-12-31T23:59:59.999000Z');
    expect(instantToMs(parseMicroTime('1969-12-31T23:59:59.999999Z'))).toBe(-1);
  });
});
