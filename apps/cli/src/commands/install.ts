import { Option } from 'commander';
import type { Command } from 'commander';
import { clientVersion } from '../client-version.js';
import type { InstallOptions } from '../install/run.js';
import { addClusterOptions, addExamples, durationOption, eachChoice, someText } from '../options.js';
import type { Context } from '../program.js';

/** Known here too: what can be installed is much to load. */
const COMPONENTS = ['crd-compatibility', 'capi-operator'];

/** `capstan install` */
export function addInstall(program: Command, context: Context): void {
  const command = program
    .command('install')
    .description(
      'Install programs of this project in a cluster: definitions, account and rights, Deployment; webhooks are configured last, by programs that answer. Or print all of it, or take it away again.',
    )
    .addOption(eachChoice('--component <name>', 'what to install; may be repeated', COMPONENTS).makeOptionMandatory())
    .option('-n, --namespace <name>', "namespace to install it in (default: the component's own)", someText)
    .option('--image <image>', 'image that has the capstan command', someText, `capstan:${clientVersion()}`)
    .option('--single-node', 'one replica and no disruption budget, for a cluster of one node')
    .option('--service-monitor', 'add a ServiceMonitor and alerts, where the Prometheus operator is')
    .option('--own-certificate', 'make a serving certificate, where the cluster has no service CA')
    .option('--platform <name>', 'capi-operator: platform of the cluster, where no Infrastructure says it', someText)
    .option('--feature-gates <gates>', 'capi-operator: gates, where no FeatureGate says them', someText)
    .option('--release-version <version>', 'capi-operator: release that runs', someText)
    .option('--render', 'print what would be installed, and install nothing')
    .option('--dry-run', 'let the server check everything, and change nothing')
    .option('--uninstall', 'take the component away; its definitions and their objects stay')
    .option('--purge', 'with --uninstall: its definitions too, and with them every object of theirs')
    .option('--no-wait', 'do not wait until it is available')
    .addOption(durationOption('--timeout <duration>', 'how long to wait for each step', '5m'));
  addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'with --render: output format').choices(['json', 'yaml']).default('yaml'),
  );
  addExamples(command, [
    ['capstan install --component crd-compatibility', 'Have changes of definitions checked'],
    ['capstan install --component crd-compatibility --render | kubectl apply -f -', 'Do it with kubectl'],
    ['capstan install --component crd-compatibility --uninstall', 'Take the checker away, and lock nobody out'],
  ]);
  command.action(async (options: InstallOptions) => {
    const { runInstall } = await import('../install/run.js');
    await runInstall(options, context.io);
  });
}
