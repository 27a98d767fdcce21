import { systemRandom } from '@capstan/kube';
import { describe, expect, it } from 'vitest';
import type { EffectPoint, FaultKind } from './fault.js';
import { ALL_FAULTS, DrawnFaults } from './sources.js';

const POINTS: readonly EffectPoint[] = [
  'start',
  'timer',
  'watch',
  'read',
  'list',
  'page',
  'create',
  'generate',
  'change',
  'delete',
  'hook',
  'sometimes',
];

/** Which kinds a run draws at a point, or at all of them. */
function drawn(seed: number, points: readonly EffectPoint[] = POINTS, kinds?: readonly FaultKind[]): Set<FaultKind> {
  const source = new DrawnFaults(systemRandom(`faults ${seed}`), { rate: 1, timerShare: 1, kinds });
  const found = new Set<FaultKind>();
  for (let occurrence = 1; occurrence <= 400; occurrence += 1)
    for (const point of points) {
      const action = source.strike(
        { process: 'p', subject: 's', occurrence },
        point,
        point === 'sometimes' ? 1 : undefined,
      );
      if (action !== undefined) found.add(action.kind);
    }
  return found;
}

describe('DrawnFaults', () => {
  it('draws another mix of kinds for each run, and every kind in some', () => {
    const mixes = Array.from({ length: 20 }, (_, seed) => drawn(seed));
    const texts = new Set(mixes.map((mix) => [...mix].toSorted().join(' ')));
    expect(texts.size).toBeGreaterThan(15);
    for (const kind of ALL_FAULTS) {
      const runs = mixes.filter((mix) => mix.has(kind)).length;
      expect([kind, runs > 2, runs < 18]).toEqual([kind, true, true]);
    }
  });

  it('draws the configured kinds and no others', () => {
    expect(drawn(1, POINTS, ['late', 'server-restart', 'skew'])).toEqual(new Set(['late', 'server-restart', 'skew']));
  });

  it.each<[EffectPoint, readonly FaultKind[]]>([
    ['start', ['skew']],
    ['timer', ['crash', 'pause']],
    ['hook', ['hook-garbage', 'hook-refused', 'hook-timeout']],
    ['sometimes', ['sometimes']],
    [
      'watch',
      [
        'crash',
        'no-bookmarks',
        'pause',
        'server-restart',
        'stale-replica',
        'watch-cut',
        'watch-expired',
        'watch-stall',
      ],
    ],
    ['generate', ['crash', 'delay', 'late', 'lost-after', 'lost-before', 'pause', 'server-restart', 'status']],
    [
      'page',
      [
        'compaction',
        'crash',
        'delay',
        'duplicate',
        'late',
        'lost-after',
        'lost-before',
        'pause',
        'server-restart',
        'status',
      ],
    ],
  ])('strikes a %s only with what can befall it', (point, expected) => {
    expect([...drawn(1, [point], ALL_FAULTS)].toSorted()).toEqual(expected);
  });

  it.each<[EffectPoint, readonly number[]]>([
    ['change', [409, 429, 500, 503, 504]],
    ['read', [429, 500, 503, 504]],
    ['create', [429, 500, 503, 504]],
    ['delete', [429, 500, 503, 504]],
  ])('refuses a %s only as a server might', (point, expected) => {
    const source = new DrawnFaults(systemRandom('refusals'), { rate: 1, kinds: ['status'] });
    const codes = new Set<number>();
    for (let occurrence = 1; occurrence <= 400; occurrence += 1) {
      const action = source.strike({ process: 'p', subject: 's', occurrence }, point);
      if (action?.kind === 'status') codes.add(action.code);
    }
    expect([...codes].toSorted((a, b) => a - b)).toEqual(expected);
  });
});
