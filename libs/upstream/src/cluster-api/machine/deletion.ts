import { sleep } from '@capstan/kube';
import type { Result } from '@capstan/kube';
import { isNotFound } from '@capstan/meta';
import { markOld, oldCondition, oldFalse, oldTrue } from '../conditions/old-conditions.js';
import type { External } from '../external/external-objects.js';
import { isDefined } from '../external/external-objects.js';
import { NODES } from '../kinds.js';
import { annotations, CHECK_LOGS, finalizers } from '../names.js';
import type { Node } from '../types.js';
import { dropFinalizer } from '../writing/finalizer.js';
import { cordon, drainRound, drainText, isDrained, isUnreachable, podsOf } from './drain/drain.js';
import { hooksOf, isDrainDue, isVolumeDetachDue, nodeToDelete } from './node-deletion.js';
import { keyOf, OWNED_CONDITIONS } from './scope.js';
import type { MachineScope, MachineWork } from './scope.js';
import { attachedText, attachedTo, claimsOf, stillAttached } from './volumes.js';

const DRAIN_RETRY_MS = 20_000;
const NODE_DELETION_MS = 10_000;
const NODE_DELETION_RETRY_MS = 2_000;

/** The end of a stage of a deletion: on with the next, or stop here, perhaps to look again. */
type Stage = 'done' | Result;

/**
 * Deletes a machine: pre-drain hooks, drain, volumes, pre-terminate hooks, infrastructure, bootstrap, node. Each
 * stage reads the current state and is repeated after a crash.
 */
export async function reconcileDeletion(work: MachineWork, scope: MachineScope): Promise<Result> {
  const { machine } = scope;
  const now = work.context.now();
  say(scope, 'Deleting', 'Deletion started');
  const node = await nodeToDelete(work, scope).catch((error: unknown) => {
    say(scope, 'InternalError', CHECK_LOGS);
    throw error;
  });
  const stages: (() => Promise<Stage> | Stage)[] = [
    ...(node === undefined
      ? []
      : [
          () => awaitHooks(scope, 'preDrain', now),
          () => drain(work, scope, node),
          () => awaitVolumes(work, scope, node),
        ]),
    () => awaitHooks(scope, 'preTerminate', now),
    () => removeObject(work, scope, 'infrastructure'),
    () => removeObject(work, scope, 'bootstrap'),
    () => (node === undefined ? 'done' : removeNode(work, scope, node)),
  ];
  for (const stage of stages) {
    const result = await stage();
    if (result !== 'done') return result;
  }
  say(scope, 'DeletionCompleted', 'Deletion completed');
  dropFinalizer(machine, finalizers.machine);
  return {};
}

function say(scope: MachineScope, reason: string, message: string): void {
  scope.deleting = { reason, message };
}

const HOOKS = {
  preDrain: {
    prefix: annotations.preDrainHook,
    word: 'pre-drain',
    reason: 'WaitingForPreDrainHook',
    old: 'PreDrainDeleteHookSucceeded',
  },
  preTerminate: {
    prefix: annotations.preTerminateHook,
    word: 'pre-terminate',
    reason: 'WaitingForPreTerminateHook',
    old: 'PreTerminateDeleteHookSucceeded',
  },
} as const;

/** Another controller acts first, and removes the hook annotation when it is done. */
function awaitHooks(scope: MachineScope, which: keyof typeof HOOKS, now: string): Stage {
  const { prefix, word, reason, old } = HOOKS[which];
  const hooks = hooksOf(scope.machine, prefix);
  markOld(scope.machine, hooks.length === 0 ? oldTrue(old) : oldFalse(old, 'WaitingExternalHook', 'Info'), now);
  if (hooks.length === 0) return 'done';
  say(scope, reason, `Waiting for ${word} hooks to succeed (hooks: ${hooks.join(',')})`);
  return {};
}

function nodeOf(work: MachineWork, scope: MachineScope, name: string): Node | undefined {
  return work.context.guests.require(scope.cluster).nodes.get(name);
}

async function drain(work: MachineWork, scope: MachineScope, name: string): Promise<Stage> {
  const { machine } = scope;
  const { context, announce } = work;
  if (!isDrainDue(machine, context.clock.now())) return 'done';
  const helper = context.helper('Machine', machine);
  const startedAt = machine.status?.deletion?.nodeDrainStartTime ?? context.now();
  machine.status = { ...machine.status, deletion: { ...machine.status?.deletion, nodeDrainStartTime: startedAt } };
  const type = 'DrainingSucceeded';
  if (oldCondition(machine, type) === undefined)
    markOld(machine, oldFalse(type, 'Draining', 'Info', 'Draining the node before deletion'), context.now());
  say(scope, 'DrainingNode', `Drain not completed yet (started at ${startedAt}):`);
  // When the drain began must be known before it begins, or a crash would give it all its time again.
  await helper.patch(machine, OWNED_CONDITIONS);
  try {
    const text = await drainNode(work, scope, name, startedAt);
    if (text !== '') {
      markOld(machine, oldFalse(type, 'Draining', 'Info', text), context.now());
      say(scope, 'DrainingNode', text);
      work.deferred.set(keyOf(machine), context.clock.now() + DRAIN_RETRY_MS);
      return { requeueAfterMs: DRAIN_RETRY_MS };
    }
  } catch (error) {
    markOld(machine, oldFalse(type, 'DrainingFailed', 'Warning', String(error)), context.now());
    say(scope, 'DrainingNode', 'Error draining Node, please check controller logs for errors');
    const message = `error draining Machine's node "${name}": ${String(error)}`;
    announce(machine, { type: 'Warning', reason: 'FailedDrainNode', message });
    throw error;
  }
  markOld(machine, oldTrue(type), context.now());
  const message = `success draining Machine's node "${name}"`;
  announce(machine, { type: 'Normal', reason: 'SuccessfulDrainNode', message });
  return 'done';
}

/** One round of a drain; empty when it is over. */
async function drainNode(work: MachineWork, scope: MachineScope, name: string, startedAt: string): Promise<string> {
  const { context } = work;
  const guest = context.guests.require(scope.cluster);
  const node = nodeOf(work, scope, name);
  if (node === undefined) return '';
  await cordon(guest, node);
  const pods = await podsOf(context, guest, scope, node);
  const drained = await drainRound(context, guest, node, pods);
  return isDrained(drained) ? '' : drainText(drained, startedAt);
}

async function awaitVolumes(work: MachineWork, scope: MachineScope, name: string): Promise<Stage> {
  const { machine } = scope;
  const { context, announce } = work;
  if (!isVolumeDetachDue(machine, context.clock.now())) return 'done';
  const startedAt = machine.status?.deletion?.waitForNodeVolumeDetachStartTime ?? context.now();
  const deletion = { ...machine.status?.deletion, waitForNodeVolumeDetachStartTime: startedAt };
  machine.status = { ...machine.status, deletion };
  const type = 'VolumeDetachSucceeded';
  if (oldCondition(machine, type) === undefined)
    markOld(
      machine,
      oldFalse(type, 'WaitingForVolumeDetach', 'Info', 'Waiting for node volumes to be detached'),
      context.now(),
    );
  try {
    const text = await volumesText(work, scope, name, startedAt);
    if (text !== '') {
      say(scope, 'WaitingForVolumeDetach', text);
      work.deferred.set(keyOf(machine), context.clock.now() + DRAIN_RETRY_MS);
      return { requeueAfterMs: DRAIN_RETRY_MS };
    }
  } catch (error) {
    const text = 'Error waiting for volumes to be detached from Node, please check controller logs for errors';
    say(scope, 'WaitingForVolumeDetach', text);
    const message = `error waiting for node volumes detaching, Machine's node "${name}": ${String(error)}`;
    announce(machine, { type: 'Warning', reason: 'FailedWaitForVolumeDetach', message });
    throw error;
  }
  markOld(machine, oldTrue(type), context.now());
  const message = `success waiting for node volumes detaching Machine's node "${name}"`;
  announce(machine, { type: 'Normal', reason: 'NodeVolumesDetached', message });
  return 'done';
}

async function volumesText(work: MachineWork, scope: MachineScope, name: string, startedAt: string): Promise<string> {
  const { context } = work;
  const guest = context.guests.require(scope.cluster);
  const node = nodeOf(work, scope, name);
  if (node === undefined || isUnreachable(node)) return '';
  const attached = await attachedTo(guest, node);
  if (attached === undefined) return '';
  const pods = await podsOf(context, guest, scope, node);
  const ignoredClaims = claimsOf(pods.flatMap(([pod, fate]) => (fate.act === 'Skip' ? [pod] : [])));
  return attachedText(stillAttached({ ...attached, ignoredClaims }, attached.volumes), startedAt);
}

const OBJECTS = {
  infrastructure: { old: 'InfrastructureReady', reason: 'WaitingForInfrastructureDeletion' },
  bootstrap: { old: 'BootstrapReady', reason: 'WaitingForBootstrapDeletion' },
} as const;

/** Deletes an object of a provider, and waits until it is gone. */
async function removeObject(work: MachineWork, scope: MachineScope, which: keyof typeof OBJECTS): Promise<Stage> {
  const { machine } = scope;
  const reference = which === 'bootstrap' ? machine.spec.bootstrap?.configRef : machine.spec.infrastructureRef;
  if (!isDefined(reference)) return 'done';
  const found: External | undefined = scope[which];
  const isMissing = which === 'bootstrap' ? scope.isBootstrapMissing : scope.isInfrastructureMissing;
  const { old, reason } = OBJECTS[which];
  if (found === undefined && isMissing === true) {
    markOld(machine, oldFalse(old, 'Deleted', 'Info'), work.context.now());
    return 'done';
  }
  try {
    if (found !== undefined) await work.context.external.remove(found);
  } catch (error) {
    say(scope, 'InternalError', `Failed to delete ${reference.kind}, please check controller logs for errors`);
    throw error;
  }
  say(scope, reason, `Waiting for ${reference.kind} to be deleted`);
  return {};
}

/** Deletes the node. A failure fails the deletion only within the machine's nodeDeletionTimeoutSeconds. */
async function removeNode(work: MachineWork, scope: MachineScope, name: string): Promise<Stage> {
  const { cluster } = scope;
  const { clock, guests } = work.context;
  const until = clock.monotonic() + NODE_DELETION_MS;
  for (;;) {
    try {
      await guests.require(cluster).client.delete(NODES, name);
      return 'done';
    } catch (error) {
      if (isNotFound(error)) return 'done';
      if (clock.monotonic() + NODE_DELETION_RETRY_MS > until) return nodeStays(work, scope, error);
    }
    await sleep(clock, NODE_DELETION_RETRY_MS);
  }
}

function nodeStays({ context, announce }: MachineWork, scope: MachineScope, error: unknown): Stage {
  const { machine } = scope;
  markOld(machine, oldFalse('NodeHealthy', 'DeletionFailed', 'Warning'), context.now());
  const message = `error deleting Machine's Node: ${String(error)}`;
  announce(machine, { type: 'Warning', reason: 'FailedDeleteNode', message });
  const seconds = machine.spec.deletion?.nodeDeletionTimeoutSeconds ?? 0;
  const since = Date.parse(machine.metadata.deletionTimestamp ?? '');
  if (seconds > 0 && since + seconds * 1000 <= context.clock.now()) return 'done';
  say(scope, 'DeletingNode', 'Error deleting Node, please check controller logs for errors');
  throw error;
}
