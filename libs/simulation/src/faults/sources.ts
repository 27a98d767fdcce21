import type { Random } from '@capstan/meta';
import { effectText } from './fault.js';
import type { EffectName, EffectPoint, FaultAction, FaultKind, FaultSource, PlannedFault } from './fault.js';

/** Nothing goes wrong. */
export const noFaults: FaultSource = { strike: () => undefined };

/** Exactly these faults: how a run is repeated, and made smaller. */
export function listedFaults(faults: readonly PlannedFault[]): FaultSource {
  const byEffect = new Map(faults.map((fault) => [effectText(fault), fault.action]));
  return { strike: (effect) => byEffect.get(effectText(effect)) };
}

/** How often what goes wrong. */
export interface FaultProfile {
  /** Share of requests that are struck. Default: drawn for each run, up to 0.15. */
  readonly rate?: number | undefined;
  /** What may happen. Default: each run draws some of all kinds. */
  readonly kinds?: readonly FaultKind[] | undefined;
}

const TRANSPORT: readonly FaultKind[] = ['lost-before', 'lost-after', 'delay', 'duplicate', 'status'];
const WATCH: readonly FaultKind[] = ['watch-cut', 'watch-stall', 'watch-expired'];
const PROCESS: readonly FaultKind[] = ['crash', 'pause'];
/** Every kind of fault. */
export const ALL_FAULTS: readonly FaultKind[] = [...TRANSPORT, ...WATCH, ...PROCESS];

/** Processes fail less often than connections, or nothing would ever be done. */
const PROCESS_SHARE = 0.15;
const TIMER_SHARE = 0.02;
/** Few requests are watches and each lasts for minutes, so more of them are struck. */
const WATCH_FACTOR = 4;

/** Faults drawn from chance, each run with its own mix of kinds: a rare combination is not hidden under all the others. */
export class DrawnFaults implements FaultSource {
  readonly #random: Random;
  readonly #rate: number;
  readonly #kinds: ReadonlySet<FaultKind>;
  readonly #streams = new Map<string, Random>();

  constructor(random: Random, profile: FaultProfile = {}) {
    this.#random = random;
    const mix = random.split('mix');
    this.#rate = profile.rate ?? 0.01 + 0.14 * mix.next() ** 2;
    const drawn = (profile.kinds ?? ALL_FAULTS).filter(() => profile.kinds !== undefined || mix.next() < 0.5);
    this.#kinds = new Set(drawn);
  }

  strike({ process }: EffectName, point: EffectPoint): FaultAction | undefined {
    let stream = this.#streams.get(process);
    if (stream === undefined) this.#streams.set(process, (stream = this.#random.split(process)));
    const chance = stream.next();
    if (chance >= this.#share(point)) return undefined;
    const wantsProcess = point === 'timer' || stream.next() < PROCESS_SHARE;
    const candidates = this.#candidates(point, wantsProcess ? PROCESS : point === 'watch' ? WATCH : TRANSPORT);
    const kind = candidates[stream.below(Math.max(1, candidates.length))];
    return kind === undefined ? undefined : drawAction(kind, point, stream);
  }

  #share(point: EffectPoint): number {
    if (point === 'timer') return this.#rate * TIMER_SHARE;
    return point === 'watch' ? Math.min(0.5, this.#rate * WATCH_FACTOR) : this.#rate;
  }

  #candidates(point: EffectPoint, kinds: readonly FaultKind[]): FaultKind[] {
    // A generated name makes a second object of a repeated request, which no proxy may do.
    return kinds.filter((kind) => this.#kinds.has(kind) && !(kind === 'duplicate' && point === 'generate'));
  }
}

function drawAction(kind: FaultKind, point: EffectPoint, random: Random): FaultAction {
  const upTo = (ms: number): number => 1 + random.below(ms);
  switch (kind) {
    case 'lost-before':
    case 'lost-after':
      return { kind };
    case 'delay':
    case 'duplicate':
      return { kind, ms: upTo(random.below(4) === 0 ? 20_000 : 500) };
    case 'pause':
      return { kind, ms: upTo(random.below(4) === 0 ? 120_000 : 5_000) };
    case 'crash':
      return { kind, when: point !== 'timer' && random.below(2) === 0 ? 'after' : 'before', downMs: upTo(15_000) };
    case 'status':
      return drawStatus(point, random);
    case 'watch-stall':
      return { kind, afterMs: upTo(20_000), forMs: upTo(300_000) };
    case 'watch-cut':
    case 'watch-expired':
      return { kind, afterMs: upTo(30_000) };
  }
}

function drawStatus(point: EffectPoint, random: Random): FaultAction {
  // A conflict where there is nothing to conflict with would be a lie no server tells.
  const codes = point === 'change' ? [409, 409, 429, 500, 503, 504] : [429, 500, 503, 504];
  const code = codes[random.below(codes.length)] ?? 500;
  return { kind: 'status', code, ...(code === 429 ? { retryAfterSeconds: 1 + random.below(3) } : {}) };
}
