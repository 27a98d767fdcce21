import {
  assembleDashboards,
  dashboardConfigMap,
  grafanaDashboard,
  prometheusRule,
  ruleFile,
} from '@capstan/observability';
import type { Io } from '../io.js';
import { formatObject } from '../output.js';
import { OBSERVED } from './components.js';

/** What may be said of rules. */
export interface RulesOptions {
  readonly plain?: boolean | undefined;
  readonly namespace: string;
  readonly runbookBase?: string | undefined;
  readonly output: 'json' | 'yaml';
}

/** What may be said of dashboards. */
export interface DashboardsOptions {
  readonly configMap?: boolean | undefined;
  readonly namespace: string;
  readonly output: 'json' | 'yaml';
}

/** Prints all rules. */
export async function runRules({ plain, namespace, runbookBase, output }: RulesOptions, io: Io): Promise<void> {
  const where = runbookBase === undefined ? {} : { runbookBase };
  const rules = plain === true ? ruleFile(OBSERVED, where) : prometheusRule(OBSERVED, { ...where, namespace });
  io.out(await formatObject(rules, output));
}

/** Prints all dashboards, one document after the other. */
export async function runDashboards({ configMap, namespace, output }: DashboardsOptions, io: Io): Promise<void> {
  for (const [at, dashboard] of assembleDashboards(OBSERVED).entries()) {
    const printed = configMap === true ? dashboardConfigMap(dashboard, namespace) : grafanaDashboard(dashboard);
    const separator = at > 0 && output === 'yaml' ? '---\n' : '';
    io.out(separator + (await formatObject(printed, output)));
  }
}
