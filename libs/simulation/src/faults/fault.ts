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
  /** Answered with this code without being carried out. */
  | { readonly kind: 'status'; readonly code: number; readonly retryAfterSeconds?: number | undefined }
  | { readonly kind: 'watch-cut'; readonly afterMs: number }
  /** The watch stays open and says nothing for a while; then everything comes, in order. */
  | { readonly kind: 'watch-stall'; readonly afterMs: number; readonly forMs: number }
  /** The watch ends with 410. */
  | { readonly kind: 'watch-expired'; readonly afterMs: number }
  /** The process dies, before the request leaves or once it has taken effect, and comes back with an empty memory. */
  | { readonly kind: 'crash'; readonly when: 'before' | 'after'; readonly downMs: number }
  /** The process does nothing for a while, and does not notice. */
  | { readonly kind: 'pause'; readonly ms: number };

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

/** The kinds of effect, by what may go wrong with them. */
export type EffectPoint = 'timer' | 'watch' | 'read' | 'create' | 'generate' | 'change' | 'delete';

/** Decides what goes wrong. Asked exactly once per effect, in order. */
export interface FaultSource {
  strike(effect: EffectName, point: EffectPoint): FaultAction | undefined;
}

/** A fault in a few words. */
export function faultText(action: FaultAction): string {
  const { kind, ...rest } = action;
  const details = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${String(value)}`);
  return [kind, ...details].join(' ');
}
