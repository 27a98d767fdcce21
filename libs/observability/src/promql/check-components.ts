import { pushAll } from '@capstan/meta';
import type { MetricDeclaration } from '@capstan/meta';
import { isAlert } from '../model.js';
import type { AlertRule, Observability, PanelRow, RecordingRule } from '../model.js';
import { Catalogue } from './catalogue.js';
import { checkExpression } from './check.js';
import { parseDurationMs } from './parse.js';

/** What the checker cannot find out by itself. */
export interface Surroundings {
  /** Whether there is a page of this name among the runbooks. */
  readonly hasRunbook: (name: string) => boolean;
}

/** Everything wrong with the rules and dashboards of components, one line each; empty when all is well. */
export function checkComponents(components: readonly Observability[], { hasRunbook }: Surroundings): string[] {
  const catalogue = new Catalogue(components.flatMap(({ metrics, external }) => [...metrics, ...external]));
  const findings = [...repeatedNames(components), ...differingMetrics(components)];
  for (const { component, ruleGroups, rows } of components) {
    for (const rule of ruleGroups.flatMap(({ rules }) => rules)) {
      const title = isAlert(rule) ? rule.alert : rule.record;
      const wrong = isAlert(rule) ? checkAlert(rule, catalogue, hasRunbook) : checkRecording(rule, catalogue);
      pushAll(
        findings,
        wrong.map((each) => `${component}: ${title}: ${each}`),
      );
    }
    pushAll(
      findings,
      rows.flatMap((row) => checkRow(row, catalogue)).map((each) => `${component}: ${each}`),
    );
  }
  return findings;
}

function checkAlert(rule: AlertRule, catalogue: Catalogue, hasRunbook: (name: string) => boolean): string[] {
  const { findings, labels } = checkExpression(rule.expr, catalogue);
  const found = [...findings];
  if (parseDurationMs(rule.for) === undefined) found.push(`for is no duration: ${rule.for}`);
  if (!hasRunbook(rule.runbook)) found.push(`has no runbook ${rule.runbook}`);
  for (const text of [rule.summary, rule.description]) {
    if (text === '') found.push('a text is empty');
    for (const [, label = ''] of text.matchAll(/\$labels\.([A-Za-z_]\w*)/g))
      if (!labels.has(label)) found.push(`speaks of ${label}, a label its results do not have`);
  }
  return found;
}

function checkRecording({ record, expr }: RecordingRule, catalogue: Catalogue): string[] {
  const { findings, labels } = checkExpression(expr, catalogue);
  catalogue.record(record, labels);
  // Prometheus' own advice; it also keeps recorded names from those of declared metrics.
  return record.includes(':')
    ? [...findings]
    : [...findings, 'the name of a recorded series is level:metric:operations'];
}

function checkRow({ dashboard, row, panels }: PanelRow, catalogue: Catalogue): string[] {
  const where = `${dashboard.title}: ${row}`;
  const found = dashboard.rows.includes(row) ? [] : [`${where}: the dashboard has no such row`];
  for (const panel of panels) {
    if (panel.queries.length === 0) found.push(`${where}: ${panel.title}: asks nothing`);
    for (const { expr, legend } of panel.queries) {
      const { findings, labels } = checkExpression(expr, catalogue);
      pushAll(
        found,
        findings.map((each) => `${where}: ${panel.title}: ${each}`),
      );
      for (const [, label = ''] of legend.matchAll(/\{\{\s*(\w+)\s*\}\}/g))
        if (!labels.has(label)) found.push(`${where}: ${panel.title}: the legend names ${label}, which no series has`);
    }
  }
  return found;
}

/** Prometheus would take both, and nobody would know which one is meant. */
function repeatedNames(components: readonly Observability[]): string[] {
  const groups = components.flatMap(({ ruleGroups }) => ruleGroups);
  const rules = groups.flatMap(({ rules: list }) => list);
  const panels = components.flatMap(({ rows }) =>
    rows.flatMap(({ dashboard, row, panels: list }) => list.map(({ title }) => `${dashboard.uid}: ${row}: ${title}`)),
  );
  return [
    ...repeated(components.map(({ component }) => component)).map((name) => `two components are called ${name}`),
    ...repeated(groups.map(({ name }) => name)).map((name) => `two groups of rules are called ${name}`),
    ...repeated(rules.map((rule) => (isAlert(rule) ? rule.alert : rule.record))).map(
      (name) => `two rules are called ${name}`,
    ),
    ...repeated(panels).map((name) => `two panels are called ${name}`),
  ];
}

function repeated(names: readonly string[]): string[] {
  return [...new Set(names.filter((name, at) => names.indexOf(name) !== at))];
}

/** Components may use the same external metric, but must declare it alike. */
function differingMetrics(components: readonly Observability[]): string[] {
  const seen = new Map<string, string>();
  const found: string[] = [];
  const look = (component: string, metric: MetricDeclaration): void => {
    const text = JSON.stringify([metric.type, metric.labels.toSorted(), 'buckets' in metric ? metric.buckets : []]);
    const before = seen.get(metric.name);
    if (before !== undefined && before !== text) found.push(`${component}: ${metric.name} is declared in two ways`);
    seen.set(metric.name, text);
  };
  for (const { component, metrics, external } of components)
    for (const metric of [...metrics, ...external]) look(component, metric);
  return found;
}
