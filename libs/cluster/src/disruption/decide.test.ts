import { describe, expect, it } from 'vitest';
import type { Pod } from '../workload/resources.js';
import { budgetStatus } from './decide.js';
import type { BudgetStatus, DisruptionBudget } from './decide.js';

const NOW = Date.UTC(2026, 0, 1, 0, 10);
const now = '2026-01-01T00:10:00Z';

function pod(name: string, ready = true, deletionTimestamp?: string): Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }) },
    status: { conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  };
}

function budget(spec: DisruptionBudget['spec'], status?: BudgetStatus): DisruptionBudget {
  const metadata = { name: 'b', generation: 4 };
  return { apiVersion: 'policy/v1', kind: 'PodDisruptionBudget', metadata, spec, ...(status && { status }) };
}

const pods = [pod('a'), pod('b'), pod('c', false), pod('d', true, now)];
const decide = (b: DisruptionBudget, scale: number | { failure: string } = 4) =>
  budgetStatus({ budget: b, pods, expectedScale: () => scale, nowMs: NOW, now });

describe('budgetStatus', () => {
  it.each([
    { spec: { minAvailable: 1 }, expected: { allowed: 1, desired: 1, pods: 4 } },
    { spec: { minAvailable: 3 }, expected: { allowed: 0, desired: 3, pods: 4 } },
    { spec: { minAvailable: '30%' }, scale: 5, expected: { allowed: 0, desired: 2, pods: 5 } },
    { spec: { maxUnavailable: 3 }, expected: { allowed: 1, desired: 1, pods: 4 } },
    { spec: { maxUnavailable: '50%' }, scale: 3, expected: { allowed: 1, desired: 1, pods: 3 } },
    { spec: { maxUnavailable: 9 }, expected: { allowed: 2, desired: 0, pods: 4 } },
    { spec: { maxUnavailable: 1 }, scale: 0, expected: { allowed: 0, desired: 0, pods: 0 } },
  ])('of $spec with two healthy pods is $expected', ({ spec, scale, expected }) => {
    const { status } = decide(budget(spec), scale ?? 4);
    expect(status.currentHealthy).toBe(2);
    expect({ allowed: status.disruptionsAllowed, desired: status.desiredHealthy, pods: status.expectedPods }).toEqual(
      expected,
    );
    const reason = expected.allowed > 0 ? 'SufficientPods' : 'InsufficientPods';
    expect(status.conditions?.map((condition) => condition.reason)).toEqual([reason]);
    expect(status.observedGeneration).toBe(4);
  });

  it('does not count a pod whose eviction was granted, until that has taken too long', () => {
    const base = { disruptionsAllowed: 0, currentHealthy: 0, desiredHealthy: 0, expectedPods: 0 };
    const disruptedPods = { a: '2026-01-01T00:09:00Z', b: '2026-01-01T00:07:00Z', d: now, gone: now };
    const { recheckMs, status } = decide(budget({ minAvailable: 0 }, { ...base, disruptedPods }));
    expect(status.currentHealthy).toBe(1);
    expect(status.disruptedPods).toEqual({ a: '2026-01-01T00:09:00Z' });
    expect(recheckMs).toBe(60_000);
  });

  it('allows nothing when the controllers of the pods cannot be asked', () => {
    const { status } = decide(budget({ maxUnavailable: 1 }), { failure: 'nobody knows' });
    expect(status.disruptionsAllowed).toBe(0);
    expect(status.conditions).toEqual([
      {
        type: 'DisruptionAllowed',
        status: 'False',
        observedGeneration: 4,
        lastTransitionTime: now,
        reason: 'SyncFailed',
        message: 'nobody knows',
      },
    ]);
  });
});
