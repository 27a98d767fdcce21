import type { Command } from 'commander';
import type { DumpOptions } from '../hosted/dump.js';
import { addClusterOptions, addExamples, someText, wholeNumber } from '../options.js';
import type { Context } from '../context.js';

const MOST_LINES = 10_000_000;

/** `capstan dump` */
export function addDump(program: Command, context: Context): void {
  const dump = program.command('dump').description('Collect the state of a hosted cluster for support.');
  addExamples(dump, [['capstan dump cluster a --artifact-dir ./a', 'Collect everything about a hosted cluster']]);
  const command = dump
    .command('cluster <name>')
    .summary('Collect objects, events and logs of a hosted cluster')
    .description(
      'Write everything about a hosted cluster into a folder: its objects and those of its control plane, of every kind, events, logs, and objects read from the hosted cluster itself. Secrets are reduced to their keys; tokens, passwords and private keys found elsewhere are blanked.',
    )
    .requiredOption('--artifact-dir <folder>', 'folder to write to', someText)
    .option('-n, --namespace <name>', 'namespace of the HostedCluster', someText, 'clusters')
    .option('--operator-namespace <name>', 'namespace of the operator', someText, 'hypershift')
    .option('--archive', 'also pack the folder into FOLDER.tar.gz')
    .option('--no-guest', 'do not connect to the hosted cluster itself')
    .option('--log-lines <number>', 'lines of each log, from the end', wholeNumber(0, MOST_LINES), 10_000);
  addClusterOptions(command);
  addExamples(command, [['capstan dump cluster a --artifact-dir ./a --archive', 'Pack it into one file']]);
  command.action(async (name: string, options: DumpOptions) => {
    const { runDump } = await import('../hosted/dump.js');
    await runDump(name, options, context.io);
  });
}
