import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@capstan/kube';
import { CliError } from '../errors.js';
import { withCluster } from '../hosted/cluster-access.js';
import type { Io } from '../io.js';
import type { OutputFormat } from '../options.js';
import { formatObject } from '../output.js';
import { readResources } from './read.js';
import type { MachineApiPlaces } from './read.js';
import { isSettled } from './resource.js';
import type { ResourceStatus } from './resource.js';
import { authorityText, inTree, nameOf, treeText, waitingText } from './tree.js';

/** `capstan machine-api status`, as it was typed. */
export interface StatusOptions extends MachineApiPlaces {
  readonly watch?: boolean | undefined;
  readonly output?: OutputFormat | undefined;
}

const EVERY_MS = 2_000;

/** Prints both copies of each resource, who is authoritative, and what each waits for. */
export async function runStatus(sets: readonly string[], options: StatusOptions, io: Io): Promise<void> {
  await withCluster(options, io, async (client, signal) => {
    const first = await chosen(client, sets, options);
    if (first.length === 0) io.err('There are no machines\n');
    await print(first, options, io);
    if (options.watch === true) await watch(client, { first, sets, options, io, signal });
  });
}

/** All, or those of some sets. */
export async function chosen(
  client: Client,
  sets: readonly string[],
  places: MachineApiPlaces,
): Promise<readonly ResourceStatus[]> {
  const all = inTree(await readResources(client, places));
  if (sets.length === 0) return all;
  for (const name of sets)
    if (!all.some((each) => each.kind === 'MachineSet' && each.name === name))
      throw new CliError(`there is no MachineSet ${name}`, 'list them with capstan machine-api status');
  const wanted = new Set(sets);
  return all.filter(({ kind, name, set }) => (kind === 'MachineSet' ? wanted.has(name) : wanted.has(set ?? '')));
}

async function print(rows: readonly ResourceStatus[], { output }: StatusOptions, io: Io): Promise<void> {
  if (output === 'json' || output === 'yaml') io.out(await formatObject(rows, output));
  else if (output === 'name') for (const row of rows) io.out(`${nameOf(row)}\n`);
  else if (rows.length > 0) io.out(treeText(rows, Date.now(), io.isTty && output !== 'wide' ? io.columns : undefined));
}

interface Watch {
  readonly first: readonly ResourceStatus[];
  readonly sets: readonly string[];
  readonly options: StatusOptions;
  readonly io: Io;
  readonly signal: AbortSignal;
}

/** Prints each change until everything is settled. */
async function watch(client: Client, { first, io, options, sets, signal }: Watch): Promise<void> {
  const seen = new Map(first.map((row) => [nameOf(row), lineOf(row)]));
  let isDone = first.every(isSettled);
  while (!isDone && !signal.aborted) {
    await delay(EVERY_MS, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    const rows = await chosen(client, sets, options);
    for (const row of rows) {
      if (seen.get(nameOf(row)) !== lineOf(row)) io.out(`${lineOf(row)}\n`);
      seen.set(nameOf(row), lineOf(row));
    }
    isDone = rows.every(isSettled);
  }
}

function lineOf(row: ResourceStatus): string {
  const { clusterAPI = '<none>', machineAPI = '<none>' } = row;
  return `${nameOf(row)} ${authorityText(row)}, Machine API ${machineAPI}, Cluster API ${clusterAPI}, waits for ${waitingText(row)}`;
}
