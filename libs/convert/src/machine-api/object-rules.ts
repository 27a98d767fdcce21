/** Rules about the objects that machines are written as, whatever the platform. Left is Machine API. */
import type { JsonObject } from '@capstan/meta';
import { constant, derived, same, unsupported, warned } from '../engine/field-rules.js';
import { listInEntries } from '../engine/entry-rules.js';
import { listOf } from '../engine/list-rules.js';
import type { Path } from '../engine/path.js';
import { claimPath, getAt, isRecord, setAt, stepToItem } from '../engine/path.js';
import type { Claim, Scope, Side } from '../engine/rule.js';
import { addError } from '../engine/rule.js';
import type { Preservation } from '../engine/two-way-map.js';
import { nodePropagationRule } from './node-propagation.js';
import { hookNameProblem, taintChecks } from './server-checks.js';
import { KEPT_ANNOTATION, KEPT_CLUSTER_API_ANNOTATION, PRE_DRAIN_PREFIX, PRE_TERMINATE_PREFIX } from './names.js';
import type { MachineContext, MachineRule } from './platform.js';
import { optionalText } from './values.js';

const join = (prefix: Path, path: string): Path => [...prefix, ...path.split('.')];

/** A field that is not converted: who wrote an object and when, or the progress of controllers. */
export function ignored(side: Side, path: Path): MachineRule {
  const claims: Record<Side, readonly Claim[]> = { left: [], right: [] };
  claims[side] = [{ path: claimPath(path), fate: 'derived' }];
  return { claims, convert: () => undefined, acts: () => false };
}

/** What one API has no field for is preserved in an annotation of the object of the other. */
export function preservedFields(right: Path): Preservation[] {
  return [
    {
      side: 'left',
      annotation: KEPT_ANNOTATION,
      content: 'sparse',
      annotations: [...right, 'metadata', 'annotations'],
    },
    { side: 'right', annotation: KEPT_CLUSTER_API_ANNOTATION, content: 'sparse' },
  ];
}

/** The type that objects of a side have. */
export function typed(side: Side, at: Path, apiVersion: string, kind: string): MachineRule[] {
  return [
    constant<MachineContext>(side, [...at, 'apiVersion'], apiVersion),
    constant<MachineContext>(side, [...at, 'kind'], kind),
  ];
}

/** Metadata that the server and the garbage collector manage. */
const servers = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'managedFields',
  'selfLink',
  // The writer of the objects knows the owners in the cluster, and which controllers have finalizers.
  'ownerReferences',
  'finalizers',
  'generateName',
];

type NamespaceOf = (namespaces: MachineContext['namespaces']) => string;
const namespaceOf: Readonly<Record<Side, NamespaceOf>> = {
  left: ({ machineApi }) => machineApi,
  right: ({ clusterApi }) => clusterApi,
};

/** What of the metadata is an object's own in each cluster, and its namespace, which is that of its API. */
export function ownMetadata(side: Side, at: Path, namespace: NamespaceOf = namespaceOf[side]): MachineRule[] {
  return [
    ...servers.map((name) => ignored(side, [...at, 'metadata', name])),
    {
      claims: { left: [], right: [], [side]: [{ path: claimPath([...at, 'metadata', 'namespace']), fate: 'derived' }] },
      convert: ({ run, target }) => {
        if (run.to === side) setAt(target, [...at, 'metadata', 'namespace'], namespace(run.context.namespaces));
      },
    },
  ];
}

/** The name an object has in both APIs. */
export function nameOf(root: JsonObject): unknown {
  return (
    getAt(root, ['metadata', 'name']) ??
    getAt(root, ['machine', 'metadata', 'name']) ??
    getAt(root, ['machineSet', 'metadata', 'name'])
  );
}

/** How long Cluster API tries to delete the node of a machine that is gone: as long as Machine API does. */
const NODE_DELETION_SECONDS = 10;

/** The authoritative API: it is not converted, and set again on the way back. */
export function authorityRule(path: Path): MachineRule {
  return {
    claims: { left: [{ path: claimPath(path), fate: 'derived' }], right: [] },
    convert: ({ run, target }) => {
      if (run.to === 'left' && run.from === 'right' && run.context.authority !== undefined)
        setAt(target, path, run.context.authority);
    },
  };
}

/** Hooks: items of a list here, annotations there, whose keys cannot hold a second slash. */
function hooks(list: Path, map: Path, prefix: string): MachineRule[] {
  const rule = listInEntries<MachineContext>({ list, map, prefix, key: 'name', value: 'owner' });
  const check = (scope: Scope<MachineContext>): void => {
    const items = getAt(scope.source, list);
    if (scope.run.from !== 'left' || scope.run.to === 'left' || !Array.isArray(items)) return;
    items.forEach((item, index) => {
      const name: unknown = isRecord(item) ? item['name'] : undefined;
      const problem = typeof name === 'string' ? hookNameProblem(name) : undefined;
      if (problem !== undefined)
        addError({ ...scope, at: stepToItem(undefined, list, index) }, ['name'], problem, 'RefusedByServer');
    });
  };
  return [{ claims: { left: [], right: [] }, convert: check }, rule];
}

/** Where the spec of a machine and the metadata around it are, in a machine as in a template of them. */
export interface SpecPlaces {
  readonly left: Path;
  readonly right: Path;
  /** Annotations of the Cluster API machine. */
  readonly annotations: Path;
}

/** The spec of a machine, without the fields of its platform. */
export function machineSpecRules(places: SpecPlaces, of: 'machine' | 'template'): MachineRule[] {
  const left = (path: string): Path => join(places.left, path);
  const right = (path: string): Path => join(places.right, path);
  const noMetadata = 'is not kept: machines have the name and namespace of their own metadata in both APIs';
  return [
    ...['name', 'generateName', 'namespace', 'ownerReferences'].map((name) =>
      unsupported<MachineContext>('left', left(`metadata.${name}`), noMetadata),
    ),
    ...hooks(left('lifecycleHooks.preDrain'), places.annotations, PRE_DRAIN_PREFIX),
    ...hooks(left('lifecycleHooks.preTerminate'), places.annotations, PRE_TERMINATE_PREFIX),
    taintChecks(left('taints')),
    listOf<MachineContext>(left('taints'), right('taints'), [
      same('key'),
      same('value', optionalText),
      same('effect'),
      warned('left', 'timeAdded', 'is not kept: taints of machines have no time in Cluster API'),
      constant('right', 'propagation', 'Always'),
    ]),
    nodePropagationRule(places.left),
    authorityRule(left('authoritativeAPI')),
    derived<MachineContext>('right', right('clusterName'), ({ context }) => context.clusterName),
    constant<MachineContext>('right', right('deletion.nodeDeletionTimeoutSeconds'), NODE_DELETION_SECONDS),
    ...unsupportedSpec(right),
    ...(of === 'template' ? oneInstance(left, right) : []),
  ];
}

function unsupportedSpec(right: (path: string) => Path): MachineRule[] {
  const reasons: Readonly<Record<string, string>> = {
    'deletion.nodeDrainTimeoutSeconds': 'Machine API drains nodes without a limit of time: remove it',
    'deletion.nodeVolumeDetachTimeoutSeconds': 'Machine API waits for volumes without a limit of time: remove it',
    version: 'Machine API has no version of machines, theirs comes with the user data: remove it',
    readinessGates: 'Machine API has no readiness gates: remove them',
    'bootstrap.configRef': 'Machine API has user data in Secrets only: name one in bootstrap.dataSecretName',
  };
  return Object.entries(reasons).map(([path, reason]) => unsupported<MachineContext>('right', right(path), reason));
}

function oneInstance(left: (path: string) => Path, right: (path: string) => Path): MachineRule[] {
  const reason = 'names one instance, and a template has many';
  return [
    unsupported<MachineContext>('left', left('providerID'), reason),
    unsupported<MachineContext>('right', right('providerID'), reason),
  ];
}
