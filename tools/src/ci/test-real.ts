import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

import { noCounts, sumCounts } from './counts.js';
import { recordCounts } from './record-counts.js';
import { planReal, realProjects, suitesOf } from './real-suites.js';
import type { RealPlan, RealProject } from './real-suites.js';
import { presentRealKubes } from './real-versions.js';
import { explainMissingRealKube } from '../real-kube/index.js';

/*
 * Runs the suites that need a real kube-apiserver, on every version at hand:
 *     node tools/dist/ci/test-real.js [arguments of vitest]
 * Each lane of suites on each version is a process with a server of its own; they run side by side, for they mostly
 * wait. Without any server it says how to get one and how many tests were not run, and succeeds.
 */

const root = fileURLToPath(new URL('../../..', import.meta.url));
// Its package exports no path to the program, so it is named where npm puts it.
const runner = join(root, 'node_modules/vitest/vitest.mjs');
const CONFIG = ['--config', 'vitest.real.config.ts'];
/** What suites begin a line with that says which case a server is not held to, and why. */
const EXEMPT = 'exempt: ';
/** A server, its storage and the tests take three quarters of it. */
const BYTES_EACH = 2 ** 30;

function tellExempt(what: string, reasons: readonly string[]): void {
  process.stdout.write(`real kube-apiserver: ${reasons.length} ${what} exempt\n`);
  for (const reason of reasons) process.stdout.write(`  ${reason}\n`);
}

function exemptSuites({ exempt }: RealPlan): string[] {
  return exempt.map(({ file, reason }) => `${file}: ${reason}`);
}

function notRun(args: readonly string[], plan: RealPlan): number {
  const listed = spawnSync(process.execPath, [runner, 'list', '--json', ...args, ...CONFIG], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  if (listed.status !== 0) {
    process.stderr.write('test:real: the tests could not even be listed\n');
    return 1;
  }
  // The list is the last thing printed; a test file may print before it while it loads.
  const tests = JSON.parse(listed.stdout.slice(Math.max(0, listed.stdout.search(/^\[/m)))) as unknown[];
  process.stdout.write(`${explainMissingRealKube()}\n`);
  process.stdout.write(`real kube-apiserver: not run: cache cold (${tests.length} tests)\n`);
  tellExempt('suites', exemptSuites(plan));
  recordCounts({ ...noCounts, skipped: tests.length });
  return 0;
}

/** Passes lines on as they come, each with the name of who said it: others speak at the same time. */
function passOn(name: string, from: Readable, to: NodeJS.WritableStream, exemptCases: string[] = []): void {
  createInterface({ input: from }).on('line', (line) => {
    to.write(`${name} | ${line}\n`);
    const plain = stripVTControlCharacters(line);
    if (plain.startsWith(EXEMPT)) exemptCases.push(plain.slice(EXEMPT.length));
  });
}

interface Ledger {
  readonly countsFile: string;
  readonly exemptCases: string[];
}

async function runProject(name: string, args: readonly string[], ledger: Ledger): Promise<number> {
  const begin = performance.now();
  const child = spawn(process.execPath, [runner, 'run', '--project', name, ...args, ...CONFIG], {
    cwd: root,
    env: { ...process.env, CAPSTAN_COUNTS_FILE: ledger.countsFile },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  passOn(name, child.stdout, process.stdout, ledger.exemptCases);
  passOn(name, child.stderr, process.stderr);
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (status) => resolve(status ?? 1));
  });
  const seconds = Math.round((performance.now() - begin) / 1000);
  process.stdout.write(`${name} | ${code === 0 ? 'passed' : 'FAILED'} in ${seconds} s\n`);
  return code;
}

/** Runs them side by side, as many at once as fit; gives the exit codes. */
async function runAll(names: readonly string[], run: (name: string) => Promise<number>): Promise<number[]> {
  const waiting = [...names];
  const codes: number[] = [];
  const atOnce = Math.max(1, Math.floor(totalmem() / BYTES_EACH));
  const work = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) codes.push(await run(name));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return codes;
}

/** Those in which something may be run: words of the command line choose files, unless they belong to an option. */
function chosen(args: readonly string[], projects: readonly RealProject[]): string[] {
  const words = args.filter((arg) => !arg.startsWith('-'));
  const named = projects.filter(({ files }) => files.some((file) => words.some((word) => file.includes(word))));
  return (named.length === 0 ? projects : named).map(({ name }) => name);
}

async function run(args: readonly string[], versions: readonly string[], plan: RealPlan): Promise<number> {
  const dir = mkdtempSync(join(tmpdir(), 'capstan-counts-'));
  try {
    const countsFile = join(dir, 'counts');
    writeFileSync(countsFile, '');
    const exemptCases: string[] = [];
    const names = chosen(args, realProjects(versions, plan));
    const codes = await runAll(names, (name) => runProject(name, args, { countsFile, exemptCases }));
    const counts = sumCounts(readFileSync(countsFile, 'utf8'));
    const ran = counts.passed + counts.failed > 0;
    const plain = versions.map((version) => version.replace(/^v/, ''));
    process.stdout.write(`real kube-apiserver: ${ran ? 'ran' : 'no test to run on'} ${plain.join(', ')}\n`);
    tellExempt('cases', exemptCases.toSorted());
    const unsaid = counts.skipped - exemptCases.length;
    if (unsaid > 0) process.stdout.write(`real kube-apiserver: ${unsaid} tests skipped for other reasons\n`);
    tellExempt('suites', exemptSuites(plan));
    recordCounts(counts);
    return Math.max(...codes);
  } finally {
    rmSync(dir, { recursive: true });
  }
}

async function main(args: readonly string[]): Promise<number> {
  const plan = planReal(suitesOf(root));
  const versions = presentRealKubes().map((each) => each.version);
  return versions.length === 0 ? notRun(args, plan) : run(args, versions, plan);
}

process.exitCode = await main(process.argv.slice(2));
