import { describe, expect, it } from 'vitest';
import { Catalogue } from './catalogue.js';
import { checkExpression } from './check.js';

const catalogue = new Catalogue([
  { type: 'counter', name: 'errors_total', help: '', labels: ['error_type'] },
  { type: 'counter', name: 'requests_total', help: '', labels: ['resource', 'code'] },
  { type: 'gauge', name: 'pending_total', help: '', labels: [] },
  { type: 'histogram', name: 'duration_seconds', help: '', labels: ['resource'], buckets: [0.1, 1] },
]);
const TARGET = 'container, endpoint, instance, job, namespace, pod, service';

describe('an expression is good', () => {
  it.each([
    ['pending_total > 0', ['container', 'endpoint', 'instance', 'job', 'namespace', 'pod', 'service']],
    ['sum(rate(errors_total[5m])) / sum(rate(requests_total[5m])) > 0.05', []],
    ['sum by (namespace, code) (rate(requests_total{code=~"5..",pod!=""}[5m]))', ['code', 'namespace']],
    ['histogram_quantile(0.95, sum by (le, resource) (rate(duration_seconds_bucket[5m]))) > 0.1', ['resource']],
    ['sum(rate(duration_seconds_bucket{le="0.1"}[5m])) / sum(rate(duration_seconds_count[5m]))', []],
    ['sum by (resource) (increase(duration_seconds_sum[1h30m]))', ['resource']],
    [
      'max without (code, resource) (requests_total) - on (namespace) sum by (namespace) (pending_total)',
      ['namespace'],
    ],
    ['time() - max by (namespace) (pending_total) > 1h # too long', ['namespace']],
    [
      '(sum(rate(errors_total[5m])) or 0 * sum(rate(requests_total[5m]))) and sum(pending_total) unless sum(-pending_total) > 2',
      [],
    ],
  ])('%s', (text, labels) => {
    const checked = checkExpression(text, catalogue);
    expect(checked.findings).toEqual([]);
    expect([...checked.labels].toSorted()).toEqual(labels);
  });
});

describe('an expression is refused', () => {
  it.each([
    ['sum(rate(reqests_total[5m]))', ['no metric is called reqests_total']],
    [
      'duration_seconds > 1',
      ['duration_seconds is a histogram: ask duration_seconds_bucket, duration_seconds_sum or duration_seconds_count'],
    ],
    ['requests_total{status="500"}', ['requests_total has no label status']],
    ['duration_seconds_count{le="1"}', ['duration_seconds_count has no label le']],
    ['duration_seconds_bucket{le="0.2"}', ['duration_seconds_bucket has no bound 0.2']],
    ['sum by (code) (errors_total)', ['sum() groups by code, a label that nothing in it has']],
    ['sum by (code) (sum by (resource) (requests_total))', ['sum() groups by code, a label that nothing in it has']],
    ['rate(pending_total[5m])', ['rate() of pending_total, which does not only grow']],
    ['rate(requests_total)', ['rate(vector) is not known here']],
    ['requests_total[5m]', ['is a range, where a value is wanted']],
    ['irate(requests_total[5m])', ['irate(range) is not known here']],
    ['topk(3, requests_total)', ['has an aggregation that is not known here: topk(3, requests_total)']],
    ['stddev(requests_total)', ['stddev() is not known here']],
    ['sum(3)', ['sum() of what are no series']],
    [
      'histogram_quantile(0.9, sum by (resource) (rate(duration_seconds_bucket[5m])))',
      ['histogram_quantile() of series without the label le'],
    ],
    ['sum(errors_total) and 3', ['a number as an operand of and']],
    ['requests_total[5m] > 3', ['a range as an operand of >']],
    ['errors_total / on (code) requests_total', ['/ on code, a label that one side does not have']],
    ['a {', ['is no PromQL: No parse at 3']],
    ['', ['is no PromQL: No parse at 0']],
    ['sum(rate(errors_total[5m])', ['is no PromQL: No parse at 26']],
    ['{job="x"}', ['chooses series without a name: {job="x"}']],
    ['requests_total offset 5m', ['has a OffsetExpr, which is not known here: requests_total offset 5m']],
    [
      'max_over_time(sum(requests_total)[5m:1m])',
      ['has a SubqueryExpr, which is not known here: sum(requests_total)[5m:1m]'],
    ],
    ['requests_total * on (pod) group_left errors_total', ['has group_left, which is not known here']],
  ])('%s', (text, findings) => {
    expect(checkExpression(text, catalogue).findings).toEqual(findings);
  });

  it('when its sides have other labels, so that no series could ever find its partner', () => {
    expect(checkExpression('rate(errors_total[5m]) / rate(requests_total[5m]) > 0.05', catalogue).findings).toEqual([
      `no series match across /: left has (${TARGET.replace('instance', 'error_type, instance')}), right has (code, ${TARGET.replace('service', 'resource, service')})`,
    ]);
  });
});
