import { hostingPlatforms } from '@capstan/cli/platforms';
import { Trials, tryMigration } from '../migration-simulation/index.js';

/** The name of the scenario that is no list of steps, but a whole fleet. */
export const MIGRATION = 'migration';

/** Migrates a fleet from one seed after another, each ending, platform and work under way in turn. The exit code. */
export async function simulateMigrations(first: number, seeds: number): Promise<number> {
  const started = performance.now();
  const trials = new Trials(await hostingPlatforms());
  const ends = new Map<string, number>();
  let faults = 0;
  for (let seed = first; seed < first + seeds; seed += 1) {
    const trial = trials.of(seed);
    const { ending, inFlight, platform } = trial;
    const result = await tryMigration(await trials.snapshot(platform), trial);
    ends.set(result.end, (ends.get(result.end) ?? 0) + 1);
    faults += result.faults;
    if (result.problems.length === 0) continue;
    const replay = `npm run simulate -- --scenario ${MIGRATION} --first ${seed} --seeds 1`;
    process.stdout.write(`seed ${seed} fails: ${ending.name} on ${platform.type} with ${inFlight.name} under way\n`);
    process.stdout.write(`${result.problems.map((each) => `  ${each}\n`).join('')}${replay}\n`);
    return 1;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const counts = [...ends].map(([end, count]) => `${end} ${count}`).join(', ');
  process.stdout.write(`${MIGRATION}: ${seeds} seeds in ${seconds} s, ${faults} faults; ended as ${counts}\n`);
  return 0;
}
