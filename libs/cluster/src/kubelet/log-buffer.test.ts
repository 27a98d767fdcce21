import { ManualClock } from '@capstan/kube/testing';
import { describe, expect, it } from 'vitest';
import { LogBuffer } from './log-buffer.js';
import type { LogQuery } from './streams.js';

const ALL: LogQuery = { follow: false, previous: false, timestamps: false, stream: 'All' };

async function text(
  log: LogBuffer,
  query: Partial<LogQuery> = {},
  signal = new AbortController().signal,
): Promise<string> {
  let found = '';
  for await (const chunk of log.read({ ...ALL, ...query }, signal)) found += Buffer.from(chunk).toString();
  return found;
}

async function filled(): Promise<{ log: LogBuffer; clock: ManualClock }> {
  const clock = new ManualClock();
  const log = new LogBuffer(clock);
  log.append('Stdout', Buffer.from('one\nt'));
  log.append('Stderr', Buffer.from('bad\n'));
  await clock.advance(2000);
  log.append('Stdout', Buffer.from('wo\nthr'));
  return { log, clock };
}

describe('LogBuffer', () => {
  it.each<[Partial<LogQuery>, string]>([
    [{}, 'one\nbad\ntwo\n'],
    [{ stream: 'Stderr' }, 'bad\n'],
    [{ tailLines: 2 }, 'bad\ntwo\n'],
    [{ tailLines: 2, stream: 'Stdout' }, 'one\ntwo\n'],
    [{ tailLines: 0 }, ''],
    [{ limitBytes: 6 }, 'one\nba'],
    [{ sinceSeconds: 1 }, 'two\n'],
    [{ sinceTime: '2026-01-01T00:00:02Z' }, 'two\n'],
    [{ tailLines: 1, timestamps: true }, '2026-01-01T00:00:02.000000000Z two\n'],
  ])('gives %j', async (query, expected) => {
    const { log } = await filled();
    expect(await text(log, query)).toBe(expected);
  });

  it('gives the last line without its end once there will be no more', async () => {
    const { log } = await filled();
    log.end();
    log.append('Stdout', Buffer.from('late\n'));
    expect(await text(log, { tailLines: 1 })).toBe('thr');
  });

  it('is followed to its end, or until nobody listens', async () => {
    const { log } = await filled();
    const followed = text(log, { follow: true });
    const leaving = new AbortController();
    const left = text(log, { follow: true }, leaving.signal);
    log.append('Stdout', Buffer.from('ee\n'));
    await new Promise<void>((resolve) => {
      setImmediate(resolve);
    });
    leaving.abort();
    log.append('Stdout', Buffer.from('four\n'));
    log.end();
    expect(await followed).toBe('one\nbad\ntwo\nthree\nfour\n');
    expect(await left).toBe('one\nbad\ntwo\nthree\n');
  });

  it('forgets the oldest lines when there are too many', async () => {
    const log = new LogBuffer(new ManualClock());
    const line = Buffer.from(`${'x'.repeat(1023)}\n`);
    for (let count = 0; count < 11 * 1024; count += 1) log.append('Stdout', line);
    log.append('Stdout', Buffer.from('last\n'));
    const all = await text(log);
    expect(all.length).toBeLessThan(10 * 1024 * 1024);
    expect(all.endsWith('last\n')).toBe(true);
  });
});
