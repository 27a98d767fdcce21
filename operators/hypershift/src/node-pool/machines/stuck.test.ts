import type { Machine } from '@capstan/api/cluster-api';
import { describe, expect, it } from 'vitest';
import { snapshot, NOW_MS, owned, pool } from '../testing/snapshots.js';
import { drainLeftMs, remediateMachines, stuckOf } from './stuck.js';

const iso = (ms: number): string => new Date(ms).toISOString().replace('.000Z', 'Z');

function machine(type: string, reason: string, message: string, metadata: object = {}): Machine {
  const status = type === 'Deleting' ? 'True' : 'False';
  return owned('Machine', 'a', { metadata, status: { conditions: [{ type, status, reason, message }] } });
}

const lost = (metadata: object = {}) =>
  machine(
    'InfrastructureReady',
    'ObjectDeleted',
    'HarbourMachine has been deleted while the Machine still exists',
    metadata,
  );
const REPAIRED = pool({ management: { upgradeType: 'Replace', autoRepair: true } });
const going = (sinceMs: number) => ({ deletionTimestamp: iso(NOW_MS - sinceMs) });
const HEAD = 'Drain not completed yet (started at 2026-01-01T11:00:00Z):';
const draining = (line: string, sinceMs: number, reason = 'DrainingNode') =>
  machine('Deleting', reason, `${HEAD}\n${line}`, going(sinceMs));
const BUDGET =
  "* Pod shop/web-0: cannot evict pod as it would violate the pod's disruption budget. The disruption budget web needs 1 healthy pods and has 1 currently";

describe('a machine is stuck', () => {
  const since = iso(NOW_MS - 600_000);
  it.each<[string, Machine, string | undefined]>([
    [
      'without infrastructure',
      lost(),
      'ObjectDeleted HarbourMachine has been deleted while the Machine still exists: delete the Machine, or set spec.management.autoRepair',
    ],
    ['not when it goes anyway', lost(going(0)), undefined],
    ['not for another reason', machine('InfrastructureReady', 'NotReady', 'wait'), undefined],
    [
      'by a budget',
      draining(BUDGET, 600_000),
      `DrainingNode since ${since}: Pod shop/web-0: PodDisruptionBudget web needs 1 pods, has 1: help them, or set spec.nodeDrainTimeout`,
    ],
    [
      'by anything else',
      draining('* Pod shop/web-0: deletionTimestamp set, but still not removed from the Node', 600_000),
      `DrainingNode since ${since}: Pod shop/web-0: deletionTimestamp set, but still not removed from the Node: help them, or set spec.nodeDrainTimeout`,
    ],
    ['not yet', draining(BUDGET, 60_000), undefined],
    ['not in another stage', draining(BUDGET, 600_000, 'WaitingForInfrastructureDeletion'), undefined],
  ])('%s', (_, of, expected) => {
    const stuck = stuckOf(of, snapshot());
    expect(stuck && `${stuck.reason} ${stuck.message}`).toBe(expected);
  });

  it('with a message that is cut to what fits', () => {
    const long = stuckOf(draining(`* Pod shop/web: ${'x'.repeat(400)}`, 600_000), snapshot())?.message ?? '';
    expect(long.length).toBeLessThanOrEqual(200 - 'Machine '.length);
    expect(long).toContain('...: help them');
  });

  it('and is looked at again when its time is over', () => {
    expect(drainLeftMs(draining(BUDGET, 60_000), NOW_MS)).toBe(240_000);
    expect(drainLeftMs(lost(), NOW_MS)).toBeUndefined();
  });
});

it('machines without infrastructure are marked once, where machines are repaired', () => {
  const marked = { annotations: { 'cluster.x-k8s.io/remediate-machine': '' } };
  const count = (nodePool: ReturnType<typeof pool>, of: Machine): number =>
    remediateMachines(snapshot({ nodePool, existing: { machines: [of] } })).length;
  expect([count(REPAIRED, lost()), count(pool(), lost()), count(REPAIRED, lost(marked))]).toEqual([1, 0, 0]);
});
