import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { Informer, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { parseVersion } from '@capstan/release';
import type { ReleaseVersion } from '@capstan/release';
import { UsageError } from '../errors.js';
import { unlessKindIsUnknown, withCluster } from '../hosted/cluster-access.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { formatObject } from '../output.js';
import { isBelow, versionsOf, VersionTable } from './rows.js';
import type { ClusterVersions } from './rows.js';

/** `capstan get versions`, as it was typed. */
export interface VersionsOptions extends ClusterOptions {
  readonly namespace?: string | undefined;
  readonly below?: string | undefined;
  readonly nodePoolVersionSkew: number;
  readonly watch?: boolean | undefined;
  readonly output?: 'json' | undefined;
}

/** What is asked for. */
interface Question {
  readonly below: ReleaseVersion | undefined;
  readonly options: VersionsOptions;
}

/** Prints the versions of the control planes of hosted clusters. */
export async function runVersions(options: VersionsOptions, io: Io): Promise<void> {
  const question: Question = { below: limitOf(options.below), options };
  await withCluster(options, io, async (client, signal) => {
    const rows = await list(client, question, signal);
    const table = new VersionTable();
    if (options.output !== 'json') io.out(table.whole(rows, Date.now()));
    else if (options.watch !== true) io.out(await formatObject(rows, 'json'));
    if (rows.length === 0) io.err(`${nothingText(options)}\n`);
    if (options.watch === true) await watch(client, question, { io, table, printed: rows }, signal);
  });
}

function limitOf(text: string | undefined): ReleaseVersion | undefined {
  if (text === undefined) return undefined;
  const version = parseVersion(text);
  if (version !== undefined) return version;
  throw new UsageError(
    `--below ${JSON.stringify(text)} is no version such as 4.20.1`,
    "See 'capstan get versions --help' for usage.",
  );
}

function nothingText({ below, namespace }: VersionsOptions): string {
  const where = namespace === undefined ? '' : ` in namespace ${namespace}`;
  return below === undefined
    ? `There are no hosted clusters${where}`
    : `No control plane${where} may be running anything below ${below}`;
}

async function list(client: Client, question: Question, signal: AbortSignal): Promise<ClusterVersions[]> {
  const { namespace } = question.options;
  const within = namespace === undefined ? {} : { namespace };
  const { items } = await client
    .list<HostedCluster>(HOSTED_CLUSTERS, { ...within, signal })
    .catch((error: unknown) => unlessKindIsUnknown(error));
  return items.map((cluster) => answer(cluster, question)).filter((row) => row !== undefined);
}

function answer(cluster: HostedCluster, { below, options }: Question): ClusterVersions | undefined {
  const row = versionsOf(cluster, options.nodePoolVersionSkew);
  return below === undefined || isBelow(row, below) ? row : undefined;
}

/** Prints a line whenever something about a cluster becomes another, until it is stopped. */
async function watch(
  client: Client,
  question: Question,
  {
    io,
    table,
    printed,
  }: { readonly io: Io; readonly table: VersionTable; readonly printed: readonly ClusterVersions[] },
  signal: AbortSignal,
): Promise<void> {
  const { namespace, output } = question.options;
  const seen = new Map(printed.map((row) => [keyOf(row), JSON.stringify(row)]));
  const isJson = output === 'json';
  if (isJson) for (const text of seen.values()) io.out(`${text}\n`);
  const printChange = (cluster: HostedCluster): void => {
    const row = answer(cluster, question);
    const text = row === undefined ? undefined : JSON.stringify(row);
    const key = keyOf(cluster.metadata);
    if (text === undefined) seen.delete(key);
    if (row === undefined || text === undefined || seen.get(key) === text) return;
    seen.set(key, text);
    io.out(isJson ? `${text}\n` : table.row(row, Date.now()));
  };
  const informer = new Informer<HostedCluster>({
    client,
    clock: systemClock(),
    random: systemRandom(),
    logger: silentLogger(),
    resource: HOSTED_CLUSTERS,
    ...(namespace === undefined ? {} : { namespace }),
  });
  informer.addHandler({
    add: printChange,
    update: (_, cluster) => printChange(cluster),
    delete: (gone) => seen.delete(keyOf(gone.metadata)),
  });
  await informer.run(signal);
}

function keyOf({
  name = '',
  namespace = '',
}: {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
}): string {
  return `${namespace}/${name}`;
}
