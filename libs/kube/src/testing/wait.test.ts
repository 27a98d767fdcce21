import { describe, expect, it } from 'vitest';
import { RuntimeError } from '../runtime/errors.js';
import { ManualClock } from './manual-clock.js';
import { waitToSee, waitUntil } from './wait.js';

/** Somebody who looks at their clock every ten seconds, for half a minute at most; tells when they looked. */
function place() {
  const clock = new ManualClock();
  const looks: number[] = [];
  const look = (): Promise<number> => {
    looks.push(clock.monotonic() / 1000);
    return Promise.resolve(clock.monotonic() / 1000);
  };
  return { clock, looks, look, patience: { clock, limitMs: 30_000, everyMs: 10_000 } };
}

const failureOf = (waiting: Promise<unknown>): Promise<unknown> => waiting.catch((error: unknown) => error);

describe('waitUntil', () => {
  it('gives what it finds, without any wait where it is there already', async () => {
    const { clock, look, looks, patience } = place();
    expect(await waitUntil('a number', look, patience)).toBe(0);
    expect({ looks, pending: clock.pending }).toEqual({ looks: [0], pending: 0 });
  });

  it.each([false, undefined] as const)('looks again while there is %s', async (nothing) => {
    const { clock, look, looks, patience } = place();
    const find = async (): Promise<'late' | undefined | false> => ((await look()) < 15 ? nothing : 'late');
    const found = waitUntil('a quarter of a minute', find, patience);
    await clock.advance(60_000);
    expect(await found).toBe('late');
    expect(looks).toEqual([0, 10, 20]);
  });

  it('says what never came true, and within what time', async () => {
    const { clock, look, looks, patience } = place();
    const failure = failureOf(waitUntil('pigs fly', async () => (await look()) < 0, patience));
    await clock.advance(60_000);
    expect(await failure).toEqual(new RuntimeError('wait-timeout', 'never came true within 30 s: pigs fly'));
    expect(looks).toEqual([0, 10, 20, 30]);
  });

  it('fails at once with what a look throws', async () => {
    const { clock, patience } = place();
    const look = (): boolean => {
      throw new TypeError('nothing to look at');
    };
    await expect(waitUntil('anything', look, patience)).rejects.toThrow(new TypeError('nothing to look at'));
    expect(clock.pending).toBe(0);
  });

  it('leaves time to whoever lets it go by', async () => {
    const { clock, look, looks, patience } = place();
    const pass = (ms: number): Promise<void> => clock.advance(ms);
    await waitUntil('twenty seconds', async () => (await look()) >= 20, { ...patience, pass });
    expect({ looks, pending: clock.pending }).toEqual({ looks: [0, 10, 20], pending: 0 });
  });
});

describe('waitToSee', () => {
  it('gives what will do', async () => {
    const { clock, look, patience } = place();
    const seen = waitToSee('twenty seconds', look, (seconds) => seconds >= 20, patience);
    await clock.advance(60_000);
    expect(await seen).toBe(20);
  });

  it.each([
    ['a text', (seconds: number): unknown => `${seconds} of 40`, '30 of 40'],
    ['anything else', (seconds: number): unknown => ({ seconds }), '{"seconds":30}'],
  ])('says what was seen last where that is %s', async (_, told, last) => {
    const { clock, look, patience } = place();
    const tell = async (): Promise<unknown> => told(await look());
    const failure = failureOf(waitToSee('forty', tell, () => false, patience));
    await clock.advance(60_000);
    const message = `never came true within 30 s: forty; last seen: ${last}`;
    expect(await failure).toEqual(new RuntimeError('wait-timeout', message));
  });
});
