/** Who does what to which copy: allowed, or a part of the refusal. */
import type { JsonObject } from '@capstan/meta';
import type { Resource, User } from './fixture.js';

/** One request. */
export interface Case {
  readonly who: User;
  readonly what: string;
  readonly on: `${Resource} ${'copy' | 'authority' | 'free'}`;
  readonly patch: JsonObject;
  readonly subresource?: 'scale' | 'status';
  /** Absent: allowed. */
  readonly refusal?: string;
}

const labels = (own: JsonObject): JsonObject => ({ metadata: { labels: own } });
const annotations = (own: JsonObject): JsonObject => ({ metadata: { annotations: own } });
const finalizers = (...own: string[]): JsonObject => ({ metadata: { finalizers: own } });
export const OWNER = { apiVersion: 'v1', kind: 'ConfigMap', name: 'x', uid: 'a7e6b1f4-0000-4000-8000-000000000000' };
const owners: JsonObject = { metadata: { ownerReferences: [OWNER] } };

const SYNC = 'sync.machine.openshift.io/finalizer';
const MIRRORED = ['machine', 'set', 'check', 'plane'] as const;
const THERE_ONLY = 'may be changed there only';

/** A change of the spec of each resource. */
const SPEC: Readonly<Record<string, JsonObject>> = {
  'mapi machine': { spec: { providerID: 'aws:///x' } },
  'mapi set': { spec: { minReadySeconds: 7 } },
  'mapi check': { spec: { maxUnhealthy: '40%' } },
  'mapi plane': { spec: { strategy: { type: 'OnDelete' } } },
  'capi plane': { spec: { strategy: { type: 'OnDelete' } } },
  'capi machine': { spec: { failureDomain: 'x' } },
  'capi set': { spec: { template: { spec: { failureDomain: 'x' } } } },
  'capi check': { spec: { checks: { nodeStartupTimeoutSeconds: 60 } } },
  'capi infrastructure': { spec: { instanceType: 'm5.xlarge' } },
  'capi template': { spec: { template: { spec: { instanceType: 'm5.xlarge' } } } },
};
const ALL = Object.keys(SPEC) as Resource[];
const EXEMPT: readonly User[] = ['operator', 'capi', 'mapi', 'gc'];
const RESTRICTED: readonly User[] = ['admin', 'other', 'autoscaler'];

const place = (resource: Resource): string =>
  resource.startsWith('mapi') ? 'openshift-cluster-api' : 'openshift-machine-api';

function ofEach(resource: Resource): readonly Case[] {
  const copy = `${resource} copy` as const;
  const there = `${place(resource)} has the authoritative copy`;
  const by = (who: User, what: string, patch: JsonObject, refusal?: string): Case => ({
    who,
    what,
    on: copy,
    patch,
    ...(refusal === undefined ? {} : { refusal }),
  });
  const patch = SPEC[resource] ?? {};
  return [
    ...RESTRICTED.map((who) => by(who, 'changes the spec', patch, there)),
    ...EXEMPT.map((who) => by(who, 'changes the spec', patch)),
    by('admin', 'labels it', labels({ team: 'a', 'example.com/team': 'b' })),
    by('admin', 'removes a label of its own', labels({ mine: null })),
    by('admin', 'changes a label that was copied', labels({ copied: 'b' }), `so labels copied ${THERE_ONLY}`),
    by('admin', 'removes a label that was copied', labels({ copied: null }), `so labels copied ${THERE_ONLY}`),
    by('admin', 'labels it for Kubernetes', labels({ 'node-role.kubernetes.io/x': '' }), 'so labels node-role'),
    by('admin', 'labels it for Machine API', labels({ 'machine.openshift.io/zone': 'z' }), 'so labels machine.op'),
    by('admin', 'labels it for Cluster API', labels({ 'cluster.x-k8s.io/set-name': 's' }), 'so labels cluster.x'),
    by('admin', 'sets the template hash', labels({ 'machine-template-hash': 'h' }), 'so labels machine-template-hash'),
    by('admin', 'annotates it', annotations({ 'example.com/note': 'n' })),
    by('admin', 'applies it with kubectl', annotations({ 'kubectl.kubernetes.io/last-applied-configuration': '{}' })),
    by(
      'admin',
      'changes an annotation that was copied',
      annotations({ note: 'b' }),
      `so annotations note ${THERE_ONLY}`,
    ),
    by(
      'admin',
      'changes what was copied',
      annotations({ 'machine.openshift.io/synchronized-keys': '{}' }),
      'so annotations machine.openshift.io/synchronized-keys',
    ),
    by(
      'admin',
      'changes a hook',
      annotations({ 'pre-drain.delete.hook.machine.cluster.x-k8s.io/x': 'me' }),
      'so annotations pre-drain',
    ),
    by(
      'admin',
      'removes the finalizer of the sync',
      finalizers('example.com/mine'),
      'sync.machine.openshift.io/finalizer',
    ),
    by('admin', 'adds a finalizer of its own', finalizers(SYNC, 'example.com/mine')),
    by(
      'admin',
      'adds the finalizer of a controller',
      finalizers(SYNC, 'machine.cluster.x-k8s.io'),
      'belong to controllers',
    ),
    by('operator', 'removes its finalizer', finalizers()),
    by('gc', 'changes the owners', owners),
    by('admin', 'changes the owners', owners, `so owner references ${THERE_ONLY}`),
    by('autoscaler', 'marks it for deletion', annotations({ 'cluster.x-k8s.io/delete-machine': 'yes' })),
    by('admin', 'marks it for deletion', annotations({ 'cluster.x-k8s.io/delete-machine': 'yes' }), 'so annotations'),
  ];
}

/** What is no copy is the user's, but for the marks of the operator. */
function ofOthers(resource: Resource): readonly Case[] {
  const patch = SPEC[resource] ?? {};
  return [
    { who: 'admin', what: 'changes the spec', on: `${resource} authority`, patch },
    {
      who: 'admin',
      what: 'labels it for Kubernetes',
      on: `${resource} authority`,
      patch: labels({ 'kubernetes.io/x': '' }),
    },
    {
      who: 'admin',
      what: 'removes the finalizer of the sync',
      on: `${resource} authority`,
      patch: finalizers(),
      refusal: 'the finalizer sync.machine.openshift.io/finalizer keeps both copies together',
    },
    { who: 'admin', what: 'changes the spec', on: `${resource} free`, patch },
    {
      who: 'admin',
      what: 'adds the finalizer of the sync',
      on: `${resource} free`,
      patch: finalizers(SYNC),
      refusal: 'added and removed by machine-api-sync-controller only',
    },
  ];
}

const PAUSED = 'cluster.x-k8s.io/paused';
const capi = ALL.filter((each) => each.startsWith('capi'));
const pauses: readonly Case[] = capi.flatMap((resource): Case[] => [
  {
    who: 'admin',
    what: 'lets a copy act',
    on: `${resource} copy`,
    patch: annotations({ [PAUSED]: null }),
    refusal: 'so annotations cluster.x-k8s.io/paused',
  },
  { who: 'operator', what: 'lets a copy act', on: `${resource} copy`, patch: annotations({ [PAUSED]: null }) },
  { who: 'admin', what: 'pauses it', on: `${resource} authority`, patch: annotations({ [PAUSED]: 'true' }) },
  {
    who: 'admin',
    what: 'pauses it as a copy',
    on: `${resource} authority`,
    patch: annotations({ [PAUSED]: 'copy' }),
    refusal: 'pause with another value',
  },
]);

const switches: readonly Case[] = MIRRORED.flatMap((kind): Case[] => [
  ...(['copy', 'authority', 'free'] as const).map((state): Case => ({
    who: 'admin',
    what: 'switches it',
    on: `mapi ${kind} ${state}`,
    patch: { spec: { authoritativeAPI: state === 'copy' ? 'MachineAPI' : 'ClusterAPI' } },
  })),
  ...(['admin', 'other', 'autoscaler'] as const).map((who): Case => ({
    who,
    what: 'writes who acts past the handover',
    on: `mapi ${kind} authority`,
    subresource: 'status',
    patch: { status: { authoritativeAPI: 'Migrating' } },
    refusal: 'status.authoritativeAPI is written by controllers only',
  })),
  ...(['operator', 'mapi'] as const).map((who): Case => ({
    who,
    what: 'writes who acts',
    on: `mapi ${kind} authority`,
    subresource: 'status',
    patch: { status: { authoritativeAPI: 'Migrating' } },
  })),
]);

const scales: readonly Case[] = (['mapi', 'capi'] as const).flatMap((api): Case[] => {
  const on = (state: 'copy' | 'authority' | 'free') => `${api} set ${state}` as const;
  const patch = { spec: { replicas: 5 } };
  const refusal = 'has the authoritative copy, so scale machinesets.';
  return [
    { who: 'admin', what: 'scales it', on: on('copy'), patch, subresource: 'scale', refusal },
    { who: 'other', what: 'scales it', on: on('copy'), patch, subresource: 'scale', refusal },
    { who: 'autoscaler', what: 'scales it', on: on('copy'), patch, subresource: 'scale' },
    { who: 'operator', what: 'scales it', on: on('copy'), patch, subresource: 'scale' },
    { who: 'admin', what: 'scales it', on: on('authority'), patch, subresource: 'scale' },
    { who: 'admin', what: 'scales it', on: on('free'), patch, subresource: 'scale' },
    { who: 'autoscaler', what: 'changes the replicas', on: on('copy'), patch },
    { who: 'admin', what: 'changes the replicas', on: on('copy'), patch, refusal: 'so spec fields replicas' },
  ];
});

/** All of them. */
export const CASES: readonly Case[] = [
  ...ALL.flatMap(ofEach),
  ...ALL.flatMap(ofOthers),
  ...pauses,
  ...switches,
  ...scales,
];

/** Creations next to what is there already. */
export interface Creation {
  readonly who: User;
  readonly what: string;
  readonly of: Resource;
  readonly name: string;
  readonly metadata?: JsonObject;
  readonly spec?: JsonObject;
  readonly refusal?: string;
}

const paused = { annotations: { [PAUSED]: '' } };

/** Of each kind. */
export const CREATIONS: readonly Creation[] = MIRRORED.flatMap((kind): Creation[] => [
  {
    who: 'admin',
    what: 'next to one of Cluster API, to act itself',
    of: `mapi ${kind}`,
    name: 'unpaired',
    spec: { authoritativeAPI: 'MachineAPI' },
    refusal: 'set spec.authoritativeAPI to ClusterAPI',
  },
  {
    who: 'mapi',
    what: 'next to one of Cluster API, without a word',
    of: `mapi ${kind}`,
    name: 'unpaired',
    refusal: 'set spec.authoritativeAPI to ClusterAPI',
  },
  {
    who: 'admin',
    what: 'next to one of Cluster API, which goes on',
    of: `mapi ${kind}`,
    name: 'unpaired',
    spec: { authoritativeAPI: 'ClusterAPI' },
  },
  { who: 'admin', what: 'of a new name', of: `mapi ${kind}`, name: 'new' },
  { who: 'admin', what: 'of a new name', of: `capi ${kind}`, name: 'new' },
  {
    who: 'admin',
    what: 'next to one of Machine API that acts',
    of: `capi ${kind}`,
    name: 'acting',
    refusal: 'create this one with the annotation cluster.x-k8s.io/paused',
  },
  {
    who: 'admin',
    what: 'paused, next to one of Machine API that acts',
    of: `capi ${kind}`,
    name: 'acting',
    metadata: paused,
  },
  { who: 'operator', what: 'next to one of Machine API', of: `capi ${kind}`, name: 'acting' },
  {
    who: 'admin',
    what: 'next to one of Machine API that has to stop, and has not yet',
    of: `capi ${kind}`,
    name: 'stopping',
    refusal: 'which may act',
  },
  { who: 'admin', what: 'next to one of Machine API that has stopped', of: `capi ${kind}`, name: 'stopped' },
]);
