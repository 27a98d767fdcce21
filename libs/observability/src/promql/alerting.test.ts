import { expect, it } from 'vitest';
import type { RuleGroup } from '../model.js';
import { alertTimeline } from './alerting.js';

const group: RuleGroup = {
  name: 'things',
  rules: [
    { record: 'job:things:max', expr: 'max by (job) (things)' },
    {
      alert: 'TooMany',
      expr: 'job:things:max > 5',
      for: '2m',
      severity: 'critical',
      summary: 'Too many in {{ $labels.job }}.',
      description: 'It takes {{ $value | humanizeDuration }}.',
      runbook: 'too-many',
    },
  ],
};

it('fires once a recorded series has been too high for long enough, and starts to count again after each dip', () => {
  const values = [9, 9, 3, 9, 9, 9, 9, 3];
  const series = [
    { name: 'things', labels: { job: 'a' }, samples: values.map((value, at) => ({ ms: at * 60_000, value })) },
  ];
  const moments = alertTimeline([group], series, { untilMs: 7 * 60_000, everyMs: 60_000 });
  const firing = {
    alert: 'TooMany',
    labels: { job: 'a', severity: 'critical' },
    annotations: {
      summary: 'Too many in a.',
      description: 'It takes 9s.',
      runbook_url: 'https://runbooks.invalid/too-many.md',
    },
  };
  expect(moments.map(({ firing: alerts }) => alerts)).toEqual([[], [], [], [], [], [firing], [firing], []]);
});
