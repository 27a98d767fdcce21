/** What can go wrong at one effect of a process. Durations are of virtual time. */
export type FaultAction =
  /** The request never arrives; the process sees its connection break. */
  | { readonly kind: 'lost-before' }
  /** The request takes effect, its answer is lost: the process cannot know. */
  | { readonly kind: 'lost-after' }
  /** The request arrives late. */
  | { readonly kind: 'delay'; readonly ms: number }
  /** Something between repeats the request; the process gets the second answer. */
  | { readonly kind: 'duplicate'; readonly ms: number }
  /** The process sees its connection break at once; the request arrives all the same, after whatever was tried since. */
  | { readonly kind: 'late'; readonly ms: number }
  /** Answered with this code without being carried out. */
  | { readonly kind: 'status'; readonly code: number; readonly retryAfterSeconds?: number | undefined }
  | { readonly kind: 'watch-cut'; readonly afterMs: number }
  /** The watch stays open and sends nothing for a while; then everything comes, in order. */
  | { readonly kind: 'watch-stall'; readonly afterMs: number; readonly forMs: number }
  /** The watch ends with 410. */
  | { readonly kind: 'watch-expired'; readonly afterMs: number }
  /** Only events are sent: no bookmarks, so nothing shows how far the watch has got. */
  | { readonly kind: 'no-bookmarks' }
  /** A replica answers that is this many revisions behind: old state where any will do, else it does not know yet. */
  | { readonly kind: 'stale-replica'; readonly behind: number }
  /** The server forgets all history just before it reads this page of a list. */
  | { readonly kind: 'compaction' }
  /** The server goes away, with every watch, and comes back; without its history whatever was seen before has expired. */
  | { readonly kind: 'server-restart'; readonly downMs: number; readonly keepsHistory: boolean }
  /** A webhook does not answer in time, cannot be reached, or answers nonsense. */
  | { readonly kind: 'hook-timeout' }
  | { readonly kind: 'hook-refused' }
  | { readonly kind: 'hook-garbage'; readonly answer: number }
  /** The process dies, before the request leaves or once it has taken effect, and comes back with an empty memory. */
  | { readonly kind: 'crash'; readonly when: 'before' | 'after'; readonly downMs: number }
  /** The process does nothing for a while, and does not notice. */
  | { readonly kind: 'pause'; readonly ms: number }
  /** The clock of the process is off, and runs at this rate, until it dies. */
  | { readonly kind: 'skew'; readonly ms: number; readonly rate: number }
  /** A hook in the controller returns true for once. */
  | { readonly kind: 'sometimes' };

/** The names of the things that can go wrong. */
export type FaultKind = FaultAction['kind'];

/**
 * An effect of a process: the n-th of its requests with that method and path (or of its timers), over all its lives.
 * Counted so, and not all in one, most effects keep their name when something else is left out of a run.
 */
export interface EffectName {
  readonly process: string;
  readonly subject: string;
  readonly occurrence: number;
}

/** A fault and the effect it strikes. */
export interface PlannedFault extends EffectName {
  readonly action: FaultAction;
}

/** An effect in a few words. */
export function effectText({ process, subject, occurrence }: EffectName): string {
  return `${process} ${subject} (${occurrence})`;
}

/** What something may befall: the number of an effect of a process, and what it is about. */
export interface StruckEffect {
  readonly effect: number;
  readonly subject: string;
}

/** The kinds of effect, by what may go wrong with them. */
export type EffectPoint =
  | 'start'
  | 'timer'
  | 'watch'
  | 'read'
  /** A list that names how old its answer may be. */
  | 'list'
  /** A page of a list after the first. */
  | 'page'
  | 'create'
  | 'generate'
  | 'change'
  | 'delete'
  /** The server calls a webhook. */
  | 'hook'
  | 'sometimes';

/** Decides what goes wrong. Asked exactly once per effect, in order. */
export interface FaultSource {
  /** `chance` is the probability where the effect itself has one. */
  strike(effect: EffectName, point: EffectPoint, chance?: number): FaultAction | undefined;
}

/** A fault in a few words. */
export function faultText(action: FaultAction): string {
  const { kind, ...rest } = action;
  const details = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${String(value)}`);
  return [kind, ...details].join(' ');
}
