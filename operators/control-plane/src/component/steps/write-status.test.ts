import type { ControlPlaneComponent } from '@capstan/api/hypershift';
import { CONTROL_PLANE_COMPONENTS } from '@capstan/hosting';
import type { Workload } from '@capstan/hosting';
import { ManualClock } from '@capstan/kube/testing';
import type { KubeObject } from '@capstan/meta';
import { expect, it } from 'vitest';
import { Settled } from '../../objects/settled.js';
import { Snapshot } from '../../objects/snapshot.js';
import { progressOf } from '../decide.js';
import { PROGRESS_DEADLINE_MS, RolloutProgress } from '../rollout-progress.js';
import type { ComponentResult, ComponentScope } from '../scope.js';
import type { ComponentFindings } from '../status.js';
import { writeStatus } from './write-status.js';

const ETCD = {
  apiVersion: 'apps/v1',
  kind: 'StatefulSet',
  metadata: { name: 'etcd', uid: 'u', generation: 2, resourceVersion: '5' },
  spec: { replicas: 3 },
  status: { observedGeneration: 2, replicas: 3, updatedReplicas: 1, readyReplicas: 2, availableReplicas: 2 },
} as Workload;

/** A component whose status this process has written before, at a server that stores what it is sent. */
function fixture(): { clock: ManualClock; writes: () => number; reconcile: () => Promise<ComponentResult> } {
  const clock = new ManualClock(1_000_000);
  const snapshot = new Snapshot();
  const condition = (type: string): object => ({ type, status: 'False', reason: 'Earlier', message: '' });
  snapshot.put(CONTROL_PLANE_COMPONENTS, {
    metadata: { name: 'etcd', uid: 'c', resourceVersion: '1', creationTimestamp: '1970-01-01T00:00:00Z' },
    status: { conditions: [condition('Available'), condition('RolloutComplete')] },
  } as unknown as KubeObject);
  let count = 0;
  const patch = (_kind: unknown, _name: string, { value }: { value: { status: object } }): Promise<KubeObject> => {
    count += 1;
    const before = snapshot.get<KubeObject>(CONTROL_PLANE_COMPONENTS, 'etcd') as KubeObject;
    const metadata = { ...before.metadata, resourceVersion: String(count + 1) };
    return Promise.resolve({ ...before, metadata, status: { ...(before['status'] as object), ...value.status } });
  };
  const scope = {
    client: { patch },
    clock,
    objects: { snapshot },
    owner: 'ns/one',
    key: 'inputs',
    now: '2026-01-01T00:00:00Z',
    settled: new Settled(),
    progress: new RolloutProgress(),
  } as unknown as ComponentScope;
  const reconcile = (): Promise<ComponentResult> => {
    const nowMs = clock.now();
    const progress = progressOf(ETCD, scope.progress.since('ns/one', 'etcd', ETCD, nowMs), nowMs);
    const findings = { name: 'etcd', hasWorkload: true, workload: ETCD, unmet: [], resources: [], version: '4.22.0' };
    return writeStatus({ ...findings, observedGeneration: 2, ...progress } as unknown as ComponentFindings, scope);
  };
  return { clock, writes: () => count, reconcile };
}

const reasonOf = ({ status }: ControlPlaneComponent): string | undefined =>
  status?.conditions?.find(({ type }) => type === 'RolloutComplete')?.reason;

it('a StatefulSet without progress is reported as stuck at the deadline, and writes nothing before and after', async () => {
  const { clock, reconcile, writes } = fixture();
  const dueMs = clock.now() + PROGRESS_DEADLINE_MS;
  const first = await reconcile();
  expect([reasonOf(first.component), first.dueMs, writes()]).toEqual(['WaitingForRolloutComplete', dueMs, 1]);
  await clock.advance(PROGRESS_DEADLINE_MS - 1);
  const waiting = await reconcile();
  expect([reasonOf(waiting.component), waiting.dueMs, writes()]).toEqual(['WaitingForRolloutComplete', dueMs, 1]);
  await clock.advance(1);
  expect(reasonOf((await reconcile()).component)).toBe('RolloutStuck');
  expect(reasonOf((await reconcile()).component)).toBe('RolloutStuck');
  expect(writes()).toBe(2);
});
