import { Option } from 'commander';
import type { Command } from 'commander';
import { addExamples, auditLogMode, someText, wholeNumber } from '../options.js';
import type { Context } from '../context.js';
import type { UpOptions } from '../up/run.js';

const MAX_FLEET = 200;
const MAX_NODES = 1000;

/** `capstan up` */
export function addUp(program: Command, context: Context): void {
  const command = program
    .command('up')
    .summary('Start a management cluster with a small fleet')
    .description(
      'Start a management cluster with a small fleet in this process: an API server, nodes, a simulated cloud, the controllers of Cluster API and Machine API, and hosted clusters whose machines join. It reports ready once the API server answers and every operator runs; the fleet is created from then on, on standard Cluster API types, and then migrated live to private ones, one hosted cluster after the other. Runs until interrupted.',
    )
    .option('--hosted <number>', 'hosted clusters to run', wholeNumber(0, MAX_FLEET), 3)
    .option(
      '--fleet <number>',
      'clusters of Cluster API without a hosted control plane to run, on private types',
      wholeNumber(0, MAX_FLEET),
      0,
    )
    .option('--private', 'create hosted clusters on private Cluster API types')
    .option('--no-migrate', 'leave hosted clusters on standard Cluster API types')
    .option('--platform-capi', "run the platform's own Cluster API, on the standard groups")
    .option('--port <number>', 'port to listen on, 0 for any free one', wholeNumber(0, 65_535), 0)
    .option('--host <address>', 'address to listen on', someText, '127.0.0.1')
    .option('--data <directory>', 'keep everything in this directory (default: in memory, lost on exit)', someText)
    .option('--kubeconfig-out <file>', 'kubeconfig to write (default: a temporary file, deleted on exit)', someText)
    .option('--audit-log-path <file>', 'audit log: one line of JSON per request; - is standard output')
    .option('--audit-policy-file <file>', 'audit policy (default: metadata of every request)')
    .addOption(auditLogMode())
    .option('--nodes <number>', 'nodes to start with', wholeNumber(1, MAX_NODES), 1)
    .option('-v, --verbose', 'log to standard error instead of showing progress')
    .addOption(
      new Option('-o, --output <format>', 'print one line when the whole fleet is up, and nothing else').choices([
        'json',
      ]),
    );
  addExamples(command, [
    ['capstan up', 'Start it, and read what to try next'],
    ['capstan up --no-migrate', 'Start it as it is before its migration'],
    ['capstan up --hosted 10', 'Start it with ten hosted clusters'],
    ['capstan up --data ./data', 'Keep everything across restarts'],
    ['capstan up -o json --kubeconfig-out ./kubeconfig', 'Start it from a script'],
  ]);
  command.action(async (options: Omit<UpOptions, 'command'>) => {
    const { io } = context;
    // There is much to load before progress can be shown.
    if (io.isTty && options.output === undefined && options.verbose !== true) io.err('  … starting');
    const { runUp } = await import('../up/run.js');
    await runUp({ ...options, command: context.command }, io);
  });
}
