import type { RehearsalPass } from './scenario.js';

/** Which runs of a scenario are asked for. */
export interface PassSelection {
  /** One in which nothing goes wrong. */
  readonly isCalm: boolean;
  /** Steps that fail, one in each run. */
  readonly failAt: readonly string[];
  /** Seeds of faults and crashes. */
  readonly seeds: readonly number[];
}

const CALM_SEED = 0;

/** The runs one after the other, the calm one first. */
export function listPasses({ failAt, isCalm: withCalm, seeds }: PassSelection): readonly RehearsalPass[] {
  return [
    ...(withCalm ? [{ seed: CALM_SEED, isFaulty: false }] : []),
    ...failAt.map((step) => ({ seed: CALM_SEED, isFaulty: false, failAt: step })),
    ...seeds.map((seed) => ({ seed, isFaulty: true })),
  ];
}

/** Whether nothing goes wrong in a run. */
export function isCalm({ failAt, isFaulty }: RehearsalPass): boolean {
  return !isFaulty && failAt === undefined;
}

/** `seed 3`, `step copy fails`. */
export function passText({ failAt, isFaulty, seed }: RehearsalPass): string {
  if (failAt !== undefined) return `step ${failAt} fails`;
  return isFaulty ? `seed ${seed}` : 'nothing goes wrong';
}
