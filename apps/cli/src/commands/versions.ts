import { Option } from 'commander';
import type { Command } from 'commander';
import { addClusterOptions, addExamples, someText, wholeNumber } from '../options.js';
import type { Context } from '../context.js';
import type { VersionsOptions } from '../versions/run.js';

const WIDEST_SKEW = 10;

/** `capstan get versions` */
export function addVersions(get: Command, context: Context): void {
  const command = get
    .command('versions')
    .summary('Print the versions of the control planes of hosted clusters')
    .description(
      'Print the version of each hosted control plane, since when it runs, which versions its nodes may have, and how far the cluster as a whole has been upgraded.',
    )
    .option('-n, --namespace <name>', 'only hosted clusters of this namespace (default: of all)', someText)
    .option(
      '--below <version>',
      'only clusters whose control plane may still run something older than this, or is unknown',
      someText,
    )
    .option(
      '--node-pool-version-skew <minors>',
      'minor versions that nodes may lag behind, as configured in the operator',
      wholeNumber(0, WIDEST_SKEW),
      1,
    )
    .option('-w, --watch', 'keep running, and print a line for every change');
  addClusterOptions(command).addOption(new Option('-o, --output <format>', 'output format').choices(['json']));
  addExamples(command, [
    ['capstan get versions', 'List the versions of the fleet'],
    ['capstan get versions --below 4.20.1', 'List clusters that may lack a fix released in 4.20.1'],
    ['capstan get versions --watch', 'Follow an upgrade'],
    [
      'capstan get versions -o json | jq -r \'.[] | select(.state == "Partial") | .name\'',
      'List the clusters that are being upgraded',
    ],
  ]);
  command.action(async (options: VersionsOptions) => {
    const { runVersions } = await import('../versions/run.js');
    await runVersions(options, context.io);
  });
}
