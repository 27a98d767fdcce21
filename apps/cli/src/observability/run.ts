import { withUpgradeLimit } from '@capstan/hypershift/observability';
import {
  assembleDashboards,
  dashboardConfigMap,
  grafanaDashboard,
  prometheusRule,
  ruleFile,
} from '@capstan/observability';
import type { Observability } from '@capstan/observability';
import { UsageError } from '../errors.js';
import type { Io } from '../io.js';
import { formatObject } from '../output.js';
import { OBSERVED } from './components.js';

/** Options for rules. */
export interface RulesOptions {
  readonly component: readonly string[];
  readonly plain?: boolean | undefined;
  readonly namespace: string;
  readonly runbookBase?: string | undefined;
  /** Milliseconds. */
  readonly upgradeLimit?: number | undefined;
  readonly output: 'json' | 'yaml';
}

/** Options for dashboards. */
export interface DashboardsOptions {
  readonly component: readonly string[];
  readonly configMap?: boolean | undefined;
  readonly namespace: string;
  readonly output: 'json' | 'yaml';
}

/** Those that `capstan install` names otherwise than their folder. */
const FOLDERS: Readonly<Record<string, string>> = { 'capi-operator': 'capi' };

/** What the components chosen declare, in the order of all. */
export function observedOf(chosen: readonly string[]): readonly Observability[] {
  const names = new Set(chosen.map((name) => FOLDERS[name] ?? name));
  return names.has('all') ? OBSERVED : OBSERVED.filter(({ component }) => names.has(component));
}

/** Prints the rules of the components chosen. */
export async function runRules(options: RulesOptions, io: Io): Promise<void> {
  const { component, namespace, output, plain, runbookBase, upgradeLimit } = options;
  const chosen = observedOf(component);
  const observed =
    upgradeLimit === undefined ? chosen : chosen.map((each) => withUpgradeLimit(each, upgradeLimit / 1000));
  const where = runbookBase === undefined ? {} : { runbookBase };
  const rules = plain === true ? ruleFile(observed, where) : prometheusRule(observed, { ...where, namespace });
  io.out(await formatObject(rules, output));
}

/** Prints one dashboard, or all of them, one document after the other. */
export async function runDashboards(
  uid: string | undefined,
  { component, configMap, namespace, output }: DashboardsOptions,
  io: Io,
): Promise<void> {
  const all = assembleDashboards(observedOf(component));
  const chosen = all.filter(({ dashboard }) => uid === undefined || dashboard.uid === uid);
  if (chosen.length === 0) {
    const known = all.map(({ dashboard }) => dashboard.uid).join(', ');
    throw new UsageError(`there is no dashboard ${JSON.stringify(uid)}`, `name one of ${known}`);
  }
  for (const [at, dashboard] of chosen.entries()) {
    const printed = configMap === true ? dashboardConfigMap(dashboard, namespace) : grafanaDashboard(dashboard);
    const separator = at > 0 && output === 'yaml' ? '---\n' : '';
    io.out(separator + (await formatObject(printed, output)));
  }
}
