import type { HostedCluster } from '@capstan/api/hypershift';
import {
  CLEANUP_ANNOTATION,
  CLUSTERS,
  COMPONENT_FINALIZER,
  conditionsOf,
  DESTROY_GRACE_ANNOTATION,
  HOSTED_CONTROL_PLANES,
  KEEP_NAMESPACE_ANNOTATION,
  NODE_POOLS,
} from '@capstan/hosting';
import { changeTo, withoutFinalizer } from '@capstan/kube';
import type { Change, ResourceKind } from '@capstan/kube';
import { getCondition, parseDuration, pushAll } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { CLUSTER_ROLE_BINDINGS, DEPLOYMENTS, NAMESPACES } from '../../kinds.js';
import type { DeletionSnapshot, KindedObject } from './gather.js';

/** The condition that reports how far a deletion is. */
export const DESTROYED = 'HostedClusterDestroyed';

/** What a deletion waits for. */
export interface Waiting {
  readonly reason: string;
  readonly message: string;
}

/** What is written now, in that order, and what has to be deleted before anything else is. */
export interface DeletionDecision {
  readonly changes: readonly Change[];
  /** Undefined when nothing is left. */
  readonly waiting?: Waiting | undefined;
  /** Machines whose finalizers are removed though their instances may still run. */
  readonly orphans: readonly string[];
  /** When to decide again, for kinds that are not watched. */
  readonly requeueMs?: number | undefined;
}

const UNWATCHED_MS = 5_000;
const WATCHED_MS = 30_000;

type Step = Partial<DeletionDecision>;
type DeletionStep = (snapshot: DeletionSnapshot) => Step;

/** Decides the next part of a deletion: steps in their order, until one has something left to wait for. */
export function decideDeletion(snapshot: DeletionSnapshot): DeletionDecision {
  const changes: Change[] = [];
  for (const step of snapshot.isOurs ? STEPS : STEPS_OUTSIDE) {
    const { orphans = [], requeueMs = WATCHED_MS, waiting, ...more } = step(snapshot);
    pushAll(changes, more.changes ?? []);
    if (waiting !== undefined) return { changes, orphans, requeueMs, waiting };
  }
  return { changes, orphans: [] };
}

/** Cluster API deletes nothing of a paused Cluster. */
const unpause: DeletionStep = ({ cluster: before }) => {
  const spec = before?.['spec'] as { readonly paused?: boolean } | undefined;
  if (before === undefined || spec?.paused !== true) return {};
  const { paused: _, ...rest } = spec;
  return { changes: changeTo(CLUSTERS, before, { ...before, spec: rest }) };
};

/** The control plane deletes its cloud resources only with this annotation, and needs it before its own deletion. */
const passCleanup: DeletionStep = ({ controlPlane: before, hostedCluster }) => {
  if (before === undefined || hostedCluster.metadata.annotations?.[CLEANUP_ANNOTATION] !== 'true') return {};
  const annotations = { ...before.metadata.annotations, [CLEANUP_ANNOTATION]: 'true' };
  return {
    changes: changeTo(HOSTED_CONTROL_PLANES, before, { ...before, metadata: { ...before.metadata, annotations } }),
  };
};

/** The pools, and with them their machines. */
const nodePools: DeletionStep = ({ lostMachines, nodePools: pools }) =>
  withMachines(
    deletionOf(
      'NodePools',
      pools.map((object) => ({ kind: NODE_POOLS, object })),
    ),
    lostMachines,
  );

/** The Cluster; Cluster API deletes machines that are left, the control plane and the infrastructure cluster with it. */
const cluster: DeletionStep = ({ cluster: object, lostMachines }) =>
  withMachines(deletionOf(CLUSTERS.kind, one(CLUSTERS, object)), lostMachines);

/** From here on the controllers of Cluster API have nothing to do. */
const releasePrograms: DeletionStep = ({ programs }) => ({
  changes: programs.flatMap((each) => changeTo(DEPLOYMENTS, each, withoutFinalizer(each, COMPONENT_FINALIZER))),
});

const platformObjects: DeletionStep = ({ platformObjects: objects }) => ({ changes: deletions(objects) });

/** One kind after the other, in the order of the platform. */
const leftovers: DeletionStep = ({ leftovers: objects }) => {
  const kind = objects[0]?.kind;
  if (kind === undefined) return {};
  const alike = objects.filter((each) => each.kind === kind);
  return { ...deletionOf(kind.kind, alike), requeueMs: UNWATCHED_MS };
};

const binding: DeletionStep = ({ binding: object }) => ({ changes: deletions(one(CLUSTER_ROLE_BINDINGS, object)) });

/** The control plane, where Cluster API has not deleted it. Its operator must live until then. */
const hostedControlPlane: DeletionStep = ({ controlPlane }) =>
  deletionOf(HOSTED_CONTROL_PLANES.kind, one(HOSTED_CONTROL_PLANES, controlPlane));

/** The namespace with all that is in it; only then can a cluster of the same name be created. */
const controlPlaneNamespace: DeletionStep = ({ hostedCluster, namespace }) =>
  keepsNamespace(hostedCluster) ? {} : deletionOf(NAMESPACES.kind, one(NAMESPACES, namespace));

const STEPS: readonly DeletionStep[] = [
  unpause,
  passCleanup,
  nodePools,
  cluster,
  releasePrograms,
  platformObjects,
  leftovers,
  binding,
  hostedControlPlane,
  controlPlaneNamespace,
];
/** A control plane namespace of another cluster holds nothing of this one. */
const STEPS_OUTSIDE: readonly DeletionStep[] = [nodePools];

/** Whether the control plane namespace stays. */
export function keepsNamespace({ metadata }: HostedCluster): boolean {
  return metadata.annotations?.[KEEP_NAMESPACE_ANNOTATION] === 'true';
}

function one(kind: ResourceKind, object: KubeObject | undefined): readonly KindedObject[] {
  return object === undefined ? [] : [{ kind, object }];
}

function deletions(objects: readonly KindedObject[]): readonly Change[] {
  return objects
    .filter(({ object }) => object.metadata.deletionTimestamp == null)
    .map(({ kind, object }) => ({ verb: 'delete', kind, object }));
}

function deletionOf(what: string, objects: readonly KindedObject[]): Step {
  return {
    changes: deletions(objects),
    waiting: waitingFor(
      what,
      objects.map(({ object }) => object),
    ),
  };
}

/** What a deletion waits for while the objects exist; undefined when there are none. */
export function waitingFor(what: string, objects: readonly KubeObject[]): Waiting | undefined {
  if (objects.length === 0) return undefined;
  const names = objects.map(({ metadata }) => metadata.name ?? '').toSorted();
  return { reason: `WaitingFor${what}`, message: `Waiting for ${what} ${names.join(', ')} to be deleted` };
}

/** While machines are waited for: without credentials no provider reaches their cloud, so their finalizers are removed. */
function withMachines(step: Step, lostMachines: readonly KindedObject[] | undefined): Step {
  if (step.waiting === undefined || lostMachines === undefined) return step;
  const orphans = lostMachines.filter(
    ({ object: { metadata } }) => metadata.deletionTimestamp != null && (metadata.finalizers ?? []).length > 0,
  );
  const released = orphans.map(({ kind, object: before }): Change => {
    return { verb: 'patch', kind, before, after: { ...before, metadata: { ...before.metadata, finalizers: [] } } };
  });
  return {
    ...step,
    changes: [...(step.changes ?? []), ...released],
    orphans: orphans.map(({ object }) => object.metadata.name ?? '').toSorted(),
    requeueMs: UNWATCHED_MS,
  };
}

function graceOf({ metadata }: HostedCluster): number {
  const text = metadata.annotations?.[DESTROY_GRACE_ANNOTATION];
  try {
    return text === undefined ? 0 : Number(parseDuration(text)) / 1e6;
  } catch {
    return 0;
  }
}

/** For how long a cluster of which nothing is left is kept for inspection; 0 when its finalizer is removed now. */
export function graceMsOf(hostedCluster: HostedCluster, nowMs: number): number {
  const graceMs = graceOf(hostedCluster);
  if (graceMs <= 0) return 0;
  const begun = getCondition(conditionsOf(hostedCluster), DESTROYED);
  if (begun?.status !== 'True') return Math.max(1, graceMs);
  // It cannot have started before the deletion, nor in the future: another client wrote such a time.
  const deletedMs = Date.parse(hostedCluster.metadata.deletionTimestamp ?? '');
  const sinceMs = Math.max(Date.parse(begun.lastTransitionTime), deletedMs <= nowMs ? deletedMs : 0);
  return Math.max(0, Math.min(sinceMs, nowMs) + graceMs - nowMs);
}
