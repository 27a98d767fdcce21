import { describe, expect, it } from 'vitest';
import { PRIVATE_TYPES_DASHBOARD } from '../dashboards.js';
import type { Observability, Panel } from '../model.js';
import { assembleDashboards, dashboardConfigMap, grafanaDashboard } from './grafana.js';
import { prometheusRule, ruleFile } from './rules.js';
import { scoped } from './scope.js';

function panel(title: string, change: Partial<Panel> = {}): Panel {
  const queries = [{ expr: 'up', legend: '{{pod}}' }];
  return { title, description: 'Things.', kind: 'timeseries', unit: 's', queries, ...change };
}

function component(name: string, row: string, panels: readonly Panel[]): Observability {
  return {
    component: name,
    metricsAt: 'nowhere',
    metrics: [],
    external: [],
    ruleGroups: [
      {
        name,
        rules: [
          { record: `job:${name}:sum`, expr: 'sum(up)' },
          {
            alert: `Down${name}`,
            expr: 'up == 0',
            for: '5m',
            severity: 'warning',
            summary: 'Down.',
            description: 'It is down.',
            runbook: 'down',
          },
        ],
      },
    ],
    rows: [{ dashboard: PRIVATE_TYPES_DASHBOARD, row, panels }],
    logs: [],
  };
}

const last = component('a', 'Resource Utilization', [panel('Memory', { unit: 'bytes' })]);
const first = component('b', 'API Proxy Performance', [
  panel('One'),
  panel('Two', { unit: 'percentunit' }),
  panel('Three', { kind: 'heatmap' }),
  panel('Four', {
    kind: 'piechart',
    queries: [
      { expr: 'a', legend: 'a' },
      { expr: 'b', legend: 'b' },
    ],
  }),
]);

describe('rules', () => {
  const alert = {
    alert: 'Downa',
    expr: 'up == 0',
    for: '5m',
    labels: { severity: 'warning' },
    annotations: {
      summary: 'Down.',
      description: 'It is down.',
      runbook_url: 'https://runbooks.example.com/down.md',
    },
  };

  it('are an object of the Prometheus operator', () => {
    const options = { namespace: 'somewhere', runbookBase: 'https://runbooks.example.com/' };
    expect(prometheusRule([last], options)).toEqual({
      apiVersion: 'monitoring.coreos.com/v1',
      kind: 'PrometheusRule',
      metadata: { name: 'capstan', namespace: 'somewhere' },
      spec: { groups: [{ name: 'a', rules: [{ record: 'job:a:sum', expr: 'sum(up)' }, alert] }] },
    });
  });

  it('are a rule file with the groups of all components, and links that are URLs before the runbooks are published', () => {
    const { groups } = ruleFile([last, first]);
    expect(groups.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(groups[0]?.rules[1]).toMatchObject({
      annotations: { runbook_url: 'https://runbooks.invalid/down.md' },
    });
  });
});

interface PrintedPanel {
  readonly id: number;
  readonly type: string;
  readonly title: string;
  readonly gridPos: Readonly<Record<'h' | 'w' | 'x' | 'y', number>>;
  readonly fieldConfig?: { readonly defaults: unknown };
  readonly targets?: readonly Readonly<Record<string, unknown>>[];
}

describe('a dashboard', () => {
  const [assembled, ...more] = assembleDashboards([last, first]);
  if (assembled === undefined) throw new Error('there is no dashboard');
  const printed = grafanaDashboard(assembled);
  const panels = printed['panels'] as readonly PrintedPanel[];

  it('has the rows of all components in its own order, and none without panels', () => {
    expect(more).toEqual([]);
    expect(panels.map(({ type, title }) => [type, title])).toEqual([
      ['row', 'API Proxy Performance'],
      ['timeseries', 'One'],
      ['timeseries', 'Two'],
      ['heatmap', 'Three'],
      ['piechart', 'Four'],
      ['row', 'Resource Utilization'],
      ['timeseries', 'Memory'],
    ]);
  });

  it('has panels side by side, none upon another, and a number for each', () => {
    expect(panels.map(({ gridPos: { x, y, w, h } }) => [x, y, w, h])).toEqual([
      [0, 0, 24, 1],
      [0, 1, 8, 8],
      [8, 1, 8, 8],
      [16, 1, 8, 8],
      [0, 9, 8, 8],
      [0, 17, 24, 1],
      [0, 18, 24, 8],
    ]);
    expect(panels.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  it('asks the data source that the reader chooses', () => {
    expect(JSON.stringify(printed['templating'])).toContain('"name":"datasource"');
    const targets = panels.flatMap(({ targets: list = [] }) => list);
    expect(targets).toHaveLength(6);
    for (const { datasource } of targets) expect(datasource).toEqual({ type: 'prometheus', uid: '${datasource}' });
    expect(targets.map(({ refId, expr, legendFormat }) => [refId, expr, legendFormat]).slice(-3)).toEqual([
      ['A', 'a', 'a'],
      ['B', 'b', 'b'],
      ['A', 'up', '{{pod}}'],
    ]);
    expect(targets.map(({ format, instant }) => [format, instant])).toEqual([
      ['time_series', false],
      ['time_series', false],
      ['heatmap', false],
      ['time_series', true],
      ['time_series', true],
      ['time_series', false],
    ]);
  });

  it('knows the units of its values', () => {
    expect(panels.flatMap(({ fieldConfig }) => (fieldConfig === undefined ? [] : [fieldConfig.defaults]))).toEqual([
      { unit: 's', min: 0 },
      { unit: 'percentunit', min: 0, max: 1 },
      { unit: 's', min: 0 },
      { unit: 's', min: 0 },
      { unit: 'bytes', min: 0 },
    ]);
  });

  it('is the same whenever it is printed, in a ConfigMap too', () => {
    const text = JSON.stringify(grafanaDashboard(assembled), null, 2);
    expect(text).toBe(JSON.stringify(printed, null, 2));
    expect(dashboardConfigMap(assembled, 'somewhere')).toEqual({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: {
        name: 'dashboard-private-cluster-api-types',
        namespace: 'somewhere',
        labels: { grafana_dashboard: '1' },
      },
      data: { 'private-cluster-api-types.json': `${text}\n` },
    });
  });
});

describe('the variables of a dashboard', () => {
  it.each([
    ['rate(a_total[5m])', 'rate(a_total{cluster=~"$cluster",namespace=~"$namespace"}[5m])'],
    ['up{job="a"} == 0', 'up{job="a",cluster=~"$cluster",namespace=~"$namespace"} == 0'],
    [
      'sum by (le) (rate(a_seconds_bucket[5m]))',
      'sum by (le) (rate(a_seconds_bucket{cluster=~"$cluster",namespace=~"$namespace"}[5m]))',
    ],
    ['job:up:sum + upper', 'job:up:sum + upper'],
  ])('limit every series of %s', (expr, expected) => {
    expect(scoped(expr, ['up', 'a_total', 'a_seconds'])).toBe(expected);
  });

  it('are data source, cluster and namespace, and begin with everything', () => {
    const [assembled] = assembleDashboards([last]);
    const { templating } = grafanaDashboard(assembled as NonNullable<typeof assembled>);
    const { list } = templating as { readonly list: readonly { name: string; allValue?: string }[] };
    expect(list.map(({ allValue, name }) => [name, allValue])).toEqual([
      ['datasource', undefined],
      ['cluster', '.*'],
      ['namespace', '.*'],
    ]);
  });
});
