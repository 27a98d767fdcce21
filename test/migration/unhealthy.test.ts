import type { KubeObject } from '@capstan/meta';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  bothGroups,
  createFleet,
  freshNamespace,
  kindOf,
  migrationServer,
  MigrationFixture,
  PRIVATE,
  STANDARD,
} from './fixture.js';
import { HostedMigration, hostedKinds } from './hosted.js';
import type { PlayedPods, PodState } from './pods.js';

const SUBJECTS = { Cluster: 'infra-a', Machine: 'workers-1' } as const;
type Subject = keyof typeof SUBJECTS;
const AUTOSCALER = 'cluster-autoscaler';
const TIME = '2025-12-31T23:00:00Z';
const LOOPING: PodState = { waiting: 'CrashLoopBackOff', restarts: 17, endedAt: '2025-12-31T23:58:00Z' };

let fixture: MigrationFixture;
let hosted: HostedMigration;
let pods: PlayedPods;

beforeEach(async () => {
  fixture = await MigrationFixture.start(await migrationServer([...bothGroups(), ...hostedKinds()]), freshNamespace());
  hosted = await HostedMigration.create(fixture);
  await createFleet(fixture, false);
  await hosted.begin();
  pods = await hosted.playPods();
}, 60_000);
afterEach(() => fixture.close());

function get(group: string, kind: Subject): Promise<KubeObject> {
  return fixture.client.get(kindOf(group, kind), SUBJECTS[kind], { namespace: fixture.namespace });
}

async function setStatus(group: string, kind: Subject, status: object): Promise<void> {
  const options = { namespace: fixture.namespace, subresource: 'status' };
  await fixture.client.patch(kindOf(group, kind), SUBJECTS[kind], { type: 'merge', value: { status } }, options);
}

/** Does something once the copies are there. */
function onceCopied(act: () => Promise<void>): void {
  let isDone = false;
  hosted.playOthers = async () => {
    if (isDone || (await fixture.list(kindOf(PRIVATE, 'Machine'))).length === 0) return;
    isDone = true;
    await act();
  };
}

/** Migrates until the lock is gone; why it failed, or undefined. */
async function migrate(): Promise<string | undefined> {
  await hosted.lock();
  const { annotations = {} } = (await hosted.run()).metadata;
  return annotations['hypershift.openshift.io/migration-failed'];
}

const FAILED_CLUSTER = {
  phase: 'Failed',
  initialization: { infrastructureProvisioned: false },
  conditions: ['InfrastructureReady', 'RemoteConnectionProbe'].map((type) => ({
    type,
    status: 'False',
    reason: 'Lost',
    message: 'the VPC was deleted',
    lastTransitionTime: TIME,
  })),
};
const FAILED_MACHINE = {
  phase: 'Failed',
  nodeRef: null,
  deprecated: { v1beta1: { failureReason: 'CreateError', failureMessage: 'the instance was terminated' } },
};

describe('A hosted cluster that was unhealthy before', () => {
  it.each<[string, Subject, object]>([
    ['Cluster Failed before', 'Cluster', FAILED_CLUSTER],
    ['Machine Failed before', 'Machine', FAILED_MACHINE],
  ])('migrates with its state preserved: %s', async (_, kind, status) => {
    await setStatus(STANDARD, kind, status);
    const before = await get(STANDARD, kind);
    expect([await migrate(), await hosted.condition()]).toEqual([undefined, expect.stringContaining('True Migrated')]);
    const after = await get(PRIVATE, kind);
    // Pausing a Cluster is a generation that no controller has observed.
    const { observedGeneration: __, ...state } = before['status'] as { readonly observedGeneration?: number };
    expect(after['status']).toEqual(state);
    expect(state).toMatchObject({ phase: 'Failed' });
  });

  it.each<[string, PodState]>([
    ['a container in a crash loop', LOOPING],
    ['an image that cannot be pulled', { phase: 'Pending', waiting: 'ImagePullBackOff' }],
    ['a pod that no node has room for', { phase: 'Pending' }],
  ])('migrates with its state preserved: Deployment unavailable before by %s', async (_, state) => {
    pods.states.set(AUTOSCALER, () => state);
    await hosted.play();
    expect(await migrate()).toBeUndefined();
    const autoscaler = (await hosted.deployments()).find(({ metadata }) => metadata.name === AUTOSCALER);
    expect([autoscaler?.spec.replicas, autoscaler?.['status']]).toMatchObject([1, { updatedReplicas: 1 }]);
    const { availableReplicas = 0 } = (autoscaler?.['status'] ?? {}) as { readonly availableReplicas?: number };
    expect(availableReplicas).toBe(0);
  });

  it('migrates although a container that crash-loops ran when its health was recorded, and restarts since', async () => {
    let restarts = 17;
    pods.states.set(AUTOSCALER, ({ isMigrated }) => {
      if (!isMigrated) return { restarts, endedAt: LOOPING.endedAt ?? '' };
      restarts += 1;
      return { restarts, ...(restarts % 3 === 0 ? {} : { waiting: 'CrashLoopBackOff' }) };
    });
    await hosted.play();
    expect(await migrate()).toBeUndefined();
  });

  it('is rolled back when a container restarts that had not done so for a while', async () => {
    let restarts = 17;
    pods.states.set(AUTOSCALER, ({ isMigrated }) => {
      restarts += isMigrated ? 1 : 0;
      return { restarts, endedAt: TIME };
    });
    await hosted.play();
    expect([await migrate(), await hosted.condition()]).toEqual([
      'health-check-timeout',
      expect.stringContaining(`restart-counts: Deployment ${AUTOSCALER}: container ${AUTOSCALER} has restarted`),
    ]);
  });

  it('is rolled back without waiting for a Deployment that was not available before', async () => {
    pods.states.set(AUTOSCALER, () => LOOPING);
    await hosted.play();
    onceCopied(() => setStatus(PRIVATE, 'Cluster', { phase: 'Failed' }));
    const began = hosted.clock.now();
    expect(await migrate()).toBe('health-check-timeout');
    expect(hosted.clock.now() - began).toBeLessThan(10 * 60_000);
  });
});

describe('A hosted cluster that got worse', () => {
  const MIGRATED_ONLY = (state: PodState): (({ isMigrated }: { isMigrated: boolean }) => PodState) => {
    return ({ isMigrated }) => (isMigrated ? state : {});
  };

  it.each<[string, Subject, object, string]>([
    ['its Cluster Failed', 'Cluster', { phase: 'Failed' }, 'cluster-phase: the Cluster was Provisioned and is Failed'],
    [
      'its infrastructure is lost',
      'Cluster',
      { initialization: { infrastructureProvisioned: false } },
      'infrastructure-ready',
    ],
    ['a condition of its Cluster is False', 'Cluster', { conditions: FAILED_CLUSTER.conditions }, 'cluster-conditions'],
    ['a Machine Failed', 'Machine', FAILED_MACHINE, 'machine-phases: Machines got worse: workers-1 is Failed'],
  ])('is rolled back: %s', async (_, kind, status, message) => {
    onceCopied(() => setStatus(PRIVATE, kind, status));
    expect([await migrate(), await hosted.condition()]).toEqual([
      'health-check-timeout',
      expect.stringContaining(message),
    ]);
  });

  it.each<[string, PodState, string, string]>([
    ['a container crash-loops', { waiting: 'CrashLoopBackOff' }, 'deployment-timeout', 'has 0 of 1 available replicas'],
    ['a pod is not scheduled', { phase: 'Pending' }, 'deployment-timeout', 'has 0 of 1 available replicas'],
    ['a proxy refuses', { proxy: 'refuses' }, 'health-check-timeout', 'translation: Pod capi-provider-'],
    [
      'a proxy reports the wrong group',
      { proxy: 'wrong group' },
      'health-check-timeout',
      'it returned cluster.hypershift.openshift.io for cluster.x-k8s.io',
    ],
    [
      'something else answers on the port of a proxy',
      { proxy: 'no report' },
      'health-check-timeout',
      'its answer is not the report of a proxy',
    ],
  ])('is rolled back: %s', async (_, state, reason, message) => {
    pods.states.set('capi-provider', MIGRATED_ONLY(state));
    expect([await migrate(), await hosted.condition()]).toEqual([reason, expect.stringContaining(message)]);
    expect(await fixture.list(kindOf(STANDARD, 'Machine'))).toHaveLength(1);
    expect(await fixture.list(kindOf(PRIVATE, 'Machine'))).toEqual([]);
  });
});
