import { Option } from 'commander';
import type { Command } from 'commander';
import { addClusterOptions, addExamples, durationOption, eachText, someText, wholeNumber } from '../options.js';
import { passOn } from '../heap.js';
import type { Context } from '../context.js';
import type { ProxyCommandOptions } from '../proxy/run.js';

/** Longer bodies than this are refused in any case: MiB. */
const MAX_HELD_MIB = 256;

/** `capstan proxy` */
export function addProxy(program: Command, context: Context): void {
  const command = program
    .command('proxy')
    .summary('Run the API proxy that translates standard to private groups')
    .description(
      'Serve an API server under standard group names: clients use cluster.x-k8s.io, the server stores cluster.hypershift.openshift.io. Plain HTTP for clients on this machine, with the permissions of the kubeconfig or of the pod. Runs until interrupted.',
    )
    .option('--listen <address>', 'address to listen on, port 0 for any free one', someText, '127.0.0.1:8080')
    .option(
      '--health-listen <address>',
      'address of the health checks and metrics, - for none',
      someText,
      '127.0.0.1:0',
    );
  addClusterOptions(command)
    .option('--kubeconfig-out <file>', 'write a kubeconfig that points at the proxy', someText)
    .option(
      '--group-pair <standard=private>',
      'another standard group and its private name, in addition to those of Cluster API (repeatable)',
      eachText,
    )
    .option('--shared-group <group>', 'standard group that is not translated (repeatable)', eachText)
    .option(
      '--allow-host <name>',
      'host name, in addition to localhost, under which clients may call the proxy (repeatable)',
      eachText,
    )
    .option(
      '--listen-anywhere',
      'allow addresses that other machines can reach; every client then has the permissions of the proxy',
    )
    .addOption(
      durationOption('--response-timeout <duration>', 'time limit for the server to begin a response', '1m30s'),
    )
    .addOption(
      durationOption(
        '--linger-timeout <duration>',
        'time limit for clients to disconnect when the proxy is asked to stop; until then it serves them',
        '0s',
      ),
    )
    .addOption(durationOption('--drain-timeout <duration>', 'time limit for open requests when the proxy stops', '10s'))
    .option(
      '--held-response-limit <mebibytes>',
      'largest response that is buffered as a whole, as lists in protobuf are',
      wholeNumber(1, MAX_HELD_MIB),
      MAX_HELD_MIB,
    )
    .option(
      '--readyz-resource <group/version/resource[/namespace]>',
      'objects that /readyz/translation reads, of its own namespace or of the one given, * for all (default: found by its permissions)',
      someText,
    )
    .option('-v, --verbose', 'log at info level to standard error, not only warnings and errors')
    .addOption(new Option('-o, --output <format>', 'print one line when ready, and nothing else').choices(['json']));
  addExamples(command, [
    ['capstan proxy', 'Serve the current cluster on port 8080'],
    [
      'capstan proxy --listen 127.0.0.1:0 --kubeconfig-out ./kubeconfig',
      'Choose a free port and write a kubeconfig for it',
    ],
    ['capstan proxy --group-pair infra.example.com=infra.private.example.com', 'Translate another group as well'],
  ]);
  command.action(async (options: ProxyCommandOptions) => {
    // Before its modules are loaded, which would let the young generation grow: it never shrinks again.
    passOn(context.io);
    const { runProxy } = await import('../proxy/run.js');
    await runProxy(options, context.io);
  });
}
