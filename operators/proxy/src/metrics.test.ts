import type { Route } from '@capstan/translate';
import { expect, it } from 'vitest';
import { proxyMetricDeclarations } from './metric-declarations.js';
import { ProxyMetrics, singularOf } from './metrics.js';

type ResourcePath = NonNullable<Route['path']>;

const live = { open: () => 3, wires: () => 2 };

it('has a metrics page with every declared metric and the bounds that were promised', () => {
  const metrics = new ProxyMetrics(live);
  const path = { resource: 'machines' } as ResourcePath;
  const route: Route = { class: 'translated-group', path, entry: undefined };
  metrics.request('GET', route, { status: 200, durationMs: 7, workedMs: 0.3 });
  metrics.request('GET', route, { status: 200, durationMs: 7, workedMs: 0.3 });
  metrics.request('GET', route, { status: 404, durationMs: 7, workedMs: 0.1 });
  metrics.request('BREW', undefined, { status: 200, durationMs: 7, workedMs: 0.3 });
  metrics.translationErrors.add(['invalid-json']);
  const lines = metrics.render().split('\n');
  const typed = lines.filter((line) => line.startsWith('# TYPE '));
  expect(typed).toEqual(proxyMetricDeclarations.map(({ name, type }) => `# TYPE ${name} ${type}`));
  const bounds = lines.flatMap(
    (line) => /^hypershift_api_proxy_request_duration_seconds_bucket.*machine.*le="(.+)"/.exec(line)?.[1] ?? [],
  );
  expect(bounds).toEqual(['0.001', '0.005', '0.01', '0.05', '0.1', '0.5', '1', '+Inf']);
  expect(lines.filter((line) => line.startsWith('hypershift_api_proxy_requests_total{'))).toEqual([
    'hypershift_api_proxy_requests_total{method="GET",resource="machine",code="200"} 2',
    'hypershift_api_proxy_requests_total{method="GET",resource="machine",code="404"} 1',
    'hypershift_api_proxy_requests_total{method="other",resource="other",code="200"} 1',
  ]);
  expect(lines).toContain(
    'hypershift_api_proxy_overhead_seconds_bucket{method="GET",resource="machine",le="0.00025"} 1',
  );
  expect(lines).toContain(
    'hypershift_api_proxy_overhead_seconds_bucket{method="GET",resource="machine",le="0.0005"} 3',
  );
  expect(lines).toContain('hypershift_api_proxy_request_duration_seconds_sum{method="GET",resource="machine"} 0.021');
});

it('shows kinds of error before the first one', () => {
  const lines = new ProxyMetrics(live).render().split('\n');
  const shown = lines.filter((line) => line.startsWith('hypershift_api_proxy_translation_errors_total'));
  const type = (name: string): string => `hypershift_api_proxy_translation_errors_total{error_type="${name}"} 0`;
  for (const name of ['invalid-json', 'too-large', 'unsupported-resource']) expect(shown).toContain(type(name));
});

it.each([
  ['machines', 'machine'],
  ['machinehealthchecks', 'machinehealthcheck'],
  ['ipaddresses', 'ipaddress'],
  ['ingresses', 'ingress'],
  ['networkpolicies', 'networkpolicy'],
  ['clusterclasses', 'clusterclass'],
  ['leases', 'lease'],
  ['prefixes', 'prefix'],
  ['dnsclass', 'dnsclass'],
  ['sheep', 'sheep'],
])('%s are counted as %s', (plural, singular) => {
  expect(singularOf(plural)).toBe(singular);
});
