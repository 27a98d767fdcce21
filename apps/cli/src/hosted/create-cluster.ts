import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import type { CreateFlag, HostingPlatform } from '@capstan/provider';
import { CliError, UsageError } from '../errors.js';
import { unusable } from '../files.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { findHostedCluster, follow, withCluster } from './cluster-access.js';
import { makeAll } from './make-objects.js';
import { newInfraID } from './names.js';
import { clusterObjects } from './plan.js';
import type { ClusterPlan, PoolPlan } from './plan.js';
import { isRendered, renderObjects } from './render.js';
import type { RenderOptions } from './render.js';
import type { PreflightOptions } from './preflight.js';
import { isAvailable, progressOf } from './progress.js';

/** `capstan create cluster <platform>`, as it was typed, without the flags of the platform. */
export interface CreateClusterOptions extends ClusterOptions, PreflightOptions, RenderOptions {
  readonly name: string;
  readonly namespace: string;
  readonly baseDomain: string;
  readonly releaseImage: string;
  readonly pullSecret: string;
  readonly sshKey?: string | undefined;
  readonly infraId?: string | undefined;
  readonly nodePool: boolean;
  readonly nodePoolReplicas: number;
  readonly arch?: string | undefined;
  readonly nodeUpgradeType: string;
  readonly autoRepair?: boolean | undefined;
  readonly controlPlaneAvailabilityPolicy: string;
  readonly infraAvailabilityPolicy: string;
  readonly etcdStorageClass?: string | undefined;
  readonly etcdStorageSize: string;
  readonly etcdEncryption: boolean;
  readonly networkType: string;
  readonly clusterCidr?: readonly string[] | undefined;
  readonly serviceCidr?: readonly string[] | undefined;
  readonly machineCidr?: readonly string[] | undefined;
  readonly annotations?: Readonly<Record<string, string>> | undefined;
  readonly labels?: Readonly<Record<string, string>> | undefined;
  readonly pausedUntil?: string | undefined;
  readonly featureSet?: string | undefined;
  readonly fips?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  readonly wait?: boolean | undefined;
  readonly timeout: number;
}

/** Makes a hosted cluster, or prints what it would be made of. */
export async function runCreateCluster(
  platform: HostingPlatform,
  options: CreateClusterOptions,
  flags: Readonly<Record<string, string>>,
  io: Io,
): Promise<void> {
  const isPlanOnly = isRendered(options);
  if (isPlanOnly && (options.wait === true || options.dryRun === true))
    throw new UsageError('--render creates nothing', 'leave out --wait and --dry-run');
  const plan = await planOf(platform, options, flags);
  const objects = clusterObjects(platform, plan);
  if (isPlanOnly) return renderObjects(objects, options, io);
  await withCluster(options, io, async (client, signal) => {
    const { name, namespace } = plan;
    if ((await findHostedCluster(client, namespace, name)) !== undefined)
      throw new CliError(
        `HostedCluster ${name} is in namespace ${namespace} already`,
        'choose another --name, or destroy it first with capstan destroy cluster',
      );
    // Only here: what is printed needs neither the operator's rules nor a registry.
    const { preflight } = await import('./preflight.js');
    await preflight(client, plan, options);
    await makeAll(client, objects, options, io);
    if (options.wait !== true || options.dryRun === true) return;
    const what = `HostedCluster ${name}`;
    const hasNodes = platform.machineTemplate !== undefined && (plan.pool?.replicas ?? 0) > 0;
    await follow(io, { signal, timeoutMs: options.timeout, what, option: '--timeout' }, async () => {
      const cluster = await client.get(HOSTED_CLUSTERS, name, { namespace });
      return isAvailable(cluster, hasNodes) ? { done: true } : { progress: progressOf(cluster) };
    });
    io.err(`${what} is available\n`);
  });
}

async function planOf(
  platform: HostingPlatform,
  options: CreateClusterOptions,
  given: Readonly<Record<string, string>>,
): Promise<ClusterPlan> {
  const { name, namespace, releaseImage } = options;
  const { clusterFlags, nodePoolFlags } = platform.create;
  const flags = await withContents([...clusterFlags, ...nodePoolFlags], given);
  const infraID = options.infraId ?? newInfraID(name);
  const pool: PoolPlan = {
    name,
    clusterName: name,
    namespace,
    infraID,
    releaseImage,
    replicas: options.nodePoolReplicas,
    arch: options.arch,
    upgradeType: options.nodeUpgradeType,
    autoRepair: options.autoRepair === true,
    flags,
  };
  return {
    name,
    namespace,
    infraID,
    baseDomain: options.baseDomain,
    flags,
    releaseImage,
    pullSecret: await pullSecretOf(options.pullSecret),
    sshKey: options.sshKey === undefined ? undefined : await contentOf(options.sshKey, '--ssh-key'),
    encryptionKey: options.etcdEncryption ? randomBytes(32).toString('base64') : undefined,
    availability: options.controlPlaneAvailabilityPolicy,
    infraAvailability: options.infraAvailabilityPolicy,
    etcdStorageClass: options.etcdStorageClass,
    etcdStorageSize: options.etcdStorageSize,
    networkType: options.networkType,
    clusterCidrs: options.clusterCidr ?? [],
    serviceCidrs: options.serviceCidr ?? [],
    machineCidrs: options.machineCidr ?? [],
    annotations: options.annotations ?? {},
    labels: options.labels ?? {},
    pausedUntil: options.pausedUntil,
    featureSet: options.featureSet,
    fips: options.fips === true,
    pool: options.nodePool ? pool : undefined,
  };
}

/** What was typed, with the content of files in place of their names. */
export async function withContents(
  flags: readonly CreateFlag[],
  given: Readonly<Record<string, string>>,
): Promise<Record<string, string>> {
  const read = new Map(flags.filter(({ isFile }) => isFile === true).map(({ name }) => [name, `--${name}`]));
  const entries = Object.entries(given).map(async ([name, value]): Promise<readonly [string, string]> => {
    const flag = read.get(name);
    return [name, flag === undefined ? value : await contentOf(value, flag)];
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function contentOf(path: string, flag: string): Promise<string> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    throw unusable(flag.slice(2).replaceAll('-', ' '), path, error, `name a file that can be read with ${flag}`);
  }
}

async function pullSecretOf(path: string): Promise<string> {
  const text = (await contentOf(path, '--pull-secret')).trim();
  try {
    const { auths } = JSON.parse(text) as { auths?: unknown };
    if (typeof auths === 'object' && auths !== null) return text;
  } catch {
    // Reported below: whatever it is, it is no pull secret.
  }
  throw new UsageError(
    `${path} is no pull secret`,
    'give JSON with "auths", as registries hand it out, with --pull-secret',
  );
}
