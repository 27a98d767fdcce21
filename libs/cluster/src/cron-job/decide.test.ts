import { describe, expect, it } from 'vitest';
import type { Job } from '../job/types.js';
import { decideDue, decideForgotten, decideNews, decideSkip, makeJob } from './decide.js';
import type { CronJob, CronJobStatus } from './decide.js';
import { parseSchedule, ScheduleError } from './schedule.js';

const ms = (time: string): number => Date.parse(time);
const shown = (time: number | undefined): string | undefined =>
  time === undefined ? undefined : new Date(time).toISOString().replace('.000', '');

describe('schedules', () => {
  it.each([
    ['* * * * *', undefined, '2030-01-01T00:00:30Z', '2030-01-01T00:01:00Z'],
    ['* * * * *', undefined, '2030-01-01T00:01:00Z', '2030-01-01T00:02:00Z'],
    ['*/15 * * * *', undefined, '2030-01-01T00:46:00Z', '2030-01-01T01:00:00Z'],
    ['5,35 8-10/2 * * *', undefined, '2030-01-01T08:40:00Z', '2030-01-01T10:05:00Z'],
    ['10/20 * * * *', undefined, '2030-01-01T00:11:00Z', '2030-01-01T00:30:00Z'],
    ['0 0 29 feb *', undefined, '2030-01-01T00:00:00Z', '2032-02-29T00:00:00Z'],
    ['0 0 30 2 *', undefined, '2030-01-01T00:00:00Z', undefined],
    ['0 12 * * MON-fri', undefined, '2030-01-04T12:00:00Z', '2030-01-07T12:00:00Z'],
    ['0 0 13 * 5', undefined, '2030-01-01T00:00:00Z', '2030-01-04T00:00:00Z'],
    ['0 0 */1 * 5', undefined, '2030-01-01T00:00:00Z', '2030-01-04T00:00:00Z'],
    ['@hourly', undefined, '2030-01-01T00:30:00Z', '2030-01-01T01:00:00Z'],
    ['@weekly', undefined, '2030-01-01T00:30:00Z', '2030-01-06T00:00:00Z'],
    ['@every 1m30s', undefined, '2030-01-01T00:00:10Z', '2030-01-01T00:01:40Z'],
    ['TZ=Asia/Tokyo 0 9 * * *', undefined, '2030-01-01T00:00:00Z', '2030-01-02T00:00:00Z'],
    ['0 9 * * *', 'Asia/Kolkata', '2030-01-01T00:00:00Z', '2030-01-01T03:30:00Z'],
    // Clocks go forward: half past two is not on that day.
    ['30 2 * * *', 'Europe/Berlin', '2030-03-30T12:00:00Z', '2030-04-01T00:30:00Z'],
    ['0 3 * * *', 'Europe/Berlin', '2030-03-30T12:00:00Z', '2030-03-31T01:00:00Z'],
    // Clocks go back: half past two comes twice.
    ['30 2 * * *', 'Europe/Berlin', '2030-10-27T00:00:00Z', '2030-10-27T00:30:00Z'],
    ['30 2 * * *', 'Europe/Berlin', '2030-10-27T00:30:00Z', '2030-10-27T01:30:00Z'],
  ])('%s in %s after %s is due at %s', (text, zone, after, wanted) => {
    expect(shown(parseSchedule(text, zone).next(ms(after)))).toBe(wanted);
  });

  it.each([
    '',
    '* * * *',
    '60 * * * *',
    '* 5-3 * * *',
    '*/0 * * * *',
    'x * * * *',
    '@often',
    '@every x',
    'TZ=No/Where * * * * *',
  ])('refuses %j', (text) => {
    expect(() => parseSchedule(text)).toThrow(ScheduleError);
  });
});

function cronJob(spec: Partial<CronJob['spec']> = {}, status: CronJobStatus = {}): CronJob {
  return {
    apiVersion: 'batch/v1',
    kind: 'CronJob',
    metadata: { name: 'c', namespace: 'n', uid: 'u', creationTimestamp: '2030-01-01T00:00:30Z' },
    spec: { schedule: '*/10 * * * *', jobTemplate: { spec: { template: {} } }, ...spec },
    status,
  };
}

describe('what is due', () => {
  const due = (of: CronJob, now: string) => {
    const { atMs, hasMissedMany, nextMs } = decideDue(of, parseSchedule(of.spec.schedule), ms(now));
    return [shown(atMs), shown(nextMs), hasMissedMany];
  };
  it.each([
    ['nothing at first', cronJob(), '2030-01-01T00:05:00Z', [undefined, '2030-01-01T00:10:00Z', false]],
    [
      'the time that has come',
      cronJob(),
      '2030-01-01T00:10:00Z',
      ['2030-01-01T00:10:00Z', '2030-01-01T00:20:00Z', false],
    ],
    [
      'only the last of several',
      cronJob(),
      '2030-01-01T00:45:00Z',
      ['2030-01-01T00:40:00Z', '2030-01-01T00:50:00Z', false],
    ],
    [
      'nothing that was done',
      cronJob({}, { lastScheduleTime: '2030-01-01T00:40:00Z' }),
      '2030-01-01T00:45:00Z',
      [undefined, '2030-01-01T00:50:00Z', false],
    ],
    ['a warning after many', cronJob(), '2030-01-03T00:45:00Z', ['2030-01-03T00:40:00Z', '2030-01-03T00:50:00Z', true]],
    [
      'nothing before the deadline',
      cronJob({ startingDeadlineSeconds: 60 }),
      '2030-01-01T00:45:00Z',
      [undefined, '2030-01-01T00:50:00Z', false],
    ],
    [
      'uneven times',
      cronJob({ schedule: '30 6-16/4 * * 1-5' }),
      '2030-01-07T05:00:00Z',
      ['2030-01-04T14:30:00Z', '2030-01-07T06:30:00Z', false],
    ],
  ])('is %s', (_, of, now, wanted) => {
    expect(due(of, now)).toEqual(wanted);
  });

  const at = ms('2030-01-01T00:40:00Z');
  const active = [{ name: 'c-31556880', uid: 'j' }];
  it.each([
    ['started', cronJob(), undefined],
    ['late', cronJob({ startingDeadlineSeconds: 30 }), 'late'],
    ['done when the status has its time', cronJob({}, { lastScheduleTime: '2030-01-01T00:40:00Z' }), 'done'],
    [
      'busy when another runs and none may run at the same time',
      cronJob({ concurrencyPolicy: 'Forbid' }, { active }),
      'busy',
    ],
    ['started while others run', cronJob({ concurrencyPolicy: 'Allow' }, { active }), undefined],
  ])('is %s', (_, of, wanted) => {
    expect(decideSkip(of, at, at + 45_000)).toBe(wanted);
  });

  it('becomes a Job named after its minute, with the time of its zone', () => {
    const { metadata } = makeJob(cronJob({ timeZone: 'America/St_Johns' }), at);
    expect(metadata.name).toBe(`c-${at / 60_000}`);
    expect(metadata.annotations).toEqual({
      'batch.kubernetes.io/cronjob-scheduled-timestamp': '2029-12-31T21:10:00-03:30',
    });
    expect(metadata.ownerReferences?.[0]?.kind).toBe('CronJob');
  });
});

describe('the Jobs of a CronJob', () => {
  const job = (uid: string, type?: string, startTime?: string): Job => ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: uid, uid },
    spec: { template: {} },
    status: {
      ...(type === undefined ? {} : { conditions: [{ type, status: 'True' }] }),
      ...(startTime === undefined ? {} : { startTime, completionTime: startTime }),
    },
  });

  it('are forgotten beyond the limits, oldest first', () => {
    const jobs = [
      job('b', 'Complete', '2030-01-01T00:02:00Z'),
      job('a', 'Complete', '2030-01-01T00:01:00Z'),
      job('c', 'Complete', '2030-01-01T00:03:00Z'),
      job('f', 'Failed', '2030-01-01T00:01:00Z'),
      job('r'),
    ];
    const forgotten = (spec: Partial<CronJob['spec']>): string =>
      decideForgotten(cronJob(spec), jobs)
        .map(({ metadata }) => metadata.name)
        .join('');
    expect(forgotten({ successfulJobsHistoryLimit: 1, failedJobsHistoryLimit: 1 })).toBe('ab');
    expect(forgotten({ successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 0 })).toBe('f');
    expect(forgotten({})).toBe('');
  });

  it('leave the active list when they are over, and set the time of the last success', () => {
    const status = { active: [{ uid: 'a' }, { uid: 'r' }], lastSuccessfulTime: '2030-01-01T00:00:30Z' };
    const news = decideNews(status, [job('a', 'Complete', '2030-01-01T00:01:00Z'), job('r'), job('x')]);
    expect(news.status).toEqual({ active: [{ uid: 'r' }], lastSuccessfulTime: '2030-01-01T00:01:00Z' });
    expect([news.ended, news.unexpected].map((list) => list.map(({ metadata }) => metadata.uid))).toEqual([
      ['a'],
      ['x'],
    ]);
  });
});
