import { Option } from 'commander';
import type { Command } from 'commander';
import type { FirstOptions, FleetOptions } from '../migration/fleet.js';
import type { PlanOptions } from '../migration/plan.js';
import type { RetryOptions } from '../migration/retry.js';
import type { RollbackOptions } from '../migration/rollback.js';
import type { StatusOptions } from '../migration/status.js';
import type { VerifyOptions } from '../migration/verify.js';
import { addClusterOptions, addExamples, addOutputOption, durationOption, someText } from '../options.js';
import type { Context } from '../context.js';
import { addRehearse } from './rehearse.js';
import { verdict } from './verdict.js';

/** `capstan migration` */
export function addMigration(program: Command, context: Context): void {
  const migration = program
    .command('migration')
    .description('Plan, follow, control and roll back migrations to private Cluster API types.');
  addExamples(migration, [
    ['capstan migration rehearse', 'Migrate a copy first, and see what would happen'],
    ['capstan migration plan', 'Check every cluster before the migration begins'],
    ['capstan migration status --watch', 'Follow the migration of the fleet'],
    ['capstan migration retry a', 'Migrate a cluster again after the cause of its failure is remedied'],
  ]);
  addRehearse(migration, context);
  addPlan(migration, context);
  addStatus(migration, context);
  addFleet(migration, context);
  addFirst(migration, context);
  addRetry(migration, context);
  addVerify(migration, context);
  addRollback(migration, context);
}

const NAMES = '[names...]';

/** `-n`: where names without a namespace are looked for. */
export function addHomeOption(command: Command): Command {
  return command.option(
    '-n, --namespace <name>',
    'namespace of HostedClusters that are named without one (default: clusters)',
    someText,
  );
}

function addStatus(migration: Command, context: Context): void {
  const command = migration
    .command('status')
    .summary('Print the migration state of each hosted cluster')
    .description(
      'Print the state of each HostedCluster, at which step its migration is and what it waits for. Reads HostedClusters alone. With --watch, prints changes until no cluster is left to migrate; on a terminal, a progress bar for each cluster and the time left.',
    )
    .argument(NAMES, 'HostedClusters as NAME or NAMESPACE/NAME (default: all)')
    .option('-n, --namespace <name>', 'only HostedClusters of this namespace (default: of all)', someText)
    .option('-w, --watch', 'keep running until no cluster is left to migrate');
  addOutputOption(addClusterOptions(command), ['json', 'yaml', 'wide', 'name']);
  addExamples(command, [
    ['capstan migration status', 'List all hosted clusters'],
    ['capstan migration status --watch', 'Follow the migration'],
    ['capstan migration status a -o wide', 'Show one cluster with the reason of its failure'],
    [
      'capstan migration status -o json | jq -r \'.[] | select(.state == "Failed") | .name\'',
      'List clusters whose migration failed',
    ],
  ]);
  command.action(async (names: readonly string[], options: StatusOptions) => {
    const { runStatus } = await import('../migration/status.js');
    await runStatus(names, options, context.io);
  });
}

function addOperatorNamespace(command: Command): Command {
  return addClusterOptions(
    command
      .option('--operator-namespace <name>', 'namespace of the operator', someText, 'hypershift')
      .option('--dry-run', 'let the server validate the change and change nothing'),
  );
}

/** Commands about all clusters. */
function addFleet(migration: Command, context: Context): void {
  const pause = migration
    .command('pause')
    .summary('Start no further migration')
    .description('Start no further migration. One that is in progress is completed.');
  addExamples(addOperatorNamespace(pause), [['capstan migration pause', 'Hold the migration of the fleet']]);
  pause.action(async (options: FleetOptions) => {
    const { runPause } = await import('../migration/fleet.js');
    await runPause(options, context.io);
  });
  const resume = migration.command('resume').description('Start migrations again after a pause or stop.');
  addExamples(addOperatorNamespace(resume), [['capstan migration resume', 'Resume the migration of the fleet']]);
  resume.action(async (options: FleetOptions) => {
    const { runResume } = await import('../migration/fleet.js');
    await runResume(options, context.io);
  });
  const stop = migration
    .command('stop')
    .summary('Start no further migration after the next one')
    .description(
      'Start no further migration after the one that is under way, or after the next one if none is. Resume with capstan migration resume.',
    );
  addExamples(addOperatorNamespace(stop), [['capstan migration stop', 'Migrate one cluster and then hold']]);
  stop.action(async (options: FleetOptions) => {
    const { runStop } = await import('../migration/fleet.js');
    await runStop(options, context.io);
  });
}

function addFirst(migration: Command, context: Context): void {
  const command = migration
    .command('first')
    .summary('Choose the hosted clusters that are migrated first')
    .description(
      'Choose the HostedClusters that are migrated before all others, such as canaries: by name, by label, or both. Replaces an earlier choice.',
    )
    .argument(NAMES, 'HostedClusters as NAME or NAMESPACE/NAME')
    .option('-l, --selector <selector>', 'label selector of HostedClusters', someText)
    .option('--clear', 'migrate by age again');
  addOperatorNamespace(addHomeOption(command));
  addExamples(command, [
    ['capstan migration first a test/b', 'Migrate two clusters first'],
    ['capstan migration first --selector tier=canary', 'Migrate all canaries first'],
    ['capstan migration first --clear', 'Migrate by age again'],
  ]);
  command.action(async (names: readonly string[], options: FirstOptions) => {
    const { runFirst } = await import('../migration/fleet.js');
    await runFirst(names, options, context.io);
  });
}

function addRetry(migration: Command, context: Context): void {
  const command = migration
    .command('retry')
    .summary('Migrate hosted clusters again whose migration failed')
    .description(
      'Remove the annotation migration-failed from HostedClusters, so that they are migrated again. Remedy the cause first: capstan migration plan.',
    )
    .argument('<names...>', 'HostedClusters as NAME or NAMESPACE/NAME')
    .option('--dry-run', 'let the server validate the change and change nothing');
  addClusterOptions(addHomeOption(command));
  addExamples(command, [['capstan migration retry a', 'Let a cluster be migrated again']]);
  command.action(async (names: readonly string[], options: RetryOptions) => {
    const { runRetry } = await import('../migration/retry.js');
    await runRetry(names, options, context.io);
  });
}

function addPlan(migration: Command, context: Context): void {
  const command = migration
    .command('plan')
    .summary('Check what the migration would do with each hosted cluster')
    .description(
      'Check each HostedCluster before its migration: whether it is eligible, which objects would be copied, which kinds have no private CRD, which copies the server would refuse, and how long it would take. Stores nothing.',
    )
    .argument(NAMES, 'HostedClusters as NAME or NAMESPACE/NAME (default: all)')
    .option('-n, --namespace <name>', 'only HostedClusters of this namespace (default: of all)', someText)
    .option('--no-dry-run', 'do not let the server validate the copies');
  addOutputOption(addClusterOptions(command), ['json', 'yaml', 'wide', 'name']);
  addExamples(command, [
    ['capstan migration plan', 'Check the whole fleet'],
    ['capstan migration plan a -o wide', 'Show the kinds and Deployments of one cluster'],
    [
      "capstan migration plan -o json | jq -r '.[] | select(.blockers != []) | .name, .blockers[]'",
      'List what blocks which cluster',
    ],
  ]);
  command.action(async (names: readonly string[], options: PlanOptions) => {
    const { runPlan } = await import('../migration/plan.js');
    await runPlan(names, options, context.io);
  });
}

function addVerify(migration: Command, context: Context): void {
  const command = migration
    .command('verify')
    .summary('Compare the objects of hosted clusters in both groups')
    .description(
      'Compare the Cluster API objects of HostedClusters in the standard and the private groups: missing and extra objects, fields that differ while both exist, and owners that do not exist. Exits with 0 when there is no difference, with 1 when there is one, and with 2 when there is no answer.',
    )
    .argument(NAMES, 'HostedClusters as NAME or NAMESPACE/NAME (default: all)')
    .option('-n, --namespace <name>', 'only HostedClusters of this namespace (default: of all)', someText)
    .addOption(new Option('-o, --output <format>', 'output format').choices(['json', 'yaml']));
  addClusterOptions(command);
  addExamples(command, [
    ['capstan migration verify a', 'Check one cluster after its migration'],
    ['capstan migration verify', 'Check the whole fleet'],
  ]);
  command.action(async (names: readonly string[], options: VerifyOptions) => {
    await verdict(context, async () => {
      const { runVerify } = await import('../migration/verify.js');
      return runVerify(names, options, context.io);
    });
  });
}

function addRollback(migration: Command, context: Context): void {
  const command = migration
    .command('rollback <name>')
    .summary('Return a migrated hosted cluster to standard types')
    .description(
      'Return a migrated HostedCluster to standard Cluster API types. Writes a backup, checks the seven prerequisites and, if all are met, has the operator carry it out: private controllers are stopped, their changes are carried back, and private objects are deleted last. May be interrupted: the operator goes on, and the same command follows it again. The cluster is not migrated again before capstan migration retry.',
    )
    .requiredOption(
      '--backup <folder>',
      'folder for the objects of the cluster, written before anything else',
      someText,
    )
    .option('--support-case <id>', 'support case under which the rollback is approved', someText)
    .option('--maintenance-window <text>', 'maintenance window announced to users of the cluster', someText)
    .option('-y, --yes', 'confirm support case and maintenance window without naming them')
    .option('--operator-namespace <name>', 'namespace of the operators', someText, 'hypershift')
    .addOption(durationOption('--timeout <duration>', 'how long to follow the rollback, 0 for ever', '0'))
    .option('--no-wait', 'do not follow the rollback')
    .option('--dry-run', 'check everything, write no backup and change nothing');
  addClusterOptions(addHomeOption(command));
  addExamples(command, [
    ['capstan migration rollback a --backup ./a --dry-run --yes', 'Check whether a cluster can be rolled back'],
    [
      "capstan migration rollback a --backup ./a --support-case 0123 --maintenance-window 'Sunday 02:00 UTC'",
      'Roll a cluster back and follow that to its end',
    ],
  ]);
  command.action(async (name: string, options: RollbackOptions) => {
    const { runRollback } = await import('../migration/rollback.js');
    await runRollback(name, options, context.io);
  });
}
