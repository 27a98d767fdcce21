import { availableParallelism } from 'node:os';
import type { Client } from '@capstan/kube';
import { listPasses } from '@capstan/simulation';
import type { RehearsalPass } from '@capstan/simulation';
import { NoVerdictError } from '../../errors.js';
import { withCluster } from '../../hosted/cluster-access.js';
import type { Io } from '../../io.js';
import { rehearseAll } from '../../rehearsal/plan.js';
import { progressOn } from '../../rehearsal/progress.js';
import { startRunner } from '../../rehearsal/runner.js';
import { quoted } from '../../rehearsal/summary.js';
import { placesOf, readResources } from '../read.js';
import type { MachineApiPlaces } from '../read.js';
import type { Authority } from '../resource.js';
import { readName, switchSteps } from '../steps.js';
import { inTree, nameOf } from '../tree.js';
import { readMachines } from './read.js';
import { formatReport, reportOf } from './report.js';
import type { ReportFormat } from './report.js';
import { scenariosOf } from './scenario.js';
import type { HandoverData, RehearsedSwitch } from './scenario.js';

/** `capstan machine-api rehearse`, as it was typed. */
export interface RehearseOptions extends MachineApiPlaces {
  readonly to: Authority;
  readonly seeds: number;
  readonly seed?: number | undefined;
  readonly threads?: number | undefined;
  readonly output?: ReportFormat | undefined;
}

/** More would wait for memory. */
const MOST_THREADS = 8;

/** Rehearses switches, and prints the report; whether all of them would be carried out. */
export async function runRehearse(names: readonly string[], options: RehearseOptions, io: Io): Promise<boolean> {
  const passes = passesOf(options);
  const stop = new AbortController();
  const quiet = io.onStop(() => stop.abort());
  try {
    const data = await withCluster(options, io, (client) => read(client, names, options, stop.signal));
    const runs = data.switches.length * passes.length;
    const progress = progressOn(io, runs);
    const threads = options.threads ?? Math.min(availableParallelism(), MOST_THREADS);
    const source = { module: new URL('./scenario.js', import.meta.url).href, data, scenariosOf };
    const runner = startRunner(source, Math.min(threads, runs), stop.signal);
    try {
      const results = await rehearseAll(data.switches, passes, { runner, onPass: progress.advance });
      progress.clear();
      const about = { command: commandOf(options), leftOut: data.source.leftOut };
      const reports = results.map((each) => reportOf(each.subject, each.results, about));
      io.out(await formatReport(reports, options.output ?? 'table'));
      return reports.every(({ verdict }) => verdict !== 'would-not-switch');
    } finally {
      await runner.close();
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error;
    const hint = 'nothing was changed; run it again for an answer';
    throw new NoVerdictError('the rehearsal was stopped', hint, { cause: error });
  } finally {
    quiet();
  }
}

async function read(
  client: Client,
  names: readonly string[],
  options: RehearseOptions,
  signal: AbortSignal,
): Promise<HandoverData> {
  // Before anybody has taken it on, Machine API acts on it.
  const all = inTree(await readResources(client, options)).map((row) => ({
    ...row,
    authority: row.authority ?? 'MachineAPI',
  }));
  const wanted = names.map(readName);
  for (const { kind, name } of wanted)
    if (!all.some((each) => each.kind === kind && each.name === name && each.machineAPI !== undefined))
      throw new NoVerdictError(
        `there is no ${kind} ${name} in Machine API`,
        'list them with capstan machine-api status',
      );
  const isChosen = ({ kind, machineAPI, name }: (typeof all)[number]): boolean =>
    machineAPI !== undefined &&
    (names.length === 0 ? kind === 'MachineSet' : wanted.some((each) => each.kind === kind && each.name === name));
  const switches = all.filter(isChosen).map((each): RehearsedSwitch => {
    const isThere = switchSteps([each], all, { to: options.to, canary: 0, machines: true }).length === 0;
    return { id: nameOf(each), ineligible: isThere ? `${options.to} is authoritative` : undefined };
  });
  if (switches.length === 0)
    throw new NoVerdictError('there are no MachineSets of Machine API to rehearse', 'name a machine: machine/NAME');
  return { source: await readMachines({ client, namespaces: placesOf(options), signal }), switches, to: options.to };
}

function passesOf({ seed, seeds }: RehearseOptions): readonly RehearsalPass[] {
  if (seed !== undefined) return listPasses({ isCalm: false, failAt: [], seeds: [seed] });
  return listPasses({ isCalm: true, failAt: [], seeds: Array.from({ length: seeds }, (_, at) => at + 1) });
}

/** The part of the command line that selects the cluster. */
function commandOf({ clusterApiNamespace, context, kubeconfig, machineApiNamespace, to }: RehearseOptions): string {
  const given: readonly (readonly [flag: string, value: string | undefined])[] = [
    ['to', to],
    ['kubeconfig', kubeconfig],
    ['context', context],
    ['machine-api-namespace', machineApiNamespace],
    ['cluster-api-namespace', clusterApiNamespace],
  ];
  const words = given.flatMap(([flag, value]) => (value === undefined ? [] : [`--${flag}`, quoted(value)]));
  return ['capstan machine-api rehearse', ...words].join(' ');
}
