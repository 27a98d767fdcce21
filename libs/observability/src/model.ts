import type { MetricDeclaration } from '@capstan/meta';

/** How much an alert wants of whom it wakes. */
export type Severity = 'critical' | 'warning' | 'info';

/** Fires when its expression has had a result for long enough. */
export interface AlertRule {
  readonly alert: string;
  readonly expr: string;
  /** How long the expression must hold, such as `10m`; `0s` for at once. */
  readonly for: string;
  readonly severity: Severity;
  /** One line; may name labels as `{{ $labels.pod }}` and the value as `{{ $value }}`. */
  readonly summary: string;
  /** What it means and for whom; may name labels and the value too. */
  readonly description: string;
  /** The page about it: a file of `docs/operations/runbooks`, without its ending. */
  readonly runbook: string;
}

/** Keeps the result of an expression under a name of its own. */
export interface RecordingRule {
  readonly record: string;
  readonly expr: string;
}

/** Rules that are evaluated together, one after the other. */
export interface RuleGroup {
  readonly name: string;
  readonly rules: readonly (AlertRule | RecordingRule)[];
}

/** A dashboard to which several components add; its rows come in this order, those without panels are left out. */
export interface Dashboard {
  readonly uid: string;
  readonly title: string;
  readonly description: string;
  readonly rows: readonly string[];
}

/** What the values of a panel are, in Grafana's words. */
export type Unit = 'bytes' | 'percentunit' | 'reqps' | 's' | 'short';

/** One expression of a panel. */
export interface Query {
  readonly expr: string;
  /** May name labels as `{{pod}}`. */
  readonly legend: string;
}

/** One picture of a dashboard. */
export interface Panel {
  readonly title: string;
  readonly description: string;
  readonly kind: 'heatmap' | 'piechart' | 'timeseries';
  readonly unit: Unit;
  readonly queries: readonly Query[];
}

/** Panels for a row of a dashboard. */
export interface PanelRow {
  readonly dashboard: Dashboard;
  readonly row: string;
  readonly panels: readonly Panel[];
}

/** A log message worth searching for. */
export interface LogMessage {
  readonly message: string;
  readonly level: 'error' | 'info' | 'warn';
  readonly meaning: string;
}

/** Everything a component gives to those who watch over it. */
export interface Observability {
  /** The component's name, as in its folder. */
  readonly component: string;
  /** Where its metrics page is. */
  readonly metricsAt: string;
  /** What it counts itself. */
  readonly metrics: readonly MetricDeclaration[];
  /** Metrics of others that its rules and panels use. */
  readonly external: readonly MetricDeclaration[];
  readonly ruleGroups: readonly RuleGroup[];
  readonly rows: readonly PanelRow[];
  readonly logs: readonly LogMessage[];
}

/** Whether a rule alerts. */
export function isAlert(rule: AlertRule | RecordingRule): rule is AlertRule {
  return 'alert' in rule;
}

/** All alerts of components, in their order. */
export function alertsOf(components: readonly Observability[]): AlertRule[] {
  return components.flatMap(({ ruleGroups }) => ruleGroups.flatMap(({ rules }) => rules.filter(isAlert)));
}
