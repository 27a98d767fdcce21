import { Option } from 'commander';
import type { Command } from 'commander';
import type { RehearseOptions } from '../migration/rehearsal/run.js';
import { addClusterOptions, addExamples, eachText, someText, wholeNumber } from '../options.js';
import type { Context } from '../context.js';
import { verdict } from './verdict.js';

const MOST_SEEDS = 1_000_000;

/** `capstan migration rehearse` */
export function addRehearse(migration: Command, context: Context): void {
  const command = migration
    .command('rehearse')
    .summary('Migrate a copy of the hosted clusters, and report what would happen')
    .description(
      'Copy hosted clusters into an embedded API server and migrate them there with the same controller, in virtual time: once without faults, once with each step failing, and from each seed with lost connections, conflicts, crashes of the operator and slow Deployments; each time back again. Reports for each cluster whether it would migrate, what blocks it, and what is not as it was before. Only reads the management cluster; values of Secrets are replaced as they are read. Exits with 0 when all clusters would migrate, with 1 when one would not, and with 2 when there is no answer.',
    )
    .option('--from <folder>', 'read a folder of capstan dump cluster or must-gather instead of a cluster', someText)
    .option(
      '--cluster <name>',
      'HostedCluster to rehearse, as NAME or NAMESPACE/NAME (default: all); may be repeated',
      eachText,
    )
    .option('-l, --selector <selector>', 'label selector of HostedClusters', someText)
    .option('--seeds <number>', 'how many seeds of faults', wholeNumber(0, MOST_SEEDS), 10)
    .option('--seed <number>', 'only that seed of faults', wholeNumber(0, MOST_SEEDS))
    .option('--fail-at <step>', 'only a migration in which that step fails', someText)
    .option('--mirror', 'create missing private CRDs in the copy, as capstan crds mirror would')
    .option('--limit <step=duration>', 'how long a step may wait, as set for the operator; may be repeated', eachText)
    .option(
      '--threads <number>',
      'rehearsals at once (default: as many as there are processors, 8 at most)',
      wholeNumber(1, 64),
    )
    .option('--group-pair <standard=private>', 'groups beyond those of Cluster API; may be repeated', eachText);
  addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'output format').choices(['table', 'json', 'yaml']).default('table'),
  );
  addExamples(command, [
    ['capstan migration rehearse', 'Rehearse all clusters of the current context'],
    ['capstan migration rehearse --cluster clusters/a --seeds 100', 'Rehearse one cluster from 100 seeds'],
    ['capstan migration rehearse --from ./dump --mirror -o json', 'Rehearse what a dump holds, without a cluster'],
    ['capstan migration rehearse --cluster clusters/a --seed 17', 'See one seed again'],
  ]);
  command.action(async (options: RehearseOptions) => {
    const { runRehearse } = await import('../migration/rehearsal/run.js');
    await verdict(context, () => runRehearse(options, context.io));
  });
}
