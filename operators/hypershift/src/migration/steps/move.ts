import type { ResourceKind } from '@capstan/kube';
import { patchFrom } from '@capstan/kube';
import { isForbidden, isInvalid, isBadRequest } from '@capstan/meta';
import {
  copyObjects,
  findOwned,
  MigrationError,
  missingKinds,
  ownerOf,
  pendingCollections,
  recordOf,
  repointOwned,
} from '@capstan/migration';
import type { NewOwner } from '@capstan/migration';
import { CLUSTERS, MIGRATION_COPIED_ANNOTATION, annotated } from '@capstan/hosting';
import type { Migration, StepAction } from '../model.js';
import { MigrationFailure } from '../reasons.js';
import { privateAccess } from '../workloads/access.js';
import { storeRecord, withoutMarks } from './copy-record.js';
import { hasMoved, nameOf, waitFor } from './hold.js';

/** Lets the accounts of the control plane use the private groups as well, before the first of them does. */
export const access: StepAction = async (migration) => {
  await privateAccess(migration, 'add');
  return undefined;
};

/** Copies every object into the private groups, and makes the copies own what the originals owned. */
export const copy: StepAction = async (migration) => {
  if (await hasMoved(migration)) return undefined;
  const { inventory, parts, signal } = migration;
  const { client, mapping, settings } = parts;
  const objects = await inventory.standard();
  const missing = missingKinds(objects, mapping);
  if (missing.length > 0) {
    const message = `no CRD serves ${missing.join(', ')}: run 'capstan crds mirror --from-cluster --apply'`;
    throw new MigrationFailure('missing-private-crd', message);
  }
  // Controllers have gone on until they were stopped; the garbage collector never stops.
  const pending = pendingCollections(
    objects.map(({ object }) => object),
    mapping,
  );
  if (pending.length > 0)
    return waitFor(
      'deletions to complete',
      pending.map(({ object, reason }) => `${nameOf(object)} (${reason})`),
      1_000,
    );
  try {
    // After a restart most of them are there: listed at once, they are not tried one by one.
    const existing = await inventory.private();
    const options = { client, mapping, concurrency: settings.concurrency, isRefreshed: true, existing, signal };
    const copies = await copyObjects(objects, options);
    await repoint(migration, new Map([...copies].map(([uid, object]) => [uid, ownerOf(object)])));
    const own = objects.filter(({ kind }) => kind.source.namespaced).map(({ object }) => object);
    await storeRecord(migration, recordOf(own, copies, withoutMarks));
  } catch (error) {
    throw permanent(error);
  }
  inventory.forget();
  await markCopied(migration);
  return undefined;
};

/** An error that trying again does not remedy, as the reason of a failure; any other as it is. */
function permanent(error: unknown): unknown {
  const isPermanent = error instanceof MigrationError || isInvalid(error) || isForbidden(error) || isBadRequest(error);
  if (!isPermanent) return error;
  const message = error instanceof Error ? error.message : String(error);
  return new MigrationFailure('resource-conversion-failed', message, { cause: error });
}

/** Gives what the keys own to the owners that they name. */
export async function repoint(migration: Migration, owners: ReadonlyMap<string, NewOwner>): Promise<void> {
  const { namespace, parts, signal } = migration;
  const { client, discovery, logger, mapping, settings } = parts;
  const options = { client, discovery, mapping, namespace, concurrency: settings.concurrency, signal };
  const { objects, unlisted } = await findOwned(options, new Set(owners.keys()));
  await repointOwned(options, objects, owners);
  // Deleting with orphaning keeps them as well; only their owner is lost.
  if (unlisted.length > 0)
    logger.warn('Kinds cannot be listed for owned objects', { namespace, kinds: unlisted.join(',') });
}

/** From here on the private objects are the ones that controllers change. */
async function markCopied(migration: Migration): Promise<void> {
  const { inventory, parts, signal } = migration;
  for (const { kind, object: before } of await inventory.private()) {
    if (kind.source.kind !== CLUSTERS.kind) continue;
    const after = annotated(before, { [MIGRATION_COPIED_ANNOTATION]: migration.journal.id });
    await patchFrom(parts.client, kind.source as ResourceKind, { before, after }, { optimisticLock: true, signal });
  }
  inventory.forget();
}
