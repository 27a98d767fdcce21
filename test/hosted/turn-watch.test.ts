import { acknowledgement, HOSTED_CLUSTERS, NODE_POOLS, withLock } from '@capstan/hosting';
import type { ClientName } from '@capstan/hypershift';
import { formatApiVersion } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import type { CommitEvent } from '@capstan/simulation';
import { HOME } from '@capstan/tools/hosting';
import { describe, expect, it } from 'vitest';
import { TurnWatch } from './turn-watch.js';

const LOCK = 'a1';
const SCOPE = { 'hypershift.openshift.io/scope': 'legacy' };

const cluster: KubeObject = {
  apiVersion: formatApiVersion(HOSTED_CLUSTERS),
  kind: HOSTED_CLUSTERS.kind,
  metadata: { name: 'one', namespace: HOME, uid: 'c', annotations: SCOPE },
};
const locked = withLock(cluster as never, { id: LOCK, startedAt: '2026-01-01T00:00:00Z' }) as KubeObject;
const pool: KubeObject = {
  apiVersion: formatApiVersion(NODE_POOLS),
  kind: NODE_POOLS.kind,
  metadata: { name: 'one-pool', namespace: HOME, uid: 'p' },
  spec: { clusterName: 'one', replicas: 1 },
};
const deployment: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'cluster-api', namespace: `${HOME}-one` },
  spec: { replicas: 1 },
};
const acknowledged = (object: KubeObject): KubeObject => ({
  ...object,
  status: { conditions: [acknowledgement(LOCK)] },
});
const scaled = (object: KubeObject): KubeObject => ({
  ...object,
  spec: { ...(object['spec'] as object), replicas: 0 },
});

function commit(process: string, object: KubeObject, previous?: KubeObject, controller?: ClientName): CommitEvent {
  const { name = '', namespace = '' } = object.metadata;
  return {
    type: 'commit',
    at: 100_000,
    process,
    effect: 1,
    userAgent: controller === undefined ? '' : `hypershift-operator/${controller}`,
    change: previous === undefined ? 'create' : 'update',
    method: 'PATCH',
    resource: object.kind.toLowerCase(),
    namespace,
    name,
    revision: 1,
    object,
    previous,
    isBlindReplace: false,
    seen: undefined,
  };
}

/** What is found of one write under the lock of a migration, before or after it is acknowledged. */
function problemsOf(write: CommitEvent, isAcknowledged = true): readonly string[] {
  const watch = new TurnWatch({ operator: { kind: 'private' }, 'operator-legacy': { kind: 'legacy' } });
  watch.onEvent(commit('user', cluster));
  watch.onEvent(commit('user', pool));
  watch.onEvent(commit('operator', locked, cluster, 'MigrationController'));
  if (isAcknowledged) {
    watch.onEvent(commit('operator-legacy', acknowledged(locked), locked, 'hostedcluster'));
    watch.onEvent(commit('operator-legacy', acknowledged(pool), pool, 'nodepool'));
  }
  expect(watch.problems).toEqual([]);
  watch.onEvent(write);
  return watch.problems;
}

const row = (process: string, controller: ClientName, [object, previous]: readonly [KubeObject, KubeObject]) =>
  [`of ${controller} of ${process} to a ${object.kind}`, commit(process, object, previous, controller)] as const;
const TO_DEPLOYMENT = [scaled(deployment), deployment] as const;
const TO_POOL = [scaled(acknowledged(pool)), acknowledged(pool)] as const;
const TO_CLUSTER = [{ ...acknowledged(locked), spec: { channel: 'fast' } }, acknowledged(locked)] as const;

describe('Under the acknowledged lock of a migration, a write', () => {
  it.each([
    row('operator', 'hostedcluster', TO_DEPLOYMENT),
    row('operator', 'nodepool', TO_DEPLOYMENT),
    row('operator', 'nodepool', TO_POOL),
    row('operator', 'hostedcluster', TO_CLUSTER),
    row('operator', 'turns', TO_DEPLOYMENT),
    row('operator', 'LegacyOperator', TO_DEPLOYMENT),
    row('operator-legacy', 'hostedcluster', TO_DEPLOYMENT),
    row('operator-legacy', 'nodepool', TO_POOL),
  ])('%s is found', (_, write) => {
    expect(problemsOf(write)).toEqual([expect.stringContaining('when its turn is to') as string]);
  });

  it.each([row('operator', 'MigrationController', TO_DEPLOYMENT), row('operator', 'MigrationController', TO_CLUSTER)])(
    '%s is its own',
    (_, write) => {
      expect(problemsOf(write)).toEqual([]);
    },
  );
});

describe('Before the acknowledgement, a write of the operator that still has the cluster', () => {
  it('is the end of its reconcile', () => {
    expect(problemsOf(commit('operator-legacy', scaled(deployment), deployment, 'hostedcluster'), false)).toEqual([]);
  });
});
