import type { Command } from 'commander';
import { addClusterOptions, addExamples, addOutputOption } from '../options.js';
import type { Context } from '../context.js';
import type { VersionOptions } from '../version.js';

/** `capstan version` */
export function addVersion(program: Command, context: Context): void {
  const command = program
    .command('version')
    .description('Print the version of this program and of the API server.')
    .option('--client', 'print only the version of this program, without a server');
  addOutputOption(command, ['json', 'yaml']);
  addClusterOptions(command);
  addExamples(command, [
    ['capstan version', 'Print the versions of this program and of the current cluster'],
    ['capstan version --client -o json', 'Print the version of this program as JSON'],
  ]);
  command.action(async (options: VersionOptions) => {
    const { runVersion } = await import('../version.js');
    await runVersion(options, context.io);
  });
}
