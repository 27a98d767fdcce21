import { pushAll } from '@capstan/meta';
import { isAlert } from '../model.js';
import type { AlertRule, RuleGroup } from '../model.js';
import { printedRule } from '../print/rules.js';
import { evaluate } from './evaluate.js';
import type { Element } from './evaluate.js';
import { parseDurationMs, parsePromql } from './parse.js';
import type { Expression } from './expression.js';
import { labelKey, SeriesStore } from './series.js';
import type { LabelSet, Series } from './series.js';
import { renderTemplate } from './template.js';

/** An alert that fires. */
export interface FiringAlert {
  readonly alert: string;
  /** Those of the result and the rule's own. */
  readonly labels: LabelSet;
  readonly annotations: LabelSet;
}

/** What fires at a moment. */
export interface Moment {
  readonly ms: number;
  readonly firing: readonly FiringAlert[];
}

/** Evaluates rule groups repeatedly over given series, and reports what fires after each evaluation. */
export function alertTimeline(
  groups: readonly RuleGroup[],
  series: readonly Series[],
  { untilMs, everyMs }: { readonly untilMs: number; readonly everyMs: number },
): Moment[] {
  const store = new SeriesStore(series);
  const rules = groups
    .flatMap((group) => group.rules)
    .map((rule) =>
      isAlert(rule) ? new AlertState(rule) : { record: rule.record, expression: parsePromql(rule.expr) },
    );
  const moments: Moment[] = [];
  for (let ms = 0; ms <= untilMs; ms += everyMs) {
    const firing: FiringAlert[] = [];
    for (const rule of rules) {
      if (rule instanceof AlertState) pushAll(firing, rule.evaluate(store, ms));
      else
        for (const { labels, value } of results(rule.expression, store, ms))
          store.append(rule.record, labels, { ms, value });
    }
    moments.push({ ms, firing });
  }
  return moments;
}

function results(expression: Expression, store: SeriesStore, ms: number): readonly Element[] {
  const value = evaluate(expression, store, ms);
  return typeof value === 'number' ? [{ name: '', labels: {}, value }] : value;
}

/** Since when each result of an alert's expression has been there. */
class AlertState {
  readonly #rule: AlertRule;
  readonly #expression: Expression;
  readonly #holdMs: number;
  #activeSince = new Map<string, number>();

  constructor(rule: AlertRule) {
    this.#rule = rule;
    this.#expression = parsePromql(rule.expr);
    this.#holdMs = parseDurationMs(rule.for) ?? Number.NaN;
  }

  evaluate(store: SeriesStore, ms: number): FiringAlert[] {
    const active = new Map<string, number>();
    const firing: FiringAlert[] = [];
    for (const { labels, value } of results(this.#expression, store, ms)) {
      const key = labelKey(labels);
      const since = this.#activeSince.get(key) ?? ms;
      active.set(key, since);
      if (ms - since >= this.#holdMs) firing.push(this.#firing(labels, value));
    }
    this.#activeSince = active;
    return firing;
  }

  #firing(labels: LabelSet, value: number): FiringAlert {
    const printed = printedRule(this.#rule);
    if (!('alert' in printed)) throw new TypeError('an alert is printed as none');
    const annotations = Object.entries(printed.annotations).map(
      ([key, text]) => [key, renderTemplate(text, labels, value)] as const,
    );
    return {
      alert: printed.alert,
      labels: { ...labels, ...printed.labels },
      annotations: Object.fromEntries(annotations),
    };
  }
}
