import { Option } from 'commander';
import type { Command } from 'commander';
import type { CapiOperatorOptions } from '../operators/capi.js';
import { addClusterOptions, addExamples, someText } from '../options.js';
import type { Context } from '../context.js';

/** `capstan capi-operator` */
export function addCapiOperator(program: Command, context: Context): void {
  const command = program
    .command('capi-operator')
    .summary('Run the operator that installs and guards the Cluster API CRDs')
    .description(
      'Install the Cluster API CRDs that the platform manages, create CompatibilityRequirements for those it does not manage, and report whether the cluster can be upgraded. Runs until interrupted.',
    )
    .option('-n, --namespace <name>', 'namespace of the operator', someText, 'openshift-cluster-api-operator')
    .option(
      '--transport-namespace <name>',
      "namespace of the transport config maps (default: the operator's)",
      someText,
    )
    .option('--platform <name>', 'platform of the cluster (default: from Infrastructure/cluster)', someText)
    .option(
      '--feature-gates <gates>',
      'Name=true,Name=false (default: from FeatureGate/cluster, for the running release)',
      someText,
    )
    .option('--release-version <version>', 'running release (default: $RELEASE_VERSION)', someText)
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
    ['capstan capi-operator', 'Manage the CRDs of the current context, an OpenShift cluster'],
    [
      'capstan capi-operator --platform AWS --feature-gates ClusterAPIMachineManagementAWS=true',
      'The same on a cluster without Infrastructure and FeatureGate objects',
    ],
  ]);
  command.action(async (options: CapiOperatorOptions) => {
    const { runCapiOperator } = await import('../operators/capi.js');
    await runCapiOperator(options, context.io);
  });
}
