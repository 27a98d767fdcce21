import { rehearseAll, scenariosOf, startRunner, STEP_NAMES } from '@capstan/cli/rehearsal/testing';
import type { ClusterCopy } from '@capstan/cli/rehearsal/testing';
import { listPasses } from '@capstan/simulation';
import type { BenchContext, BenchRow, BenchSuite, OpenSuite } from '../../model.js';
import { copiesOf, MigratedAlone } from './one-cluster.js';

const THREADS = 2;
const MACHINES = 50;
const REHEARSAL_SECONDS = 600;
const MIGRATION_SECONDS = 60;
/** So many clusters and seeds, and in a short slice so many. */
const [CLUSTERS, SEEDS] = [20, 100];
const [FEW_CLUSTERS, FEW_SEEDS] = [1, 5];
const [FLEET, SMALL_FLEET] = [100, 5];

/** What a rehearsal of a fleet took. */
interface Taken {
  readonly seconds: number;
  readonly processorSeconds: number;
}

/** Rehearses clusters as `capstan migration rehearse --threads 2` does: nothing may fail. */
async function rehearseFleet(copies: readonly ClusterCopy[], seeds: number): Promise<Taken> {
  const module = import.meta.resolve('@capstan/cli/rehearsal/testing');
  const data = { copies, settings: {}, groupPairs: [] };
  const runner = startRunner({ module, data, scenariosOf }, THREADS, new AbortController().signal);
  const [began, before] = [performance.now(), process.cpuUsage()];
  try {
    const numbers = Array.from({ length: seeds }, (_, at) => at + 1);
    const passes = listPasses({ isCalm: true, failAt: STEP_NAMES, seeds: numbers });
    const all = await rehearseAll(copies, passes, { runner, onPass: () => undefined });
    const bad = all.flatMap(({ results }) => results).find(({ outcome }) => outcome.differences.length > 0);
    if (bad !== undefined) throw new Error(`a rehearsal differs: ${bad.outcome.differences.join('; ')}`);
  } finally {
    await runner.close();
  }
  const { system, user } = process.cpuUsage(before);
  return { seconds: (performance.now() - began) / 1_000, processorSeconds: (system + user) / 1e6 };
}

async function open({ quick }: BenchContext): Promise<OpenSuite> {
  const [clusters, seeds] = quick ? [FEW_CLUSTERS, FEW_SEEDS] : [CLUSTERS, SEEDS];
  const fleet = quick ? SMALL_FLEET : FLEET;
  const share = (clusters * seeds) / (CLUSTERS * SEEDS);
  const named = (prefix: string, count: number): { readonly name: string; readonly machines: number }[] =>
    Array.from({ length: count }, (_, at) => ({ name: `${prefix}${at}`, machines: MACHINES }));
  const copies = await copiesOf(named('c', clusters));
  let taken: Promise<Taken> | undefined;
  const once = (): Promise<Taken> => (taken ??= rehearseFleet(copies, seeds));
  const what = `rehearsal of ${clusters} clusters of ${MACHINES} machines from ${seeds} seeds`;
  const rows: BenchRow[] = [
    {
      name: `${what}, on ${THREADS} threads`,
      unit: 's',
      better: 'lower',
      target: REHEARSAL_SECONDS * share,
      run: async () => (await once()).seconds,
    },
    {
      name: `${what}, on one of ${THREADS} processors that do nothing else`,
      unit: 's',
      better: 'lower',
      target: REHEARSAL_SECONDS * share,
      run: async () => (await once()).processorSeconds / THREADS,
    },
    {
      name: `migration of ${fleet} clusters of ${MACHINES} machines, one after the other, in simulation`,
      unit: 's of a processor',
      better: 'lower',
      target: MIGRATION_SECONDS * (fleet / FLEET),
      run: async () => {
        const [copy] = copies;
        if (copy === undefined) throw new Error('there is no cluster');
        const migration = await MigratedAlone.of(copy);
        let ms = 0;
        for (let at = 0; at < fleet; at += 1) ms += await migration.processorMs();
        return ms / 1_000;
      },
    },
  ];
  return { rows };
}

/** Rehearsals and migrations of whole fleets: minutes. */
export const migrationFleetSuite: BenchSuite = { name: 'migration-fleet', rounds: 1, onDemand: true, open };
