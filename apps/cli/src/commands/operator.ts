import { Option } from 'commander';
import type { Command } from 'commander';
import type { HypershiftCommandOptions } from '../operators/hypershift.js';
import { addClusterOptions, addExamples, eachText, someText, wholeNumber } from '../options.js';
import type { Context } from '../context.js';

const MOST_AT_ONCE = 1_000;
const WIDEST_SKEW = 10;
const LAST_PORT = 65_535;

/** `capstan operator` */
export function addOperator(program: Command, context: Context): void {
  const command = program
    .command('operator')
    .summary('Run the operator that reconciles HostedClusters and NodePools')
    .description(
      'Reconcile the HostedClusters and NodePools of a management cluster: control plane namespaces, HostedControlPlanes, Cluster API objects and the controllers that create machines. Runs until interrupted.',
    )
    .option('-n, --namespace <name>', 'namespace of the operator and of its lease', someText, 'hypershift')
    .option('--leader-elect', 'reconcile only while holding the lease; needed with several replicas')
    .option('--metrics-bind-address <host:port>', 'address of the metrics endpoint; 0 disables it', someText, '0')
    .option(
      '--health-probe-bind-address <host:port>',
      'address of /healthz and /readyz; 0 disables them',
      someText,
      '0',
    )
    .option('--hosted-clusters <number>', 'HostedClusters reconciled at once', wholeNumber(1, MOST_AT_ONCE), 10)
    .option(
      '--node-pool-version-skew <minors>',
      'minor versions that nodes may lag behind their control plane',
      wholeNumber(0, WIDEST_SKEW),
      1,
    )
    .option(
      '--webhook-cert-dir <dir>',
      'folder of tls.crt and tls.key; if given, a webhook validates NodePools',
      someText,
    )
    .option('--webhook-port <port>', 'port of that webhook', wholeNumber(1, LAST_PORT), 9443)
    .option('--private-capi-types', 'run as the operator on private Cluster API types, next to one with --legacy')
    .option('--legacy', 'run as the operator on standard types for HostedClusters that are not migrated yet')
    .option(
      '--scope <name>',
      'reconcile only HostedClusters whose annotation hypershift.openshift.io/scope is this name',
    )
    .option(
      '--direct-kubeconfig <file>',
      'with --private-capi-types: kubeconfig of the server itself, without the proxy; default: that of the pod',
      someText,
    )
    .option('--registry-override <from=to>', 'pull images of one registry from another; may be repeated', eachText)
    .option('--registry-ca-file <file>', "CA bundle of registries, in addition to the machine's own", someText)
    .option('-v, --verbose', 'log at info level to standard error, not only warnings and errors');
  addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'print one line when started, and nothing else').choices(['json']),
  );
  addExamples(command, [
    ['capstan operator', 'Reconcile the hosted clusters of the current context'],
    [
      'capstan operator --leader-elect --metrics-bind-address :9000',
      'Run as one of several replicas, with metrics for Prometheus',
    ],
    ['capstan operator --legacy --leader-elect', 'Run next to an operator with --private-capi-types'],
  ]);
  command.action(async (options: HypershiftCommandOptions) => {
    const { runHypershift } = await import('../operators/hypershift.js');
    await runHypershift(options, context.io);
  });
}
