import { Option } from 'commander';
import type { Command } from 'commander';
import type { CapiOperatorOptions } from '../operators/capi.js';
import { addClusterOptions, addExamples, someText } from '../options.js';
import type { Context } from '../program.js';

/** `capstan capi-operator` */
export function addCapiOperator(program: Command, context: Context): void {
  const command = program
    .command('capi-operator')
    .description(
      'Install the definitions of Cluster API that the platform manages, require what it needs of those it does not, and say whether the cluster can be upgraded. Runs until interrupted.',
    )
    .option('-n, --namespace <name>', 'namespace of the operator', someText, 'openshift-cluster-api-operator')
    .option(
      '--transport-namespace <name>',
      "namespace of the transport config maps (default: the operator's)",
      someText,
    )
    .option('--platform <name>', 'platform of the cluster (default: as Infrastructure/cluster says)', someText)
    .option(
      '--feature-gates <gates>',
      'Name=true,Name=false (default: as FeatureGate/cluster says of the release)',
      someText,
    )
    .option('--release-version <version>', 'release that runs (default: $RELEASE_VERSION)', someText)
    .option('--leader-elect', 'work only while holding the lease; needed where several run')
    .option('--metrics-bind-address <host:port>', 'where metrics are served; 0 for nowhere', someText, '0')
    .option(
      '--health-probe-bind-address <host:port>',
      'where /healthz and /readyz are served; 0 for nowhere',
      someText,
      '0',
    )
    .option('-v, --verbose', 'log more than warnings and errors to standard error');
  addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'print one line when started, and nothing else').choices(['json']),
  );
  addExamples(command, [
    ['capstan capi-operator', 'Look after the definitions of the current context, an OpenShift'],
    [
      'capstan capi-operator --platform AWS --feature-gates ClusterAPIMachineManagementAWS=true',
      'The same on a cluster that has neither Infrastructure nor FeatureGate',
    ],
  ]);
  command.action(async (options: CapiOperatorOptions) => {
    const { runCapiOperator } = await import('../operators/capi.js');
    await runCapiOperator(options, context.io);
  });
}
