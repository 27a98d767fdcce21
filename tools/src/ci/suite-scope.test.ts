import { describe, expect, it, vi } from 'vitest';

import { leaveToFullRun, readLeft, suiteScope } from './suite-scope.js';

describe('suiteScope', () => {
  it.each([
    [undefined, 'full'],
    ['', 'full'],
    ['brief', 'brief'],
    ['smoke', 'smoke'],
  ])('with %s in the environment is %s', (given, expected) => {
    expect(suiteScope({ CAPSTAN_SUITE_SCOPE: given })).toBe(expected);
  });
});

describe('leaveToFullRun', () => {
  it('prints a line that can be parsed again, and nothing if nothing is left', () => {
    const lines: unknown[] = [];
    const log = vi.spyOn(console, 'log').mockImplementation((line) => void lines.push(line));
    try {
      leaveToFullRun(82, 'scenarios of kubectl 1.36');
      leaveToFullRun(0, 'of nobody');
    } finally {
      log.mockRestore();
    }
    expect(lines.map(String).map(readLeft)).toEqual([{ count: 82, what: 'scenarios of kubectl 1.36' }]);
  });

  it.each(['', 'exempt: 3 of them', 'left to the full run: some', 'it is left to the full run: 3 of them'])(
    'is not what "%s" comes from',
    (line) => {
      expect(readLeft(line)).toBeUndefined();
    },
  );
});
