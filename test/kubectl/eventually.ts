import { systemClock } from '@capstan/kube';
import { waitToSee } from '@capstan/kube/testing';

const PATIENCE = { clock: systemClock(), limitMs: 20_000, everyMs: 20 };

/**
 * Looks until what is seen will do, and gives it. Scenarios run side by side, where `expect.poll` cannot tell whose it is.
 */
export function eventually<T>(what: string, look: () => Promise<T>, willDo: (seen: T) => boolean): Promise<T> {
  return waitToSee(what, look, willDo, PATIENCE);
}
