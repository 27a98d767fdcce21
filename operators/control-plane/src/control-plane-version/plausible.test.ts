import type { ControlPlaneVersionStatus } from '@capstan/api/hypershift';
import { expect, it } from 'vitest';
import { plausible } from './plausible.js';

const KNOWN = {
  desired: { version: '4.22.0', image: 'x@sha256:2' },
  created: '2026-01-01T00:00:00Z',
  now: '2026-03-01T00:00:00Z',
};
const FIRST = {
  state: 'Completed',
  version: '4.21.0',
  image: 'x@sha256:1',
  startedTime: '2026-01-01T00:00:00Z',
  completionTime: '2026-01-01T00:10:00Z',
} as const;
const SECOND = {
  ...FIRST,
  ...KNOWN.desired,
  startedTime: '2026-02-01T00:00:00Z',
  completionTime: '2026-02-01T00:10:00Z',
};

function status(...history: object[]): ControlPlaneVersionStatus {
  const made: unknown = { desired: KNOWN.desired, history, observedGeneration: 2 };
  return made as ControlPlaneVersionStatus;
}

it('a history that can be so stays the very same', () => {
  const reported = status({ ...SECOND, state: 'Partial', completionTime: null }, FIRST);
  expect(plausible(reported, KNOWN)).toBe(reported);
});

it.each<[string, object, object | undefined]>([
  ['another version of the image that is wanted', { ...SECOND, version: '1.2.3' }, SECOND],
  ['a version that is none', { ...FIRST, version: 'nonsense' }, undefined],
  ['from before there was a control plane', { ...FIRST, startedTime: '2001-01-01T00:00:00Z' }, FIRST],
  ['from the future', { ...SECOND, completionTime: '2099-01-01T00:00:00Z' }, { ...SECOND, completionTime: KNOWN.now }],
  [
    'with an end before its beginning',
    { ...SECOND, completionTime: '2026-01-15T00:00:00Z' },
    { ...SECOND, completionTime: SECOND.startedTime },
  ],
  ['with fields that nobody here writes', { ...FIRST, verified: true, acceptedRisks: 'all' }, FIRST],
])('an entry %s', (_, entry, repaired) => {
  const { history = [] } = plausible(status(entry), KNOWN);
  expect(history).toEqual(repaired === undefined ? [] : [repaired]);
});
