import { Option } from 'commander';
import type { Command } from 'commander';
import type { ApiserverOptions } from '../apiserver/start.js';
import { addExamples, auditLogMode, durationMs, someText, wholeNumber } from '../options.js';
import type { Context } from '../program.js';

const MAX_EVENTS = 1_000_000;
const MAX_NODES = 1000;

/** `capstan apiserver` */
export function addApiserver(program: Command, context: Context): void {
  const command = program
    .command('apiserver')
    .description(
      'Start an embedded Kubernetes API server over TLS and run until interrupted. When it is ready it prints one line of JSON with url, kubeconfig, pid and version.',
    )
    .option('--port <number>', 'port to listen on, 0 for any free one', wholeNumber(0, 65_535), 0)
    .option('--host <address>', 'address to listen on', someText, '127.0.0.1')
    .option('--data <directory>', 'keep the state in this directory (default: in memory, gone at the end)', someText)
    .option('--kubeconfig-out <file>', 'kubeconfig to write (default: a temporary file, removed at the end)', someText)
    .addOption(
      new Option(
        '--token <token>',
        'bearer token of the administrator; others of this machine see it in lists of processes',
      )
        .argParser(someText)
        .conflicts('tokenFile'),
    )
    .option(
      '--token-file <file>',
      'file with the bearer token of the administrator (default: a random one, kept with --data)',
      someText,
    )
    .option('--client-ca-file <file>', 'also believe client certificates of these authorities (CN: user, O: groups)')
    .option(
      '--service-account-signing-key-file <file>',
      'private key of service account tokens (default: a new one, kept with --data)',
    )
    .option('--audit-log-path <file>', 'write one line of JSON for each request here, - for standard output')
    .option('--audit-policy-file <file>', 'what to write of which request (default: the metadata of all)')
    .addOption(auditLogMode())
    .option('--no-controllers', 'run neither controllers nor nodes')
    .option('--nodes <number>', 'nodes that run pods; with 0 they stay pending', wholeNumber(0, MAX_NODES), 1)
    .option('--enable-fault-injection', 'let administrators arm faults at /debug/faults')
    .option('--history-min-events <number>', 'events kept for watches whatever their age', wholeNumber(0, MAX_EVENTS))
    .option('--history-min-age <duration>', 'time that events are kept for watches', durationMs)
    .option('-v, --verbose', 'log what the server does to standard error');
  addExamples(command, [
    ['capstan apiserver', 'Start a server on a free port'],
    ['capstan apiserver --port 6443 --kubeconfig-out ./kubeconfig', 'Choose the port and where the kubeconfig goes'],
    ['capstan apiserver --data ./data', 'Keep the objects, and find them again at the next start'],
    [
      'capstan apiserver --history-min-events 10 --history-min-age 0',
      'Forget events soon, so that watches have to start over',
    ],
  ]);
  command.action(async (options: ApiserverOptions) => {
    const { runApiserver } = await import('../apiserver/run.js');
    await runApiserver(options, context.io);
  });
}
