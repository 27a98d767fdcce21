import { Option } from 'commander';
import type { Command } from 'commander';
import type { ApiserverOptions } from '../apiserver/start.js';
import { addExamples, auditLogMode, durationMs, someText, wholeNumber } from '../options.js';
import type { Context } from '../context.js';

const MAX_EVENTS = 1_000_000;
const MAX_NODES = 1000;

/** `capstan apiserver` */
export function addApiserver(program: Command, context: Context): void {
  const command = program
    .command('apiserver')
    .summary('Start an embedded Kubernetes API server')
    .description(
      'Start an embedded Kubernetes API server over TLS and run until interrupted. When it is ready, it prints one line of JSON with its URL, kubeconfig, process ID and version.',
    )
    .option('--port <number>', 'port to listen on, 0 for any free one', wholeNumber(0, 65_535), 0)
    .option('--host <address>', 'address to listen on', someText, '127.0.0.1')
    .option('--data <directory>', 'keep the state in this directory (default: in memory, lost on exit)', someText)
    .option('--kubeconfig-out <file>', 'kubeconfig to write (default: a temporary file, deleted on exit)', someText)
    .addOption(
      new Option(
        '--token <token>',
        'bearer token of the administrator; other users of this machine can see it in process lists',
      )
        .argParser(someText)
        .conflicts('tokenFile'),
    )
    .option(
      '--token-file <file>',
      'file with the bearer token of the administrator (default: a random token, kept with --data)',
      someText,
    )
    .option('--client-ca-file <file>', 'CA bundle; client certificates it signed are accepted (CN: user, O: groups)')
    .option(
      '--service-account-signing-key-file <file>',
      'private key of service account tokens (default: a new one, kept with --data)',
    )
    .option('--audit-log-path <file>', 'audit log: one line of JSON per request; - is standard output')
    .option('--audit-policy-file <file>', 'audit policy (default: metadata of every request)')
    .addOption(auditLogMode())
    .option('--no-controllers', 'run neither controllers nor nodes')
    .option('--nodes <number>', 'nodes that run pods; with 0 every pod stays pending', wholeNumber(0, MAX_NODES), 1)
    .option('--enable-fault-injection', 'let administrators inject faults at /debug/faults')
    .option('--history-min-events <number>', 'watch events kept whatever their age', wholeNumber(0, MAX_EVENTS))
    .option('--history-min-age <duration>', 'how long watch events are kept', durationMs)
    .option('-v, --verbose', 'log what the server does to standard error');
  addExamples(command, [
    ['capstan apiserver', 'Start a server on a free port'],
    ['capstan apiserver --port 6443 --kubeconfig-out ./kubeconfig', 'Choose the port and the path of the kubeconfig'],
    ['capstan apiserver --data ./data', 'Keep the objects across restarts'],
    [
      'capstan apiserver --history-min-events 10 --history-min-age 0',
      'Drop watch events early, so that watches expire and restart',
    ],
  ]);
  command.action(async (options: ApiserverOptions) => {
    const { runApiserver } = await import('../apiserver/run.js');
    await runApiserver(options, context.io, context.command);
  });
}
