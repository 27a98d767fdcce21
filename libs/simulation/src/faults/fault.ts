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

/** A fault and the effect it strikes: the n-th of that process, counted over all its lives. */
export interface PlannedFault {
  readonly process: string;
  readonly effect: number;
  readonly action: FaultAction;
}

/** The kinds of effect, by what may go wrong with them. */
export type EffectPoint = 'timer' | 'watch' | 'read' | 'create' | 'generate' | 'change' | 'delete';

/** Decides what goes wrong. Asked exactly once per effect, in order. */
export interface FaultSource {
  strike(process: string, effect: number, point: EffectPoint): FaultAction | undefined;
}

/** A fault in a few words. */
export function faultText(action: FaultAction): string {
  const { kind, ...rest } = action;
  const details = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => `${key}=${String(value)}`);
  return [kind, ...details].join(' ');
}
