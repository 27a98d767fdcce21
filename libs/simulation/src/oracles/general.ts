import type { Oracle } from '../scenario.js';
import { foldIsState, noLostUpdate, revisionOrder } from './history.js';
import { eventuallyQuiet, idempotent, noHotLoop, stepsSucceed } from './liveness.js';
import { finalizersHonoured, livingOwners, singleController } from './ownership.js';
import { watchesArePrefixes } from './watches.js';

/** What must hold in every simulation. */
export const generalOracles: readonly Oracle[] = [
  revisionOrder,
  foldIsState,
  watchesArePrefixes,
  noLostUpdate,
  singleController,
  finalizersHonoured,
  stepsSucceed,
  eventuallyQuiet,
  idempotent,
  noHotLoop,
];

/** What must hold in addition in a simulation with a garbage collector. */
export const collectedOracles: readonly Oracle[] = [...generalOracles, livingOwners];
