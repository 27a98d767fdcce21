import { conversionPlatforms } from '@capstan/cli/platforms';
import { drawnFaults, HANDOVERS, syncSnapshot, tryHandover } from '../handover-simulation/index.js';

/** The name of the scenario of machines between Machine API and Cluster API. */
export const HANDOVER = 'handover';
const FAULTS_FOR_MS = 180_000;

/** Hands machines over from one seed after another, each variant in turn. The exit code. */
export async function simulateHandovers(first: number, seeds: number): Promise<number> {
  const started = performance.now();
  const start = { snapshot: await syncSnapshot(), platforms: await conversionPlatforms() };
  let faults = 0;
  let virtualMs = 0;
  for (let seed = first; seed < first + seeds; seed += 1) {
    const variant = HANDOVERS[seed % HANDOVERS.length];
    if (variant === undefined) break;
    const trial = { seed, variant, faults: drawnFaults(seed), faultsForMs: FAULTS_FOR_MS };
    const result = await tryHandover(start, trial);
    faults += result.faults;
    virtualMs += result.virtualMs;
    if (result.problems.length === 0) continue;
    process.stdout.write(`seed ${seed} fails: ${variant.name}\n`);
    process.stdout.write(result.problems.map((each) => `  ${each}\n`).join(''));
    process.stdout.write(`npm run simulate -- --scenario ${HANDOVER} --first ${seed} --seeds 1\n`);
    return 1;
  }
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const hours = (virtualMs / 3_600_000).toFixed(1);
  process.stdout.write(`${HANDOVER}: ${seeds} seeds in ${seconds} s, ${faults} faults, ${hours} virtual hours\n`);
  return 0;
}
