import type { HostedCluster } from '@capstan/api/hypershift';
import { isPrivate, lockOf } from '@capstan/hosting';
import { NoVerdictError } from '../errors.js';
import { withCluster } from '../hosted/cluster-access.js';
import type { Io } from '../io.js';
import { formatObject } from '../output.js';
import { tableText } from '../text-table.js';
import { chosenClusters, keyOf, placeOf } from './clusters.js';
import type { MigrationOptions } from './clusters.js';
import { compareSides } from './compare.js';
import type { Difference } from './compare.js';
import { ObjectReader } from './objects.js';

/** `capstan migration verify`, as it was typed. */
export interface VerifyOptions extends MigrationOptions {
  readonly output?: 'json' | 'yaml' | undefined;
}

interface Verification {
  readonly cluster: string;
  /** Where its objects are: the group that its operator uses. */
  readonly types: 'private' | 'standard';
  readonly objects: number;
  readonly differences: readonly Difference[];
}

/** Compares both groups of a cluster; whether they are as they should be. */
export async function runVerify(names: readonly string[], options: VerifyOptions, io: Io): Promise<boolean> {
  return withCluster(options, io, async (client, signal) => {
    const reader = new ObjectReader(client);
    const clusters = await chosenClusters(client, names, options, signal);
    // 0 would be the answer that all is as it should be.
    if (clusters.length === 0)
      throw new NoVerdictError(
        `there are no hosted clusters${placeOf(options)}`,
        'name another cluster with --context, or another --namespace',
      );
    const found: Verification[] = [];
    for (const each of clusters) found.push(await verify(reader, each, signal));
    if (options.output === undefined) for (const each of found) io.out(verificationText(each));
    else io.out(await formatObject(found, options.output));
    return found.every(({ differences }) => differences.length === 0);
  });
}

async function verify(reader: ObjectReader, cluster: HostedCluster, signal: AbortSignal): Promise<Verification> {
  const [types, others] = isPrivate(cluster) ? (['private', 'standard'] as const) : (['standard', 'private'] as const);
  const own = await reader.inventory(cluster, types, signal);
  const other = await reader.inventory(cluster, others, signal);
  const isLocked = lockOf(cluster).holder !== 'nobody';
  const differences = compareSides({ own, other, isLocked }, reader.mapping);
  return { cluster: keyOf(cluster), types, objects: own.length, differences };
}

function verificationText({ cluster, differences, objects, types }: Verification): string {
  const count = differences.length;
  const result = count === 0 ? 'no difference' : `${count} difference${count === 1 ? '' : 's'}`;
  const heading = `${cluster}: ${objects} objects on ${types} types, ${result}\n`;
  if (count === 0) return heading;
  const rows = differences.map(({ kind, name, paths = [], what }) => [kind, name, what, paths.join(', ')]);
  return heading + tableText([['KIND', 'NAME', 'WHAT', 'FIELDS'], ...rows]);
}
