import { turnsOf } from '@capstan/meta';

/** How long the sending of one body may keep all others waiting. */
const TURN_MS = 8;

/** The turns of this process's event loop. */
export const eventLoopTurns = turnsOf({
  turnMs: TURN_MS,
  monotonic: () => performance.now(),
  afterOthers: setImmediate,
});
