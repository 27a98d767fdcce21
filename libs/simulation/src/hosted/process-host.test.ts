import { sleep, systemClock, systemRandom } from '@capstan/kube';
import { expect, it } from 'vitest';
import { LiveHost } from './process-host.js';

const clock = systemClock();

function host(): LiveHost {
  const transport = { send: () => Promise.reject(new Error('nobody is there')) };
  return new LiveHost({ transport, clock, random: systemRandom('host'), restartMs: 1 });
}

it('does not start a process again that has begun and lives on', async () => {
  const place = host();
  const signals: AbortSignal[] = [];
  place.spawn({ name: 'quiet', start: async ({ signal }) => void signals.push(signal) });
  await sleep(clock, 50);
  expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
  await place.close();
  expect(signals.map(({ aborted }) => aborted)).toEqual([true]);
});

it('ends what a failed start has begun before the next', async () => {
  const place = host();
  const before: AbortSignal[] = [];
  const seen = await new Promise<boolean[]>((resolve) => {
    place.spawn({
      name: 'weak',
      start: async ({ signal }) => {
        before.push(signal);
        if (before.length === 1) throw new Error('it cannot begin');
        resolve(before.map(({ aborted }) => aborted));
      },
    });
  });
  expect(seen).toEqual([true, false]);
  await place.close();
});
