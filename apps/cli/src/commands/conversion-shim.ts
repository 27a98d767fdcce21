import { Option } from 'commander';
import type { Command } from 'commander';
import type { ShimCommandOptions } from '../conversion-shim/run.js';
import { addClusterOptions, addExamples, durationOption, eachText, someText, wholeNumber } from '../options.js';
import type { Context } from '../context.js';

const MAX_REVIEWS = 10_000;
const MAX_MIB = 1024;

/** `capstan conversion-shim` */
export function addConversionShim(program: Command, context: Context): void {
  const command = program
    .command('conversion-shim')
    .summary('Run the conversion webhook of the private Cluster API CRDs')
    .description(
      'Serve the conversion webhook of the private Cluster API CRDs over TLS. A review is translated to the standard groups, converted by the webhook of the standard CRD (core kinds are converted here), checked, and translated back. Runs until interrupted.',
    )
    .requiredOption('--cert-dir <folder>', 'folder of tls.crt and tls.key; read again when they change', someText)
    .option('--host <address>', 'address to listen on', someText, '0.0.0.0')
    .option('--port <number>', 'port to listen on, 0 for any free one', wholeNumber(0, 65_535), 9443)
    .option('--health-host <address>', 'address to serve health checks and metrics on', someText, '0.0.0.0')
    .option(
      '--health-port <number>',
      'port to serve health checks and metrics on, 0 for any free one',
      wholeNumber(0, 65_535),
      8081,
    )
    .option(
      '--delegate <group=target>',
      'webhook that converts a group: an https URL, or a Service as namespace/name[:port][/path]; may be repeated',
      eachText,
    )
    .option(
      '--delegate-ca-file <file>',
      "CA bundle for webhooks whose CRD names none (default: the system's)",
      someText,
    )
    .addOption(
      durationOption(
        '--delegate-timeout <duration>',
        'time limit for a webhook to convert a review, retries included',
        '15s',
      ),
    )
    .option('--group-pair <standard=private>', 'another standard group and its private name; may be repeated', eachText)
    .option('--max-concurrent <number>', 'reviews converted at once', wholeNumber(1, MAX_REVIEWS), 32)
    .option(
      '--max-queued <number>',
      'reviews that wait; further ones get 503 with Retry-After',
      wholeNumber(0, MAX_REVIEWS),
      512,
    )
    .option('--max-review-mib <number>', 'size of the largest review', wholeNumber(1, MAX_MIB), 64)
    .option('-v, --verbose', 'log at info level to standard error, not only warnings and errors');
  addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'print one line when ready, and nothing else').choices(['json']),
  );
  addExamples(command, [
    ['capstan conversion-shim --cert-dir /etc/serving', 'Serve in a pod, with a certificate of the service CA'],
    [
      'capstan conversion-shim --cert-dir . --delegate infrastructure.cluster.x-k8s.io=capa-system/capa-webhook-service',
      'Convert all kinds of a group with one Service',
    ],
  ]);
  command.action(async (options: ShimCommandOptions) => {
    const { runConversionShim } = await import('../conversion-shim/run.js');
    await runConversionShim(options, context.io);
  });
}
