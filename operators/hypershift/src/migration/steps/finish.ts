import { patchFrom } from '@capstan/kube';
import {
  COPIED_FROM_ANNOTATION,
  COPIED_GENERATION_ANNOTATION,
  findOriginal,
  removeWithoutFinalizing,
  wasCopied,
} from '@capstan/migration';
import type { MovedObject } from '@capstan/migration';
import {
  HOSTED_CLUSTERS,
  MACHINES,
  MIGRATION_COPIED_ANNOTATION,
  annotated,
  committed,
  withEnd,
} from '@capstan/hosting';
import { removeBaseline } from '../checks/baseline.js';
import { secondsFrom } from '../metrics.js';
import type { Migration, StepAction } from '../model.js';
import { MigrationFailure } from '../reasons.js';
import { clusterApiDeployments, podsOf } from '../workloads/deployments.js';
import { nameOf, waitFor } from './hold.js';

/** The point of no return: one write, refused when the HostedCluster has changed since it was read. */
export const commit: StepAction = async (migration) => {
  const { hostedCluster: before, parts, signal } = migration;
  const after = committed(before);
  migration.hostedCluster = await patchFrom(
    parts.client,
    HOSTED_CLUSTERS,
    { before, after },
    { optimisticLock: true, signal },
  );
  return undefined;
};

/** Deletes the originals. No controller may run that would take them for deleted machines. */
export const removeOriginals: StepAction = async (migration) => {
  const { inventory, parts, signal } = migration;
  const originals = await copiedOriginals(migration);
  if (originals.length === 0) return undefined;
  const unsafe = await withoutSidecar(migration);
  if (unsafe.length > 0) return waitFor('Deployments without a sidecar to stop', unsafe);
  await removeWithoutFinalizing(originals, { client: parts.client, concurrency: parts.settings.concurrency, signal });
  inventory.forget();
  const left = await copiedOriginals(migration);
  return left.length === 0
    ? undefined
    : waitFor(
        'the garbage collector to remove its finalizers from',
        left.map(({ object }) => nameOf(object)),
        1_000,
      );
};

/** The standard objects that have a copy, or had one: what another client has created since is not ours to delete. */
async function copiedOriginals({ inventory, namespace, parts }: Migration): Promise<readonly MovedObject[]> {
  const originals = (await inventory.standard()).filter(({ kind }) => kind.source.namespaced);
  const copies = (await inventory.private()).filter(({ kind }) => kind.source.namespaced);
  if (copies.length === 0) return originals;
  const copyOf = findOriginal(copies, parts.mapping);
  const hadOne = wasCopied(copies);
  const [ours, foreign] = [[] as MovedObject[], [] as string[]];
  for (const original of originals)
    if (copyOf(original) !== undefined || hadOne(original.object)) ours.push(original);
    else foreign.push(nameOf(original.object));
  if (foreign.length > 0)
    parts.logger.warn('Standard objects that were never copied are left', { namespace, objects: foreign.join(', ') });
  return ours;
}

/** Deployments that may still act on the standard groups. */
export async function withoutSidecar(migration: Migration): Promise<readonly string[]> {
  const unsafe: string[] = [];
  for (const deployment of await clusterApiDeployments(migration)) {
    if (migration.parts.sidecar.has(deployment)) continue;
    const isRunning = (deployment.spec.replicas ?? 1) > 0 || (deployment.status?.replicas ?? 0) > 0;
    if (isRunning || (!migration.parts.isPodless && (await podsOf(migration, deployment)).length > 0))
      unsafe.push(nameOf(deployment));
  }
  return unsafe;
}

/** Removes what only the migration needed, and gives the cluster to its operator. */
export const release: StepAction = async (migration) => {
  const { hostedCluster, inventory, journal, parts, signal } = migration;
  for (const { kind, object: before } of await inventory.private()) {
    const after = annotated(before, { [MIGRATION_COPIED_ANNOTATION]: undefined });
    if (before.metadata.annotations?.[MIGRATION_COPIED_ANNOTATION] !== undefined)
      await patchFrom(parts.client, kind.source, { before, after }, { optimisticLock: true, signal });
  }
  const machines = (await inventory.private()).filter(({ kind }) => kind.source.kind === MACHINES.kind).length;
  await removeBaseline(migration);
  const seconds = secondsFrom(journal.startedAt, parts.clock.now());
  migration.hostedCluster = await patchFrom(
    parts.client,
    HOSTED_CLUSTERS,
    { before: hostedCluster, after: withEnd(hostedCluster, { machines, seconds }) },
    { optimisticLock: true, signal },
  );
  return undefined;
};

/** Fails when a client has written the originals since they were copied: what it wrote would be lost. */
export const compare: StepAction = async ({ inventory, parts }) => {
  const originals = await inventory.standard();
  const copies = await inventory.private();
  const copyOf = findOriginal(copies, parts.mapping);
  const hadOne = wasCopied(copies);
  const uids = new Set(originals.map(({ object }) => object.metadata.uid));
  const changed = originals.filter((original) => {
    const { metadata } = original.object;
    const { [COPIED_FROM_ANNOTATION]: from, [COPIED_GENERATION_ANNOTATION]: generation } =
      copyOf(original)?.object.metadata.annotations ?? {};
    // Without a copy, it is one that a private controller has deleted since, or one that was created too late.
    if (from === undefined) return !hadOne(original.object);
    // Cluster API has propagated the annotations of another copy to this one: its generation is not known any more.
    if (from !== metadata.uid) return !uids.has(from);
    return generation !== String(metadata.generation ?? 1);
  });
  if (changed.length === 0) return undefined;
  const names = changed.map(({ object }) => nameOf(object)).slice(0, MOST_NAMES);
  const message = `written in a standard group during the migration: ${names.join(', ')}`;
  throw new MigrationFailure('resource-conversion-failed', message);
};

const MOST_NAMES = 5;
