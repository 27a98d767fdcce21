import { isAlert } from '../model.js';
import type { AlertRule, Observability, RecordingRule } from '../model.js';

/** Base URL of the runbooks unless another is given: a host that cannot exist, so that nobody takes it for published. */
/** Where alerts link to unless the runbooks are published: nowhere. */
export const RUNBOOK_BASE = 'https://runbooks.invalid';

/** How rules are printed. */
export interface RuleOptions {
  /** URL that comes before the name of a runbook's file. */
  readonly runbookBase?: string;
}

/** A rule file as Prometheus reads it. */
export interface RuleFile {
  readonly groups: readonly { readonly name: string; readonly rules: readonly PrintedRule[] }[];
}

/** A rule as Prometheus has it. */
export type PrintedRule =
  | { readonly record: string; readonly expr: string }
  | {
      readonly alert: string;
      readonly expr: string;
      readonly for: string;
      readonly labels: Readonly<Record<string, string>>;
      readonly annotations: Readonly<Record<string, string>>;
    };

/** A rule as Prometheus has it. */
export function printedRule(rule: AlertRule | RecordingRule, options: RuleOptions = {}): PrintedRule {
  if (!isAlert(rule)) return { record: rule.record, expr: rule.expr };
  const base = (options.runbookBase ?? RUNBOOK_BASE).replace(/\/+$/, '');
  return {
    alert: rule.alert,
    expr: rule.expr,
    for: rule.for,
    labels: { severity: rule.severity },
    annotations: {
      summary: rule.summary,
      description: rule.description,
      runbook_url: `${base}/${rule.runbook}.md`,
    },
  };
}

/** All rules of components as a rule file of Prometheus. */
export function ruleFile(components: readonly Observability[], options: RuleOptions = {}): RuleFile {
  const groups = components.flatMap(({ ruleGroups }) => ruleGroups);
  return {
    groups: groups.map(({ name, rules }) => ({ name, rules: rules.map((rule) => printedRule(rule, options)) })),
  };
}

/** All rules of components as an object of the Prometheus operator. */
export function prometheusRule(
  components: readonly Observability[],
  { namespace, ...options }: RuleOptions & { readonly namespace: string },
): {
  readonly apiVersion: 'monitoring.coreos.com/v1';
  readonly kind: 'PrometheusRule';
  readonly metadata: { readonly name: string; readonly namespace: string };
  readonly spec: RuleFile;
} {
  return {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'capstan', namespace },
    spec: ruleFile(components, options),
  };
}
