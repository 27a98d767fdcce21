/** A handover that is cut off at one write of the operator. */
import type { EffectName, EffectPoint, FaultAction, FaultSource } from '@capstan/simulation';
import { OPERATOR } from './processes.js';

/** Where a handover is cut off. */
export interface CutPoint {
  /** Which write, beginning with 1. */
  readonly write: number;
  /** Whether the write takes effect, though the operator gets no response. */
  readonly hasEffect: boolean;
  /** Whether the process ends as well; otherwise the same one goes on. */
  readonly isCrash: boolean;
}

const WRITES: ReadonlySet<EffectPoint> = new Set(['change', 'create', 'delete', 'generate']);
const DOWN_MS = 1_000;

/** Counts the writes of the operator, and strikes one of them. Events are no writes: nobody reads them. */
export class CutOff implements FaultSource {
  writes = 0;
  readonly #point: CutPoint | undefined;

  constructor(point?: CutPoint) {
    this.#point = point;
  }

  strike({ process, subject }: EffectName, point: EffectPoint): FaultAction | undefined {
    if (process !== OPERATOR || !WRITES.has(point) || subject.endsWith('/events')) return undefined;
    this.writes += 1;
    if (this.writes !== this.#point?.write) return undefined;
    const { hasEffect, isCrash } = this.#point;
    if (isCrash) return { kind: 'crash', when: hasEffect ? 'after' : 'before', downMs: DOWN_MS };
    return { kind: hasEffect ? 'lost-after' : 'lost-before' };
  }
}

/** Every point of a handover of so many writes. */
export function cutPoints(writes: number): readonly CutPoint[] {
  return Array.from({ length: writes }, (_, at) => at + 1).flatMap((write) =>
    [false, true].flatMap((hasEffect) => [false, true].map((isCrash) => ({ write, hasEffect, isCrash }))),
  );
}

/** A point in a few words. */
export function cutText({ hasEffect, isCrash, write }: CutPoint): string {
  return `${isCrash ? 'crash' : 'connection lost'} ${hasEffect ? 'after' : 'before'} write ${write}`;
}
