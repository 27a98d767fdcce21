import { Option } from 'commander';
import type { Command } from 'commander';
import type { DashboardsOptions, RulesOptions } from '../observability/run.js';
import { addExamples, durationMs, eachChoice, someText } from '../options.js';
import type { Context } from '../program.js';

/** Where everything is installed when nobody says otherwise. */
const NAMESPACE = 'hypershift';

/** Known here too: what they declare is much to load. Named as `capstan install` names them, where it does. */
export const COMPONENTS = [
  'proxy',
  'conversion-shim',
  'hypershift',
  'control-plane',
  'crd-compatibility',
  'capi-operator',
] as const;
const ALL = 'all';

/** What every management cluster of hosted clusters runs. */
const EVERYWHERE = ['hypershift', 'control-plane'];

/** `capstan observability` */
export function addObservability(program: Command, context: Context): void {
  const command = program
    .command('observability')
    .description('Print what monitoring needs to watch over the programs of this project.')
    .helpCommand('help [command]', 'print help for a command');
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
    .description('Print the alerts: a PrometheusRule, or a rule file of Prometheus.')
    .addOption(
      components('whose alerts to print: those of components that run, or the alert that they are down fires').default(
        EVERYWHERE,
        EVERYWHERE.join(' and '),
      ),
    )
    .option('--plain', 'print a rule file, for a Prometheus that no operator looks after')
    .option('-n, --namespace <name>', 'namespace of the PrometheusRule', someText, NAMESPACE)
    .option(
      '--runbook-base <url>',
      'where the runbooks are published (default: docs/operations/runbooks, as in the repository)',
      someText,
    )
    .option('--upgrade-limit <duration>', 'how long an upgrade of a control plane may take (default: 2h)', durationMs);
  addFormat(command, 'yaml');
  addExamples(command, [
    ['capstan observability rules | kubectl apply -f -', 'Install the alerts where the Prometheus operator is'],
    [
      'capstan observability rules --component hypershift --component control-plane --component proxy --component conversion-shim',
      'The same where hosted clusters use private Cluster API types',
    ],
    ['capstan observability rules --plain > rules.yaml', 'Write a rule file of Prometheus'],
  ]);
  command.action(async (options: RulesOptions) => {
    const { runRules } = await import('../observability/run.js');
    await runRules(options, context.io);
  });
}

function addDashboards(parent: Command, context: Context): void {
  const command = parent
    .command('dashboards')
    .description('Print the dashboards for Grafana, one document each.')
    .argument(
      '[uid]',
      'the one to print: cluster-api-operator, crd-compatibility, hosted-clusters or private-cluster-api-types (default: all)',
    )
    .addOption(components('whose panels to print').default([ALL], ALL))
    .option('--config-map', 'print ConfigMaps, as the sidecar that loads dashboards looks for them')
    .option('-n, --namespace <name>', 'namespace of the ConfigMaps', someText, NAMESPACE);
  addFormat(command, 'json');
  addExamples(command, [
    ['capstan observability dashboards hosted-clusters > dashboard.json', 'Write a dashboard, to import it by hand'],
    [
      'capstan observability dashboards --config-map | kubectl apply -f -',
      'Install them where Grafana runs with its sidecar',
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
