import { expect, it } from 'vitest';
import { ReviewLabels } from './labels.js';

it('counts a bounded number of versions by themselves, whatever is requested', () => {
  const labels = new ReviewLabels();
  const seen = new Set<string>();
  for (let version = 0; version < 100; version += 1) {
    const { fromVersion } = labels.of({ fromVersions: [`v${version}`], toVersion: 'V"2', kind: 'Box' });
    seen.add(fromVersion);
  }
  expect([...seen]).toEqual([...Array.from({ length: 16 }, (_, version) => `v${version}`), 'other']);
});

it.each([
  [['v1', 'v1'], 'v2', 'MachineSet', 'v1', 'v2', 'machineset'],
  [['v1', 'v2'], 'v2', undefined, 'several', 'v2', 'other'],
  [[], 'v1"}', undefined, 'other', 'other', 'other'],
])('%j to %s of %s', (fromVersions, toVersion, kind, ...expected) => {
  const { fromVersion, resource, toVersion: to } = new ReviewLabels().of({ fromVersions, toVersion, kind });
  expect([fromVersion, to, resource]).toEqual(expected);
});
