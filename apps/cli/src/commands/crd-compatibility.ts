import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { CheckerCommandOptions } from '../crd-compatibility/run.js';
import { addClusterOptions, addExamples, durationOption, someText, wholeNumber } from '../options.js';
import type { Context } from '../program.js';

/** `capstan crd-compatibility` */
export function addCrdCompatibility(program: Command, context: Context): void {
  const command = program
    .command('crd-compatibility')
    .description(
      'Serve the CRD compatibility checker: writes of CustomResourceDefinitions that would break somebody who has stated a CompatibilityRequirement are refused, with the reason and the owner, and so are objects that they would not understand. Every replica judges; one of them, the leader, writes webhook configurations and status. Runs until interrupted.',
    )
    .requiredOption(
      '--webhook-cert-dir <folder>',
      'folder of tls.crt and tls.key; read again when they change',
      someText,
    )
    .option('--webhook-host <address>', 'address to take reviews on', someText, '0.0.0.0')
    .option('--webhook-port <number>', 'port to take reviews on, 0 for any free one', wholeNumber(0, 65_535), 9443)
    .option(
      '--webhook-service <name>',
      'how API servers reach the replicas: a Service, as [namespace/]name[:port]',
      someText,
    )
    .option(
      '--webhook-url <url>',
      'or where they are reached (default without a Service: where this one listens)',
      someText,
    )
    .option(
      '--webhook-ca-file <file>',
      'authorities that API servers are to trust (default with a Service: those that the service CA puts in)',
      someText,
    )
    .option(
      '--static-webhook <boolean>',
      'false: have no definitions checked, and take the configuration for that away',
      trueOrFalse,
      true,
    )
    .option('-n, --namespace <name>', 'namespace of the Service and of the lease', someText, 'openshift-cluster-api')
    .option('--leader-elect', 'work only while holding a lease; needed where several run')
    .addOption(
      durationOption('--shutdown-delay <duration>', 'how long reviews are taken after the end was asked for', '5s'),
    )
    .option('--metrics-bind-address <host:port>', 'where metrics are served; 0 for nowhere', someText, '0')
    .option(
      '--health-probe-bind-address <host:port>',
      'where /healthz and /readyz are served; 0 for nowhere',
      someText,
      '0',
    )
    .option('-v, --verbose', 'log more than warnings and errors to standard error');
  addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'print one line when ready, and nothing else').choices(['json']),
  );
  addExamples(command, [
    [
      'capstan crd-compatibility --leader-elect --webhook-service crd-compatibility --webhook-cert-dir /etc/serving',
      'Check in a pod, with a certificate of the service CA',
    ],
    [
      'capstan crd-compatibility --webhook-cert-dir . --webhook-ca-file ca.crt --webhook-host 127.0.0.1',
      'Check beside an API server of this machine',
    ],
  ]);
  command.action(async (options: CheckerCommandOptions) => {
    const { runCrdCompatibility } = await import('../crd-compatibility/run.js');
    await runCrdCompatibility(options, context.io);
  });
}

function trueOrFalse(text: string): boolean {
  if (text !== 'true' && text !== 'false') throw new InvalidArgumentError('It must be true or false.');
  return text === 'true';
}
