import { Option } from 'commander';
import type { Command } from 'commander';
import type { DashboardsOptions, RulesOptions } from '../observability/run.js';
import { addExamples, durationMs, eachChoice, someText, webUrl } from '../options.js';
import type { Context } from '../context.js';

/** The default namespace. */
const NAMESPACE = 'hypershift';

/** Listed here too: their declarations take long to load. Same names as in `capstan install`, where both have one. */
export const COMPONENTS = [
  'proxy',
  'conversion-shim',
  'hypershift',
  'control-plane',
  'crd-compatibility',
  'capi-operator',
  'machine-api',
] as const;
const ALL = 'all';

/** What every management cluster of hosted clusters runs. */
const EVERYWHERE = ['hypershift', 'control-plane'];

/** `capstan observability` */
export function addObservability(program: Command, context: Context): void {
  const command = program
    .command('observability')
    .description('Print alerts and dashboards for Prometheus and Grafana.')
    .helpCommand('help [command]', 'Print help for a command');
  addRules(command, context);
  addDashboards(command, context);
  addExamples(command, [
    ['capstan observability rules | kubectl apply -f -', 'Install the alerts'],
    ['capstan observability dashboards hosted-clusters > dashboard.json', 'Write a dashboard for Grafana'],
  ]);
}

function addRules(parent: Command, context: Context): void {
  const command = parent
    .command('rules')
    .description('Print the alerts: a PrometheusRule, or a Prometheus rule file.')
    .addOption(
      components('components to print alerts for: only those that run, or the alert for their absence fires').default(
        EVERYWHERE,
        EVERYWHERE.join(' and '),
      ),
    )
    .option('--plain', 'print a rule file, for a Prometheus without the Prometheus operator')
    .option('-n, --namespace <name>', 'namespace of the PrometheusRule', someText, NAMESPACE)
    .option(
      '--runbook-base <url>',
      'base URL of the published runbooks, those of docs/operations/runbooks (default: https://runbooks.invalid)',
      webUrl,
    )
    .option('--upgrade-limit <duration>', 'how long an upgrade of a control plane may take (default: 2h)', durationMs);
  addFormat(command, 'yaml');
  addExamples(command, [
    ['capstan observability rules | kubectl apply -f -', 'Install the alerts for the Prometheus operator'],
    [
      'capstan observability rules --component hypershift --component control-plane --component proxy --component conversion-shim',
      'The same for hosted clusters on private Cluster API types',
    ],
    ['capstan observability rules --plain > rules.yaml', 'Write a Prometheus rule file'],
  ]);
  command.action(async (options: RulesOptions) => {
    const { runRules } = await import('../observability/run.js');
    await runRules(options, context.io);
  });
}

function addDashboards(parent: Command, context: Context): void {
  const command = parent
    .command('dashboards')
    .description('Print the Grafana dashboards, one document each.')
    .argument(
      '[uid]',
      'dashboard to print: cluster-api-operator, crd-compatibility, hosted-clusters or private-cluster-api-types (default: all)',
    )
    .addOption(components('components whose panels to print').default([ALL], ALL))
    .option('--config-map', 'print ConfigMaps, for the sidecar of Grafana that loads dashboards')
    .option('-n, --namespace <name>', 'namespace of the ConfigMaps', someText, NAMESPACE);
  addFormat(command, 'json');
  addExamples(command, [
    ['capstan observability dashboards hosted-clusters > dashboard.json', 'Write a dashboard to import by hand'],
    [
      'capstan observability dashboards --config-map | kubectl apply -f -',
      'Install them for a Grafana with the dashboard sidecar',
    ],
  ]);
  command.action(async (uid: string | undefined, options: DashboardsOptions) => {
    const { runDashboards } = await import('../observability/run.js');
    await runDashboards(uid, options, context.io);
  });
}

function components(description: string): Option {
  return eachChoice('--component <name>', `${description}; may be repeated`, [...COMPONENTS, ALL]);
}

function addFormat(command: Command, otherwise: 'json' | 'yaml'): void {
  command.addOption(new Option('-o, --output <format>', 'output format').choices(['json', 'yaml']).default(otherwise));
}
