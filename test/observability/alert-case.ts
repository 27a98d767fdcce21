import { alertTimeline } from '@capstan/observability/promql';
import type { FiringAlert, Series } from '@capstan/observability/promql';
import { OBSERVED } from '@capstan/cli/observability';
import { scrape } from './scrape.js';
import type { Target } from './scrape.js';

/** When an alert fires: from one minute on and, unless it fires to the end, no more at another. */
export interface Firing {
  readonly labels: Readonly<Record<string, string>>;
  readonly from: number;
  readonly until?: number;
}

/** What happens, and what an alert makes of it. */
export interface AlertCase {
  readonly alert: string;
  /** A sentence that goes on from the alert's name. */
  readonly name: string;
  readonly minutes: number;
  readonly targets: readonly Target[];
  /** Empty when it must not fire. */
  readonly firing: readonly Firing[];
}

/** An alert case as it went. */
export interface CaseResult {
  readonly series: readonly Series[];
  /** By the minute. */
  readonly firing: readonly (readonly FiringAlert[])[];
}

/** Lets a case happen before our own evaluator, with all rules at work. */
export function runCase({ alert, minutes, targets }: AlertCase): CaseResult {
  const series = scrape(targets, minutes);
  const groups = OBSERVED.flatMap(({ ruleGroups }) => ruleGroups);
  const timeline = alertTimeline(groups, series, { untilMs: minutes * 60_000, everyMs: 60_000 });
  return { series, firing: timeline.map(({ firing }) => firing.filter((each) => each.alert === alert)) };
}

/** The minutes in which an alert fires, as a case has them. */
export function firingOf({ firing }: CaseResult): Firing[] {
  const open = new Map<string, { labels: Readonly<Record<string, string>>; from: number; until?: number }>();
  const spans: Firing[] = [];
  for (const [minute, alerts] of firing.entries()) {
    const now = new Map(alerts.map(({ labels }) => [JSON.stringify(labels), labels]));
    for (const [key, span] of open)
      if (!now.has(key)) {
        span.until = minute;
        open.delete(key);
      }
    for (const [key, { severity: _rules, ...labels }] of now)
      if (!open.has(key)) {
        const span = { labels, from: minute };
        open.set(key, span);
        spans.push(span);
      }
  }
  return spans;
}
