import { describe, expect, it } from 'vitest';
import { RuntimeError } from '../runtime/errors.js';
import { ManualClock } from './manual-clock.js';
import { waitToSee, waitUntil, waitUntilSteady } from './wait.js';

/** A wait that checks the clock every ten seconds, for half a minute at most; returns when it checked. */
function place() {
  const clock = new ManualClock();
  const looks: number[] = [];
  const look = (): Promise<number> => {
    looks.push(clock.monotonic() / 1000);
    return Promise.resolve(clock.monotonic() / 1000);
  };
  return { clock, looks, look, options: { clock, limitMs: 30_000, everyMs: 10_000 } };
}

const failureOf = (waiting: Promise<unknown>): Promise<unknown> => waiting.catch((error: unknown) => error);

describe('waitUntil', () => {
  it('gives what it finds, without any wait where it is there already', async () => {
    const { clock, look, looks, options } = place();
    expect(await waitUntil('a number', look, options)).toBe(0);
    expect({ looks, pending: clock.pending }).toEqual({ looks: [0], pending: 0 });
  });

  it.each([false, undefined] as const)('looks again while there is %s', async (nothing) => {
    const { clock, look, looks, options } = place();
    const find = async (): Promise<'late' | undefined | false> => ((await look()) < 15 ? nothing : 'late');
    const found = waitUntil('a quarter of a minute', find, options);
    await clock.advance(60_000);
    expect(await found).toBe('late');
    expect(looks).toEqual([0, 10, 20]);
  });

  it('names the condition that was not met, and within what time', async () => {
    const { clock, look, looks, options } = place();
    const failure = failureOf(waitUntil('pigs fly', async () => (await look()) < 0, options));
    await clock.advance(60_000);
    expect(await failure).toEqual(new RuntimeError('wait-timeout', 'condition not met within 30 s: pigs fly'));
    expect(looks).toEqual([0, 10, 20, 30]);
  });

  it('fails at once with what a look throws', async () => {
    const { clock, options } = place();
    const look = (): boolean => {
      throw new TypeError('nothing to look at');
    };
    await expect(waitUntil('anything', look, options)).rejects.toThrow(new TypeError('nothing to look at'));
    expect(clock.pending).toBe(0);
  });

  it('advances the time through a caller’s own function', async () => {
    const { clock, look, looks, options } = place();
    const pass = (ms: number): Promise<void> => clock.advance(ms);
    await waitUntil('twenty seconds', async () => (await look()) >= 20, { ...options, pass });
    expect({ looks, pending: clock.pending }).toEqual({ looks: [0, 10, 20], pending: 0 });
  });
});

describe('waitToSee', () => {
  it('gives what will do', async () => {
    const { clock, look, options } = place();
    const seen = waitToSee('twenty seconds', look, (seconds) => seconds >= 20, options);
    await clock.advance(60_000);
    expect(await seen).toBe(20);
  });

  it.each([
    ['a text', (seconds: number): unknown => `${seconds} of 40`, '30 of 40'],
    ['anything else', (seconds: number): unknown => ({ seconds }), '{"seconds":30}'],
  ])('reports the last value where that is %s', async (_, valueAt, last) => {
    const { clock, look, options } = place();
    const read = async (): Promise<unknown> => valueAt(await look());
    const failure = failureOf(waitToSee('forty', read, () => false, options));
    await clock.advance(60_000);
    const message = `condition not met within 30 s: forty; last seen: ${last}`;
    expect(await failure).toEqual(new RuntimeError('wait-timeout', message));
  });
});

describe('waitUntilSteady', () => {
  it('returns a value once it has been the same four times', async () => {
    const { clock, looks, look, options } = place();
    const steady = waitUntilSteady('a number', async () => Math.min(await look(), 10), { ...options, limitMs: 60_000 });
    await clock.advance(60_000);
    expect(await steady).toBe(10);
    expect(looks).toEqual([0, 10, 20, 30, 40]);
  });

  it('fails for a value that changes without end', async () => {
    const { clock, look, options } = place();
    const failure = failureOf(waitUntilSteady('a number', look, options));
    await clock.advance(60_000);
    expect(await failure).toMatchObject({
      message: expect.stringContaining('condition not met within 30 s: a number'),
    });
  });
});
