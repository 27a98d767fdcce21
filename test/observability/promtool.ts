import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { OBSERVED } from '@capstan/cli/observability';
import { ruleFile } from '@capstan/observability';
import type { LabelSet, Series } from '@capstan/observability/promql';
import { promtoolPath } from '@capstan/tools';
import type { AlertCase, CaseResult } from './alert-case.js';

const LIMIT_MS = 120_000;

/** Whether Prometheus' own tool was built. */
export function hasPromtool(): boolean {
  return existsSync(promtoolPath());
}

/** Calls the tool on files of these names and contents, and returns its output; fails when it fails. */
export async function promtool(args: readonly string[], files: Readonly<Record<string, unknown>>): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'capstan-promtool-'));
  try {
    // It reads YAML, and JSON is that too.
    for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), JSON.stringify(content));
    const { stdout, stderr } = await promisify(execFile)(promtoolPath(), [...args], { cwd: folder, timeout: LIMIT_MS });
    return stdout + stderr;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** All our rules, as the tool reads them. */
export const RULES_FILE = { 'rules.yaml': ruleFile(OBSERVED) };

/** A series' name and labels as the tool writes them. */
export function seriesText(name: string, labels: LabelSet): string {
  const pairs = Object.entries(labels).map(([label, value]) => `${label}=${JSON.stringify(value)}`);
  return `${name}{${pairs.join(',')}}`;
}

/** Series as the tool reads them, a value for each minute. */
export function promtoolSeries(series: readonly Series[], minutes: number): unknown[] {
  return series.map(({ name, labels, samples }) => {
    const byMinute = new Map(samples.map(({ ms, value }) => [ms / 60_000, value]));
    const values = Array.from({ length: minutes + 1 }, (_, minute) => byMinute.get(minute) ?? '_');
    return { series: seriesText(name, labels), values: values.join(' ') };
  });
}

/** A case for the tool: the same series, and at every minute the alerts that must fire then, to the letter. */
export function promtoolTest({ alert, name, minutes }: AlertCase, { series, firing }: CaseResult): unknown {
  return {
    name: `${alert} ${name}`,
    interval: '1m',
    input_series: promtoolSeries(series, minutes),
    alert_rule_test: firing.map((alerts, minute) => ({
      eval_time: `${minute}m`,
      alertname: alert,
      exp_alerts: alerts.map(({ labels, annotations }) => ({ exp_labels: labels, exp_annotations: annotations })),
    })),
  };
}
