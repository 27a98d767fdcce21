import { expect, it } from 'vitest';
import { renderMetrics } from '@capstan/meta';
import { ShimMetrics } from './metrics.js';

it('tells few versions apart, whatever is asked for', () => {
  const metrics = new ShimMetrics();
  const count = (from: string[], to: string, resource?: string): void =>
    metrics.count({ fromVersions: from, toVersion: to, resource }, 'failure', 3);
  for (let version = 0; version < 100; version += 1) count([`v${version}`], 'V"2', undefined);
  count(['v1', 'v2', 'v1'], 'v2', 'machines');
  const lines = renderMetrics(metrics.families).split('\n');
  const series = lines.filter((line) => line.startsWith('hypershift_conversion_webhook_requests_total{'));
  expect(series).toHaveLength(18);
  expect(series).toContain(
    'hypershift_conversion_webhook_requests_total{from_version="other",to_version="other",resource="other",result="failure"} 84',
  );
  expect(series).toContain(
    'hypershift_conversion_webhook_requests_total{from_version="several",to_version="v2",resource="machines",result="failure"} 1',
  );
  const bounds = lines.flatMap((line) => /machines",le="([^"]*)"/.exec(line)?.[1] ?? []);
  expect(bounds).toEqual(['0.001', '0.005', '0.01', '0.05', '0.1', '0.5', '+Inf']);
});
