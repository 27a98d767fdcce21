import type { Result } from '@capstan/kube';
import { apiErrorOf } from '@capstan/meta';
import { markOld, oldFalse } from '../conditions/old-conditions.js';
import { isDefined } from '../external/external-objects.js';
import { referenceOf } from '../external/clone.js';
import { isGoing } from '../machines.js';
import { wanted } from '../machine-deployment/scale-limits.js';
import { annotations, fieldOwners } from '../names.js';
import { throwAll } from '../controller-context.js';
import { machineName } from '../random-name.js';
import type { Machine } from '../types.js';
import { createClone, handOver } from './clones.js';
import type { Clone } from './clones.js';
import { machinesToDelete } from './deletion-order.js';
import { desiredMachine } from './desired-machine.js';
import { PREFLIGHT_RETRY_MS, runPreflight } from './preflight.js';
import type { SetScope, SetWork } from './scope.js';

/** Brings a set to as many machines as it should have. */
export async function syncReplicas(work: SetWork, scope: SetScope, signal: AbortSignal): Promise<Result | void> {
  const { set, machines } = scope;
  if (machines === undefined) return;
  const missing = wanted(set) - machines.length;
  if (missing < 0) return shrink(work, scope, -missing, signal);
  const mayCreate = set.metadata.annotations?.[annotations.disableMachineCreate] !== 'true';
  if (missing > 0 && mayCreate) return grow(work, scope, missing, signal);
}

async function grow(work: SetWork, scope: SetScope, count: number, signal: AbortSignal): Promise<Result | void> {
  const { set } = scope;
  const { context } = work;
  const problems = await preflight(work, scope);
  if (problems.length > 0) {
    const failed = oldFalse('MachinesCreated', 'PreflightCheckFailed', 'Error', problems.join('; '));
    markOld(set, failed, context.now());
    return { requeueAfterMs: PREFLIGHT_RETRY_MS };
  }
  // One that was thought lost is there after all: count again.
  if (await work.unsettled.settle(set, signal)) return { requeueAfterMs: 1 };
  const created: string[] = [];
  for (let index = 0; index < count; index += 1) created.push(await create(work, scope));
  for (const name of created) {
    await work.unsettled.seen(set.metadata.namespace ?? '', name, signal);
    work.unsettled.forget(set, name);
  }
}

async function preflight({ context }: SetWork, scope: SetScope): Promise<readonly string[]> {
  try {
    scope.preflight = await runPreflight(context, scope.cluster, scope.set);
  } catch (error) {
    scope.preflight = [String(error)];
    const { set } = scope;
    markOld(set, oldFalse('MachinesCreated', 'PreflightCheckFailed', 'Error', String(error)), context.now());
    throw error;
  }
  return scope.preflight;
}

/** Makes one machine: bootstrap first, then infrastructure, then the machine that owns both. Gives its name. */
async function create(work: SetWork, { cluster, set }: SetScope): Promise<string> {
  const { context, announce, unsettled } = work;
  const { clusterName, machineNaming, template } = set.spec;
  const names = { cluster: clusterName, machineSet: set.metadata.name ?? '' };
  const name = machineName(machineNaming?.template, names, context.random);
  const machine = desiredMachine(set, { name });
  const clones: Clone[] = [];
  const cloned = async (reason: string, reference: Parameters<typeof createClone>[1]['reference']): Promise<Clone> => {
    try {
      const clone = await createClone(context, { set, machine, reference });
      clones.push(clone);
      return clone;
    } catch (error) {
      markOld(set, oldFalse('MachinesCreated', reason, 'Error', String(error)), context.now());
      await removeClones(work, clones);
      throw error;
    }
  };
  const { bootstrap, infrastructureRef } = template.spec;
  if (isDefined(bootstrap?.configRef)) {
    const { object } = await cloned('BootstrapTemplateCloningFailed', bootstrap.configRef);
    machine.spec.bootstrap = { ...machine.spec.bootstrap, configRef: referenceOf(object) };
  }
  const infrastructure = await cloned('InfrastructureTemplateCloningFailed', infrastructureRef ?? {});
  machine.spec.infrastructureRef = referenceOf(infrastructure.object);
  unsettled.note(set, name);
  let made: Machine;
  try {
    made = await context.applier.core('Machine', machine, fieldOwners.machineSet);
  } catch (error) {
    markOld(set, oldFalse('MachinesCreated', 'MachineCreationFailed', 'Error', String(error)), context.now());
    // No answer is no answer: the machine may be there, and need what was made for it.
    if (apiErrorOf(error) !== undefined) {
      unsettled.forget(set, name);
      await removeClones(work, clones);
    }
    throw error;
  }
  announce(set, { type: 'Normal', reason: 'SuccessfulCreate', message: `Created Machine "${name}"` });
  for (const clone of clones) await handOver(context, clone, { cluster, machine: made, set });
  return name;
}

async function removeClones({ context }: SetWork, clones: readonly Clone[]): Promise<void> {
  for (const clone of clones) await context.external.remove(clone).catch(() => undefined);
}

async function shrink(work: SetWork, scope: SetScope, count: number, signal: AbortSignal): Promise<void> {
  const { set, machines = [] } = scope;
  const { context, announce, unsettled } = work;
  const order = set.spec.deletion?.order;
  const errors: unknown[] = [];
  const removed: Machine[] = [];
  for (const machine of machinesToDelete(machines, count, { order, nowMs: context.clock.now() })) {
    if (isGoing(machine)) continue;
    try {
      await context.objects.remove('Machine', machine, signal);
      removed.push(machine);
      const message = `Deleted Machine "${machine.metadata.name ?? ''}"`;
      announce(set, { type: 'Normal', reason: 'SuccessfulDelete', message });
    } catch (error) {
      errors.push(error);
    }
  }
  for (const { metadata } of removed) await unsettled.gone(metadata.namespace ?? '', metadata.name ?? '', signal);
  throwAll(errors);
}
