import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { RUNTIME_HOOKS } from '@capstan/kube';
import {
  failureText,
  optionsOf,
  parseTrace,
  runOnce,
  scenarios,
  shrink,
  SimulationError,
  SometimesLedger,
  sweep,
  traceOf,
} from '@capstan/simulation';
import { HANDOVER, simulateHandovers } from './handover.js';
import { MIGRATION, simulateMigrations } from './migration.js';
import type { RunResult, Scenario, Shrunk, SweepResult } from '@capstan/simulation';

const USAGE = `npm run simulate -- [--scenario NAME] [--seeds N] [--first SEED] [--trace FILE]
npm run simulate -- --replay FILE

Runs scenarios from one seed after another, ${scenarios.map(({ name }) => name).join(', ')}; all of them unless one is
named. By their names alone: ${MIGRATION}, of a whole fleet to private Cluster API types; ${HANDOVER}, of machines between
Machine API and Cluster API. Ends with 1 at the first seed that fails, after making the failure as small as it can; --trace keeps that in a
file, and --replay runs such a file again.
`;

function positive(text: string, option: string): number {
  const value = Number(text);
  if (!Number.isInteger(value) || value < 1)
    throw new SimulationError('BAD_ARGUMENT', `--${option} must be a whole number above zero, not ${text}`);
  return value;
}

function chosen(name: string | undefined): readonly Scenario[] {
  if (name === undefined) return scenarios;
  const found = scenarios.filter((scenario) => scenario.name === name);
  if (found.length === 0)
    throw new SimulationError(
      'BAD_ARGUMENT',
      `there is no scenario ${name}; there are ${scenarios.map((each) => each.name).join(', ')}`,
    );
  return found;
}

/** The version of this program, for the reader of a later failure. */
function currentCommit(): string {
  try {
    const git = (...args: string[]): string =>
      execFileSync('git', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] }).trim();
    return `${git('rev-parse', 'HEAD')}${git('status', '--porcelain') === '' ? '' : ' with changes'}`;
  } catch {
    return 'unknown';
  }
}

function printResult(result: RunResult, traceFile: string | undefined, shrunk?: Shrunk): void {
  const commit = currentCommit();
  process.stdout.write(`\n${failureText(result, shrunk, commit)}\n`);
  if (traceFile === undefined) return;
  writeFileSync(traceFile, `${JSON.stringify(traceOf(result, commit), null, 2)}\n`);
  process.stdout.write(`\nnpm run simulate -- --replay ${traceFile}\n`);
}

async function simulate(scenario: Scenario, firstSeed: number, seeds: number): Promise<SweepResult> {
  const started = performance.now();
  const swept = await sweep(scenario, { firstSeed, seeds });
  const seconds = (performance.now() - started) / 1000;
  const hours = (swept.virtualMs / 3_600_000).toFixed(1);
  process.stdout.write(
    `${scenario.name}: ${swept.seeds} seeds in ${seconds.toFixed(1)} s, ${swept.faults} faults, ` +
      `${hours} virtual hours, hash ${swept.hash}\n`,
  );
  return swept;
}

/** Runs a kept failure again; 0 when it is gone. */
async function replay(file: string): Promise<number> {
  const trace = parseTrace(readFileSync(file, 'utf8'));
  const [scenario] = chosen(trace.scenario);
  if (scenario === undefined) return 2;
  const result = await runOnce(scenario, optionsOf(trace));
  const isSame = result.hash === trace.hash;
  process.stdout.write(`hash ${result.hash}, ${isSame ? 'the very same run' : `not ${trace.hash}: another run`}\n`);
  if (result.violations.length === 0) return 0;
  printResult(result, undefined);
  return 1;
}

function describeHooks(hooks: SometimesLedger): void {
  for (const [hook, { passed, hit }] of hooks.counts())
    process.stdout.write(`hook ${hook}: ${hit} of ${passed} times\n`);
  for (const hook of hooks.neverHit(Object.values(RUNTIME_HOOKS))) process.stdout.write(`hook never hit: ${hook}\n`);
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      scenario: { type: 'string' },
      seeds: { type: 'string', default: '200' },
      first: { type: 'string', default: '1' },
      trace: { type: 'string' },
      replay: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  if (values.replay !== undefined) return replay(values.replay);
  const seeds = positive(values.seeds, 'seeds');
  const first = positive(values.first, 'first');
  if (values.scenario === MIGRATION) return simulateMigrations(first, seeds);
  if (values.scenario === HANDOVER) return simulateHandovers(first, seeds);
  const hooks = new SometimesLedger();
  for (const scenario of chosen(values.scenario)) {
    const { failure, hooks: passed } = await simulate(scenario, first, seeds);
    hooks.merge(passed);
    if (failure === undefined) continue;
    process.stdout.write(`seed ${failure.options.seed} fails\n`);
    const shrunk = await shrink(scenario, failure);
    printResult(shrunk.result, values.trace, shrunk);
    return 1;
  }
  describeHooks(hooks);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 2;
}
