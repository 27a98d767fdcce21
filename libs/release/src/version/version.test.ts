import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { activeVersions, allowedNodePoolVersions, skewProblem } from './skew.js';
import type { AllowedVersions, VersionEntry } from './skew.js';
import { compareVersions, minorOf, minorText, parseVersion } from './version.js';

const parsed = (text: string): NonNullable<ReturnType<typeof parseVersion>> => {
  const version = parseVersion(text);
  if (version === undefined) throw new Error(`${text} is no version`);
  return version;
};

describe('versions', () => {
  it.each([
    ['4.22.0', { major: 4, minor: 22, patch: 0, preRelease: '' }],
    ['4.22.0-rc.1', { major: 4, minor: 22, patch: 0, preRelease: 'rc.1' }],
    ['5.0.3+build', { major: 5, minor: 0, patch: 3, preRelease: '' }],
    ['4.22', undefined],
    ['v4.22.0', undefined],
    ['', undefined],
    ['4.22.0 ', undefined],
  ])('%j', (text, version) => {
    expect(parseVersion(text)).toEqual(version);
  });

  it('are in order, 5.0 where 4.23 would be', () => {
    const order = [
      '4.9.9',
      '4.22.0-0.nightly',
      '4.22.0-ec.2',
      '4.22.0-rc.1',
      '4.22.0-rc.2',
      '4.22.0-rc.10',
      '4.22.0',
      '4.22.1',
      '5.0.0',
      '4.23.1',
      '5.1.0',
    ];
    const sorted = order.toSorted().toSorted((a, b) => compareVersions(parsed(a), parsed(b)));
    expect(sorted).toEqual(order);
  });

  it('of minors on one scale are written as people write them', () => {
    expect([22, 23, 24].map((minor) => minorText(minor))).toEqual(['4.22', '5.0', '5.1']);
    expect(minorOf(parsed('5.1.0'))).toBe(24);
    expect(minorOf(parsed('3.11.0'))).toBeUndefined();
  });
});

const history = (...entries: readonly [string, string][]): VersionEntry[] =>
  entries.map(([state, version]) => ({ state, version }));

describe('what may be running', () => {
  it.each<[string, VersionEntry[], string[], AllowedVersions | undefined]>([
    ['nothing is known', [], [], undefined],
    ['the first rollout', history(['Partial', '4.20.1']), ['4.20.1'], { floor: '4.19', ceiling: '4.20.1' }],
    [
      'at rest',
      history(['Completed', '4.20.1'], ['Completed', '4.20.0']),
      ['4.20.1'],
      { floor: '4.19', ceiling: '4.20.1' },
    ],
    [
      'a failed upgrade followed by another',
      history(['Partial', '4.20.1'], ['Partial', '4.19.19'], ['Completed', '4.19.6'], ['Completed', '4.18.9']),
      ['4.20.1', '4.19.19', '4.19.6'],
      { floor: '4.18', ceiling: '4.19.6' },
    ],
    [
      'on the way back',
      history(['Partial', '4.19.6'], ['Partial', '4.20.1'], ['Completed', '4.19.6']),
      ['4.19.6', '4.20.1'],
      { floor: '4.18', ceiling: '4.19.6' },
    ],
    [
      'over the change of majors',
      history(['Partial', '5.0.0'], ['Completed', '4.22.3']),
      ['5.0.0', '4.22.3'],
      { floor: '4.21', ceiling: '4.22.3' },
    ],
    [
      'a version nobody can read',
      history(['Partial', 'garbage'], ['Completed', '4.22.3']),
      ['4.22.3'],
      { floor: '4.21', ceiling: '4.22.3' },
    ],
  ])('%s', (_, entries, active, allowed) => {
    expect(activeVersions(entries)).toEqual(active);
    expect(allowedNodePoolVersions(entries)).toEqual(allowed);
  });

  it('as many minors back as the setting allows', () => {
    expect(allowedNodePoolVersions(history(['Completed', '5.0.1']), 3)).toEqual({ floor: '4.20', ceiling: '5.0.1' });
  });
});

describe('whether nodes may have a version', () => {
  const allowed = { floor: '4.18', ceiling: '4.19.6' };
  const range = 'choose one from 4.18 to 4.19.6';
  it.each([
    ['4.19.6', undefined],
    ['4.18.0', undefined],
    ['4.18.0-rc.1', undefined],
    ['4.19.7', `4.19.7 is newer than 4.19.6, the oldest version its control plane may be running; ${range}`],
    ['4.20.0', `4.20.0 is newer than 4.19.6, the oldest version its control plane may be running; ${range}`],
    ['4.17.30', `4.17.30 is older than 4.18, the oldest its control plane supports; ${range}`],
    ['x', '"x" is not a version; nodes may have 4.18 to 4.19.6'],
  ])('%s', (version, problem) => {
    expect(skewProblem(version, allowed)).toBe(problem);
  });
});

it('whatever the history, the ceiling is allowed and no active version is below it', () => {
  const versions = fc
    .tuple(fc.integer({ min: 14, max: 30 }), fc.nat(20))
    .map(([minor, patch]) => `${minorText(minor)}.${patch}`);
  const entry = fc.record({ state: fc.constantFrom('Partial', 'Completed'), version: versions });
  fc.assert(
    fc.property(fc.array(entry, { minLength: 1, maxLength: 8 }), fc.nat(3), (entries, width) => {
      const allowed = allowedNodePoolVersions(entries, width);
      if (allowed === undefined) return false;
      const ceiling = parsed(allowed.ceiling);
      return (
        skewProblem(allowed.ceiling, allowed) === undefined &&
        activeVersions(entries).every((each) => compareVersions(parsed(each), ceiling) >= 0)
      );
    }),
  );
});
