import { patchFrom } from '@capstan/kube';
import {
  copyObjects,
  findOriginal,
  hadCopy,
  isSameParts,
  partsOf,
  identityPairs,
  releaseIdentities,
  removeWithoutFinalizing,
} from '@capstan/migration';
import type { CopyRecord, MovedObject } from '@capstan/migration';
import {
  HOSTED_CLUSTERS,
  MACHINES,
  MIGRATION_COPIED_ANNOTATION,
  MIGRATION_COPIES,
  annotated,
  committed,
  withEnd,
} from '@capstan/hosting';
import { removeBaseline } from '../checks/baseline.js';
import { secondsFrom } from '../metrics.js';
import type { Migration, StepAction } from '../model.js';
import { MigrationFailure } from '../reasons.js';
import { clusterApiDeployments, podsOf } from '../workloads/deployments.js';
import { readRecord, removeRecord, withoutMarks } from './copy-record.js';
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
  if (originals.length === 0) return removeIdentities(migration);
  const unsafe = await withoutSidecar(migration);
  if (unsafe.length > 0) return waitFor('Deployments without a sidecar to stop', unsafe);
  await removeWithoutFinalizing(originals, { client: parts.client, concurrency: parts.settings.concurrency, signal });
  inventory.forget();
  const left = await copiedOriginals(migration);
  return left.length === 0
    ? removeIdentities(migration)
    : waitFor(
        'the garbage collector to remove its finalizers from',
        left.map(({ object }) => nameOf(object)),
        1_000,
      );
};

/** The identities that no cluster on standard types refers to any more: their copies have all that they had. */
async function removeIdentities({ inventory, parts, signal }: Migration): Promise<undefined> {
  const { client, discovery, mapping, settings } = parts;
  const copies = (await inventory.private()).filter(({ kind }) => !kind.source.namespaced);
  if (copies.length === 0) return;
  const options = { client, discovery, mapping, side: 'standard', concurrency: settings.concurrency, signal } as const;
  await releaseIdentities(await identityPairs(copies, options), options);
}

/** The standard objects that have a copy, or had one: what another client has created since is not ours to delete. */
async function copiedOriginals(migration: Migration): Promise<readonly MovedObject[]> {
  const { inventory, namespace, parts } = migration;
  const originals = (await inventory.standard()).filter(({ kind }) => kind.source.namespaced);
  const copies = (await inventory.private()).filter(({ kind }) => kind.source.namespaced);
  if (copies.length === 0) return originals;
  const copyOf = findOriginal(copies, parts.mapping);
  const hadOne = hadCopy(copies, await readRecord(migration));
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
  await removeRecord(migration);
  const seconds = secondsFrom(journal.startedAt, parts.clock.now());
  migration.hostedCluster = await patchFrom(
    parts.client,
    HOSTED_CLUSTERS,
    { before: hostedCluster, after: withEnd(hostedCluster, { machines, seconds }) },
    { optimisticLock: true, signal },
  );
  return undefined;
};

/**
 * Fails when a client has written, created or deleted originals since they were copied: that would be lost. Identities are
 * shared with clusters that are still to be migrated, so that their copies follow them instead.
 */
export const compare: StepAction = async (migration) => {
  const { inventory, parts, signal } = migration;
  const { client, mapping, settings } = parts;
  const [identities, originals] = bySharing(await inventory.standard());
  const options = { client, mapping, concurrency: settings.concurrency, isRefreshed: true, signal };
  await copyObjects(identities, options);
  const record = await readRecord(migration);
  if (record === undefined) {
    const message = `ConfigMap ${MIGRATION_COPIES} of this migration was deleted: it shows what clients have changed`;
    throw new MigrationFailure('baseline-lost', message);
  }
  const changed = changedOriginals(originals, await inventory.private(), record);
  if (changed.length === 0) return undefined;
  const message = `written in a standard group during the migration: ${changed.slice(0, MOST_NAMES).join(', ')}`;
  throw new MigrationFailure('resource-conversion-failed', message);
};

/** Cluster-scoped objects, and those of the control plane. */
function bySharing(objects: readonly MovedObject[]): readonly [readonly MovedObject[], readonly MovedObject[]] {
  return [objects.filter(({ kind }) => !kind.source.namespaced), objects.filter(({ kind }) => kind.source.namespaced)];
}

function changedOriginals(
  originals: readonly MovedObject[],
  copies: readonly MovedObject[],
  record: CopyRecord,
): readonly string[] {
  const copied = new Map([...record.values()].map((each) => [each.from, each]));
  const there = new Set(originals.map(({ object }) => object.metadata.uid));
  const changed = originals.filter(({ object }) => {
    const was = copied.get(object.metadata.uid ?? '');
    return was === undefined || !isSameParts(was, partsOf(withoutMarks(object)));
  });
  // One whose copy a private controller has deleted as well is not missed.
  const deleted = copies.filter(({ object }) => {
    const was = record.get(object.metadata.uid ?? '');
    return was !== undefined && !there.has(was.from);
  });
  return [
    ...changed.map(({ object }) => nameOf(object)),
    ...deleted.map(({ object }) => `${nameOf(object)} (deleted)`),
  ];
}

const MOST_NAMES = 5;
