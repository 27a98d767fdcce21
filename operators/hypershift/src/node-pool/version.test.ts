import { describe, expect, it } from 'vitest';
import { releaseProblem } from './version.js';

describe('a pool can be given', () => {
  it.each([
    ['4.22.0', undefined, '4.22.0', undefined],
    ['4.22.9', '4.21.0', '4.22.0', undefined],
    ['4.22.0', '4.22.9', '4.22.0', undefined],
    ['4.23.0', '4.22.0', '5.0.0', undefined],
    [
      '4.21.0',
      '4.22.0',
      '4.22.0',
      'a NodePool cannot go back from 4.22.0 to 4.21.0: choose a release of 4.22 or later, or make a new NodePool',
    ],
    [
      '4.23.0',
      '4.22.0',
      '4.22.5',
      'release 4.23.0 is not supported, the latest is 4.22: choose an earlier release, or upgrade the HostedCluster first',
    ],
    [
      '5.2.0',
      undefined,
      '5.3.0',
      'release 5.2.0 is not supported, the latest is 5.1: choose an earlier release, or upgrade the HostedCluster first',
    ],
    ['4.13.0', undefined, '4.22.0', 'release 4.13.0 is not supported, the oldest is 4.14'],
    ['3.11.0', undefined, '4.22.0', 'version 3.11.0 is neither 4.x nor 5.x'],
  ])('%s after %s with a cluster of %s', (wanted, current, cluster, problem) => {
    expect(releaseProblem({ wanted, current, cluster })).toBe(problem);
  });
});
