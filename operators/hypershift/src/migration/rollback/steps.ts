import { patchFrom } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import {
  carryBack,
  COPIED_FROM_ANNOTATION,
  copyObjects,
  findOriginal,
  identityPairs,
  ownerOf,
  releaseIdentities,
  removeWithoutFinalizing,
} from '@capstan/migration';
import type { MovedObject, NewOwner } from '@capstan/migration';
import {
  CLUSTERS,
  HOSTED_CLUSTERS,
  MIGRATION_COPIED_ANNOTATION,
  MIGRATION_PAUSED_ANNOTATION,
  PAUSED_ANNOTATION,
  annotated,
  isPrivate,
  reverted,
  withoutLock,
} from '@capstan/hosting';
import { NAMESPACES } from '../../kinds.js';
import { PRIVATE_NAMESPACE_LABEL } from '../../names.js';
import { removeBaseline } from '../checks/baseline.js';
import type { Migration, StepAction } from '../model.js';
import { readRecord, removeRecord, withoutMarks } from '../steps/copy-record.js';
import { hasPods, isCopied, lockControlPlane, nameOf, paused, waitFor } from '../steps/hold.js';
import { repoint } from '../steps/move.js';
import { unavailable, unpauseAll } from '../steps/resume.js';
import { privateAccess } from '../workloads/access.js';
import { closeProxies } from '../workloads/proxies.js';
import {
  clusterApiDeployments,
  isControlPlaneOperator,
  isScaledDown,
  scaledBack,
  scaledDown,
  writeDeployment,
} from '../workloads/deployments.js';
import type { Deployment } from '../workloads/deployments.js';

/**
 * Stops whatever may act on the private objects, and lets standard ones be created again. While there are any, what reads the
 * standard groups must not run either: it would see half a cluster, and create what is still to come.
 */
export const stopPrivate: StepAction = async (migration) => {
  const { parts } = migration;
  await removeNamespaceLabel(migration);
  const isCarried = await isCarriedBack(migration);
  const running: string[] = [];
  for (const before of await clusterApiDeployments(migration)) {
    if (!parts.sidecar.has(before) && !isCarried) continue;
    const after = await writeDeployment(migration, before, scaledDown(before));
    if (await hasPods(migration, after)) running.push(nameOf(after));
  }
  return running.length === 0 ? undefined : waitFor('pods to terminate', running);
};

/** The label by which a policy refuses standard objects: the operator sets it once a cluster is migrated. */
async function removeNamespaceLabel({ namespace, parts: { client }, signal }: Migration): Promise<void> {
  const before = await client.get(NAMESPACES, namespace, { signal }).catch(ignoreNotFound);
  const { [PRIVATE_NAMESPACE_LABEL]: label, ...labels } = before?.metadata.labels ?? {};
  if (before === undefined || label === undefined) return;
  const after = { ...before, metadata: { ...before.metadata, labels } };
  await patchFrom(client, NAMESPACES, { before, after }, { signal });
}

/** Whether the copies count: their state is still to be brought to the originals. */
async function isCarriedBack(migration: Migration): Promise<boolean> {
  return isPrivate(migration.hostedCluster) || isCopied(migration);
}

/** Brings every change that the private controllers have made back to the originals, and gives them what the copies own. */
export const carryChangesBack: StepAction = async (migration) => {
  const { hostedCluster, inventory, parts, signal } = migration;
  const copies = (await inventory.private()).filter(({ kind }) => kind.source.namespaced);
  if (copies.length === 0) return undefined;
  await recreateIdentities(migration);
  const isEveryPaused = parts.ignoresClusterPause(hostedCluster);
  const originals = (await inventory.standard()).filter(({ kind }) => kind.source.namespaced);
  const owners = (await isCarriedBack(migration))
    ? await carryBack(copies, originals, {
        client: parts.client,
        mapping: parts.mapping,
        concurrency: parts.settings.concurrency,
        keep: keepPause,
        // After the commit the migration has deleted originals itself.
        record: isPrivate(hostedCluster) ? undefined : await readRecord(migration),
        normalize: withoutMarks,
        adapt: (wanted) => {
          const original = annotated(wanted, { [MIGRATION_COPIED_ANNOTATION]: undefined });
          // Of half a cluster nothing may act on any part, whatever runs.
          return isEveryPaused || original.kind === CLUSTERS.kind ? paused(original) : original;
        },
        signal,
      })
    : originalOwners(copies, findOriginal(originals, parts.mapping));
  await repoint(migration, owners);
  inventory.forget();
  return undefined;
};

/** The identities that the originals refer to, where they were removed after the last cluster on standard types. */
async function recreateIdentities({ inventory, parts, signal }: Migration): Promise<void> {
  const { client, mapping, settings } = parts;
  const identities = (await inventory.private()).filter(({ kind }) => !kind.source.namespaced);
  const pairs = await identityPairs(identities, { client, signal });
  const there = new Set(pairs.map(({ identity }) => identity));
  const missing = identities.filter((identity) => !there.has(identity));
  await copyObjects(missing, { client, mapping, concurrency: settings.concurrency, signal });
}

/** Copies that nobody acted on: what they own, if anything, goes back as it came. */
function originalOwners(
  copies: readonly MovedObject[],
  originalOf: (copy: MovedObject) => MovedObject | undefined,
): ReadonlyMap<string, NewOwner> {
  return new Map(
    copies.flatMap((copy) => {
      const original = originalOf(copy);
      return original === undefined ? [] : [[copy.object.metadata.uid ?? '', ownerOf(original.object)] as const];
    }),
  );
}

/** The originals stay paused until their controllers are about to run, whether the copies were paused or not. */
function keepPause(original: KubeObject, wanted: KubeObject): KubeObject {
  const { annotations = {} } = original.metadata;
  const kept = annotated(wanted, {
    [MIGRATION_COPIED_ANNOTATION]: undefined,
    [MIGRATION_PAUSED_ANNOTATION]: annotations[MIGRATION_PAUSED_ANNOTATION],
    ...(annotations[MIGRATION_PAUSED_ANNOTATION] === 'annotation'
      ? { [PAUSED_ANNOTATION]: annotations[PAUSED_ANNOTATION] }
      : {}),
  });
  if (annotations[MIGRATION_PAUSED_ANNOTATION] !== 'spec' || original.kind !== CLUSTERS.kind) return kept;
  return { ...kept, spec: { ...(kept['spec'] as object), paused: true } };
}

/** The copies are no longer the ones that count: from here on nothing is carried back again. */
export const revert: StepAction = async (migration) => {
  const { inventory, parts, signal } = migration;
  for (const { kind, object: before } of await inventory.private())
    if (before.metadata.annotations?.[MIGRATION_COPIED_ANNOTATION] !== undefined) {
      const after = annotated(before, { [MIGRATION_COPIED_ANNOTATION]: undefined });
      await patchFrom(parts.client, kind.source, { before, after }, { optimisticLock: true, signal });
    }
  inventory.forget();
  const { hostedCluster: before } = migration;
  if (isPrivate(before))
    migration.hostedCluster = await patchFrom(
      parts.client,
      HOSTED_CLUSTERS,
      { before, after: reverted(before) },
      { optimisticLock: true, signal },
    );
  return undefined;
};

/** Takes the proxies out of the templates again, with what was opened and permitted for them. */
export const removeSidecars: StepAction = async (migration) => {
  const { sidecar } = migration.parts;
  for (const before of await clusterApiDeployments(migration))
    if (sidecar.has(before)) await writeDeployment(migration, before, sidecar.remove(before) as typeof before);
  await closeProxies(migration);
  await privateAccess(migration, 'remove');
  return undefined;
};

/** Lets the standard controllers act again. */
export const restart: StepAction = async (migration) => {
  await unpauseAll(migration, await migration.inventory.standard());
  await lockControlPlane(migration, undefined);
  const scaled: Deployment[] = [];
  for (const before of await operatorFirst(migration))
    scaled.push(isScaledDown(before) ? await writeDeployment(migration, before, scaledBack(before)) : before);
  const waiting = await unavailable(migration, scaled);
  return waiting.length === 0 ? undefined : waitFor('Deployments', waiting);
};

async function operatorFirst(migration: Migration): Promise<readonly Deployment[]> {
  const all = await clusterApiDeployments(migration);
  return [...all.filter(isControlPlaneOperator), ...all.filter((each) => !isControlPlaneOperator(each))];
}

/** Deletes the copies, last of all: no controller acts on them any more. */
export const removeCopies: StepAction = async (migration) => {
  const { inventory, parts, signal } = migration;
  const originals = new Set(
    (await inventory.standard()).map(({ object: { metadata } }) => metadata.annotations?.[COPIED_FROM_ANNOTATION]),
  );
  const copies = (await inventory.private()).filter(
    ({ kind, object: { metadata } }) =>
      kind.source.namespaced &&
      // What was never one side of a copy is another client's, and stays.
      (metadata.annotations?.[COPIED_FROM_ANNOTATION] !== undefined || originals.has(metadata.uid)),
  );
  if (copies.length === 0) return removeIdentities(migration);
  await removeWithoutFinalizing(copies, { client: parts.client, concurrency: parts.settings.concurrency, signal });
  inventory.forget();
  const removed = new Set(copies.map(({ object }) => object.metadata.uid));
  const left = (await inventory.private()).filter(({ object }) => removed.has(object.metadata.uid));
  if (left.length === 0) return removeIdentities(migration);
  return waitFor(
    'the garbage collector to remove its finalizers from',
    left.map(({ object }) => nameOf(object)),
    1_000,
  );
};

/** The copies of identities that no cluster on private types refers to. */
async function removeIdentities({ inventory, parts, signal }: Migration): Promise<undefined> {
  const { client, discovery, mapping, settings } = parts;
  const originals = (await inventory.standard()).filter(({ kind }) => !kind.source.namespaced);
  if (originals.length === 0) return;
  const options = { client, discovery, mapping, side: 'private', concurrency: settings.concurrency, signal } as const;
  await releaseIdentities(await identityPairs(originals, options), options);
}

/** Gives the cluster back to the legacy operator; why it failed stays on it. */
export const giveBack: StepAction = async (migration) => {
  const { hostedCluster: before, parts, signal } = migration;
  await removeBaseline(migration);
  await removeRecord(migration);
  migration.hostedCluster = await patchFrom(
    parts.client,
    HOSTED_CLUSTERS,
    { before, after: withoutLock(before) },
    { optimisticLock: true, signal },
  );
  return undefined;
};
