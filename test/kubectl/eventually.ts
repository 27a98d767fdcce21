import { systemClock } from '@capstan/kube';
import { waitToSee } from '@capstan/kube/testing';

const WAIT_OPTIONS = { clock: systemClock(), limitMs: 20_000, everyMs: 20 };

/**
 * Waits until what is seen passes, and returns it. Scenarios run concurrently, where `expect.poll` cannot know its test.
 */
export function eventually<T>(what: string, look: () => Promise<T>, willDo: (seen: T) => boolean): Promise<T> {
  return waitToSee(what, look, willDo, WAIT_OPTIONS);
}
