import { Option } from 'commander';
import type { Command } from 'commander';
import type { Context } from '../context.js';
import type { CreateMirroredClusterOptions } from '../machine-api/create-cluster.js';
import type { DowngradeOptions } from '../machine-api/downgrade.js';
import type { RehearseOptions } from '../machine-api/rehearsal/run.js';
import type { StatusOptions } from '../machine-api/status.js';
import type { SwitchOptions } from '../machine-api/switch.js';
import type { MachineApiCommandOptions } from '../operators/machine-api.js';
import { addClusterOptions, addExamples, addOutputOption, durationOption, someText, wholeNumber } from '../options.js';
import { verdict } from './verdict.js';

const MOST_SEEDS = 1_000_000;

/** `capstan machine-api` */
export function addMachineApi(program: Command, context: Context): void {
  const command = program
    .command('machine-api')
    .summary('Move machines between Machine API and Cluster API')
    .description('Move machines between Machine API and Cluster API, and see which API is authoritative for each.');
  addExamples(command, [
    ['capstan machine-api status', 'Show every machine, both its copies, and what it waits for'],
    ['capstan machine-api switch workers --to ClusterAPI', 'Move a MachineSet and its machines, one machine first'],
    ['capstan machine-api rehearse', 'See what a switch would do, on a copy of the cluster'],
    ['capstan machine-api create-cluster', 'Create the Cluster that copies in Cluster API belong to'],
    ['capstan machine-api operator --leader-elect', 'Run the operator, as capstan install does'],
  ]);
  addStatus(command, context);
  addSwitch(command, context);
  addRehearse(command, context);
  addCreateCluster(command, context);
  addPrepareDowngrade(command, context);
  addOperator(command, context);
}

function addPlaces(command: Command): Command {
  return command
    .option('--machine-api-namespace <name>', 'namespace of Machine API objects', someText, 'openshift-machine-api')
    .option('--cluster-api-namespace <name>', 'namespace of Cluster API objects', someText, 'openshift-cluster-api');
}

function addStatus(parent: Command, context: Context): void {
  const command = parent
    .command('status')
    .summary('Print which API is authoritative for each machine, and what it waits for')
    .description(
      'Print each MachineSet with its machines: both copies, the authoritative API, the requested one, and what it waits for. With --watch, prints changes until every resource has the requested authority.',
    )
    .argument('[sets...]', 'MachineSets (default: everything)')
    .option('-w, --watch', 'keep running until no authority is being moved');
  addOutputOption(addClusterOptions(addPlaces(command)), ['json', 'yaml', 'wide', 'name']);
  addExamples(command, [
    ['capstan machine-api status', 'Show all machines'],
    ['capstan machine-api status workers --watch', 'Follow a MachineSet and its machines'],
    [
      "capstan machine-api status -o json | jq -r '.[] | select(.isSynchronized | not) | .name'",
      'List what is not synchronized',
    ],
  ]);
  command.action(async (sets: readonly string[], options: StatusOptions) => {
    const { runStatus } = await import('../machine-api/status.js');
    await runStatus(sets, options, context.io);
  });
}

function addSwitch(parent: Command, context: Context): void {
  const command = parent
    .command('switch')
    .summary('Move authority over machines to the other API')
    .description(
      'Set spec.authoritativeAPI of MachineSets and their machines, in three steps, each of which has to be complete before the next one begins: a few machines of each set, the sets, and all other machines. Everything is checked before the first is changed. Interrupting the command stops nothing that was asked.',
    )
    .argument('<names...>', 'MachineSets as NAME, others as machine/NAME or machinehealthcheck/NAME')
    .addOption(
      new Option('--to <api>', 'API that is to be authoritative')
        .choices(['ClusterAPI', 'MachineAPI'])
        .makeOptionMandatory(),
    )
    .option('--canary <number>', 'machines of each set that go first', wholeNumber(0, 1_000), 1)
    .option('--no-machines', 'leave the machines of a set where they are')
    .addOption(durationOption('--timeout <duration>', 'how long to wait for each step', '10m'))
    .option('--dry-run', 'let the server validate each change and change nothing');
  addClusterOptions(addPlaces(command));
  addExamples(command, [
    ['capstan machine-api switch workers --to ClusterAPI', 'Move a set and its machines'],
    ['capstan machine-api switch workers --to MachineAPI', 'Move them back'],
    ['capstan machine-api switch machine/workers-x7k2p --to ClusterAPI', 'Move one machine'],
  ]);
  command.action(async (names: readonly string[], options: SwitchOptions) => {
    const { runSwitch } = await import('../machine-api/switch.js');
    await runSwitch(names, options, context.io);
  });
}

function addRehearse(parent: Command, context: Context): void {
  const command = parent
    .command('rehearse')
    .summary('Switch machines in a copy of the cluster, and report what would happen')
    .description(
      'Copy the machines of both APIs into an embedded API server and switch them there with the same operator, in virtual time, by the steps of capstan machine-api switch: once without faults, and once from each seed with lost connections, conflicts and crashes of the controllers; each time back again. Reports for each set whether it would switch, what blocks it, and what is not as it was before. Only reads the cluster; values of Secrets are replaced as they are read. Exits with 0 when all would switch, with 1 when one would not, and with 2 when there is no answer.',
    )
    .argument('[names...]', 'MachineSets as NAME, others as machine/NAME (default: all MachineSets of Machine API)')
    .addOption(
      new Option('--to <api>', 'API that is to be authoritative')
        .choices(['ClusterAPI', 'MachineAPI'])
        .default('ClusterAPI'),
    )
    .option('--seeds <number>', 'how many seeds of faults', wholeNumber(0, MOST_SEEDS), 5)
    .option('--seed <number>', 'only that seed of faults', wholeNumber(0, MOST_SEEDS))
    .option(
      '--threads <number>',
      'rehearsals at once (default: as many as there are processors, 8 at most)',
      wholeNumber(1, 64),
    );
  addClusterOptions(addPlaces(command)).addOption(
    new Option('-o, --output <format>', 'output format').choices(['table', 'json', 'yaml']).default('table'),
  );
  addExamples(command, [
    ['capstan machine-api rehearse', 'Rehearse all MachineSets'],
    ['capstan machine-api rehearse workers --seeds 100', 'Rehearse one from 100 seeds'],
    ['capstan machine-api rehearse workers --seed 17', 'See one seed again'],
  ]);
  command.action(async (names: readonly string[], options: RehearseOptions) => {
    const { runRehearse } = await import('../machine-api/rehearsal/run.js');
    await verdict(context, () => runRehearse(names, options, context.io));
  });
}

function addCreateCluster(parent: Command, context: Context): void {
  const command = parent
    .command('create-cluster')
    .summary('Create the Cluster and infrastructure cluster that copies in Cluster API belong to')
    .description(
      'Create the Cluster of Cluster API and its infrastructure cluster, such as an AWSCluster, from Infrastructure/cluster and the Machines of the control plane. The infrastructure cluster is externally managed, and reported as ready: no controller creates anything in the cloud for it. Nothing is created when a value is missing, when Machines disagree about one, or when others have created either object. May be repeated.',
    )
    .addOption(
      new Option(
        '--dry-run <where>',
        'create nothing: decide by what is there (client), or validate too (server)',
      ).choices(['client', 'server']),
    );
  addOutputOption(addClusterOptions(addPlaces(command)), ['yaml', 'json']);
  addExamples(command, [
    ['capstan machine-api create-cluster --dry-run=client -o yaml', 'Print what would be created'],
    ['capstan machine-api create-cluster', 'Create both objects'],
  ]);
  command.action(async (options: CreateMirroredClusterOptions) => {
    const { runCreateMirroredCluster } = await import('../machine-api/create-cluster.js');
    await runCreateMirroredCluster(options, context.io);
  });
}

function addPrepareDowngrade(parent: Command, context: Context): void {
  const command = parent
    .command('prepare-downgrade')
    .summary('Give every machine back to Machine API, for a release without the operator')
    .description(
      'Move authority over everything to Machine API, stop the operator, and remove its policies and finalizers: a release without it could never delete the machines. Copies in Cluster API stay paused; what is in Cluster API alone is not touched. May be repeated.',
    )
    .addOption(durationOption('--timeout <duration>', 'how long to wait for each step', '10m'))
    .option('--dry-run', 'print what would be done, and change nothing');
  addClusterOptions(addPlaces(command));
  addExamples(command, [
    ['capstan machine-api prepare-downgrade --dry-run', 'See what would be done'],
    ['capstan machine-api prepare-downgrade', 'Prepare the downgrade, or uninstalling the operator'],
  ]);
  command.action(async (options: DowngradeOptions) => {
    const { runPrepareDowngrade } = await import('../machine-api/downgrade.js');
    await runPrepareDowngrade(options, context.io);
  });
}

function addOperator(parent: Command, context: Context): void {
  const command = parent
    .command('operator')
    .summary('Run the operator that synchronizes Machine API and Cluster API')
    .description(
      'Mirror machines, machine sets and health checks between Machine API and Cluster API, and hand authority over when spec.authoritativeAPI is changed. Idle while the feature gate MachineAPIMigration is off. Runs until interrupted.',
    )
    .option('-n, --namespace <name>', 'namespace of the lease', someText, 'openshift-cluster-api');
  addPlaces(command)
    .option('--platform <name>', 'platform of the cluster (default: from Infrastructure/cluster)', someText)
    .option('--feature-gates <gates>', 'Name=true,Name=false (default: from FeatureGate/cluster)', someText)
    .option('--leader-elect', 'reconcile only while holding the lease; needed with several replicas')
    .option('--metrics-bind-address <host:port>', 'address of the metrics endpoint; 0 disables it', someText, '0')
    .option(
      '--health-probe-bind-address <host:port>',
      'address of /healthz and /readyz; 0 disables them',
      someText,
      '0',
    )
    .option('-v, --verbose', 'log at info level to standard error, not only warnings and errors');
  addClusterOptions(command).addOption(
    new Option('-o, --output <format>', 'print one line when started, and nothing else').choices(['json']),
  );
  addExamples(command, [
    ['capstan machine-api operator', 'Synchronize the machines of the current context, an OpenShift cluster'],
    [
      'capstan machine-api operator --platform AWS --feature-gates MachineAPIMigration=true',
      'The same on a cluster without Infrastructure and FeatureGate objects',
    ],
  ]);
  command.action(async (options: MachineApiCommandOptions) => {
    const { runMachineApi } = await import('../operators/machine-api.js');
    await runMachineApi(options, context.io);
  });
}
