import { oneLine } from '../errors.js';
import { setTimeout as delay } from 'node:timers/promises';
import type { HostedCluster } from '@capstan/api/hypershift';
import { HOSTED_CLUSTERS } from '@capstan/hosting';
import { Informer, silentLogger, systemClock, systemRandom } from '@capstan/kube';
import type { Client } from '@capstan/kube';
import { withCluster } from '../hosted/cluster-access.js';
import type { Io } from '../io.js';
import type { OutputFormat } from '../options.js';
import { chosenClusters, clusterName, keyOf, placeOf } from './clusters.js';
import type { MigrationOptions } from './clusters.js';
import { Durations, progressLines } from './progress.js';
import { isOpen, statusOf } from './state.js';
import type { MigrationStatus } from './state.js';
import { printRows, statusTable } from './table.js';

/** `capstan migration status`, as it was typed. */
export interface StatusOptions extends MigrationOptions {
  readonly watch?: boolean | undefined;
  readonly output?: OutputFormat | undefined;
}

const EVERY_MS = 1_000;

/** Prints where the migration of each cluster stands, from the HostedClusters alone. */
export async function runStatus(names: readonly string[], options: StatusOptions, io: Io): Promise<void> {
  await withCluster(options, io, async (client, signal) => {
    const clusters = await chosenClusters(client, names, options, signal);
    const rows = statuses(clusters);
    if (rows.length === 0) io.err(`There are no hosted clusters${placeOf(options)}\n`);
    if (options.watch === true) return watch(client, { names, options, io, first: rows }, signal);
    const columns = io.isTty ? io.columns : undefined;
    const table = (): string => statusTable(rows, { nowMs: Date.now(), isWide: options.output === 'wide', columns });
    await printRows(rows, { io, output: options.output, table });
  });
}

function statuses(clusters: Iterable<HostedCluster>): MigrationStatus[] {
  const nowMs = Date.now();
  return [...clusters].map((each) => statusOf(each, nowMs)).toSorted((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

function nameOf({ name, namespace }: MigrationStatus): string {
  return `${namespace}/${name}`;
}

interface Watch {
  readonly names: readonly string[];
  readonly options: StatusOptions;
  readonly io: Io;
  readonly first: readonly MigrationStatus[];
}

/** Shows every change until no cluster is left to migrate, or until it is stopped. */
async function watch(client: Client, { first, io, names, options }: Watch, stop: AbortSignal): Promise<void> {
  const wanted = new Set(
    names.map((text) => clusterName(text, options)).map((each) => `${each.namespace}/${each.name}`),
  );
  const show = viewOf(io, options);
  await show(first);
  if (!first.some(isOpen)) return;
  const { namespace } = options;
  const informer = new Informer<HostedCluster>({
    client,
    clock: systemClock(),
    random: systemRandom(),
    logger: silentLogger(),
    resource: HOSTED_CLUSTERS,
    ...(namespace === undefined || wanted.size > 0 ? {} : { namespace }),
  });
  const end = new AbortController();
  const signal = AbortSignal.any([stop, end.signal]);
  const running = informer.run(signal);
  try {
    while (!signal.aborted) {
      await Promise.race([running, delay(EVERY_MS, undefined, { signal }).catch(() => undefined)]);
      if (signal.aborted || !informer.hasSynced) continue;
      const chosen = [...informer.store.list()].filter((each) => wanted.size === 0 || wanted.has(keyOf(each)));
      const rows = statuses(chosen);
      await show(rows);
      if (!rows.some(isOpen)) return;
    }
  } finally {
    end.abort();
    await running;
  }
}

type View = (rows: readonly MigrationStatus[]) => Promise<void>;

function viewOf(io: Io, { output }: StatusOptions): View {
  if (output !== undefined && output !== 'wide')
    return changesOf((row) => printRows([row], { io, output, table: () => '' }));
  if (io.isTty) return terminalView(io);
  return changesOf(async (row) => {
    const step = row.step === undefined ? '' : ` ${row.progress} ${row.step}`;
    const message = row.message === '' ? '' : `: ${oneLine(row.message)}`;
    io.out(`${nameOf(row)} ${row.state}${step}${message}\n`);
  });
}

/** Passes on each row that is not as it was. */
function changesOf(print: (row: MigrationStatus) => Promise<void>): View {
  const seen = new Map<string, string>();
  return async (rows) => {
    for (const row of rows) {
      const text = JSON.stringify(row);
      if (seen.get(nameOf(row)) !== text) await print(row);
      seen.set(nameOf(row), text);
    }
  };
}

/** Draws over what it drew before. */
function terminalView(io: Io): View {
  const durations = new Durations();
  let drawn = 0;
  return async (rows) => {
    const nowMs = Date.now();
    durations.observe(rows, nowMs);
    const lines = progressLines(rows, { columns: io.columns, nowMs, expectedMs: durations.expectedMs });
    const up = drawn === 0 ? '' : `\u001b[${drawn}A`;
    io.out(`${up}${lines.map((line) => `\u001b[2K${line}\n`).join('')}\u001b[J`);
    drawn = lines.length;
  };
}
