import { ManualClock } from '@capstan/kube/testing';
import { expect, it } from 'vitest';
import { mortalClock } from './mortal-clock.js';

it('a clock of a program calls back until the program is over, and then never', async () => {
  const [clock, ending] = [new ManualClock(), new AbortController()];
  const mortal = mortalClock(clock, ending.signal);
  const called: string[] = [];
  mortal.after(10, () => called.push('before'));
  mortal.after(10, () => called.push('cancelled')).cancel();
  mortal.after(30, () => called.push('after'));
  await clock.advance(20);
  expect([called, mortal.now(), mortal.monotonic()]).toEqual([['before'], clock.now(), clock.monotonic()]);
  ending.abort();
  mortal.after(1, () => called.push('late'));
  await clock.advance(100);
  expect(called).toEqual(['before']);
});
