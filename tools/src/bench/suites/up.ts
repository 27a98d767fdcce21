import type { BenchSuite } from '../model.js';
import { startFleet, startMs, startCapstan } from './apiserver/programs.js';

/** How long a user waits for the fleet of `npm start`. */
export const upSuite: BenchSuite = {
  name: 'up',
  open: () => ({
    rows: [
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
