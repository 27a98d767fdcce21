import { expect, it } from 'vitest';
import { CONVERSION_ERROR_TYPES, shimMetricDeclarations } from './metric-declarations.js';
import { ShimMetrics } from './metrics.js';

const review = { fromVersion: 'v1beta1', toVersion: 'v1beta2', resource: 'machines', seconds: 0.02 };

it('has a metrics page with every declared metric and the bounds that were promised', () => {
  const metrics = new ShimMetrics();
  metrics.answered({ ...review, error: undefined });
  const lines = metrics.render().split('\n');
  const typed = lines.filter((line) => line.startsWith('# TYPE '));
  expect(typed).toEqual(shimMetricDeclarations.map(({ name, type }) => `# TYPE ${name} ${type}`));
  const bounds = lines.flatMap(
    (line) => /^hypershift_conversion_webhook_duration_seconds_bucket.*le="(.+)"/.exec(line)?.[1] ?? [],
  );
  expect(bounds).toEqual(['0.001', '0.005', '0.01', '0.05', '0.1', '0.5', '+Inf']);
});

it('counts a review that failed once among the requests and once among the errors', () => {
  const metrics = new ShimMetrics();
  metrics.answered({ ...review, error: undefined });
  metrics.answered({ ...review, error: 'upstream-webhook-unavailable' });
  expect(metrics.requests.value(['v1beta1', 'v1beta2', 'machines', 'success'])).toBe(1);
  expect(metrics.requests.value(['v1beta1', 'v1beta2', 'machines', 'failure'])).toBe(1);
  expect(metrics.errors.value(['upstream-webhook-unavailable'])).toBe(1);
  expect(metrics.render()).toContain(
    'hypershift_conversion_webhook_duration_seconds_count{from_version="v1beta1",to_version="v1beta2",resource="machines"} 2\n',
  );
});

it('shows kinds of error before the first one', () => {
  const page = new ShimMetrics().render();
  for (const type of CONVERSION_ERROR_TYPES)
    expect(page).toContain(`hypershift_conversion_webhook_errors_total{error_type="${type}"} 0\n`);
});
