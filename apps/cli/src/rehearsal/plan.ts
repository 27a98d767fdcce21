import { FORWARD } from '@capstan/hypershift';
import type { FailureReason, MigrationSettings } from '@capstan/hypershift';
import type { GroupMapping } from '@capstan/translate';
import type { ClusterCopy } from './cluster-copy.js';
import { rehearseOnce } from './rehearse.js';
import type { RunOutcome } from './rehearse.js';

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

export interface PlanOptions {
  readonly mapping: GroupMapping;
  readonly settings: Partial<MigrationSettings>;
  readonly signal: AbortSignal;
  readonly onPass: () => void;
}

/** Rehearses a cluster; one that cannot be migrated at all is rehearsed no further. */
export async function rehearseCluster(
  copy: ClusterCopy,
  passes: readonly Pass[],
  { mapping, onPass, settings, signal }: PlanOptions,
): Promise<readonly PassResult[]> {
  const results: PassResult[] = [];
  if (copy.ineligible !== undefined) return results;
  for (const pass of passes) {
    signal.throwIfAborted();
    const outcome = await rehearseOnce(copy, { ...pass, mapping, settings, signal });
    results.push({ pass, outcome });
    onPass();
    const isCalm = !pass.isFaulty && pass.failAt === undefined;
    if (isCalm && outcome.result !== 'migrated') break;
  }
  return results;
}
