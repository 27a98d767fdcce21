import { minOf } from '@capstan/meta';
import { isReady, timeMs } from '../workload/pods.js';
import type { IntOrPercent, Pod } from '../workload/resources.js';
import type { KubeObject, LabelSelector } from '@capstan/meta';

/** After this long a pod whose eviction was granted and that is still there counts again. */
const DELETION_TIMEOUT_MS = 120_000;

interface BudgetCondition {
  type: string;
  status: string;
  observedGeneration?: number;
  lastTransitionTime: string;
  reason: string;
  message: string;
}

export interface BudgetStatus {
  disruptionsAllowed: number;
  currentHealthy: number;
  desiredHealthy: number;
  expectedPods: number;
  observedGeneration?: number;
  /** When the eviction of a pod was granted, by name, until its deletion is seen. */
  disruptedPods?: Record<string, string>;
  conditions?: BudgetCondition[];
}

export interface DisruptionBudget extends KubeObject {
  spec: { selector?: LabelSelector | null; minAvailable?: IntOrPercent; maxUnavailable?: IntOrPercent };
  status?: BudgetStatus;
}

/** The budget cannot be computed, so nothing may be disrupted. */
export interface SyncFailure {
  readonly failure: string;
}

export interface BudgetInput {
  readonly budget: DisruptionBudget;
  readonly pods: readonly Pod[];
  /** How many pods their controllers mean there to be, or why that cannot be known. */
  readonly expectedScale: () => number | SyncFailure;
  readonly nowMs: number;
  readonly now: string;
}

export interface BudgetDecision {
  readonly status: BudgetStatus;
  /** When a granted eviction will be taken to have come to nothing. */
  readonly recheckMs: number | undefined;
}

function scaledUp(value: IntOrPercent, total: number): number {
  if (typeof value === 'number') return value;
  return Math.ceil((Number.parseInt(value, 10) * total) / 100);
}

/** Whether the budget is about a share of what there should be; a plain minimum needs nobody's word on that. */
export function needsScale({ spec: { maxUnavailable, minAvailable } }: DisruptionBudget): boolean {
  return maxUnavailable !== undefined || typeof minAvailable === 'string';
}

function expectation(input: BudgetInput): { expected: number; desired: number } | SyncFailure {
  const { maxUnavailable, minAvailable } = input.budget.spec;
  if (!needsScale(input.budget)) return { expected: input.pods.length, desired: Number(minAvailable ?? 0) };
  const expected = input.expectedScale();
  if (typeof expected !== 'number') return expected;
  if (maxUnavailable === undefined) return { expected, desired: scaledUp(minAvailable ?? 0, expected) };
  return { expected, desired: Math.max(0, expected - scaledUp(maxUnavailable, expected)) };
}

/** The evictions that were granted and not carried out yet. */
function stillDisrupted({ budget, nowMs, pods }: BudgetInput): Record<string, string> {
  const present = new Map(pods.map((pod) => [pod.metadata.name ?? '', pod]));
  return Object.fromEntries(
    Object.entries(budget.status?.disruptedPods ?? {}).filter(([name, since]) => {
      const pod = present.get(name);
      if (pod === undefined || pod.metadata.deletionTimestamp != null) return false;
      return timeMs(since) + DELETION_TIMEOUT_MS > nowMs;
    }),
  );
}

/** How many pods may be removed now. */
export function budgetStatus(input: BudgetInput): BudgetDecision {
  const { budget, now, nowMs, pods } = input;
  const found = expectation(input);
  const disrupted = stillDisrupted(input);
  const generation = budget.metadata.generation ?? 0;
  const disruptedPods = Object.keys(disrupted).length === 0 ? {} : { disruptedPods: disrupted };
  if ('failure' in found) {
    const before = budget.status ?? { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    const conditions = [condition(budget, 'False', 'SyncFailed', found.failure, now)];
    const status = { ...before, disruptionsAllowed: 0, observedGeneration: generation, conditions };
    return { status, recheckMs: undefined };
  }
  const healthy = pods.filter(
    (pod) =>
      pod.metadata.deletionTimestamp == null && !Object.hasOwn(disrupted, pod.metadata.name ?? '') && isReady(pod),
  ).length;
  const allowed = found.expected <= 0 ? 0 : Math.max(0, healthy - found.desired);
  const status: BudgetStatus = {
    disruptionsAllowed: allowed,
    currentHealthy: healthy,
    desiredHealthy: found.desired,
    expectedPods: found.expected,
    observedGeneration: generation,
    ...disruptedPods,
    conditions: [
      allowed > 0
        ? condition(budget, 'True', 'SufficientPods', '', now)
        : condition(budget, 'False', 'InsufficientPods', '', now),
    ],
  };
  const ends = Object.values(disrupted).map((since) => timeMs(since) + DELETION_TIMEOUT_MS - nowMs);
  return { status, recheckMs: ends.length === 0 ? undefined : minOf(ends) };
}

// oxlint-disable-next-line max-params
function condition(
  budget: DisruptionBudget,
  status: string,
  reason: string,
  message: string,
  now: string,
): BudgetCondition {
  const before = budget.status?.conditions?.find(({ type }) => type === 'DisruptionAllowed');
  const lastTransitionTime = before?.status === status ? before.lastTransitionTime : now;
  const observedGeneration = budget.metadata.generation ?? 0;
  return { type: 'DisruptionAllowed', status, observedGeneration, lastTransitionTime, reason, message };
}
