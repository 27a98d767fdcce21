import { Option } from 'commander';
import type { Command } from 'commander';
import type { ConfigOperatorOptions, ControlPlaneCommandOptions } from '../operators/control-plane.js';
import { addClusterOptions, addExamples, eachText, someText } from '../options.js';
import type { Context } from '../context.js';

/** Options of both control plane operators. */
function addServing(command: Command): Command {
  command
    .option('--metrics-bind-address <host:port>', 'address of the metrics endpoint; 0 disables it', someText, '0')
    .option(
      '--health-probe-bind-address <host:port>',
      'address of /healthz and /readyz; 0 disables them',
      someText,
      '0',
    )
    .option('-v, --verbose', 'log at info level to standard error, not only warnings and errors');
  return addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'print one line when started, and nothing else').choices(['json']),
  );
}

/** `capstan control-plane-operator` */
export function addControlPlaneOperator(program: Command, context: Context): void {
  const command = program
    .command('control-plane-operator')
    .summary('Run the operator that reconciles HostedControlPlanes')
    .description(
      'Reconcile HostedControlPlanes: the Deployments of their components, keys and certificates, kubeconfigs, Services and status. Runs until interrupted.',
    )
    .option('-n, --namespace <name>', 'reconcile only the control planes of this namespace (default: all)', someText)
    .option('--leader-elect', 'reconcile only while holding the lease; needed with several replicas')
    .option('--registry-override <from=to>', 'pull images of one registry from another; may be repeated', eachText)
    .option(
      '--image-override <name=image>',
      'use another image for a component of the release; may be repeated',
      eachText,
    )
    .option('--registry-ca-file <file>', "CA bundle of registries, in addition to the machine's own", someText);
  addServing(command);
  addExamples(command, [
    ['capstan control-plane-operator', 'Reconcile all control planes of the current context'],
    ['capstan control-plane-operator --namespace clusters-one', 'Reconcile those of one namespace'],
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
    .summary('Run the operator that configures one hosted cluster')
    .description(
      'Configure one hosted cluster from its control plane namespace: its ClusterVersion, the RBAC of its nodes, in-place upgrades, node labels and taints, and the cleanup of its cloud resources. Runs until interrupted.',
    )
    .requiredOption('-n, --namespace <name>', 'namespace of the control plane', someText)
    .requiredOption(
      '--target-kubeconfig <file>',
      'kubeconfig of the hosted cluster; one that runs commands or reads files is refused',
      someText,
    )
    .option('--hosted-control-plane <name>', 'the HostedControlPlane, if the namespace has several', someText);
  addServing(command);
  addExamples(command, [
    [
      'capstan hosted-cluster-config-operator -n clusters-one --target-kubeconfig one.kubeconfig',
      'Configure a hosted cluster',
    ],
  ]);
  command.action(async (options: ConfigOperatorOptions) => {
    const { runConfigOperator } = await import('../operators/control-plane.js');
    await runConfigOperator(options, context.io);
  });
}
