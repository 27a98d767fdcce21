import { Option } from 'commander';
import type { Command } from 'commander';
import type { HypershiftCommandOptions } from '../operators/hypershift.js';
import { addClusterOptions, addExamples, eachText, someText, wholeNumber } from '../options.js';
import type { Context } from '../program.js';

const MOST_AT_ONCE = 1_000;
const WIDEST_SKEW = 10;
const LAST_PORT = 65_535;

/** `capstan operator` */
export function addOperator(program: Command, context: Context): void {
  const command = program
    .command('operator')
    .description(
      'Look after HostedClusters and NodePools of a management cluster: their control plane namespaces, control planes, Cluster API objects and the programs that make machines. Runs until interrupted.',
    )
    .option('-n, --namespace <name>', 'namespace of the operator, where its lease is', someText, 'hypershift')
    .option('--leader-elect', 'work only while holding the lease; needed where several run')
    .option('--metrics-bind-address <host:port>', 'where metrics are served; 0 for nowhere', someText, '0')
    .option(
      '--health-probe-bind-address <host:port>',
      'where /healthz and /readyz are served; 0 for nowhere',
      someText,
      '0',
    )
    .option('--hosted-clusters <number>', 'HostedClusters worked on at once', wholeNumber(1, MOST_AT_ONCE), 10)
    .option(
      '--node-pool-version-skew <minors>',
      'how many minor versions nodes may be behind their control plane',
      wholeNumber(0, WIDEST_SKEW),
      1,
    )
    .option(
      '--webhook-cert-dir <dir>',
      'folder of tls.crt and tls.key; NodePools are judged by a webhook where it is given',
      someText,
    )
    .option('--webhook-port <port>', 'where that webhook is served', wholeNumber(1, LAST_PORT), 9443)
    .option('--registry-override <from=to>', 'where images of a registry are kept instead; may be repeated', eachText)
    .option('--registry-ca-file <file>', "authorities of registries, besides the machine's own", someText)
    .option('-v, --verbose', 'log more than warnings and errors to standard error');
  addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'print one line when started, and nothing else').choices(['json']),
  );
  addExamples(command, [
    ['capstan operator', 'Look after the hosted clusters of the current context'],
    [
      'capstan operator --leader-elect --metrics-bind-address :9000',
      'Run as one of several, with metrics for Prometheus',
    ],
  ]);
  command.action(async (options: HypershiftCommandOptions) => {
    const { runHypershift } = await import('../operators/hypershift.js');
    await runHypershift(options, context.io);
  });
}
