import type { BenchRow, BenchSuite } from '../model.js';
import { startFleet, startMs, startCapstan, usableMs } from './apiserver/programs.js';

const TARGET_MS = 5000;

function row(name: string, run: () => Promise<number>): BenchRow {
  const reference = { name: 'capstan apiserver', run: () => startMs(startCapstan) };
  return { name, unit: 'ms', better: 'lower', target: TARGET_MS, run, reference };
}

/** How long a user waits for `npm start`, and for its fleet, which a short run does not wait for. */
export const upSuite: BenchSuite = {
  name: 'up',
  open: ({ quick }) => ({
    rows: [
      row('process start to ready: operators run, the fleet comes up', usableMs),
      ...(quick ? [] : [row('process start to a fleet of three whose machines are nodes', () => startMs(startFleet))]),
    ],
  }),
};
