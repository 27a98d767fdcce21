import { describe, expect, it } from 'vitest';
import { compareVersions, parseVersion, releaseProblem, skewProblem } from './version.js';
import type { Version } from './version.js';

function version(text: string): Version {
  const parsed = parseVersion(text);
  if (parsed === undefined) throw new RangeError(text);
  return parsed;
}

it.each(['', '4', '4.22', 'v4.22.0', '4.22.0.1', '04.2.0'])('%j is no version', (text) => {
  expect(parseVersion(text)).toBeUndefined();
});

it.each([
  ['4.22.0', '4.22.0', 0],
  ['4.22.0', '4.22.1', -1],
  ['4.22.0-rc.2', '4.22.0', -1],
  ['4.22.0-rc.2', '4.22.0-rc.10', -1],
  ['4.22.0-ec.1', '4.22.0-rc.1', -1],
  ['4.22.0-1', '4.22.0-rc', -1],
  ['4.22.0-rc', '4.22.0-rc.1', -1],
  ['4.9.0', '4.10.0', -1],
  ['5.0.0', '4.23.0', 0],
  ['5.0.0', '4.22.9', 1],
])('%s against %s is %i', (a, b, order) => {
  expect(Math.sign(compareVersions(version(a), version(b)))).toBe(order);
  expect(Math.sign(compareVersions(version(b), version(a)))).toBe(0 - order);
});

describe('nodes go with a control plane that is not older, and at most three minors newer', () => {
  it.each([
    ['4.22.0', '4.22.0', undefined],
    ['4.22.0', '4.19.9', undefined],
    ['5.0.0', '4.20.0', undefined],
    [
      '4.22.0',
      '4.22.1',
      'NodePool version 4.22.1 is higher than HostedCluster version 4.22.0: upgrade the HostedCluster first',
    ],
    [
      '4.22.0',
      '4.18.9',
      'NodePool version 4.18.9 is too old for HostedCluster version 4.22.0: the lowest that goes with it is 4.19',
    ],
    [
      '5.4.0',
      '4.23.0',
      'NodePool version 4.23.0 is too old for HostedCluster version 5.4.0: the lowest that goes with it is 5.1',
    ],
    ['6.0.0', '4.22.0', 'version 6.0.0 is neither 4.x nor 5.x'],
  ])('control plane %s, nodes %s', (cluster, pool, problem) => {
    expect(skewProblem(version(cluster), version(pool))).toBe(problem);
  });
});

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
    const choice = {
      wanted: version(wanted),
      current: current === undefined ? undefined : version(current),
      cluster: version(cluster),
    };
    expect(releaseProblem(choice)).toBe(problem);
  });
});
