import { Option } from 'commander';
import type { Command } from 'commander';
import { clientVersion } from '../client-version.js';
import type { InstallOptions } from '../install/options.js';
import { addClusterOptions, addExamples, durationOption, eachChoice, eachText, someText, webUrl } from '../options.js';
import type { Context } from '../context.js';

/** Listed here too: the components themselves take long to load. */
const COMPONENTS = ['hypershift', 'conversion-shim', 'crd-compatibility', 'capi-operator', 'machine-api', 'all'];

/** `capstan install` */
export function addInstall(program: Command, context: Context): void {
  const command = program
    .command('install')
    .summary('Install or uninstall a Capstan component in a cluster')
    .description(
      'Install a Capstan component in a cluster: CRDs, ServiceAccounts, RBAC and Deployments. The server tries every object first, so that nothing is half installed; run again, it upgrades what is there. Can also print the manifests, or uninstall the component.',
    )
    .addOption(component('install'))
    .option(
      '--private-capi-types',
      'hypershift: keep Cluster API objects in the private groups; existing hosted clusters are migrated',
    )
    .option(
      '--scope <name>',
      'hypershift: install a shard next to other operators, on standard types, for HostedClusters whose annotation hypershift.openshift.io/scope is this name',
      someText,
    )
    .option(
      '--crds-from <file>',
      'with --private-capi-types: file or directory of the standard CRDs to mirror (default: those of this version); may be repeated',
      eachText,
    )
    .option('-n, --namespace <name>', "namespace to install it in (default: the component's own)", someText)
    .option('--image <image>', 'image that has the capstan command', someText, `capstan:${clientVersion()}`)
    .option('--single-node', 'one replica and no PodDisruptionBudget, for a cluster of one node')
    .option('--service-monitor', 'add a ServiceMonitor and alerts, for the Prometheus operator')
    .option(
      '--runbook-base <url>',
      'base URL where you publish docs/operations/runbooks, which alerts link to (default: https://runbooks.invalid)',
      webUrl,
    )
    .option('--own-certificate', 'create a serving certificate, for a cluster without a service CA')
    .option(
      '--platform <name>',
      'capi-operator, machine-api: platform of a cluster without an Infrastructure object',
      someText,
    )
    .option(
      '--feature-gates <gates>',
      'capi-operator, machine-api: feature gates of a cluster without a FeatureGate object',
      someText,
    )
    .option('--release-version <version>', 'capi-operator: running release', someText)
    .option('--render', 'print what would be installed, and install nothing; connects to no cluster')
    .option('--dry-run', 'let the server validate everything, and change nothing')
    .option('--uninstall', 'the same as capstan uninstall')
    .option('--purge', 'with --uninstall: delete its CRDs too, and with them every object of those kinds')
    .option('--wait', 'wait until it is available', true)
    .option('--no-wait', 'do not wait until it is available')
    .addOption(durationOption('--timeout <duration>', 'how long to wait for each step', '5m'));
  addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'with --render: output format (default: "yaml")').choices(['json', 'yaml']),
  );
  addExamples(command, [
    ['capstan install', 'Host clusters, with the operator on standard Cluster API types'],
    ['capstan install --private-capi-types --dry-run', 'Check whether the cluster would accept private types'],
    ['capstan install --private-capi-types', 'Host clusters on private types, and migrate those that exist'],
    ['capstan install --component crd-compatibility', 'Check every change of a CRD'],
    ['capstan install --component crd-compatibility --render | kubectl apply -f -', 'Install it with kubectl'],
  ]);
  command.action(async (options: InstallOptions) => {
    const { runInstall } = await import('../install/run.js');
    await runInstall(options, context.io);
  });
}

/** `capstan uninstall` */
export function addUninstall(program: Command, context: Context): void {
  const command = program
    .command('uninstall')
    .summary('Uninstall a Capstan component from a cluster')
    .description(
      'Delete a Capstan component from a cluster, in the opposite order of installing. Its CRDs and their objects stay. Refused while there are hosted clusters that need the component.',
    )
    .addOption(component('uninstall'))
    .option('-n, --namespace <name>', "namespace that it is installed in (default: the component's own)", someText)
    .option('--scope <name>', 'hypershift: uninstall the shard of that name alone', someText)
    .option('--purge', 'delete its CRDs too, and with them every object of those kinds')
    .addOption(durationOption('--timeout <duration>', 'how long to wait for each Deployment to stop', '5m'));
  addClusterOptions(command);
  addExamples(command, [
    ['capstan uninstall', 'Stop hosting clusters'],
    ['capstan uninstall --component crd-compatibility', 'Uninstall the checker; no write is blocked meanwhile'],
  ]);
  command.action(async (options: Pick<InstallOptions, 'component' | 'namespace' | 'purge' | 'scope' | 'timeout'>) => {
    const { runInstall } = await import('../install/run.js');
    const rest = { uninstall: true, image: `capstan:${clientVersion()}`, wait: true } as const;
    await runInstall({ ...options, ...rest }, context.io);
  });
}

function component(verb: string): Option {
  return eachChoice('--component <name>', `component to ${verb} (default: hypershift); may be repeated`, COMPONENTS);
}
