import { describe, expect, it } from 'vitest';
import { ManualClock } from '@capstan/kube/testing';
import { LastObserved } from './last-observed.js';

function fixture(): { clock: ManualClock; looks: LastObserved } {
  const clock = new ManualClock();
  return { clock, looks: new LastObserved(clock) };
}

describe('what was found the last time', () => {
  it('is unknown for an object that was never reconciled', () => {
    expect(fixture().looks.restOf('a', ['1'])).toBeUndefined();
  });

  it.each<[string, readonly unknown[], boolean]>([
    ['the same', ['1', undefined], true],
    ['another version', ['2', undefined], false],
    ['more', ['1', undefined, 'x'], false],
    ['something where there was nothing', ['1', 'x'], false],
  ])('lets rest who finds %s: %j → %s', (_, found, isResting) => {
    const { looks } = fixture();
    looks.remember('a', ['1', undefined]);
    expect(looks.restOf('a', found) !== undefined).toBe(isResting);
    expect(looks.restOf('b', found)).toBeUndefined();
  });

  it('keeps the look that was asked for, and lets it happen', async () => {
    const { clock, looks } = fixture();
    looks.remember('a', ['1'], { requeueAfterMs: 10_000 });
    await clock.advance(4_000);
    expect(looks.restOf('a', ['1'])).toEqual({ requeueAfterMs: 6_000 });
    await clock.advance(6_000);
    expect(looks.restOf('a', ['1'])).toBeUndefined();
  });

  it('expires after minutes without a requeue, and a later requeue is not lost', async () => {
    const { clock, looks } = fixture();
    looks.remember('a', ['1']);
    looks.remember('b', ['1'], { requeueAfterMs: 3_600_000 });
    await clock.advance(60_000);
    expect(looks.restOf('a', ['1'])).toEqual({});
    expect(looks.restOf('b', ['1'])).toEqual({ requeueAfterMs: 3_540_000 });
    await clock.advance(540_000);
    expect(looks.restOf('a', ['1'])).toBeUndefined();
    expect(looks.restOf('b', ['1'])).toBeUndefined();
  });

  it('reports which value was observed first for which object', () => {
    const { looks } = fixture();
    looks.remember('a', ['1', '2']);
    expect([looks.isFirst('a', '1'), looks.isFirst('a', '2'), looks.isFirst('b', '1')]).toEqual([true, false, false]);
  });

  it('is forgotten on request', () => {
    const { looks } = fixture();
    looks.remember('a', ['1']);
    looks.forget('a');
    expect(looks.restOf('a', ['1'])).toBeUndefined();
  });
});
