import type { HostedCluster, HostedControlPlane, NodePool } from '@capstan/api/hypershift';
import {
  CLEANUP_ANNOTATION,
  COMPONENT_FINALIZER,
  DESTROY_GRACE_ANNOTATION,
  KEEP_NAMESPACE_ANNOTATION,
} from '@capstan/hosting';
import { describeChange } from '@capstan/kube';
import type { ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import { SECRETS } from '../../kinds.js';
import { decideDeletion, DESTROYED, graceMsOf } from './decide.js';
import type { DeletionSnapshot, KindedObject } from './gather.js';

const NOW = '2026-03-01T10:00:00Z';
const NOW_MS = Date.parse(NOW);
const NAMESPACE = 'clusters-a';
const SERVERS: ResourceKind = { group: 'x.io', version: 'v1', plural: 'servers', kind: 'Server', namespaced: true };
const DISKS: ResourceKind = { ...SERVERS, plural: 'disks', kind: 'Disk' };

function object(name: string, metadata: KubeObject['metadata'] = {}, more: object = {}): KubeObject {
  return { apiVersion: 'v1', kind: 'X', metadata: { name, namespace: NAMESPACE, ...metadata }, ...more };
}

function hostedCluster(
  annotations: Readonly<Record<string, string>> = {},
  conditions: readonly object[] = [],
): HostedCluster {
  const metadata = { namespace: 'clusters', deletionTimestamp: '2026-03-01T09:00:00Z', annotations };
  return object('a', metadata, { status: { conditions } }) as unknown as HostedCluster;
}

const NOTHING: DeletionSnapshot = {
  hostedCluster: hostedCluster(),
  isOurs: true,
  nodePools: [],
  cluster: undefined,
  controlPlane: undefined,
  namespace: undefined,
  programs: [],
  platformObjects: [],
  leftovers: [],
  binding: undefined,
  lostMachines: undefined,
};
const going = { deletionTimestamp: NOW };
const POOL = object('p') as NodePool;
const PLANE = object('a') as unknown as HostedControlPlane;
const server = (name: string, metadata: KubeObject['metadata'] = {}): KindedObject => ({
  kind: SERVERS,
  object: object(name, metadata),
});

function outcome(snapshot: Partial<DeletionSnapshot>): [string[], string | undefined] {
  const { changes, waiting } = decideDeletion({ ...NOTHING, ...snapshot });
  return [changes.map(describeChange), waiting?.message];
}

describe('the deletion of a hosted cluster', () => {
  it.each<[string, Partial<DeletionSnapshot>, string[], string?]>([
    ['is complete when nothing is left', {}, []],
    [
      'begins with the NodePools',
      { nodePools: [POOL], cluster: object('a-x'), controlPlane: PLANE, namespace: object(NAMESPACE) },
      ['delete NodePool clusters-a/p'],
      'Waiting for NodePools p to be deleted',
    ],
    [
      'waits for NodePools that are being deleted already',
      { nodePools: [object('p', going) as NodePool] },
      [],
      'Waiting for NodePools p to be deleted',
    ],
    [
      'unpauses the Cluster, of which Cluster API would delete nothing else',
      { cluster: object('a-x', {}, { spec: { paused: true, infrastructureRef: {} } }), controlPlane: PLANE },
      ['patch Cluster clusters-a/a-x', 'delete Cluster clusters-a/a-x'],
      'Waiting for Cluster a-x to be deleted',
    ],
    [
      'passes the cleanup of cloud resources on before anything is deleted',
      { hostedCluster: hostedCluster({ [CLEANUP_ANNOTATION]: 'true' }), controlPlane: PLANE, nodePools: [POOL] },
      ['patch HostedControlPlane clusters-a/a', 'delete NodePool clusters-a/p'],
      'Waiting for NodePools p to be deleted',
    ],
    [
      'releases the controllers of Cluster API and deletes the objects of the platform once the Cluster is deleted',
      {
        programs: [object('cluster-api', { finalizers: [COMPONENT_FINALIZER] }), object('capi-provider')],
        platformObjects: [{ kind: SECRETS, object: object('credentials') }],
        binding: object('binding'),
        controlPlane: PLANE,
      },
      [
        'patch Deployment clusters-a/cluster-api',
        'delete Secret clusters-a/credentials',
        'delete ClusterRoleBinding clusters-a/binding',
        'delete HostedControlPlane clusters-a/a',
      ],
      'Waiting for HostedControlPlane a to be deleted',
    ],
    [
      'deletes what only a running control plane can delete before that, one kind after the other',
      { leftovers: [server('s'), server('t', going), { kind: DISKS, object: object('d') }], controlPlane: PLANE },
      ['delete Server clusters-a/s'],
      'Waiting for Server s, t to be deleted',
    ],
    [
      'ends with the namespace',
      { namespace: object(NAMESPACE) },
      ['delete Namespace clusters-a/clusters-a'],
      'Waiting for Namespace clusters-a to be deleted',
    ],
    [
      'keeps a namespace that is to stay',
      { hostedCluster: hostedCluster({ [KEEP_NAMESPACE_ANNOTATION]: 'true' }), namespace: object(NAMESPACE) },
      [],
    ],
    [
      'leaves a namespace of another cluster alone',
      { isOurs: false, cluster: object('a-x'), controlPlane: PLANE, namespace: object(NAMESPACE) },
      [],
    ],
  ])('%s', (_title, snapshot, changes, waiting) => {
    expect(outcome(snapshot)).toEqual([changes, waiting]);
  });

  const lostMachines = [
    server('held', { ...going, finalizers: ['x.io/server'] }),
    server('kept', { finalizers: ['x.io/server'] }),
    server('free', going),
  ];

  it('removes the finalizers of machines that no provider can delete, while they are waited for', () => {
    const decision = decideDeletion({ ...NOTHING, nodePools: [POOL], lostMachines });
    expect(decision.changes.map(describeChange)).toEqual([
      'delete NodePool clusters-a/p',
      'patch Server clusters-a/held',
    ]);
    expect([decision.orphans, decision.requeueMs]).toEqual([['held'], 5_000]);
  });

  it('looks no further at machines once the Cluster is deleted', () => {
    expect(decideDeletion({ ...NOTHING, lostMachines })).toEqual({ changes: [], orphans: [] });
  });
});

describe('the grace period of a deleted cluster', () => {
  const since = (lastTransitionTime: string): object => ({ type: DESTROYED, status: 'True', lastTransitionTime });

  it.each<[string, string | undefined, readonly object[], number]>([
    ['is none by default', undefined, [], 0],
    ['is none when it cannot be read', 'soon', [], 0],
    ['is whole before it has started', '10m', [], 600_000],
    [
      'is whole while the deletion waits',
      '10m',
      [{ type: DESTROYED, status: 'False', lastTransitionTime: NOW }],
      600_000,
    ],
    ['runs from when nothing was left', '10m', [since('2026-03-01T09:56:00Z')], 360_000],
    ['is over', '10m', [since('2026-03-01T09:50:00Z')], 0],
    ['cannot have begun before the deletion', '70m', [since('2020-01-01T00:00:00Z')], 600_000],
    ['cannot have begun in the future', '10m', [since('2030-01-01T00:00:00Z')], 600_000],
  ])('%s', (_title, grace, conditions, leftMs) => {
    const annotations: Record<string, string> = grace === undefined ? {} : { [DESTROY_GRACE_ANNOTATION]: grace };
    expect(graceMsOf(hostedCluster(annotations, conditions), NOW_MS)).toBe(leftMs);
  });
});
