/** One evaluation: its variables and what it has cost so far. */
import type { CelValue } from './values.js';

/** The evaluation is over, by its cost or by a fault the server shares. It cannot be absorbed, so it is thrown. */
export class Aborted extends Error {}

/** The server's message when an evaluation is stopped for its cost. */
export const costLimitMessage = 'operation cancelled: actual cost limit exceeded';

/** State of one evaluation. */
export interface Frame {
  /** Values of declared variables, as they were given. */
  readonly vars: unknown[];
  /** Values of iteration variables and bindings. */
  readonly slots: CelValue[];
  cost: number;
  readonly limit: number;
}

/** Compiled code. */
export type Code = (frame: Frame) => CelValue;

/** Stops an evaluation that has become too expensive; loops ask once per turn. */
export function checkCost(frame: Frame): void {
  if (frame.cost > frame.limit) throw new Aborted(costLimitMessage);
}
