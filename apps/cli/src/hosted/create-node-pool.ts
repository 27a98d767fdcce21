import type { Client } from '@capstan/kube';
import { fieldAt, textAt } from '@capstan/provider';
import type { HostingPlatform } from '@capstan/provider';
import { CliError, UsageError } from '../errors.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { hostedCluster, withCluster } from './cluster-access.js';
import { withContents } from './create-cluster.js';
import { makeAll } from './make-objects.js';
import { poolObject } from './plan.js';
import { isRendered, renderObjects } from './render.js';
import type { RenderOptions } from './render.js';

/** `capstan create nodepool <platform>`, as it was typed. */
export interface CreateNodePoolOptions extends ClusterOptions, RenderOptions {
  readonly name: string;
  readonly clusterName: string;
  readonly namespace: string;
  readonly replicas: number;
  readonly releaseImage?: string | undefined;
  readonly infraId?: string | undefined;
  readonly arch?: string | undefined;
  readonly nodeUpgradeType: string;
  readonly autoRepair?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
}

interface Parent {
  readonly releaseImage: string;
  readonly infraID: string;
}

/** Makes a pool of nodes, or prints it. */
export async function runCreateNodePool(
  platform: HostingPlatform,
  options: CreateNodePoolOptions,
  given: Readonly<Record<string, string>>,
  io: Io,
): Promise<void> {
  const { arch, autoRepair, clusterName, name, namespace, nodeUpgradeType, replicas } = options;
  const flags = await withContents(platform.create.nodePoolFlags, given);
  const common = { name, clusterName, namespace, replicas, arch, flags };
  const made = (parent: Parent): ReturnType<typeof poolObject> =>
    poolObject(platform, { ...common, ...parent, upgradeType: nodeUpgradeType, autoRepair: autoRepair === true });
  if (isRendered(options)) {
    const { infraId = clusterName, releaseImage } = options;
    if (releaseImage === undefined)
      throw new UsageError('--render asks no cluster', 'set the release of the nodes with --release-image');
    return renderObjects([made({ releaseImage, infraID: infraId })], options, io);
  }
  await withCluster(options, io, async (client) => {
    await makeAll(client, [made(await parentOf(client, platform, options))], options, io);
  });
}

/** What a pool takes from its cluster. */
async function parentOf(client: Client, platform: HostingPlatform, options: CreateNodePoolOptions): Promise<Parent> {
  const { clusterName, infraId, namespace, releaseImage } = options;
  const cluster = await hostedCluster(client, namespace, clusterName);
  const type = textAt(fieldAt(cluster, 'spec'), 'platform', 'type') ?? '';
  if (type !== platform.type)
    throw new CliError(
      `HostedCluster ${clusterName} is on ${type}, not on ${platform.type}`,
      'a pool is on the platform of its cluster: use that command',
    );
  return {
    releaseImage: releaseImage ?? textAt(cluster, 'spec', 'release', 'image') ?? '',
    infraID: infraId ?? textAt(cluster, 'spec', 'infraID') ?? clusterName,
  };
}
