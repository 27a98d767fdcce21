import { parseArgs } from 'node:util';
import { failureText, scenarios, shrink, SimulationError, sweep } from '@capstan/simulation';
import type { Scenario } from '@capstan/simulation';

const USAGE = `npm run simulate -- [--scenario NAME] [--seeds N] [--first SEED]

Runs scenarios from one seed after another, ${scenarios.map(({ name }) => name).join(', ')}; all of them unless one is
named. Ends with 1 at the first seed that fails, after making the failure as small as it can.
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

async function simulate(scenario: Scenario, firstSeed: number, seeds: number): Promise<boolean> {
  const started = performance.now();
  const swept = await sweep(scenario, { firstSeed, seeds });
  const seconds = (performance.now() - started) / 1000;
  const hours = (swept.virtualMs / 3_600_000).toFixed(1);
  process.stdout.write(
    `${scenario.name}: ${swept.seeds} seeds in ${seconds.toFixed(1)} s, ${swept.faults} faults, ` +
      `${hours} virtual hours, hash ${swept.hash}\n`,
  );
  if (swept.failure === undefined) return true;
  const shrunk = await shrink(scenario, swept.failure);
  process.stdout.write(`\nseed ${swept.failure.options.seed} fails\n${failureText(shrunk.result, shrunk)}\n`);
  return false;
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    options: {
      scenario: { type: 'string' },
      seeds: { type: 'string', default: '200' },
      first: { type: 'string', default: '1' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    process.stdout.write(USAGE);
    return 0;
  }
  const seeds = positive(values.seeds, 'seeds');
  const first = positive(values.first, 'first');
  for (const scenario of chosen(values.scenario)) if (!(await simulate(scenario, first, seeds))) return 1;
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
  process.exitCode = 2;
}
