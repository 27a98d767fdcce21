import { apiErrorOf, isConflict, isNotFound } from '@capstan/meta';
import { isGoing } from '../machines.js';
import { annotations, fieldOwners } from '../names.js';
import type { MachineDeployment, MachineSet } from '../types.js';
import { awaitCache, isAtLeast } from '../writing/expectations.js';
import type { Unsettled } from '../writing/unsettled.js';
import { currentAnnotations, desiredSet, newSet, oldAnnotations } from './desired-set.js';
import { planPaused } from './paused-scale.js';
import { planRollout } from './plan.js';
import type { Intents } from './plan.js';
import { byAge, sortSets } from './rollout-fields.js';
import { wanted } from './scale-limits.js';
import type { DeploymentScope, DeploymentWork } from './scope.js';

/** Nothing can be made without the templates. */
export class MissingTemplate extends Error {
  override readonly name = 'MissingTemplate';
}

/** What a rollout works with: sets whose creation is unconfirmed are remembered. */
export interface RolloutWork extends DeploymentWork {
  readonly unsettled: Unsettled;
}

/** The sets as they are once written. */
export interface Rolled {
  readonly current: MachineSet | undefined;
  readonly old: readonly MachineSet[];
}

interface Planned extends Rolled {
  readonly intents: Intents;
  readonly originals: ReadonlyMap<string, MachineSet>;
}

/** Brings the sets of a deployment one step further. */
export async function rollOut(work: RolloutWork, scope: DeploymentScope, signal?: AbortSignal): Promise<Rolled> {
  const { deployment, sets = [] } = scope;
  const planned = plan(work, scope, sets);
  const isNew = planned.current !== undefined && planned.current.metadata.uid === undefined;
  if (isNew && (await work.unsettled.settle(deployment, signal)))
    // One that was thought lost is there after all: look again.
    return { current: undefined, old: sets };
  const written: MachineSet[] = [];
  for (const set of [...(planned.current === undefined ? [] : [planned.current]), ...planned.old])
    written.push(await write(work, { deployment, set, planned, signal }));
  const revision = planned.current?.metadata.annotations?.[annotations.revision];
  if (revision !== undefined)
    deployment.metadata.annotations = { ...deployment.metadata.annotations, [annotations.revision]: revision };
  return planned.current === undefined
    ? { current: undefined, old: written }
    : { current: written[0], old: written.slice(1) };
}

function plan({ context }: DeploymentWork, scope: DeploymentScope, sets: readonly MachineSet[]): Planned {
  const { deployment } = scope;
  const originals = new Map(sets.map((set) => [set.metadata.name ?? '', set]));
  const sorted = sortSets(deployment, sets, context.clock.now());
  const old = sorted.old.map((set) => annotated(desiredSet(deployment, set), oldAnnotations(deployment, set)));
  const isHeld = deployment.spec.paused === true;
  const known = sorted.current;
  if (known === undefined && isHeld)
    return { current: undefined, old, intents: planPaused({ deployment, current: undefined, old }), originals };
  if (known === undefined && Object.keys(scope.missingTemplates).length > 0)
    throw new MissingTemplate('cannot create a MachineSet when templates do not exist');
  const base = known === undefined ? newSet(deployment, context.random, context.now()) : desiredSet(deployment, known);
  const current = annotated(base, currentAnnotations(known, old));
  const intents = isHeld ? planPaused({ deployment, current, old }) : planRollout({ deployment, current, old });
  return { current, old, intents, originals };
}

function annotated(set: MachineSet, more: Readonly<Record<string, string>>): MachineSet {
  return { ...set, metadata: { ...set.metadata, annotations: { ...set.metadata.annotations, ...more } } };
}

interface Write {
  readonly deployment: MachineDeployment;
  readonly set: MachineSet;
  readonly planned: Planned;
  readonly signal: AbortSignal | undefined;
}

async function write(work: RolloutWork, { deployment, set, planned, signal }: Write): Promise<MachineSet> {
  const name = set.metadata.name ?? '';
  const original = planned.originals.get(name);
  const replicas = planned.intents.get(name) ?? wanted(set);
  const desired = { ...set, spec: { ...set.spec, replicas } };
  if (original === undefined) return create(work, deployment, desired, signal);
  const { context, announce } = work;
  try {
    const applied = await context.applier.core('MachineSet', desired, fieldOwners.machineDeployment, original);
    const before = wanted(original);
    if (before !== replicas) {
      const direction = replicas < before ? 'down' : 'up';
      const message = `Scaled ${direction} MachineSet ${name}: ${before} -> ${replicas}`;
      announce(deployment, { type: 'Normal', reason: 'SuccessfulScale', message });
    }
    if (applied.metadata.resourceVersion !== original.metadata.resourceVersion) await caughtUp(work, applied, signal);
    return applied;
  } catch (error) {
    if (isGoing(original) && (isConflict(error) || isNotFound(error))) return desired;
    const message = `Failed to update MachineSet ${name}: ${String(error)}`;
    announce(deployment, { type: 'Warning', reason: 'FailedUpdate', message });
    throw error;
  }
}

/** The next decision is made on the set as it is now. */
function caughtUp({ context }: DeploymentWork, set: MachineSet, signal: AbortSignal | undefined): Promise<void> {
  const { namespace = '', name = '', resourceVersion } = set.metadata;
  const isSeen = async (): Promise<boolean> => {
    const seen = await context.objects.get<MachineSet>('MachineSet', namespace, name);
    return seen === undefined || isAtLeast(seen.metadata.resourceVersion, resourceVersion);
  };
  return awaitCache(context.clock, `MachineSet ${namespace}/${name}`, isSeen, signal);
}

async function create(
  { context, announce, unsettled }: RolloutWork,
  deployment: MachineDeployment,
  set: MachineSet,
  signal: AbortSignal | undefined,
): Promise<MachineSet> {
  const { namespace = '', name = '' } = set.metadata;
  unsettled.note(deployment, name);
  try {
    const created = await context.applier.core('MachineSet', set, fieldOwners.machineDeployment);
    const message = `Created MachineSet ${namespace}/${name} with ${wanted(set)} replicas`;
    announce(deployment, { type: 'Normal', reason: 'SuccessfulCreate', message });
    await unsettled.seen(namespace, name, signal);
    unsettled.forget(deployment, name);
    return created;
  } catch (error) {
    // The server has decided, so there is nothing to ask about.
    if (apiErrorOf(error) !== undefined) unsettled.forget(deployment, name);
    const message = `Failed to create MachineSet ${namespace}/${name}: ${String(error)}`;
    announce(deployment, { type: 'Warning', reason: 'FailedCreate', message });
    throw error;
  }
}

/** Whether everything is as the deployment wants, and was when its generation was last observed. */
export function isComplete({ metadata, spec, status }: MachineDeployment): boolean {
  const counts = [status?.upToDateReplicas, status?.replicas, status?.availableReplicas];
  const isObserved = (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0);
  return isObserved && counts.every((count = 0) => count === wanted({ spec }));
}

/** Old sets without machines, which have been observed. */
export function emptySets(old: readonly MachineSet[]): MachineSet[] {
  return old
    .filter(
      (set) =>
        !isGoing(set) &&
        (set.status?.replicas ?? 0) === 0 &&
        wanted(set) === 0 &&
        (set.metadata.generation ?? 0) <= (set.status?.observedGeneration ?? 0),
    )
    .toSorted(byAge);
}

/** Deletes old sets that are empty once a rollout is complete. */
export async function cleanUp(work: RolloutWork, scope: DeploymentScope, old: readonly MachineSet[]): Promise<void> {
  const { deployment } = scope;
  if (!isComplete(deployment)) return;
  for (const set of emptySets(old)) {
    await work.context.objects.remove('MachineSet', set);
    const { namespace = '', name = '' } = set.metadata;
    work.announce(deployment, { type: 'Normal', reason: 'SuccessfulDelete', message: `Deleted MachineSet "${name}"` });
    await work.unsettled.gone(namespace, name);
  }
}
