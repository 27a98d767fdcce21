import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS } from '@capstan/hosting';
import type { ObjectName } from '@capstan/hosting';
import type { Client } from '@capstan/kube';
import { CliError, UsageError } from '../errors.js';
import { hostedCluster, unlessKindIsUnknown } from '../hosted/cluster-access.js';
import type { ClusterOptions } from '../options.js';

/** What every command of the migration takes. */
export interface MigrationOptions extends ClusterOptions {
  readonly namespace?: string | undefined;
}

const DEFAULT_NAMESPACE = 'clusters';

/** Reads `NAME` or `NAMESPACE/NAME`. */
export function clusterName(text: string, { namespace = DEFAULT_NAMESPACE }: MigrationOptions): ObjectName {
  const parts = text.split('/');
  const [first = '', second] = parts;
  if (parts.length > 2 || first === '' || second === '')
    throw new UsageError(
      `${JSON.stringify(text)} is no name of a HostedCluster`,
      'write NAME or NAMESPACE/NAME, and list them with capstan migration status',
    );
  return second === undefined ? { namespace, name: first } : { namespace: first, name: second };
}

/** One HostedCluster; an error when it does not exist. */
export async function namedCluster(client: Client, text: string, options: MigrationOptions): Promise<HostedCluster> {
  const { name, namespace } = clusterName(text, options);
  return (await hostedCluster(client, namespace, name)) as HostedCluster;
}

/** The HostedClusters that are named, or all of the namespace, or all there are. */
export async function chosenClusters(
  client: Client,
  names: readonly string[],
  options: MigrationOptions,
  signal: AbortSignal,
): Promise<readonly HostedCluster[]> {
  if (names.length > 0) return Promise.all(names.map((name) => namedCluster(client, name, options)));
  const { namespace } = options;
  const { items } = await client
    .list<HostedCluster>(HOSTED_CLUSTERS, { ...(namespace === undefined ? {} : { namespace }), signal })
    .catch((error: unknown) => unlessKindIsUnknown(error));
  return items;
}

export function keyOf({ metadata: { name = '', namespace = '' } }: Pick<HostedCluster, 'metadata'>): string {
  return `${namespace}/${name}`;
}

/** Where a command has looked for clusters, for a message. */
export function placeOf({ namespace }: MigrationOptions): string {
  return namespace === undefined ? '' : ` in namespace ${namespace}`;
}

/** What a command that changes a cluster reports when it was changed meanwhile. */
export function changedMeanwhile(cluster: HostedCluster, cause: unknown): CliError {
  return new CliError(`HostedCluster ${keyOf(cluster)} was changed meanwhile`, 'run the command again', { cause });
}
