import { FORWARD } from '@capstan/hypershift';
import type { FailureReason } from '@capstan/hypershift';
import { eachBounded } from '@capstan/migration';
import type { ClusterCopy } from './cluster-copy.js';
import type { RunOutcome } from './rehearse.js';
import type { Runner } from './runner.js';

/** Which migrations of one cluster are rehearsed. */
export interface Passes {
  /** With nothing going wrong. */
  readonly isCalm: boolean;
  /** Steps that fail, one in each migration. */
  readonly failAt: readonly string[];
  /** With faults and crashes. */
  readonly seeds: readonly number[];
}

/** One migration of a copy, by what makes it different from others. */
export interface Pass {
  readonly seed: number;
  readonly isFaulty: boolean;
  readonly failAt?: { readonly step: string; readonly reason: FailureReason } | undefined;
}

export interface PassResult {
  readonly pass: Pass;
  readonly outcome: RunOutcome;
}

export const STEP_NAMES: readonly string[] = FORWARD.map(({ name }) => name);
const CALM_SEED = 0;

/** The passes one after the other, the calm one first. */
export function listPasses({ failAt, isCalm, seeds }: Passes): readonly Pass[] {
  const reasonOf = (step: string): FailureReason =>
    FORWARD.find(({ name }) => name === step)?.limit?.reason ?? 'resource-conversion-failed';
  return [
    ...(isCalm ? [{ seed: CALM_SEED, isFaulty: false }] : []),
    ...failAt.map((step) => ({ seed: CALM_SEED, isFaulty: false, failAt: { step, reason: reasonOf(step) } })),
    ...seeds.map((seed) => ({ seed, isFaulty: true })),
  ];
}

/** What is known of a cluster so far. */
export interface ClusterResults {
  readonly copy: ClusterCopy;
  readonly results: PassResult[];
}

/**
 * Rehearses every cluster: at first those passes in which nothing goes wrong. A cluster that such a pass does not migrate is
 * rehearsed no further, and one that is not eligible not at all.
 */
export async function rehearseAll(
  copies: readonly ClusterCopy[],
  passes: readonly Pass[],
  { onPass, runner }: { readonly runner: Runner; readonly onPass: (cluster: string, skipped: number) => void },
): Promise<readonly ClusterResults[]> {
  const all: readonly ClusterResults[] = copies.map((copy) => ({ copy, results: [] }));
  const rounds = [passes.filter(isCalm), passes.filter((pass) => !isCalm(pass))];
  for (const round of rounds) {
    const jobs = all.flatMap((each, copy) => {
      const isOver = each.copy.ineligible !== undefined || isBlocked(each.results);
      if (isOver) onPass(each.copy.id, round.length);
      return isOver ? [] : round.map((pass) => ({ each, copy, pass }));
    });
    await eachBounded(jobs, runner.width, async ({ copy, each, pass }) => {
      const outcome = await runner.run({ copy, pass });
      each.results.push({ pass, outcome });
      onPass(each.copy.id, 1);
    });
  }
  return all.map(({ copy, results }) => ({ copy, results: results.toSorted(byPass(passes)) }));
}

function isCalm({ failAt, isFaulty }: Pass): boolean {
  return !isFaulty && failAt === undefined;
}

function isBlocked(results: readonly PassResult[]): boolean {
  return results.some(({ outcome, pass }) => isCalm(pass) && outcome.result !== 'migrated');
}

/** Threads end in any order, the report has one. */
function byPass(passes: readonly Pass[]): (one: PassResult, other: PassResult) => number {
  return (one, other) => passes.indexOf(one.pass) - passes.indexOf(other.pass);
}
