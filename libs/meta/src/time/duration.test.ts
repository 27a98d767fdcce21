import { describe, expect, it } from 'vitest';
import { formatDuration, humanDuration, parseDuration, shortHumanDuration } from './duration.js';
import { TimeParseError } from './errors.js';

describe('parseDuration and formatDuration', () => {
  it.each([
    ['0', 0n, '0s'],
    ['1h2m3s', 3_723_000_000_000n, '1h2m3s'],
    ['1h', 3_600_000_000_000n, '1h0m0s'],
    ['90m', 5_400_000_000_000n, '1h30m0s'],
    ['-1.5h', -5_400_000_000_000n, '-1h30m0s'],
    ['+5m', 300_000_000_000n, '5m0s'],
    ['.5s', 500_000_000n, '500ms'],
    ['1.s', 1_000_000_000n, '1s'],
    ['1500us', 1_500_000n, '1.5ms'],
    ['1\u00b5s', 1_000n, '1\u00b5s'],
    ['1\u03bcs', 1_000n, '1\u00b5s'],
    ['100ns', 100n, '100ns'],
    ['1m0.000000001s', 60_000_000_001n, '1m0.000000001s'],
    ['0.1234567890123456789s', 123_456_789n, '123.456789ms'],
    ['9223372036854775807ns', 9223372036854775807n, '2562047h47m16.854775807s'],
    ['-9223372036854775808ns', -9223372036854775808n, '-2562047h47m16.854775808s'],
  ])('of %s', (text, nanos, formatted) => {
    expect(parseDuration(text)).toBe(nanos);
    expect(formatDuration(nanos)).toBe(formatted);
  });

  it.each([
    ['', 'time: invalid duration ""'],
    ['-', 'time: invalid duration "-"'],
    ['.s', 'time: invalid duration ".s"'],
    ['x', 'time: invalid duration "x"'],
    ['5', 'time: missing unit in duration "5"'],
    ['1d', 'time: unknown unit "d" in duration "1d"'],
    ['1h 2m', 'time: unknown unit "h " in duration "1h 2m"'],
    ['9223372036854775808ns', 'time: invalid duration "9223372036854775808ns"'],
    ['2562048h', 'time: invalid duration "2562048h"'],
    ['3\u00e9', 'time: unknown unit "\\xc3\\xa9" in duration "3\\xc3\\xa9"'],
  ])('refuses %s', (text, message) => {
    expect(() => parseDuration(text)).toThrow(new TimeParseError(message));
  });
});

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;

describe('humanDuration', () => {
  it.each([
    [-2 * second, '<invalid>', '<invalid>'],
    [-1999, '0s', '0s'],
    [0, '0s', '0s'],
    [5 * second, '5s', '5s'],
    [119 * second, '119s', '1m'],
    [2 * minute, '2m', '2m'],
    [3 * minute + 20 * second, '3m20s', '3m'],
    [10 * minute + 5 * second, '10m', '10m'],
    [179 * minute, '179m', '2h'],
    [4 * hour + 5 * minute, '4h5m', '4h'],
    [5 * hour, '5h', '5h'],
    [8 * hour + 5 * minute, '8h', '8h'],
    [47 * hour, '47h', '1d'],
    [2 * day + 3 * hour, '2d3h', '2d'],
    [3 * day, '3d', '3d'],
    [8 * day + 3 * hour, '8d', '8d'],
    [729 * day, '729d', '1y'],
    [2 * 365 * day + 30 * day, '2y30d', '2y'],
    [3 * 365 * day, '3y', '3y'],
    [8 * 365 * day + day, '8y', '8y'],
  ])('of %s ms is %s, in short %s', (ms, long, short) => {
    expect(humanDuration(ms)).toBe(long);
    expect(shortHumanDuration(ms)).toBe(short);
  });
});
