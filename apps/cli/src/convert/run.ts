import { writeWholeFile } from '@capstan/kube/basics';
import type { ConversionPlatforms } from '@capstan/provider';
import { CliError, UsageError } from '../errors.js';
import { unusable } from '../files.js';
import { withCluster } from '../hosted/cluster-access.js';
import type { Io } from '../io.js';
import type { ClusterOptions } from '../options.js';
import { ALREADY, BulkConverter, guessedDirection } from './convert-all.js';
import type { Entry } from './entry.js';
import { FROM_CLUSTER, liveApi, LiveReader, wantedOf } from './live.js';
import { readManager } from './manager-flags.js';
import { API_NAMES, otherApi, placeText } from './model.js';
import type { Api, ReadFiles, Unread } from './model.js';
import { asPaused, inApplyOrder, neededSecrets } from './order.js';
import { aroundLines } from './print-around.js';
import { printReport } from './print-report.js';
import type { ReportFormat } from './print-report.js';
import { noProgress, ProgressBar } from './progress.js';
import type { Progress } from './progress.js';
import { readAll } from './read.js';
import { counted, foreignKinds, Reporter, sourceOf, totalsOf, totalsText } from './report.js';
import type { Report, Totals } from './report.js';
import { Sorter } from './sort.js';
import type { Sorted } from './sort.js';
import { summaryLines } from './summary.js';
import { Surroundings } from './surroundings.js';
import { writeDirectory, writeManifests } from './write.js';

/** `capstan convert`, as it was typed. */
export interface ConvertOptions extends ClusterOptions {
  readonly filename?: readonly string[] | undefined;
  readonly recursive?: boolean | undefined;
  readonly fromCluster?: boolean | undefined;
  readonly to?: Api | undefined;
  readonly infrastructure?: readonly string[] | undefined;
  readonly clusterName?: string | undefined;
  readonly namespace?: string | undefined;
  readonly fromNamespace?: string | undefined;
  readonly output?: 'yaml' | 'json' | undefined;
  readonly outputDir?: string | undefined;
  readonly report?: ReportFormat | undefined;
  readonly reportFile?: string | undefined;
  readonly check?: boolean | undefined;
  readonly keepGoing?: boolean | undefined;
  readonly paused?: boolean | undefined;
}

const NAMESPACES: Readonly<Record<Api, string>> = {
  'machine-api': 'openshift-machine-api',
  'cluster-api': 'openshift-cluster-api',
};

/** Converts what files or a cluster hold; whether all of it could be converted. */
export async function runConvert(
  names: readonly string[],
  options: ConvertOptions,
  io: Io,
  platforms: ConversionPlatforms,
): Promise<boolean> {
  checkUsage(names, options);
  const progress = io.isErrTty === true ? new ProgressBar(io) : noProgress;
  try {
    const gathered = await gather(names, options, { io, platforms, progress });
    const { around, entries, reporter } = convertAll(gathered, options, platforms, progress);
    return finish(entries, { ...gathered, around, options, io, progress, reporter });
  } finally {
    progress.clear();
  }
}

function checkUsage(names: readonly string[], options: ConvertOptions): void {
  const { check, filename, fromCluster, report, reportFile } = options;
  const isLive = fromCluster === true || names.length > 0;
  if (filename !== undefined && isLive)
    throw new UsageError(
      'give either -f or live objects',
      'live objects are named without -f, or all with --from-cluster',
    );
  if (filename === undefined && !isLive && check !== true)
    throw new UsageError('there is nothing to convert', 'give -f, names of live objects, --from-cluster, or --check');
  if (check === true) checkWritesNothing(options);
  else if (reportFile !== undefined && report === undefined)
    throw new UsageError('--report-file needs --report', 'set it to table, json or markdown');
}

function checkWritesNothing({ keepGoing, output, outputDir, paused }: ConvertOptions): void {
  const given = { '--output': output, '--output-dir': outputDir, '--keep-going': keepGoing, '--paused': paused };
  const [first] = Object.entries(given).filter(([, value]) => value !== undefined);
  if (first !== undefined)
    throw new UsageError(
      `--check writes no manifests: leave ${first[0]} out`,
      'choose the format of the report with --report',
    );
}

/** What every step needs. */
interface Dependencies {
  readonly io: Io;
  readonly platforms: ConversionPlatforms;
  readonly progress: Progress;
}

interface Gathered {
  readonly sorted: Sorted;
  readonly unread: readonly Unread[];
  readonly to: Api;
  readonly namespaces: { readonly machineApi: string; readonly clusterApi: string };
}

function namespacesFor(to: Api, { fromNamespace, namespace }: ConvertOptions): Gathered['namespaces'] {
  const from = otherApi(to);
  const chosen = { [to]: namespace ?? NAMESPACES[to], [from]: fromNamespace ?? NAMESPACES[from] } as Record<
    Api,
    string
  >;
  return { machineApi: chosen['machine-api'], clusterApi: chosen['cluster-api'] };
}

async function gather(
  names: readonly string[],
  options: ConvertOptions,
  dependencies: Dependencies,
): Promise<Gathered> {
  const { filename, infrastructure, recursive } = options;
  const { io, platforms, progress } = dependencies;
  const live = filename === undefined ? await readLive(names, options, dependencies) : undefined;
  const { reads, unread } = live ?? (await readAll(filename ?? [], io, { recursive, progress }));
  const all = sort(reads, platforms);
  const around = infrastructure === undefined ? all : await readInfrastructure(infrastructure, dependencies);
  const to = live?.to ?? directionOf(all, options);
  const sorted = { ...all, clusters: around.clusters, infrastructures: around.infrastructures };
  return { sorted, to, unread, namespaces: namespacesFor(to, options) };
}

function sort(reads: ReadFiles['reads'], platforms: ConversionPlatforms): Sorted {
  const sorter = new Sorter(platforms);
  for (const read of reads) sorter.add(read);
  return sorter.sorted;
}

/** What was read of a cluster. */
interface Live extends Pick<Gathered, 'to'>, ReadFiles {}

async function readLive(
  names: readonly string[],
  options: ConvertOptions,
  { io, platforms }: Dependencies,
): Promise<Live> {
  const wanted = names.map(wantedOf);
  const api = liveApi(wanted, options.to);
  const to = otherApi(api);
  const namespaces = namespacesFor(to, options);
  const withInfrastructure = options.infrastructure === undefined;
  return withCluster(options, io, async (client, signal) => {
    const question = { api, wanted, namespaces, platforms, withInfrastructure };
    const reads = await new LiveReader(client, question, signal).read();
    const manager = to === 'cluster-api' ? await readManager(client, namespaces.clusterApi, signal) : [];
    return { reads: [...reads, ...manager.map((value) => ({ value, place: FROM_CLUSTER }))], to, unread: [] };
  });
}

async function readInfrastructure(paths: readonly string[], { io, platforms }: Dependencies): Promise<Sorted> {
  const sorted = sort((await readAll(paths, io)).reads, platforms);
  if (sorted.clusters.length + sorted.infrastructures.length > 0) return sorted;
  throw new CliError(
    `${paths.join(' ')} holds neither an infrastructure cluster nor an Infrastructure`,
    'write them with kubectl get infrastructure cluster -o yaml, and the infrastructure cluster likewise',
  );
}

function directionOf({ convertible, lonely }: Sorted, { to }: ConvertOptions): Api {
  const guessed = to ?? guessedDirection((convertible.length === 0 ? lonely : convertible).map(({ api }) => api));
  if (guessed !== 'mixed') return guessed ?? 'cluster-api';
  const examples = (['machine-api', 'cluster-api'] as const).map((api) => {
    const first = convertible.find((each) => each.api === api);
    return `${API_NAMES[api]} in ${first === undefined ? '' : placeText(first.place)}`;
  });
  throw new UsageError(
    `there are objects of both APIs: of ${examples.join(', of ')}`,
    'choose with --to which of them the others are converted to',
  );
}

/** What surrounds the objects, as reports have it. */
type Around = Pick<Report, 'comparedWith' | 'foreign' | 'notGiven' | 'unread'>;

function convertAll(
  { namespaces, sorted, to, unread }: Gathered,
  { clusterName }: ConvertOptions,
  platforms: ConversionPlatforms,
  progress: Progress,
): { readonly entries: readonly Entry[]; readonly reporter: Reporter; readonly around: Around } {
  const surroundings = new Surroundings(sorted, { clusterName, namespaces });
  const converter = new BulkConverter(sorted.parts, { to, platforms, surroundings, progress });
  const entries = converter.run(sorted);
  if (entries.every(({ result }) => result === 'skipped')) throw nothingToDo(entries, to);
  const { compared } = surroundings;
  const around = {
    comparedWith: compared.with.map(sourceOf),
    notGiven: compared.notGiven,
    foreign: foreignKinds(sorted.foreign),
    unread,
  };
  return { entries, reporter: new Reporter(converter, to), around };
}

function nothingToDo(entries: readonly Entry[], to: Api): CliError {
  const count = entries.filter(({ reason }) => reason === ALREADY[to]).length;
  const all = `there is nothing to convert to ${API_NAMES[to]}`;
  if (count === 0)
    return new CliError(all, 'Machines, MachineSets, MachineHealthChecks and ControlPlaneMachineSets are converted');
  return new CliError(
    `${all}: ${counted(count, 'object')} ${count === 1 ? 'is' : 'are'} of ${API_NAMES[to]} already`,
    `convert to the other API with --to ${otherApi(to)}`,
  );
}

interface Output extends Pick<Gathered, 'namespaces' | 'to'> {
  readonly around: Around;
  readonly options: ConvertOptions;
  readonly io: Io;
  readonly progress: Progress;
  readonly reporter: Reporter;
}

/** Writes the converted objects, and reports what became of all. */
function finish(entries: readonly Entry[], context: Output): boolean {
  const { options, progress } = context;
  const totals = totalsOf(entries);
  const isWhole = totals.refused === 0;
  const written = options.check !== true && (isWhole || options.keepGoing === true);
  if (written) write(entries, context);
  progress.clear();
  report(entries, written, context);
  if (options.check !== true) conclude(totals, written, context);
  return isWhole;
}

function write(entries: readonly Entry[], { io, options, progress, to }: Output): void {
  const { output = 'yaml', outputDir, paused } = options;
  if (paused === true && to === 'machine-api')
    throw new UsageError('--paused is for what is written for Cluster API', 'leave it out');
  const objects = paused === true ? inApplyOrder(entries).map(asPaused) : inApplyOrder(entries);
  if (outputDir !== undefined) writeDirectory(objects, output, outputDir);
  else writeManifests(objects, output, { out: (text) => io.out(text), progress });
}

/** The last lines: how many, and whether something is missing. */
function conclude(totals: Totals, written: boolean, { io, options, to }: Output): void {
  const { refused } = totals;
  if (options.report === undefined) io.err(`${totalsText(totals, to)}\n`);
  // A reader of the JSON report finds the same in it.
  if (refused === 0 || (options.report === 'json' && options.reportFile === undefined)) return;
  const missing = `${counted(refused, 'object')} cannot be converted and ${refused === 1 ? 'is' : 'are'} missing from it`;
  io.err(
    written
      ? `what is written is not all: ${missing}\n`
      : 'nothing was written, as not all can be converted; --keep-going writes the rest\n',
  );
}

function isAnyUnknown(entries: readonly Entry[]): boolean {
  return entries.some(({ errors, warnings }) => [...errors, ...warnings].some(({ code }) => code === 'ClusterUnknown'));
}

/** The report where one was asked for; else a line for each thing there is to say. */
function report(entries: readonly Entry[], written: boolean, output: Output): void {
  const { around, io, namespaces, options, reporter, to } = output;
  const needs = neededSecrets(
    inApplyOrder(entries),
    to === 'cluster-api' ? namespaces.clusterApi : namespaces.machineApi,
  );
  if (options.report === undefined && options.check !== true) {
    for (const line of summaryLines(entries, (issue, entry) => reporter.adviceOn(issue, entry))) io.err(`${line}\n`);
    const notGiven = isAnyUnknown(entries) ? around.notGiven : [];
    for (const line of aroundLines({ ...around, notGiven, comparedWith: [] })) io.err(`${line}\n`);
    if (needs.length > 0 && written)
      io.err(`Secrets that have to exist: ${needs.map(({ name, namespace }) => `${namespace}/${name}`).join(', ')}\n`);
    return;
  }
  const objects = entries.map((entry) => reporter.of(entry));
  const text = printReport(
    { to, totals: totalsOf(entries), ...around, written, needs, objects },
    options.report ?? 'table',
  );
  if (options.reportFile !== undefined) save(options.reportFile, text);
  else if (options.check === true) io.out(text);
  else io.err(text);
}

function save(path: string, text: string): void {
  try {
    writeWholeFile(path, text, { mode: 0o666 });
  } catch (error) {
    throw unusable('report', path, error, 'name a file you may write with --report-file');
  }
}
