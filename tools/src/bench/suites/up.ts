import type { BenchSuite } from '../model.js';
import { startFleet, startMs, startCapstan, usableMs } from './apiserver/programs.js';

/** How long a user waits for `npm start`, and for its fleet. */
export const upSuite: BenchSuite = {
  name: 'up',
  open: () => ({
    rows: [
      {
        name: 'process start to ready: operators run, the fleet comes up',
        unit: 'ms',
        better: 'lower',
        target: 5000,
        run: usableMs,
        reference: { name: 'capstan apiserver', run: () => startMs(startCapstan) },
      },
      {
        name: 'process start to a fleet of three whose machines are nodes',
        unit: 'ms',
        better: 'lower',
        target: 5000,
        run: () => startMs(startFleet),
        reference: { name: 'capstan apiserver', run: () => startMs(startCapstan) },
      },
    ],
  }),
};
