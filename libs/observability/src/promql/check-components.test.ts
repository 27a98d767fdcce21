import { expect, it } from 'vitest';
import { PRIVATE_TYPES_DASHBOARD } from '../dashboards.js';
import type { AlertRule, Observability, Panel } from '../model.js';
import { checkComponents } from './check-components.js';

const alert: AlertRule = {
  alert: 'TooMany',
  expr: 'sum by (namespace) (rate(things_total[5m])) > 1',
  for: '5m',
  severity: 'warning',
  summary: 'Too many in {{ $labels.namespace }}.',
  description: 'There are {{ $value }}.',
  runbook: 'too-many',
};
const panel: Panel = {
  title: 'Things',
  description: 'How many.',
  kind: 'timeseries',
  unit: 'short',
  queries: [{ expr: 'sum by (kind) (things_total)', legend: '{{kind}}' }],
};
const row = { dashboard: PRIVATE_TYPES_DASHBOARD, row: 'Resource Utilization', panels: [panel] };
const good: Observability = {
  component: 'things',
  metricsAt: 'nowhere',
  metrics: [{ type: 'counter', name: 'things_total', help: 'Things.', labels: ['kind'] }],
  external: [],
  ruleGroups: [{ name: 'things', rules: [{ record: 'job:things:sum', expr: 'sum by (job) (things_total)' }, alert] }],
  rows: [row],
  logs: [],
};
const check = (...components: readonly Observability[]): string[] =>
  checkComponents(components, { hasRunbook: (name) => name === 'too-many' });
const withAlert = (change: Partial<AlertRule>): Observability => ({
  ...good,
  ruleGroups: [{ name: 'things', rules: [{ ...alert, ...change }] }],
});
const withPanel = (change: Partial<Panel>): Observability => ({
  ...good,
  rows: [{ ...row, panels: [{ ...panel, ...change }] }],
});

it('finds nothing where all is well', () => {
  expect(check(good)).toEqual([]);
});

const where = 'things: Private Cluster API types: Resource Utilization';

it.each<[string, Observability, string]>([
  [
    'an unknown metric',
    withAlert({ expr: 'sum(other)', summary: 'Many.' }),
    'things: TooMany: no metric is called other',
  ],
  ['a duration that is none', withAlert({ for: '5 minutes' }), 'things: TooMany: for is no duration: 5 minutes'],
  ['a runbook that is not there', withAlert({ runbook: 'gone' }), 'things: TooMany: has no runbook gone'],
  ['an empty summary', withAlert({ summary: '' }), 'things: TooMany: a text is empty'],
  [
    'a text about a label that is summed away',
    withAlert({ description: 'In {{ $labels.pod }}.' }),
    'things: TooMany: speaks of pod, a label its results do not have',
  ],
  ['a panel without a query', withPanel({ queries: [] }), `${where}: Things: asks nothing`],
  [
    'a legend with a label that is summed away',
    withPanel({ queries: [{ expr: 'sum(things_total)', legend: '{{ kind }}' }] }),
    `${where}: Things: the legend names kind, which no series has`,
  ],
  [
    'a panel with broken PromQL',
    withPanel({ queries: [{ expr: 'sum(', legend: '' }] }),
    `${where}: Things: is no PromQL: No parse at 4`,
  ],
  [
    'a row of no dashboard',
    { ...good, rows: [{ ...row, row: 'Elsewhere' }] },
    'things: Private Cluster API types: Elsewhere: the dashboard has no such row',
  ],
  [
    'a recorded name that could be a metric',
    { ...good, ruleGroups: [{ name: 'x', rules: [{ record: 'things', expr: 'things_total' }] }] },
    'things: things: the name of a recorded series is level:metric:operations',
  ],
])('finds %s', (_what, component, finding) => {
  expect(check(component)).toEqual([finding]);
});

it('knows the labels of recorded series', () => {
  const record = { record: 'job:things:sum', expr: 'sum by (job) (things_total)' };
  const using = (expr: string): Observability => ({
    ...good,
    ruleGroups: [{ name: 'x', rules: [record, { ...alert, summary: 'x', expr }] }],
  });
  expect(check(using('job:things:sum{job="a"} > 1'))).toEqual([]);
  expect(check(using('job:things:sum{kind="a"} > 1'))).toEqual(['things: TooMany: job:things:sum has no label kind']);
});

it('finds duplicate names, and metrics declared in two ways', () => {
  const other: Observability = {
    ...good,
    metrics: [],
    external: [{ type: 'gauge', name: 'things_total', help: '', labels: ['kind'] }],
  };
  expect(check(good, other)).toEqual(
    expect.arrayContaining([
      'two components are called things',
      'two groups of rules are called things',
      'two rules are called job:things:sum',
      'two rules are called TooMany',
      'two panels are called private-cluster-api-types: Resource Utilization: Things',
      'things: things_total is declared in two ways',
    ]),
  );
});
