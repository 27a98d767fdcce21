import { Option } from 'commander';
import type { Command } from 'commander';
import type { Context } from '../context.js';
import type { MachineApiCommandOptions } from '../operators/machine-api.js';
import { addClusterOptions, addExamples, someText } from '../options.js';

/** `capstan machine-api` */
export function addMachineApi(program: Command, context: Context): void {
  const command = program
    .command('machine-api')
    .summary('Run the operator that synchronizes Machine API and Cluster API')
    .description(
      'Mirror machines, machine sets and health checks between Machine API and Cluster API, and hand authority over when spec.authoritativeAPI is changed. Idle while the feature gate MachineAPIMigration is off. Runs until interrupted.',
    )
    .option('-n, --namespace <name>', 'namespace of the lease', someText, 'openshift-cluster-api')
    .option('--machine-api-namespace <name>', 'namespace of Machine API objects', someText, 'openshift-machine-api')
    .option('--cluster-api-namespace <name>', 'namespace of Cluster API objects', someText, 'openshift-cluster-api')
    .option('--platform <name>', 'platform of the cluster (default: from Infrastructure/cluster)', someText)
    .option('--feature-gates <gates>', 'Name=true,Name=false (default: from FeatureGate/cluster)', someText)
    .option('--leader-elect', 'reconcile only while holding the lease; needed with several replicas')
    .option('--metrics-bind-address <host:port>', 'address of the metrics endpoint; 0 disables it', someText, '0')
    .option(
      '--health-probe-bind-address <host:port>',
      'address of /healthz and /readyz; 0 disables them',
      someText,
      '0',
    )
    .option('-v, --verbose', 'log at info level to standard error, not only warnings and errors');
  addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'print one line when started, and nothing else').choices(['json']),
  );
  addExamples(command, [
    ['capstan machine-api', 'Synchronize the machines of the current context, an OpenShift cluster'],
    [
      'capstan machine-api --platform AWS --feature-gates MachineAPIMigration=true',
      'The same on a cluster without Infrastructure and FeatureGate objects',
    ],
  ]);
  command.action(async (options: MachineApiCommandOptions) => {
    const { runMachineApi } = await import('../operators/machine-api.js');
    await runMachineApi(options, context.io);
  });
}
