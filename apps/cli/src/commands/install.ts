import { Option } from 'commander';
import type { Command } from 'commander';
import { clientVersion } from '../client-version.js';
import type { InstallOptions } from '../install/run.js';
import { addClusterOptions, addExamples, durationOption, eachChoice, someText } from '../options.js';
import type { Context } from '../context.js';

/** Listed here too: the components themselves take long to load. */
const COMPONENTS = ['crd-compatibility', 'capi-operator'];

/** `capstan install` */
export function addInstall(program: Command, context: Context): void {
  const command = program
    .command('install')
    .summary('Install or uninstall a Capstan component in a cluster')
    .description(
      'Install a Capstan component in a cluster: CRDs, ServiceAccount, RBAC and Deployment; once it is ready, it configures its own webhooks. Can also print the manifests, or uninstall the component.',
    )
    .addOption(
      eachChoice('--component <name>', 'component to install; may be repeated', COMPONENTS).makeOptionMandatory(),
    )
    .option('-n, --namespace <name>', "namespace to install it in (default: the component's own)", someText)
    .option('--image <image>', 'image that has the capstan command', someText, `capstan:${clientVersion()}`)
    .option('--single-node', 'one replica and no PodDisruptionBudget, for a cluster of one node')
    .option('--service-monitor', 'add a ServiceMonitor and alerts, for the Prometheus operator')
    .option('--own-certificate', 'create a serving certificate, for a cluster without a service CA')
    .option('--platform <name>', 'capi-operator: platform of a cluster without an Infrastructure object', someText)
    .option(
      '--feature-gates <gates>',
      'capi-operator: feature gates of a cluster without a FeatureGate object',
      someText,
    )
    .option('--release-version <version>', 'capi-operator: running release', someText)
    .option('--render', 'print what would be installed, and install nothing')
    .option('--dry-run', 'let the server validate everything, and change nothing')
    .option('--uninstall', 'delete the component; its CRDs and their objects stay')
    .option('--purge', 'with --uninstall: delete its CRDs too, and with them every object of those kinds')
    .option('--no-wait', 'do not wait until it is available')
    .addOption(durationOption('--timeout <duration>', 'how long to wait for each step', '5m'));
  addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'with --render: output format').choices(['json', 'yaml']).default('yaml'),
  );
  addExamples(command, [
    ['capstan install --component crd-compatibility', 'Check every change of a CRD'],
    ['capstan install --component crd-compatibility --render | kubectl apply -f -', 'Install it with kubectl'],
    [
      'capstan install --component crd-compatibility --uninstall',
      'Uninstall the checker; no write is blocked meanwhile',
    ],
  ]);
  command.action(async (options: InstallOptions) => {
    const { runInstall } = await import('../install/run.js');
    await runInstall(options, context.io);
  });
}
