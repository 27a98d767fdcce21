import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

import { readLeft, SUITE_SCOPE_VARIABLE } from './suite-scope.js';
import type { LeftTests, SuiteScope } from './suite-scope.js';
import { addCounts, NO_REAL_SERVER, noCounts } from './counts.js';
import { readOutcomes, recordFailures } from './outcomes.js';
import type { FileOutcome } from './outcomes.js';
import { flakeReport, flakesOverBudget } from './flakes.js';
import { prepareOriginals } from './prepare-originals.js';
import { recordCounts } from './record-counts.js';
import { BRIEF, readArguments } from './real-arguments.js';
import type { RealRun } from './real-arguments.js';
import { planReal, realProjects, suitesOf } from './real-suites.js';
import type { RealPlan, RealProject } from './real-suites.js';
import { presentRealKubes } from './real-versions.js';
import { explainMissingRealKube } from '../real-kube/index.js';

/*
 * Runs the suites that need a real kube-apiserver, on every version at hand:
 *     node tools/dist/ci/test-real.js [--brief] [arguments of vitest]
 * Each shard of suites on each version is a process with a server of its own; they run side by side, for they often
 * wait. A file with a failure is run once more, on a fresh server and with the machine to itself: what passes then is
 * reported as flaky, for a server that is out of step fails everything after. A brief run leaves the longest shards to the
 * newest server, and of long suites the repetitions; it prints how many tests that leaves to the full run. Without any
 * server it prints how to get one and how many tests were not run, and succeeds.
 */

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Its package exports no path to the program, so it is named where npm puts it.
const runner = join(root, 'node_modules/vitest/vitest.mjs');
const CONFIG = ['--config', 'vitest.real.config.ts'];
/** Prefix of a line in which a suite names a case that a server is not held to, and why. */
const EXEMPT = 'exempt: ';
/** A server that was given hundreds of CRDs, its storage and the tests take up to this. */
const BYTES_EACH = 2.5 * 2 ** 30;
/** A shard waits for most of its time, but more at once only delay all of them. */
const SHARDS_PER_CORE = 4;
/** What is collected less often costs less; tests leave a server too small for it to matter. */
const RARELY_COLLECTED = { GOGC: '500', GOMEMLIMIT: '1536MiB' };
/** So many failures in a shard count as one: its server is lost, and every later test would wait in vain. */
const BAIL = 4;

function printExempt(what: string, reasons: readonly string[]): void {
  process.stdout.write(`real kube-apiserver: ${reasons.length} ${what} exempt\n`);
  for (const reason of reasons) process.stdout.write(`  ${reason}\n`);
}

function exemptSuites({ exempt }: RealPlan): string[] {
  return exempt.map(({ file, reason }) => `${file}: ${reason}`);
}

function notRun({ args }: RealRun, plan: RealPlan): number {
  const listed = spawnSync(process.execPath, [runner, 'list', ...args, ...CONFIG, '--json'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (listed.status !== 0) {
    process.stderr.write('test:real: the tests could not even be listed\n');
    return 1;
  }
  // The list is the last thing printed, if any test is chosen; a test file may print before it while it loads.
  const begin = listed.stdout.search(/^\[/m);
  const tests = begin === -1 ? [] : (JSON.parse(listed.stdout.slice(begin)) as unknown[]);
  process.stdout.write(`${explainMissingRealKube()}\n`);
  process.stdout.write(`real kube-apiserver: not run: cache cold (${tests.length} tests)\n`);
  printExempt('suites', exemptSuites(plan));
  recordCounts({ ...noCounts, skipped: tests.length, lack: NO_REAL_SERVER });
  return 0;
}

/** What suites say for those who count. */
interface Notes {
  readonly exemptCases: Set<string>;
  /** By shard and description: a suite that runs again prints it again. */
  readonly left: Map<string, LeftTests>;
}

/** Passes lines on as they come, each with the name of its shard: others print at the same time. */
function passOn(name: string, from: Readable, to: NodeJS.WritableStream, notes?: Notes): void {
  createInterface({ input: from }).on('line', (line) => {
    to.write(`${name} | ${line}\n`);
    const plain = stripVTControlCharacters(line);
    if (plain.startsWith(EXEMPT)) notes?.exemptCases.add(plain.slice(EXEMPT.length));
    const left = readLeft(plain);
    if (left !== undefined) notes?.left.set(`${name} ${left.what}`, { ...left, what: `${left.what} [${name}]` });
  });
}

/** The outcome of a shard. */
interface ShardOutcome {
  readonly name: string;
  readonly code: number;
  readonly files: readonly FileOutcome[];
}

interface Shard {
  readonly name: string;
  readonly args: readonly string[];
  readonly scope: SuiteScope;
  /** Where its process writes what happened. */
  readonly outcomesFile: string;
}

async function runShard({ name, args, scope, outcomesFile }: Shard, notes: Notes): Promise<ShardOutcome> {
  const begin = performance.now();
  writeFileSync(outcomesFile, '');
  const env = {
    ...RARELY_COLLECTED,
    ...process.env,
    [SUITE_SCOPE_VARIABLE]: scope,
    CAPSTAN_OUTCOMES_FILE: outcomesFile,
    CAPSTAN_COUNTS_FILE: '',
    CAPSTAN_FAILURES_FILE: '',
  };
  const child = spawn(process.execPath, [runner, 'run', '--project', name, `--bail=${BAIL}`, ...args, ...CONFIG], {
    cwd: root,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  passOn(name, child.stdout, process.stdout, notes);
  passOn(name, child.stderr, process.stderr);
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  const seconds = Math.round((performance.now() - begin) / 1000);
  process.stdout.write(`${name} | ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n`);
  return { name, code, files: readOutcomes(outcomesFile) };
}

/** Runs them side by side, as many at once as fit. */
async function runAll<In, Out>(inputs: readonly In[], run: (input: In) => Promise<Out>): Promise<Out[]> {
  const waiting = [...inputs];
  const outcomes: Out[] = [];
  const fit = Math.min(totalmem() / BYTES_EACH, availableParallelism() * SHARDS_PER_CORE);
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) outcomes.push(await run(next));
  };
  await Promise.all(Array.from({ length: Math.max(1, Math.floor(fit)) }, work));
  return outcomes;
}

/** Those in which something may be run: words of the command line choose files, unless they belong to an option. */
function chosen(args: readonly string[], projects: readonly RealProject[]): RealProject[] {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const isNamed = (file: string): boolean => words.some((word) => file.includes(word));
  const named = projects.map((each) => ({ ...each, files: each.files.filter(isNamed) }));
  const some = named.filter(({ files }) => files.length > 0);
  return some.length === 0 ? [...projects] : some;
}

/** Runs failed files, and files not reached, once more, each shard alone and on a fresh server; returns what then counts. */
async function runAgain(
  first: readonly ShardOutcome[],
  projects: readonly RealProject[],
  run: (name: string, args: readonly string[]) => Promise<ShardOutcome>,
): Promise<{ readonly shards: readonly ShardOutcome[]; readonly flaky: readonly string[] }> {
  const settled: ShardOutcome[] = [];
  const flaky: string[] = [];
  for (const shard of first) {
    const hasFailures = shard.files.some(({ failures }) => failures.length > 0);
    // An error of nobody's leaves no file to be trusted.
    const good = new Map(
      shard.files.filter(({ hasPassed }) => hasPassed && hasFailures).map((each) => [each.file, each]),
    );
    const files = projects.find(({ name }) => name === shard.name)?.files.filter((file) => !good.has(file)) ?? [];
    if (shard.code === 0) {
      settled.push(shard);
      continue;
    }
    process.stdout.write(`${shard.name} | once more, on a fresh server: ${files.join(' ')}\n`);
    const second = await run(shard.name, files);
    settled.push({ ...second, files: [...good.values(), ...second.files] });
    if (second.code === 0) flaky.push(...failuresOf(shard));
  }
  return { shards: settled, flaky };
}

/** In sentences; a shard that failed has at least one. */
function failuresOf({ code, files, name }: ShardOutcome): string[] {
  const failed = files.flatMap(({ file, failures }) => failures.map((failure) => `${name}: ${file}: ${failure}`));
  return failed.length === 0 && code !== 0 ? [`${name}: ended with code ${code}, outside any test`] : failed;
}

/** The tests in shards that a brief run leaves out: as many as the same shard has on the newest server. */
function leftShards(
  out: readonly RealProject[],
  projects: readonly RealProject[],
  ran: readonly ShardOutcome[],
): LeftTests[] {
  return out.map(({ shard, name }): LeftTests => {
    const newest = projects.find((each) => each.shard === shard)?.name;
    const files = ran.filter((each) => each.name === newest).flatMap((each) => each.files);
    const { failed, passed, skipped } = files.map(({ counts }) => counts).reduce(addCounts, noCounts);
    return { count: passed + failed + skipped, what: `of the shard ${name}` };
  });
}

function reportLeft(left: readonly LeftTests[]): void {
  if (left.length === 0) return;
  const sum = left.reduce((all, { count }) => all + count, 0);
  process.stdout.write(`real kube-apiserver: brief, ${sum} tests are left to the run without ${BRIEF}\n`);
  for (const { count, what } of left) process.stdout.write(`  ${count} ${what}\n`);
}

/** Prints the summary of all shards. */
function reportEnd(shards: readonly ShardOutcome[], { exemptCases }: Notes, plan: RealPlan): void {
  const counts = shards.flatMap(({ files }) => files.map((each) => each.counts)).reduce(addCounts, noCounts);
  printExempt('cases', [...exemptCases].toSorted());
  const unsaid = counts.skipped - exemptCases.size;
  if (unsaid > 0) process.stdout.write(`real kube-apiserver: ${unsaid} tests skipped for other reasons\n`);
  printExempt('suites', exemptSuites(plan));
  recordCounts(counts);
}

async function run({ args, isBrief }: RealRun, versions: readonly string[], plan: RealPlan): Promise<number> {
  const isOlder = ({ version }: RealProject): boolean => version !== undefined && version !== versions.at(-1);
  const isLeftOut = (each: RealProject): boolean => isBrief && each.shard.isLong === true && isOlder(each);
  const dir = mkdtempSync(join(tmpdir(), 'capstan-outcomes-'));
  try {
    const notes: Notes = { exemptCases: new Set(), left: new Map() };
    const all = chosen(args, realProjects(versions, plan));
    const projects = all.filter((each) => !isLeftOut(each));
    const older = new Set(projects.filter(isOlder).map(({ name }) => name));
    const scopeOf = (name: string): SuiteScope => (isBrief ? (older.has(name) ? 'smoke' : 'brief') : 'full');
    const shard = (name: string, shardArgs: readonly string[]): Promise<ShardOutcome> => {
      const outcomesFile = join(dir, name.replaceAll(' ', '-'));
      return runShard({ name, args: shardArgs, scope: scopeOf(name), outcomesFile }, notes);
    };
    // Those named last take longest, and begin first.
    const first = await runAll(projects.toReversed(), ({ name }) => shard(name, args));
    const options = args.filter((arg) => arg.startsWith('-'));
    const { shards, flaky } = await runAgain(first, projects, (name, again) => shard(name, [...options, ...again]));
    const ran = shards.some(({ files }) => files.some(({ counts }) => counts.passed + counts.failed > 0));
    const plain = versions.map((version) => version.replace(/^v/, ''));
    process.stdout.write(`real kube-apiserver: ${ran ? 'ran' : 'no test to run on'} ${plain.join(', ')}\n`);
    reportLeft([...leftShards(all.filter(isLeftOut), projects, shards), ...notes.left.values()]);
    reportEnd(shards, notes, plan);
    const failures = shards.flatMap(failuresOf);
    for (const line of flakeReport(flaky)) process.stdout.write(`real kube-apiserver: ${line}\n`);
    const excess = flakesOverBudget(flaky);
    failures.push(...excess);
    for (const failure of failures) process.stdout.write(`real kube-apiserver: failed: ${failure}\n`);
    recordFailures(failures);
    return Math.max(excess.length > 0 ? 1 : 0, ...shards.map(({ code }) => code));
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function main(given: readonly string[]): Promise<number> {
  const options = readArguments(given);
  const plan = planReal(suitesOf(root));
  const versions = presentRealKubes().map((each) => each.version);
  if (versions.length === 0) return notRun(options, plan);
  await prepareOriginals((line) => process.stdout.write(`real kube-apiserver: ${line}\n`));
  return run(options, versions, plan);
}

process.exitCode = await main(process.argv.slice(2));
