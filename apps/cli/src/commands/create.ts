import { Option } from 'commander';
import type { Command } from 'commander';
import type { CreateFlag, HostingPlatform } from '@capstan/provider';
import type { CreateClusterOptions } from '../hosted/create-cluster.js';
import type { CreateNodePoolOptions } from '../hosted/create-node-pool.js';
import { UsageError } from '../errors.js';
import { clusterName, keyValue } from '../hosted/names.js';
import {
  addClusterOptions,
  addExamples,
  addOutputOption,
  durationOption,
  eachText,
  someText,
  wholeNumber,
} from '../options.js';
import type { Context } from '../context.js';

const MOST_REPLICAS = 1_000;

/** `capstan create`; platforms are there when the command line asks for them. */
export function addCreate(program: Command, context: Context): void {
  const create = program.command('create').description('Create a hosted cluster or a node pool.');
  addExamples(create, [
    ['capstan create cluster --help', 'List the platforms'],
    [
      'capstan create cluster none --name a --base-domain example.com --release-image IMAGE --pull-secret pull.json',
      'Create a cluster without machines',
    ],
  ]);
  const cluster = create.command('cluster').description('Create a hosted cluster on a platform.');
  addExamples(cluster, [['capstan create cluster <platform> --help', 'List the options of a platform']]);
  const pool = create.command('nodepool').description('Add a node pool to a hosted cluster.');
  addExamples(pool, [['capstan create nodepool <platform> --help', 'List the options of a platform']]);
  const platforms = [...(context.platforms ?? [])];
  for (const command of [cluster, pool]) refuseOthers(command, platforms);
  for (const platform of platforms) {
    addCluster(cluster, platform, context);
    addNodePool(pool, platform, context);
  }
}

/** A word that is not a platform is named as such, whatever follows it. */
function refuseOthers(command: Command, platforms: readonly HostingPlatform[]): void {
  command
    .helpCommand(true)
    .usage('[options] [command]')
    .allowUnknownOption()
    .allowExcessArguments()
    .action((_options: unknown, { args: [named] }: Command) => {
      if (named === undefined || named.startsWith('-')) return command.help({ error: true });
      throw new UsageError(
        `${named} is no platform`,
        `choose one of ${platforms.map(({ key }) => key).join(', ')}: capstan create ${command.name()} <platform>`,
      );
    });
}

function addRenderOptions(command: Command): Command {
  command
    .option('--render', 'print the objects instead of creating them; Secrets are left out')
    .option('--render-into <file>', 'like --render, into a file')
    .option('--render-sensitive', 'with --render: print Secrets too')
    .option('--dry-run', 'let the server validate everything and store nothing');
  return addOutputOption(command, ['yaml', 'json', 'name']);
}

function addNamespace(command: Command): Command {
  return command.option('-n, --namespace <name>', 'namespace of the HostedCluster', someText, 'clusters');
}

function addPoolOptions(command: Command, { nodePools }: HostingPlatform): Command {
  return command
    .addOption(new Option('--arch <architecture>', 'architecture of the nodes').choices([...nodePools.architectures]))
    .addOption(
      new Option('--node-upgrade-type <type>', 'how nodes are upgraded')
        .choices(['Replace', 'InPlace'])
        .default('Replace'),
    )
    .option('--auto-repair', 'replace machines whose nodes are unhealthy');
}

function addFlags(command: Command, flags: readonly CreateFlag[]): void {
  for (const flag of flags)
    command.option(`--${flag.name} ${flag.value}`, `${flag.help}${needOf(flag, flags)}`, someText, flag.default);
}

function needOf({ isRequired, unless }: CreateFlag, flags: readonly CreateFlag[]): string {
  if (isRequired !== true) return '';
  const other = flags.find(({ name }) => name === unless);
  if (other === undefined) return ' (required)';
  return other.isRequired === true ? ` (default: that of --${other.name})` : ` (required without --${other.name})`;
}

/** The flags that a platform requires, as an example shows them: ` --subnet-id ID`. */
function requiredFlags(flags: readonly CreateFlag[]): string {
  const required = flags.filter(({ isRequired }) => isRequired === true);
  const names = new Set(required.map(({ name }) => name));
  return required
    .filter(({ unless }) => unless === undefined || !names.has(unless))
    .map(({ name, value }) => ` --${name} ${value.replaceAll(/[<>]/g, '').toUpperCase()}`)
    .join('');
}

/** What was typed for the flags of a platform, or their defaults; by the name of the flag. */
function flagsOf(command: Command, flags: readonly CreateFlag[]): Record<string, string> {
  const entries = flags.map(({ name }) => {
    const value: unknown = command.getOptionValue(new Option(`--${name} <value>`).attributeName());
    return [name, value] as const;
  });
  return Object.fromEntries(
    entries.filter((entry): entry is readonly [string, string] => typeof entry[1] === 'string'),
  );
}

function addCluster(parent: Command, platform: HostingPlatform, context: Context): void {
  const { clusterFlags, nodePoolFlags } = platform.create;
  const command = parent
    .command(platform.key)
    .description(`Create a hosted cluster on ${platform.type}: its Secrets, the HostedCluster and a NodePool.`)
    .requiredOption('--name <name>', 'name of the cluster', clusterName)
    .requiredOption('--base-domain <domain>', 'base DNS domain of the cluster', someText)
    .requiredOption('--release-image <image>', 'release image of the cluster', someText)
    .requiredOption('--pull-secret <file>', 'file with the pull secret for that release', someText);
  addNamespace(command)
    .option('--ssh-key <file>', 'file with the SSH public key that may log in to the nodes', someText)
    .option('--infra-id <id>', 'infrastructure ID (default: the name and five random letters)', clusterName)
    .option('--node-pool-replicas <number>', 'nodes of the first node pool', wholeNumber(0, MOST_REPLICAS), 2)
    .option('--no-node-pool', 'create no node pool');
  addPoolOptions(command, platform);
  addControlPlaneOptions(command);
  addFlags(command, [...clusterFlags, ...nodePoolFlags]);
  command
    .option('--no-release-check', 'do not look up the release in its registry first')
    .option('--registry-ca-file <file>', "CA bundle of that registry, in addition to the machine's own", someText);
  addRenderOptions(command)
    .option('--wait', 'wait until the cluster is available and, if it has nodes, its release is rolled out')
    .addOption(durationOption('--timeout <duration>', 'with --wait: how long to wait, 0 for ever', '30m'));
  addClusterOptions(command);
  addExamples(command, [
    [
      `capstan create cluster ${platform.key} --name a --base-domain example.com --release-image IMAGE --pull-secret pull.json${requiredFlags([...clusterFlags, ...nodePoolFlags])} --render`,
      'Print what would be created',
    ],
  ]);
  command.action(async (options: CreateClusterOptions) => {
    const { runCreateCluster } = await import('../hosted/create-cluster.js');
    await runCreateCluster(platform, options, flagsOf(command, [...clusterFlags, ...nodePoolFlags]), context.io);
  });
}

function addControlPlaneOptions(command: Command): void {
  const policies = ['SingleReplica', 'HighlyAvailable'];
  command
    .addOption(
      new Option('--control-plane-availability-policy <policy>', 'replicas of the control plane')
        .choices(policies)
        .default('HighlyAvailable'),
    )
    .addOption(
      new Option('--infra-availability-policy <policy>', 'replicas of the infrastructure workloads on the nodes')
        .choices(policies)
        .default('SingleReplica'),
    )
    .option('--etcd-storage-class <class>', 'storage class of etcd', someText)
    .option('--etcd-storage-size <amount>', 'size of the etcd volume', someText, '8Gi')
    .option('--no-etcd-encryption', 'do not encrypt Secrets in etcd')
    .addOption(
      new Option('--network-type <type>', 'pod network')
        .choices(['OVNKubernetes', 'Calico', 'OpenShiftSDN', 'Other'])
        .default('OVNKubernetes'),
    )
    .option('--cluster-cidr <cidr>', 'pod network CIDR (repeatable)', eachText)
    .option('--service-cidr <cidr>', 'service network CIDR (repeatable)', eachText)
    .option('--machine-cidr <cidr>', 'machine network CIDR (repeatable)', eachText)
    .option('--annotations <key=value>', 'annotation of the HostedCluster (repeatable)', keyValue)
    .option('--labels <key=value>', 'label of the HostedCluster (repeatable)', keyValue)
    .option('--paused-until <time>', 'pause reconciliation: true, or a time until which it is paused', someText)
    .option('--feature-set <name>', 'feature set of the cluster', someText)
    .option('--fips', 'run nodes in FIPS mode');
}

function addNodePool(parent: Command, platform: HostingPlatform, context: Context): void {
  const { nodePoolFlags } = platform.create;
  const command = parent
    .command(platform.key)
    .description(`Add a node pool to a hosted cluster on ${platform.type}.`)
    .requiredOption('--name <name>', 'name of the NodePool', clusterName)
    .requiredOption('--cluster-name <name>', 'name of the HostedCluster', clusterName);
  addNamespace(command)
    .option('--replicas <number>', 'nodes of the node pool', wholeNumber(0, MOST_REPLICAS), 2)
    .option('--release-image <image>', 'release image of the nodes (default: that of the cluster)', someText)
    .option('--infra-id <id>', 'infrastructure ID (default: that of the cluster)', clusterName);
  addPoolOptions(command, platform);
  addFlags(command, nodePoolFlags);
  addRenderOptions(command);
  addClusterOptions(command);
  addExamples(command, [
    [
      `capstan create nodepool ${platform.key} --cluster-name a --name more${requiredFlags(nodePoolFlags)} --replicas 3`,
      'Add three nodes to a cluster',
    ],
  ]);
  command.action(async (options: CreateNodePoolOptions) => {
    const { runCreateNodePool } = await import('../hosted/create-node-pool.js');
    await runCreateNodePool(platform, options, flagsOf(command, nodePoolFlags), context.io);
  });
}
