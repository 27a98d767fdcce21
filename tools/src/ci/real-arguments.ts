/** Our own option; all others are vitest's. */
export const BRIEF = '--brief';

/** What a run on real servers was asked for. */
export interface RealRun {
  /** For vitest, which refuses options it does not know. */
  readonly args: readonly string[];
  readonly isBrief: boolean;
}

/** Reads the command line of `npm run test:real`. */
export function readArguments(given: readonly string[]): RealRun {
  const args = given.filter((arg) => arg !== BRIEF);
  return { args, isBrief: args.length < given.length };
}
