import type { Random } from '@capstan/meta';
import { GARBAGE_ANSWERS } from './hook-answers.js';
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
  /** How often timers are struck, measured by requests. Default 0.02. */
  readonly timerShare?: number | undefined;
}

const TRANSPORT: readonly FaultKind[] = ['lost-before', 'lost-after', 'late', 'delay', 'duplicate', 'status'];
const PROCESS: readonly FaultKind[] = ['crash', 'pause'];
const SERVER: readonly FaultKind[] = ['server-restart'];
/** Faults of an effect, in addition to those of its process and the server, where they differ from other requests. */
const BY_POINT: Readonly<Partial<Record<EffectPoint, readonly FaultKind[]>>> = {
  start: ['skew'],
  timer: [],
  watch: ['watch-cut', 'watch-stall', 'watch-expired', 'no-bookmarks', 'stale-replica'],
  list: [...TRANSPORT, 'stale-replica', 'stale-replica'],
  page: [...TRANSPORT, 'compaction', 'compaction', 'compaction'],
  // A generated name makes a second object of a repeated request, which no proxy may do.
  generate: TRANSPORT.filter((kind) => kind !== 'duplicate'),
  hook: ['hook-timeout', 'hook-refused', 'hook-garbage'],
  sometimes: ['sometimes'],
};
/** Every kind of fault. */
export const ALL_FAULTS: readonly FaultKind[] = [
  ...new Set([...TRANSPORT, ...Object.values(BY_POINT).flat(), ...SERVER, ...PROCESS]),
];

/** Processes fail less often than connections, or nothing would ever be done; the server least of all. */
const PROCESS_SHARE = 0.15;
const SERVER_SHARE = 0.03;
const TIMER_SHARE = 0.02;
/** Few requests are watches or pages and a watch lasts for minutes, so more of them are struck. */
const RARE_FACTOR = 4;
/** Points where nothing befalls the process or the server. */
const ASIDE: ReadonlySet<EffectPoint> = new Set(['start', 'hook', 'sometimes']);

/** Faults drawn from chance, each run with its own mix of kinds: a rare combination is not hidden under all the others. */
export class DrawnFaults implements FaultSource {
  readonly #random: Random;
  readonly #rate: number;
  readonly #kinds: ReadonlySet<FaultKind>;
  readonly #timerShare: number;
  readonly #streams = new Map<string, Random>();

  constructor(random: Random, profile: FaultProfile = {}) {
    this.#random = random;
    const mix = random.split('mix');
    this.#rate = profile.rate ?? 0.01 + 0.14 * mix.next() ** 2;
    this.#timerShare = profile.timerShare ?? TIMER_SHARE;
    const drawn = (profile.kinds ?? ALL_FAULTS).filter(() => profile.kinds !== undefined || mix.next() < 0.5);
    this.#kinds = new Set(drawn);
  }

  strike({ process }: EffectName, point: EffectPoint, likelihood?: number): FaultAction | undefined {
    let stream = this.#streams.get(process);
    if (stream === undefined) this.#streams.set(process, (stream = this.#random.split(process)));
    if (stream.next() >= (likelihood ?? this.#share(point))) return undefined;
    const candidates = this.#victims(point, stream.next()).filter((kind) => this.#kinds.has(kind));
    const kind = candidates[stream.below(Math.max(1, candidates.length))];
    return kind === undefined ? undefined : drawAction(kind, point, stream);
  }

  #share(point: EffectPoint): number {
    if (point === 'timer') return this.#rate * this.#timerShare;
    if (point === 'start') return 0.5;
    return point === 'watch' || point === 'page' || point === 'hook'
      ? Math.min(0.5, this.#rate * RARE_FACTOR)
      : this.#rate;
  }

  /** Who or what is struck: the process, the server, or the effect alone. */
  #victims(point: EffectPoint, chance: number): readonly FaultKind[] {
    const own = BY_POINT[point] ?? TRANSPORT;
    if (ASIDE.has(point)) return own;
    if (point === 'timer' || chance < PROCESS_SHARE) return PROCESS;
    return chance < PROCESS_SHARE + SERVER_SHARE ? SERVER : own;
  }
}

/** How far a clock may run fast or slow: a hundred times what machines are allowed to. */
const MOST_DRIFT = 0.05;

function drawAction(kind: FaultKind, point: EffectPoint, random: Random): FaultAction {
  const upTo = (ms: number): number => 1 + random.below(ms);
  switch (kind) {
    case 'lost-before':
    case 'lost-after':
    case 'no-bookmarks':
    case 'compaction':
    case 'hook-timeout':
    case 'hook-refused':
    case 'sometimes':
      return { kind };
    case 'hook-garbage':
      return { kind, answer: random.below(GARBAGE_ANSWERS) };
    case 'stale-replica':
      return { kind, behind: upTo(random.below(2) === 0 ? 5 : 100) };
    case 'server-restart':
      return { kind, downMs: upTo(15_000), keepsHistory: random.below(2) === 0 };
    case 'skew':
      return { kind, ms: upTo(600_000) - 300_000, rate: 1 + (random.next() - 0.5) * 2 * MOST_DRIFT };
    case 'late':
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
  // A conflict where there is nothing to conflict with is an answer that no server gives.
  const codes = point === 'change' ? [409, 409, 429, 500, 503, 504] : [429, 500, 503, 504];
  const code = codes[random.below(codes.length)] ?? 500;
  return { kind: 'status', code, ...(code === 429 ? { retryAfterSeconds: 1 + random.below(3) } : {}) };
}
