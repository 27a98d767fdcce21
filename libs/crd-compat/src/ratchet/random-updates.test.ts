import { expect, test } from 'vitest';
import { ratchetRun } from '../testing-ratchet.js';

const seed = Number(process.env['CAPSTAN_SEED'] ?? 20_261_118);
const updates = Math.ceil(Number(process.env['CAPSTAN_PAIRS'] ?? 2000) / 4);

test(
  `of ${updates} random updates from seed ${seed} on, repairs are admitted and worse ones refused`,
  {
    timeout: 3_600_000,
  },
  () => {
    const run = ratchetRun(seed, updates);
    process.stdout.write(
      `seeds from ${seed}: ${run.updates} updates, ${run.worse} of them worse for an object, ${run.repairs} repairs\n`,
    );
    expect(run.admittedWorse).toEqual([]);
    expect(run.refusedRepairs).toEqual([]);
    expect(run.worse).toBeGreaterThan(updates / 20);
    expect(run.repairs).toBeGreaterThan(updates / 4);
  },
);
