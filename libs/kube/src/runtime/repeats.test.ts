import { beforeEach, describe, expect, it } from 'vitest';
import type { Logger } from './logger.js';
import { withoutRepeats } from './repeats.js';

const SECOND = 1_000;

describe('what repeats', () => {
  let now = 0;
  let lines: unknown[][] = [];
  let logger: Logger;
  beforeEach(() => {
    now = 0;
    lines = [];
    const line =
      (level: string) =>
      (...given: unknown[]): void =>
        void lines.push([now / SECOND, level, ...given]);
    const sink = { debug: line('debug'), info: line('info'), warn: line('warn'), error: line('error') };
    logger = withoutRepeats(sink, { monotonic: () => now });
  });
  const during = (seconds: number, everyMs: number, act: () => void): void => {
    for (const end = now + seconds * SECOND; now < end; now += everyMs) act();
  };

  it('is logged once, then ever less often with how often it was not', () => {
    during(11 * 60, 500, () => logger.warn('cannot', { node: 'a', error: `at ${now}` }));
    expect(lines.map(([at, , , fields]) => [at, (fields as { repeated?: number }).repeated])).toEqual([
      [0, undefined],
      [10, 19],
      [30, 39],
      [70, 79],
      [150, 159],
      [310, 319],
      [630, 639],
    ]);
    expect(lines[1]).toEqual([10, 'warn', 'cannot', { node: 'a', error: 'at 10000', repeated: 19 }]);
  });

  it('is another failure of another object, at another level, with another message', () => {
    const all = (): void => {
      logger.warn('cannot', { node: 'a' });
      logger.warn('cannot', { node: 'b' });
      logger.error('cannot', { node: 'a' });
      logger.error('will not', { node: 'a' });
      logger.warn('cannot');
    };
    all();
    all();
    expect(lines).toHaveLength(5);
  });

  it('is logged at once when it begins again', () => {
    logger.warn('cannot');
    now += SECOND;
    logger.warn('cannot');
    now += 21 * SECOND;
    logger.warn('cannot');
    expect(lines).toEqual([
      [0, 'warn', 'cannot', {}],
      [22, 'warn', 'cannot', { repeated: 1 }],
    ]);
  });

  it('is none of the business of information', () => {
    during(1, 100, () => logger.info('looking'));
    during(1, 100, () => logger.debug('looking', { at: 'it' }));
    expect(lines).toHaveLength(20);
  });

  it('is forgotten when too much else fails', () => {
    logger.warn('cannot', { node: 'first' });
    for (let node = 0; node < 1_024; node += 1) logger.warn('cannot', { node });
    logger.warn('cannot', { node: 'first' });
    logger.warn('cannot', { node: 1_023 });
    expect(lines).toHaveLength(1_026);
  });
});
