import type { Workload } from '@capstan/hosting';
import { describe, expect, it } from 'vitest';
import { hasProgressed, RolloutProgress } from './rollout-progress.js';
import { rolloutComplete } from './status.js';
import type { ComponentFindings } from './status.js';

const BEGUN = { updatedReplicas: 1, readyReplicas: 2, availableReplicas: 2, updateRevision: 'b', currentRevision: 'a' };
const etcd = (status: object = {}, generation = 2): Workload =>
  ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'etcd', uid: 'u', generation },
    spec: { replicas: 3 },
    status: { observedGeneration: generation, replicas: 3, ...BEGUN, ...status },
  }) as Workload;

describe('the rollout of a StatefulSet', () => {
  it.each<[string, Workload, boolean]>([
    ['that is unchanged has not progressed', etcd(), false],
    ['with one more updated pod has progressed', etcd({ updatedReplicas: 2 }), true],
    ['with one more ready pod has progressed', etcd({ readyReplicas: 3 }), true],
    ['with one more available pod has progressed', etcd({ availableReplicas: 3 }), true],
    ['that lost a pod has not progressed', etcd({ readyReplicas: 1, availableReplicas: 1 }), false],
    ['that was started again has progressed', etcd({ updateRevision: 'c' }), true],
    ['of another generation has progressed', etcd({}, 3), true],
    ['of a recreated object has progressed', { ...etcd(), metadata: { ...etcd().metadata, uid: 'v' } }, true],
  ])('%s', (_title, after, expected) => {
    expect(hasProgressed(etcd(), after)).toBe(expected);
  });

  it('that was complete begins again when a pod is lost', () => {
    const counts = { updatedReplicas: 3, readyReplicas: 3, availableReplicas: 3, currentRevision: 'b' };
    expect(hasProgressed(etcd(counts), etcd({ ...counts, readyReplicas: 2, availableReplicas: 2 }))).toBe(true);
  });

  it('has its time counted from the last progress, for each control plane by itself', () => {
    const progress = new RolloutProgress();
    expect(progress.since('ns/one', 'etcd', etcd(), 1000)).toBe(1000);
    expect(progress.since('ns/one', 'etcd', etcd({ readyReplicas: 1 }), 2000)).toBe(1000);
    expect(progress.since('ns/two', 'etcd', etcd(), 3000)).toBe(3000);
    expect(progress.since('ns/one', 'etcd', etcd({ readyReplicas: 2 }), 4000)).toBe(4000);
    progress.forget('ns/one');
    expect(progress.since('ns/one', 'etcd', etcd({ readyReplicas: 2 }), 5000)).toBe(5000);
  });

  it('that is stuck has the reason of Deployments, and a message within the limit', () => {
    const findings = {
      name: 'etcd',
      hasWorkload: true,
      workload: etcd(),
      unmet: [],
      isStuck: true,
    } as unknown as ComponentFindings;
    expect(rolloutComplete(findings)).toEqual({
      status: 'False',
      reason: 'RolloutStuck',
      message:
        'StatefulSet etcd does not roll out: no progress for 10 minutes, 2 of 3 pods are ready: see the events of its pods',
    });
    expect(rolloutComplete({ ...findings, isStuck: false }).reason).toBe('WaitingForRolloutComplete');
  });
});
