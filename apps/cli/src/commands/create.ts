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
import type { Context } from '../program.js';

const MOST_REPLICAS = 1_000;

/** `capstan create`; platforms are there when the command line asks for them. */
export function addCreate(program: Command, context: Context): void {
  const create = program.command('create').description('Create hosted clusters and pools of nodes.');
  addExamples(create, [
    ['capstan create cluster --help', 'See on which platforms'],
    [
      'capstan create cluster none --name a --base-domain example.com --release-image IMAGE --pull-secret pull.json',
      'Create a cluster without machines',
    ],
  ]);
  const cluster = create.command('cluster').description('Create a hosted cluster on a platform.');
  addExamples(cluster, [['capstan create cluster <platform> --help', 'See what a platform wants to know']]);
  const pool = create.command('nodepool').description('Create a pool of nodes of a hosted cluster.');
  addExamples(pool, [['capstan create nodepool <platform> --help', 'See what a platform wants to know']]);
  const platforms = [...(context.platforms ?? [])];
  for (const command of [cluster, pool]) refuseOthers(command, platforms);
  for (const platform of platforms) {
    addCluster(cluster, platform, context);
    addNodePool(pool, platform, context);
  }
}

/** What is no platform is named as such, whatever is said of it. */
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
    .option('--render', 'print what would be made instead of making it; Secrets are left out')
    .option('--render-into <file>', 'as --render, into a file')
    .option('--render-sensitive', 'with --render: print Secrets too')
    .option('--dry-run', 'let the server check everything and keep nothing');
  return addOutputOption(command, ['yaml', 'json', 'name']);
}

function addNamespace(command: Command): Command {
  return command.option('-n, --namespace <name>', 'namespace of the HostedCluster', someText, 'clusters');
}

function addPoolOptions(command: Command, { nodePools }: HostingPlatform): Command {
  return command
    .addOption(new Option('--arch <architecture>', 'architecture of the nodes').choices([...nodePools.architectures]))
    .addOption(
      new Option('--node-upgrade-type <type>', 'how nodes get another release')
        .choices(['Replace', 'InPlace'])
        .default('Replace'),
    )
    .option('--auto-repair', 'replace machines whose nodes are ill');
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

/** The flags without which a platform makes nothing, as an example shows them: ` --subnet-id ID`. */
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
    .description(`Create a hosted cluster on ${platform.type}: its Secrets, the HostedCluster and a pool of nodes.`)
    .requiredOption('--name <name>', 'name of the cluster', clusterName)
    .requiredOption('--base-domain <domain>', 'domain that names of the cluster are below', someText)
    .requiredOption('--release-image <image>', 'release the cluster runs', someText)
    .requiredOption('--pull-secret <file>', 'file with the pull secret for that release', someText);
  addNamespace(command)
    .option('--ssh-key <file>', 'file with the public key that may log in to nodes', someText)
    .option('--infra-id <id>', 'name of the infrastructure (default: the name and five random letters)', clusterName)
    .option('--node-pool-replicas <number>', 'nodes of the first pool', wholeNumber(0, MOST_REPLICAS), 2)
    .option('--no-node-pool', 'create no pool of nodes');
  addPoolOptions(command, platform);
  addControlPlaneOptions(command);
  addFlags(command, [...clusterFlags, ...nodePoolFlags]);
  command
    .option('--no-release-check', 'do not look for the release in its registry before anything is made')
    .option('--registry-ca-file <file>', 'authorities trusted for that registry beside those of the machine', someText);
  addRenderOptions(command)
    .option('--wait', 'wait until the cluster is available and, where it is to have nodes, its release rolled out')
    .addOption(durationOption('--timeout <duration>', 'with --wait: how long, 0 for ever', '30m'));
  addClusterOptions(command);
  addExamples(command, [
    [
      `capstan create cluster ${platform.key} --name a --base-domain example.com --release-image IMAGE --pull-secret pull.json${requiredFlags([...clusterFlags, ...nodePoolFlags])} --render`,
      'See what would be made',
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
      new Option('--infra-availability-policy <policy>', 'replicas of what runs on nodes')
        .choices(policies)
        .default('SingleReplica'),
    )
    .option('--etcd-storage-class <class>', 'storage class of etcd', someText)
    .option('--etcd-storage-size <amount>', 'size of the volume of etcd', someText, '8Gi')
    .option('--no-etcd-encryption', 'leave Secrets in etcd as they are')
    .addOption(
      new Option('--network-type <type>', 'network of pods')
        .choices(['OVNKubernetes', 'Calico', 'OpenShiftSDN', 'Other'])
        .default('OVNKubernetes'),
    )
    .option('--cluster-cidr <cidr>', 'network of pods (repeatable)', eachText)
    .option('--service-cidr <cidr>', 'network of services (repeatable)', eachText)
    .option('--machine-cidr <cidr>', 'network of machines (repeatable)', eachText)
    .option('--annotations <key=value>', 'annotation of the HostedCluster (repeatable)', keyValue)
    .option('--labels <key=value>', 'label of the HostedCluster (repeatable)', keyValue)
    .option('--paused-until <time>', 'true, or a moment until which nothing is done', someText)
    .option('--feature-set <name>', 'feature set of the cluster', someText)
    .option('--fips', 'nodes in FIPS mode');
}

function addNodePool(parent: Command, platform: HostingPlatform, context: Context): void {
  const { nodePoolFlags } = platform.create;
  const command = parent
    .command(platform.key)
    .description(`Create a pool of nodes of a hosted cluster on ${platform.type}.`)
    .requiredOption('--name <name>', 'name of the pool', clusterName)
    .requiredOption('--cluster-name <name>', 'name of the cluster', clusterName);
  addNamespace(command)
    .option('--replicas <number>', 'nodes of the pool', wholeNumber(0, MOST_REPLICAS), 2)
    .option('--release-image <image>', 'release of the nodes (default: that of the cluster)', someText)
    .option('--infra-id <id>', 'name of the infrastructure (default: that of the cluster)', clusterName);
  addPoolOptions(command, platform);
  addFlags(command, nodePoolFlags);
  addRenderOptions(command);
  addClusterOptions(command);
  addExamples(command, [
    [
      `capstan create nodepool ${platform.key} --cluster-name a --name more${requiredFlags(nodePoolFlags)} --replicas 3`,
      'Three more nodes for a cluster',
    ],
  ]);
  command.action(async (options: CreateNodePoolOptions) => {
    const { runCreateNodePool } = await import('../hosted/create-node-pool.js');
    await runCreateNodePool(platform, options, flagsOf(command, nodePoolFlags), context.io);
  });
}
