import { Option } from 'commander';
import type { Command } from 'commander';
import type { ConfigOperatorOptions, ControlPlaneCommandOptions } from '../operators/control-plane.js';
import { addClusterOptions, addExamples, eachText, someText } from '../options.js';
import type { Context } from '../program.js';

/** Options that both operators of a control plane have. */
function addServing(command: Command): Command {
  command
    .option('--metrics-bind-address <host:port>', 'where metrics are served; 0 for nowhere', someText, '0')
    .option(
      '--health-probe-bind-address <host:port>',
      'where /healthz and /readyz are served; 0 for nowhere',
      someText,
      '0',
    )
    .option('-v, --verbose', 'log more than warnings and errors to standard error');
  return addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'print one line when started, and nothing else').choices(['json']),
  );
}

/** `capstan control-plane-operator` */
export function addControlPlaneOperator(program: Command, context: Context): void {
  const command = program
    .command('control-plane-operator')
    .description(
      'Make control planes of HostedControlPlanes: components with their Deployments, keys and certificates, kubeconfigs, Services, and what is said of them in status. Runs until interrupted.',
    )
    .option('-n, --namespace <name>', 'the only namespace whose control planes are made (default: all)', someText)
    .option('--leader-elect', 'work only while holding a lease; needed where several run')
    .option('--registry-override <from=to>', 'where images of a registry are kept instead; may be repeated', eachText)
    .option('--image-override <name=image>', 'another image for a component of releases; may be repeated', eachText)
    .option('--registry-ca-file <file>', "authorities of registries, besides the machine's own", someText);
  addServing(command);
  addExamples(command, [
    ['capstan control-plane-operator', 'Make all control planes of the current context'],
    ['capstan control-plane-operator --namespace clusters-one', 'Make those of one namespace'],
  ]);
  command.action(async (options: ControlPlaneCommandOptions) => {
    const { runControlPlaneOperator } = await import('../operators/control-plane.js');
    await runControlPlaneOperator(options, context.io);
  });
}

/** `capstan hosted-cluster-config-operator` */
export function addConfigOperator(program: Command, context: Context): void {
  const command = program
    .command('hosted-cluster-config-operator')
    .description(
      'Look after one hosted cluster from beside its control plane: its ClusterVersion, the rights of its nodes, upgrades of nodes in place, labels and taints of nodes, and what it leaves in a cloud. Runs until interrupted.',
    )
    .requiredOption('-n, --namespace <name>', 'namespace of the control plane', someText)
    .requiredOption(
      '--target-kubeconfig <file>',
      'kubeconfig of the hosted cluster; commands and files in it are refused',
      someText,
    )
    .option('--hosted-control-plane <name>', 'the control plane, where the namespace has several', someText);
  addServing(command);
  addExamples(command, [
    [
      'capstan hosted-cluster-config-operator -n clusters-one --target-kubeconfig one.kubeconfig',
      'Look after a hosted cluster',
    ],
  ]);
  command.action(async (options: ConfigOperatorOptions) => {
    const { runConfigOperator } = await import('../operators/control-plane.js');
    await runConfigOperator(options, context.io);
  });
}
