import { describe, expect, it } from 'vitest';
import { isMinorUpgrade, versionProblem } from './versions.js';

describe('releases that may be run', () => {
  it.each<[string, string | undefined, string | undefined]>([
    ['4.22.0', undefined, undefined],
    ['4.22.0-rc.1', '4.21.9', undefined],
    ['4.22.1', '4.22.3', undefined],
    ['5.0.0', '4.22.3', undefined],
    ['4.23.0', '5.0.1', undefined],
    ['4.13.9', undefined, 'version 4.13.9 is older than 4.14, the oldest that is supported'],
    ['3.11.0', undefined, 'version 3.11.0 is older than 4.14, the oldest that is supported'],
    ['5.2.0', undefined, 'version 5.2.0 is newer than 5.1, the newest that is supported'],
    ['6.0.0', undefined, 'version 6.0.0 is newer than 5.1, the newest that is supported'],
    [
      '4.21.9',
      '4.22.0',
      'version 4.21.9 is a minor version older than 4.22.0, which runs: going back is not supported',
    ],
    ['latest', undefined, 'its payload says version "latest", which is none'],
  ])('%s over %s: %s', (version, running, problem) => {
    expect(versionProblem(version, running)).toBe(problem);
  });

  it.each<[string | undefined, string, boolean]>([
    ['4.21.0', '4.22.0', true],
    ['4.22.0', '5.0.0', true],
    ['4.22.0', '4.22.5', false],
    [undefined, '4.22.0', false],
  ])('%s → %s is a minor upgrade: %s', (from, to, is) => {
    expect(isMinorUpgrade(from, to)).toBe(is);
  });
});
