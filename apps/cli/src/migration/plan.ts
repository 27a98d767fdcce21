import { oneLine } from '../errors.js';
import { humanDuration } from '@capstan/meta';
import { withCluster } from '../hosted/cluster-access.js';
import type { Io } from '../io.js';
import type { OutputFormat } from '../options.js';
import { tableText } from '../text-table.js';
import { assess } from './assess.js';
import type { Assessment } from './assess.js';
import { chosenClusters, placeOf } from './clusters.js';
import type { MigrationOptions } from './clusters.js';
import { ObjectReader } from './objects.js';
import { NOTHING, printRows } from './table.js';

/** `capstan migration plan`, as it was typed. */
export interface PlanOptions extends MigrationOptions {
  readonly dryRun: boolean;
  readonly output?: OutputFormat | undefined;
}

/** Prints what the migration would do with each cluster. Writes nothing. */
export async function runPlan(names: readonly string[], options: PlanOptions, io: Io): Promise<void> {
  await withCluster(options, io, async (client, signal) => {
    const clusters = await chosenClusters(client, names, options, signal);
    if (clusters.length === 0) io.err(`There are no hosted clusters${placeOf(options)}\n`);
    const reader = new ObjectReader(client);
    const found: Assessment[] = [];
    for (const [at, cluster] of clusters.entries()) {
      if (io.isErrTty === true) io.err(`\r\u001b[2Kassessing ${at + 1} of ${clusters.length}`);
      found.push(await assess(reader, cluster, { isTried: options.dryRun, nowMs: Date.now(), signal }));
    }
    if (io.isErrTty === true) io.err('\r\u001b[2K');
    const { output } = options;
    await printRows(found, { io, output, table: () => planText(found, output === 'wide') });
  });
}

/** The verdict about a cluster in one word. */
function verdictOf({ blockers, isEligible }: Assessment): string {
  if (!isEligible) return 'NotEligible';
  return blockers.length === 0 ? 'Ready' : 'Blocked';
}

/** A table, what it cannot hold below it, and a total. */
export function planText(found: readonly Assessment[], isWide: boolean): string {
  const wide = isWide ? ['KINDS', 'DEPLOYMENTS', 'ABSENT'] : [];
  const heading = ['NAMESPACE', 'NAME', 'VERDICT', 'OBJECTS', 'MACHINES', 'DURATION', ...wide, 'REASON'];
  const table = tableText([heading, ...found.map((each) => cells(each, isWide))]);
  const details = found.flatMap(({ blockers, name, namespace, warnings }) => [
    ...blockers.map((text) => `${namespace}/${name}: blocked: ${oneLine(text)}\n`),
    ...warnings.map((text) => `${namespace}/${name}: warning: ${oneLine(text)}\n`),
  ]);
  return `${table}${details.length === 0 ? '' : `\n${details.join('')}`}\n${totalText(found)}\n`;
}

function cells(each: Assessment, isWide: boolean): string[] {
  const { blockers, deployments, estimatedSeconds, name, namespace, objects } = each;
  const total = Object.values(objects).reduce((sum, count) => sum + count, 0);
  const kinds = Object.entries(objects).map(([kind, count]) => `${kind}=${count}`);
  const wide = isWide ? [kinds, deployments.found, deployments.absent].map((list) => list.join(',') || NOTHING) : [];
  const count =
    blockers.length === 0 ? NOTHING : `${blockers.length} blocker${blockers.length === 1 ? '' : 's'}, see below`;
  const duration = verdictOf(each) === 'Ready' ? humanDuration(estimatedSeconds * 1000) : NOTHING;
  return [
    namespace,
    name,
    verdictOf(each),
    String(total),
    String(objects['Machine'] ?? 0),
    duration,
    ...wide,
    each.ineligibility ?? count,
  ];
}

function totalText(found: readonly Assessment[]): string {
  const ready = found.filter((each) => verdictOf(each) === 'Ready');
  const seconds = ready.reduce((sum, { estimatedSeconds }) => sum + estimatedSeconds, 0);
  const time = ready.length === 0 ? '' : `, in about ${humanDuration(seconds * 1000)}`;
  return `${ready.length} of ${found.length} clusters can be migrated${time}`;
}
