import type { MachineContext } from '@capstan/convert/machine-api';
import { deepEqual } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { describe, expect, it } from 'vitest';
import type { Descriptor, Tools } from '../descriptors/descriptor.js';
import { CAPI_MACHINES, MAPI_MACHINES } from '../kinds.js';
import { SYNC_FINALIZER } from '../names.js';
import type { Inputs } from '../resource/inputs.js';
import type { Authored } from '../shared/model.js';
import { decide } from './decide.js';

const NOW = '2026-01-01T00:00:00Z';

/** A kind whose spec is the same in both APIs. */
const descriptor: Descriptor = {
  kind: 'Machine',
  machineApi: MAPI_MACHINES,
  clusterApi: CAPI_MACHINES,
  child: 'none',
  finalizers: {},
  toClusterApi: (_tools, { metadata, spec }) => converted('cluster.x-k8s.io/v1beta2', metadata, spec),
  toMachineApi: (_tools, { capi }) => converted('machine.openshift.io/v1beta1', capi.metadata, capi['spec']),
  statusToClusterApi: () => ({ capi: { phase: 'Running' } }),
  statusToMachineApi: () => ({ phase: 'Running' }),
};

function converted(apiVersion: string, metadata: unknown, spec: unknown): ReturnType<Descriptor['toClusterApi']> {
  const { name, namespace } = metadata as KubeObject['metadata'];
  const { authoritativeAPI: _, ...rest } = spec as JsonObject;
  const object = { apiVersion, kind: 'Machine', metadata: { name, namespace }, spec: rest };
  return { objects: [object], errors: [], warnings: [] } as unknown as ReturnType<Descriptor['toClusterApi']>;
}

const refusing: Descriptor = {
  ...descriptor,
  toClusterApi: () =>
    ({
      objects: [],
      errors: [{ path: 'spec.tenancy', message: 'has no counterpart' }],
      warnings: [],
    }) as unknown as ReturnType<Descriptor['toClusterApi']>,
};

const withoutAuthority = (object: KubeObject): JsonObject => {
  const { authoritativeAPI: _, ...rest } = object['spec'] as JsonObject;
  return rest;
};
const tools = {
  comparison: {
    differences: (desired: KubeObject, existing: KubeObject) =>
      deepEqual(withoutAuthority(desired), withoutAuthority(existing)) ? [] : [{ names: ['spec'] }],
  },
  statuses: {
    mergeInto: (object: KubeObject, desired: JsonObject) => {
      const merged = { ...(object['status'] as JsonObject), ...desired };
      return deepEqual(merged, object['status']) ? object['status'] : merged;
    },
  },
  clusters: { kind: 'AWSCluster' },
} as unknown as Tools;

const cluster: KubeObject = {
  apiVersion: 'cluster.x-k8s.io/v1beta2',
  kind: 'Cluster',
  metadata: { name: 'c', uid: 'cluster' },
};
const context = {
  clusterName: 'c',
  infrastructureCluster: {},
  namespaces: { clusterApi: 'openshift-cluster-api', machineApi: 'openshift-machine-api' },
} as unknown as MachineContext;

const mapi: Authored = {
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'Machine',
  metadata: { name: 'm', namespace: 'openshift-machine-api', uid: 'mapi', generation: 4, finalizers: [SYNC_FINALIZER] },
  spec: { authoritativeAPI: 'MachineAPI', size: 'large' },
  status: { authoritativeAPI: 'MachineAPI' },
};
const inClusterApi: Authored = {
  ...mapi,
  spec: { authoritativeAPI: 'ClusterAPI', size: 'large' },
  status: { authoritativeAPI: 'ClusterAPI', synchronizedAPI: 'ClusterAPI', phase: 'Running' },
};
const deleted = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp: NOW },
});

const alone: Inputs = {
  name: 'm',
  descriptor,
  tools,
  surroundings: { context, cluster },
  mapi,
  templates: [],
  usedTemplates: new Set(),
  owners: { cluster },
  owningSet: {},
  controlled: { mapi: [], capi: [] },
  now: NOW,
};
/** The copy as it is created, and as it is once it has a status. */
const created = (() => {
  const change = decide(alone).step?.change;
  if (change?.verb !== 'create') throw new RangeError('the copy is not created');
  return { ...change.object, metadata: { ...change.object.metadata, uid: 'capi', generation: 7 } } as KubeObject;
})();
const capi: KubeObject = { ...created, status: { phase: 'Running' } };
const paired: Inputs = { ...alone, capi };
/** The copy in Machine API of a machine of Cluster API, with the keys recorded that came from there. */
const mirrored = (() => {
  const change = decide({ ...paired, mapi: inClusterApi }).step?.change;
  if (change?.verb !== 'patch') throw new RangeError('the keys are not recorded');
  return change.after as Authored;
})();

/** What a decision comes down to: its write, its problem, and what it reports. */
function summaryOf(inputs: Inputs): string {
  const { isSynchronized, problem, status, step } = decide(inputs);
  const api = step?.change.kind.group === MAPI_MACHINES.group ? 'mapi' : 'capi';
  const written = step === undefined ? 'nothing' : `${step.change.verb} ${api}`;
  const subresource = step?.change.verb === 'patch' && step.change.subresource === 'status' ? '/status' : '';
  const reported = status?.conditions?.find(({ type }) => type === 'Synchronized');
  const report = reported === undefined ? 'no report' : `${reported.status} ${reported.reason ?? ''}`;
  return `${written}${subresource}; ${isSynchronized ? 'in sync' : 'not in sync'}; ${problem?.reason ?? 'no problem'}; ${report}`;
}

describe('What a synchronisation does next', () => {
  it.each<[string, Inputs, string]>([
    ['nothing without any copy', { ...alone, mapi: undefined }, 'nothing; not in sync; no problem; no report'],
    [
      'holds the object before its copy is created',
      { ...alone, mapi: { ...mapi, metadata: { ...mapi.metadata, finalizers: [] } } },
      'patch mapi; not in sync; no problem; no report',
    ],
    ['creates the copy', alone, 'create capi; not in sync; no problem; no report'],
    [
      'corrects a copy that differs',
      { ...paired, capi: { ...capi, spec: { size: 'small' } } },
      'patch capi; not in sync; no problem; no report',
    ],
    [
      'carries the status after the spec',
      { ...paired, capi: created },
      'patch capi/status; in sync; no problem; True ResourceSynchronized',
    ],
    ['rests with two equal copies', paired, 'nothing; in sync; no problem; True ResourceSynchronized'],
    [
      'corrects the copy in Machine API while Cluster API is authoritative',
      { ...paired, mapi: { ...inClusterApi, spec: { authoritativeAPI: 'ClusterAPI', size: 'small' } } },
      'patch mapi; not in sync; no problem; no report',
    ],
    [
      'rests with two equal copies while Cluster API is authoritative',
      { ...paired, mapi: mirrored },
      'nothing; in sync; no problem; True ResourceSynchronized',
    ],
    [
      'creates the copy of a machine that Cluster API is to create',
      { ...alone, mapi: inClusterApi },
      'create capi; not in sync; no problem; no report',
    ],
    [
      'waits for the Cluster',
      { ...alone, surroundings: { context } },
      'nothing; not in sync; ClusterNotFound; False ClusterNotFound',
    ],
    [
      'reports fields that have no counterpart',
      { ...alone, descriptor: refusing },
      'nothing; not in sync; ConversionFailed; False ConversionFailed',
    ],
    [
      'waits for the copy of the set that owns the machine',
      { ...alone, mapi: ownedBy('machine.openshift.io/v1beta1', 'MachineSet') },
      'nothing; not in sync; OwnerNotSynchronized; Unknown OwnerNotSynchronized',
    ],
    [
      'refuses an owner without a counterpart',
      { ...alone, mapi: ownedBy('apps/v1', 'Deployment') },
      'nothing; not in sync; UnsupportedOwner; False UnsupportedOwner',
    ],
    [
      'deletes the copy of a machine that is deleted in Machine API',
      { ...paired, mapi: deleted(mapi) },
      'delete capi; not in sync; no problem; no report',
    ],
    [
      'deletes the copy of a machine that is deleted in Cluster API',
      { ...paired, mapi: inClusterApi, capi: deleted(capi) },
      'delete mapi; not in sync; no problem; no report',
    ],
    [
      'releases a deleted copy that has no counterpart',
      { ...paired, mapi: undefined, capi: deleted(capi) },
      'patch capi; not in sync; no problem; no report',
    ],
  ])('%s', (_, inputs, summary) => {
    expect(summaryOf(inputs)).toBe(summary);
  });

  it('reports the authority of the spec first, and nothing with it', () => {
    const first = { ...mapi, status: undefined };
    expect(decide({ ...alone, mapi: first })).toEqual({
      isSynchronized: false,
      status: { authoritativeAPI: 'MachineAPI' },
    });
  });

  it('creates a copy paused, held, and owned by the Cluster', () => {
    expect(created.metadata).toMatchObject({
      annotations: { 'cluster.x-k8s.io/paused': 'copy' },
      finalizers: [SYNC_FINALIZER],
      ownerReferences: [{ kind: 'Cluster', uid: 'cluster' }],
    });
  });

  it('records the generation of the authoritative copy', () => {
    expect(decide(paired).status).toMatchObject({ synchronizedAPI: 'MachineAPI', synchronizedGeneration: 4 });
  });
});

function ownedBy(apiVersion: string, kind: string): Authored {
  const ownerReferences = [{ apiVersion, kind, name: 's', uid: 's', controller: true }];
  return { ...mapi, metadata: { ...mapi.metadata, ownerReferences } };
}
