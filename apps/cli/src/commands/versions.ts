import { Option } from 'commander';
import type { Command } from 'commander';
import { addClusterOptions, addExamples, someText, wholeNumber } from '../options.js';
import type { Context } from '../program.js';
import type { VersionsOptions } from '../versions/run.js';

const WIDEST_SKEW = 10;

/** `capstan get versions` */
export function addVersions(get: Command, context: Context): void {
  const command = get
    .command('versions')
    .description(
      'Print which versions the control planes of hosted clusters have, since when, what their nodes may have, and how far each cluster is as a whole.',
    )
    .option('-n, --namespace <name>', 'only hosted clusters of this namespace; default: of all', someText)
    .option(
      '--below <version>',
      'only clusters of whose control plane some part may be running something older than this, or nobody can tell',
      someText,
    )
    .option(
      '--node-pool-version-skew <minors>',
      'how many minor versions nodes may be behind, as the operator was told',
      wholeNumber(0, WIDEST_SKEW),
      1,
    )
    .option('-w, --watch', 'go on, and print a line whenever something becomes another');
  addClusterOptions(command).addOption(new Option('-o, --output <format>', 'output format').choices(['json']));
  addExamples(command, [
    ['capstan get versions', 'Which versions the fleet has'],
    ['capstan get versions --below 4.20.1', 'Which clusters may still lack a fix that came with 4.20.1'],
    ['capstan get versions --watch', 'Follow an upgrade'],
    [
      'capstan get versions -o json | jq -r \'.[] | select(.state == "Partial") | .name\'',
      'Names of those that are on their way',
    ],
  ]);
  command.action(async (options: VersionsOptions) => {
    const { runVersions } = await import('../versions/run.js');
    await runVersions(options, context.io);
  });
}
