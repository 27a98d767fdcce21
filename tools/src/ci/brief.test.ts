import { describe, expect, it, vi } from 'vitest';

import { leaveToWholeRun, readLeft, telling } from './brief.js';

describe('telling', () => {
  it.each([
    [undefined, 'whole'],
    ['', 'whole'],
    ['brief', 'brief'],
    ['essence', 'essence'],
  ])('is, where the environment says %s, %s', (given, expected) => {
    expect(telling({ CAPSTAN_TELLING: given })).toBe(expected);
  });
});

describe('leaveToWholeRun', () => {
  it('says what whoever counts can read again, and nothing where nothing is left', () => {
    const lines: unknown[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
    try {
      leaveToWholeRun(82, 'scenarios of kubectl 1.36');
      leaveToWholeRun(0, 'of nobody');
    } finally {
      log.mockRestore();
    }
    expect(lines.map(String).map(readLeft)).toEqual([{ count: 82, what: 'scenarios of kubectl 1.36' }]);
  });

  it.each(['', 'exempt: 3 of them', 'left to the whole run: some', 'it is left to the whole run: 3 of them'])(
    'is not what "%s" comes from',
    (line) => {
      expect(readLeft(line)).toBeUndefined();
    },
  );
});
