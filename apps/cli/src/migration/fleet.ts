import {
  FLEET_CONFIG_MAP,
  HELD,
  HELD_AFTER_NEXT,
  HOSTED_CLUSTERS,
  lockOf,
  MANUAL_ROLLBACK,
  rollbackOf,
} from '@capstan/hosting';
import type { HostedCluster } from '@capstan/api/hypershift';
import type { Client, ResourceKind } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import { CliError, UsageError } from '../errors.js';
import { unlessKindIsUnknown, withCluster } from '../hosted/cluster-access.js';
import type { Io } from '../io.js';
import { keyOf, namedCluster } from './clusters.js';
import type { MigrationOptions } from './clusters.js';
import { readSelector } from './selector.js';

/** What the commands that order the migration of a fleet take. */
export interface FleetOptions extends MigrationOptions {
  /** Of the operator. */
  readonly operatorNamespace: string;
  readonly dryRun?: boolean | undefined;
}

export interface FirstOptions extends FleetOptions {
  readonly selector?: string | undefined;
  readonly clear?: boolean | undefined;
}

const CONFIG_MAPS: ResourceKind = {
  group: '',
  version: 'v1',
  plural: 'configmaps',
  namespaced: true,
  kind: 'ConfigMap',
};

/** Starts no further migration. */
export async function runPause(options: FleetOptions, io: Io): Promise<void> {
  await withCluster(options, io, async (client, signal) => {
    await order(client, options, { hold: HELD });
    const locked = await underWay(client, signal);
    const rest = locked === undefined ? '' : `; that of ${locked} in progress is completed`;
    io.out(`migrations are paused${rest}\n`);
  });
}

/** Starts migrations again. */
export async function runResume(options: FleetOptions, io: Io): Promise<void> {
  await withCluster(options, io, async (client) => {
    await order(client, options, { hold: null });
    io.out('migrations are resumed\n');
  });
}

/** Starts no further migration after the one under way, or after the next one if there is none. */
export async function runStop(options: FleetOptions, io: Io): Promise<void> {
  await withCluster(options, io, async (client, signal) => {
    const locked = await underWay(client, signal);
    await order(client, options, { hold: locked === undefined ? HELD_AFTER_NEXT : HELD });
    io.out(`migrations stop after ${locked ?? 'the next cluster'}\n`);
  });
}

/** Orders which clusters are migrated before all others. */
export async function runFirst(names: readonly string[], options: FirstOptions, io: Io): Promise<void> {
  const { clear, selector } = options;
  if (clear !== true && names.length === 0 && selector === undefined)
    throw new UsageError(
      'name the HostedClusters that go first, or select them with --selector',
      "See 'capstan migration first --help' for usage.",
    );
  // The operator reads it: here it is only checked.
  if (selector !== undefined) readSelector(selector);
  await withCluster(options, io, async (client) => {
    const clusters = await Promise.all(names.map((name) => namedCluster(client, name, options)));
    const first = clusters.map(keyOf);
    await order(client, options, { first: first.length === 0 ? null : first.join(','), selector: selector ?? null });
    const which = [...first, ...(selector === undefined ? [] : [`those with ${selector}`])];
    io.out(which.length === 0 ? 'clusters are migrated by age\n' : `migrated first: ${which.join(', ')}\n`);
  });
}

/** `namespace/name` of the cluster that is being migrated; a rollback by hand is no migration of the order. */
async function underWay(client: Client, signal: AbortSignal): Promise<string | undefined> {
  const { items } = await client
    .list<HostedCluster>(HOSTED_CLUSTERS, { signal })
    .catch((error: unknown) => unlessKindIsUnknown(error));
  const locked = items.find(
    (cluster) => lockOf(cluster).holder === 'migration' && rollbackOf(cluster)?.reason !== MANUAL_ROLLBACK,
  );
  return locked === undefined ? undefined : keyOf(locked);
}

/** Writes the order where the operator reads it. */
async function order(
  client: Client,
  { dryRun, operatorNamespace: namespace }: FleetOptions,
  data: Readonly<Record<string, string | null>>,
): Promise<void> {
  const options = { namespace, dryRun };
  try {
    await client.patch(CONFIG_MAPS, FLEET_CONFIG_MAP, { type: 'merge', value: { data } }, options);
    return;
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
  const given = Object.fromEntries(Object.entries(data).filter(([, value]) => value !== null));
  const metadata = { name: FLEET_CONFIG_MAP, namespace };
  try {
    await client.create(CONFIG_MAPS, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: given }, { dryRun });
  } catch (error) {
    if (!isNotFound(error)) throw error;
    throw new CliError(
      `there is no namespace ${namespace}, in which the operator would read this`,
      'name the namespace of the operator with --operator-namespace',
      { cause: error },
    );
  }
}
