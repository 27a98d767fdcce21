import { parseArgs } from 'node:util';
import { runKillRounds } from './kill-rounds.js';
import { builtBin } from './server-process.js';

/** `npm run test:kill -- [--rounds 200] [--seed N]` */
const { values } = parseArgs({ options: { rounds: { type: 'string' }, seed: { type: 'string' } } });
const rounds = Number(values.rounds ?? 200);
const seed = Number(values.seed ?? Date.now() % 1_000_000);
const report = await runKillRounds({
  bin: builtBin(import.meta.url, '../../../'),
  rounds,
  seed,
  onRound: (round, writes) => {
    if (round % 20 === 0) process.stdout.write(`${round} rounds, ${writes} acknowledged writes\n`);
  },
});
for (const complaint of report.broken) process.stdout.write(`${complaint}\n`);
process.stdout.write(
  `seed ${seed}: ${rounds} rounds, ${report.earlyKills} before ready, ${report.acknowledgedWrites} acknowledged writes, pods back ${report.musters} times, ${report.broken.length} broken promises\n`,
);
process.exitCode = report.broken.length === 0 ? 0 : 1;
