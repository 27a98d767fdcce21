/**
 * How long work shares one thread with everything else that waits for it. Work looks between two pieces that must not
 * be split; a caller that has used up a turn of the event loop waits for another.
 */
export interface Turns {
  /** Whether the present turn has been used up; the caller then waits for {@link Turns.next}. */
  isOver(): boolean;
  /** Resolves in a turn of one's own, after what else was waiting; those who wait get theirs one after the other. */
  next(): Promise<void>;
}

/** What turns are made of. */
export interface TurnParts {
  /** How long a turn is. */
  readonly turnMs: number;
  /** Milliseconds that never go back. */
  readonly monotonic: () => number;
  /** Calls back in the next turn of the event loop, when what came meanwhile has been seen to. */
  readonly afterOthers: (callback: () => void) => void;
}

/** Turns of an event loop. */
export function turnsOf({ turnMs, monotonic, afterOthers }: TurnParts): Turns {
  /** When the present turn began, as far as anybody asked in it. */
  let began: number | undefined;
  let waiting: (() => void)[] = [];
  let isArmed = false;
  const arm = (): void => {
    if (isArmed) return;
    isArmed = true;
    afterOthers(() => {
      isArmed = false;
      began = undefined;
      const [first, ...others] = waiting;
      if (first === undefined) return;
      waiting = others;
      if (others.length > 0) arm();
      first();
    });
  };
  return {
    isOver: () => {
      if (began === undefined) {
        began = monotonic();
        arm();
        return false;
      }
      return monotonic() - began >= turnMs;
    },
    next: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
        arm();
      }),
  };
}
