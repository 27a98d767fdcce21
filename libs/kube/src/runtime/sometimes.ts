/**
 * A hook in a program at which it may do the unlikely but allowed: look twice, begin again, leave out a turn. Always false
 * outside a simulation, which draws it by chance, so that rare paths are walked often. The name is unique in the program.
 */
export type Sometimes = (hook: string, chance: number) => boolean;

/** What programs outside a simulation have. */
export const never: Sometimes = () => false;

/** The hooks of this package, so that a simulation can list those that were never reached. */
export const RUNTIME_HOOKS = {
  /** A watch that could go on is begun with a new list instead. */
  relist: 'reflector lists all objects again',
  /** Handlers receive an object once more, as in a resync. */
  rerun: 'informer delivers an update twice',
  /** A reconciliation that succeeded is done once more. */
  reconcileAgain: 'controller reconciles again',
  /** A leader leaves one renewal out. */
  skipRenewal: 'elector skips a renewal',
} as const;
