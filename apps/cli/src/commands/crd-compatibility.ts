import { InvalidArgumentError, Option } from 'commander';
import type { Command } from 'commander';
import type { CheckerCommandOptions } from '../crd-compatibility/run.js';
import { addClusterOptions, addExamples, durationOption, someText, wholeNumber } from '../options.js';
import type { Context } from '../context.js';

/** `capstan crd-compatibility` */
export function addCrdCompatibility(program: Command, context: Context): void {
  const command = program
    .command('crd-compatibility')
    .summary('Run the CRD compatibility checker')
    .description(
      'Serve the CRD compatibility checker: it refuses writes of CustomResourceDefinitions that would break the owner of a CompatibilityRequirement, with the reason and the owner, and objects that such an owner could not read. Every replica answers reviews; the leader writes webhook configurations and status. Runs until interrupted.',
    );
  addWebhookOptions(command)
    .option(
      '--static-webhook <boolean>',
      'false: do not check CRDs, and delete the webhook configuration for it',
      trueOrFalse,
      true,
    )
    .option('-n, --namespace <name>', 'namespace of the Service and of the lease', someText, 'openshift-cluster-api')
    .option('--leader-elect', 'reconcile only while holding the lease; needed with several replicas')
    .addOption(
      durationOption(
        '--shutdown-delay <duration>',
        'how long reviews are still answered after a request to stop',
        '5s',
      ),
    )
    .option('--metrics-bind-address <host:port>', 'address of the metrics endpoint; 0 disables it', someText, '0')
    .option(
      '--health-probe-bind-address <host:port>',
      'address of /healthz and /readyz; 0 disables them',
      someText,
      '0',
    )
    .option('-v, --verbose', 'log at info level to standard error, not only warnings and errors');
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
      'Check for an API server on this machine',
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

/** Where the webhooks are served, and how API servers reach them. */
function addWebhookOptions(command: Command): Command {
  return command
    .requiredOption(
      '--webhook-cert-dir <folder>',
      'folder of tls.crt and tls.key; read again when they change',
      someText,
    )
    .option('--webhook-host <address>', 'address to serve the webhooks on', someText, '0.0.0.0')
    .option(
      '--webhook-port <number>',
      'port to serve the webhooks on, 0 for any free one',
      wholeNumber(0, 65_535),
      9443,
    )
    .option(
      '--webhook-service <name>',
      'Service through which API servers reach the replicas, as [namespace/]name[:port]',
      someText,
    )
    .option(
      '--webhook-url <url>',
      'URL at which API servers reach it (default without a Service: the address it listens on)',
      someText,
    )
    .option(
      '--webhook-ca-file <file>',
      'CA bundle for API servers to trust (default with a Service: injected by the service CA)',
      someText,
    );
}
