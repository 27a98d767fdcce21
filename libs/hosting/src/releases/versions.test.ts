import { describe, expect, it } from 'vitest';
import { isAtLeastMinor, isMinorUpgrade, nodePoolVersionProblem, versionProblem } from './versions.js';

describe('releases that a HostedCluster can run', () => {
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
    ['latest', undefined, 'its payload has version "latest", which is not a version'],
  ])('%s over %s: %s', (version, running, problem) => {
    expect(versionProblem(version, running)).toBe(problem);
  });

  it.each<[string, string, boolean]>([
    ['4.20.9', '4.20.0', true],
    ['4.19.9', '4.20.0', false],
    ['5.0.0', '4.23.0', true],
    ['6.0.0', '5.1.0', true],
    ['3.11.0', '4.1.0', false],
    ['latest', '4.1.0', false],
  ])('%s is at least of the minor of %s: %s', (version, first, is) => {
    expect(isAtLeastMinor(version, first)).toBe(is);
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

describe('releases that a NodePool can be given', () => {
  it.each([
    ['4.22.0', undefined, '4.22.0', undefined],
    ['4.22.9', '4.21.0', '4.22.0', undefined],
    ['4.22.0', '4.22.9', '4.22.0', undefined],
    ['4.23.0', '4.22.0', '5.0.0', undefined],
    [
      '4.21.0',
      '4.22.0',
      '4.22.0',
      'a NodePool cannot go back from 4.22.0 to 4.21.0: choose a release of 4.22 or later, or create a new NodePool',
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
  ])('%s after %s in a cluster with %s', (wanted, current, cluster, problem) => {
    expect(nodePoolVersionProblem({ wanted, current, cluster })).toBe(problem);
  });
});
