import { describe, expect, it } from 'vitest';
import type { Cluster, Machine, MachineHealthCheck, Node } from '../types.js';
import { allowance, examine, isSkipped } from './health.js';
import type { Finding } from './health.js';

const START = '2026-01-01T00:00:00Z';
const at = (seconds: number): number => Date.parse(START) + seconds * 1000;
const condition = (type: string, status: string): object => ({
  type,
  status,
  reason: 'R',
  message: '',
  lastTransitionTime: START,
});

function check(spec: object = {}): MachineHealthCheck {
  const checks = {
    nodeStartupTimeoutSeconds: 600,
    unhealthyNodeConditions: [{ type: 'Ready', status: 'Unknown', timeoutSeconds: 300 }],
  };
  return {
    metadata: { name: 'c' },
    spec: { clusterName: 'one', selector: {}, checks, ...spec },
  } as unknown as MachineHealthCheck;
}

const cluster = (
  conditions = [condition('ControlPlaneInitialized', 'True'), condition('InfrastructureReady', 'True')],
): Cluster => ({ metadata: { name: 'one' }, status: { conditions } }) as unknown as Cluster;
const machine = (metadata: object = {}, status: object = {}): Machine =>
  ({
    kind: 'Machine',
    metadata: { name: 'm', creationTimestamp: START, ...metadata },
    spec: {},
    status,
  }) as unknown as Machine;
const node = (ready: string): Node =>
  ({ metadata: { name: 'a' }, status: { conditions: [condition('Ready', ready)] } }) as unknown as Node;

describe('how a machine is', () => {
  const unwell = 'Condition Ready on Node is reporting status Unknown with reason R for more than 5m0s';

  it.each<[string, Machine, Node | undefined, boolean, number, object]>([
    ['well', machine(), node('True'), false, 9999, { health: 'healthy' }],
    ['unwell, but not for long', machine(), node('Unknown'), false, 100, { health: 'pending', againInMs: 201_000 }],
    [
      'unwell for long',
      machine(),
      node('Unknown'),
      false,
      301,
      { health: 'unhealthy', reason: 'UnhealthyNode', message: `Health check failed:\n  * ${unwell}` },
    ],
    ['without node, but young', machine(), undefined, false, 100, { health: 'pending', againInMs: 501_000 }],
    [
      'without node for long',
      machine(),
      undefined,
      false,
      601,
      {
        health: 'unhealthy',
        reason: 'NodeStartupTimeout',
        message: 'Health check failed:\n  * Node failed to report startup in 10m0s',
      },
    ],
    [
      'robbed of its node',
      machine({}, { nodeRef: { name: 'a' } }),
      undefined,
      true,
      1,
      { health: 'unhealthy', reason: 'NodeDeleted', oldReason: 'NodeNotFound', oldMessage: '' },
    ],
    [
      'to be replaced by request',
      machine({ annotations: { 'cluster.x-k8s.io/remediate-machine': '' } }),
      node('True'),
      false,
      1,
      { health: 'unhealthy', reason: 'HasRemediateAnnotation' },
    ],
    ['going', machine({ deletionTimestamp: START }), node('True'), false, 1, { health: 'unknown' }],
  ])('%s', (...[, object, of, isNodeMissing, seconds, wanted]) => {
    expect(examine(check(), cluster(), { machine: object, node: of, isNodeMissing }, at(seconds))).toMatchObject(
      wanted,
    );
  });

  it.each<[string, Cluster]>([
    ['control plane', cluster([condition('InfrastructureReady', 'True')])],
    ['infrastructure', cluster([condition('ControlPlaneInitialized', 'True')])],
  ])('nobody can say before the cluster has its %s', (_, of) => {
    const finding: Finding = examine(
      check(),
      of,
      { machine: machine(), node: undefined, isNodeMissing: false },
      at(9999),
    );
    expect(finding).toEqual({ health: 'unknown' });
  });

  it('its own conditions count too, and first', () => {
    const checks = { unhealthyMachineConditions: [{ type: 'X', status: 'False', timeoutSeconds: 10 }] };
    const sick = machine({}, { conditions: [condition('X', 'False')] });
    const finding = examine(
      check({ checks }),
      cluster(),
      { machine: sick, node: node('True'), isNodeMissing: false },
      at(11),
    );
    expect(finding).toMatchObject({ reason: 'UnhealthyMachine', oldReason: 'UnhealthyMachine' });
  });

  it('no time is too long where none is set', () => {
    const checks = { nodeStartupTimeoutSeconds: 0 };
    const finding = examine(
      check({ checks }),
      cluster(),
      { machine: machine(), node: undefined, isNodeMissing: false },
      at(99_999),
    );
    expect(finding).toEqual({ health: 'unknown' });
  });
});

describe('whether unhealthy machines are replaced', () => {
  it.each<[object, number, number, boolean, number]>([
    [{}, 3, 0, true, 0],
    [{ unhealthyLessThanOrEqualTo: 2 }, 5, 3, true, 0],
    [{ unhealthyLessThanOrEqualTo: 2 }, 5, 2, false, -1],
    [{ unhealthyLessThanOrEqualTo: '40%' }, 5, 3, true, 0],
    [{ unhealthyInRange: '[1-2]' }, 5, 5, false, 2],
    [{ unhealthyInRange: '[1-2]' }, 5, 4, true, 1],
    [{ unhealthyInRange: '[1-2]' }, 5, 2, false, -1],
  ])('by %j with %i of whom %i are well', (...[triggerIf, total, healthy, isAllowed, count]) => {
    const found = allowance(check({ remediation: { triggerIf } }), { total, healthy, unhealthy: total - healthy });
    expect([found.isAllowed, found.count]).toEqual([isAllowed, count]);
  });

  it('names the reason', () => {
    const limited = check({ remediation: { triggerIf: { unhealthyLessThanOrEqualTo: 1 } } });
    expect(allowance(limited, { total: 5, healthy: 2, unhealthy: 3 }).message).toBe(
      'Remediation is not allowed, the number of not started or unhealthy machines exceeds maxUnhealthy (total: 5, unhealthy: 3, maxUnhealthy: 1)',
    );
    expect(() =>
      allowance(check({ remediation: { triggerIf: { unhealthyInRange: '[3-1]' } } }), {
        total: 1,
        healthy: 1,
        unhealthy: 0,
      }),
    ).toThrow('is not a range');
  });

  it.each<[object, boolean]>([
    [{}, false],
    [{ 'cluster.x-k8s.io/skip-remediation': '' }, true],
    [{ 'cluster.x-k8s.io/paused': '' }, true],
  ])('a machine with %j is left out: %s', (annotations, wanted) => {
    expect(isSkipped(machine({ annotations }))).toBe(wanted);
  });
});
