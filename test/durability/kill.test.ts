import { expect, it } from 'vitest';
import { runKillRounds } from './kill-rounds.js';
import { builtBin } from './server-process.js';

it('a server that is killed keeps what it acknowledged and what it showed (test:kill has more rounds)', async () => {
  const seed = Date.now() % 1_000_000;
  const report = await runKillRounds({ bin: builtBin(import.meta.url, '../../'), rounds: 10, seed });
  expect(report.broken, `with seed ${seed}`).toEqual([]);
  expect(report.acknowledgedWrites, `with seed ${seed}`).toBeGreaterThan(0);
}, 120_000);
