/** The writes of a deletion, one at a time. Pure. */
import type { ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { CAPI_MACHINES, MAPI_MACHINES } from '../kinds.js';
import { MACHINE_API_FINALIZER, SYNC_FINALIZER } from '../names.js';
import { hasAny, isOfClusterApi, isReleasable, withoutFinalizers } from '../shared/finalizers.js';
import { isDeleting, isLiving, living, sourceOf } from '../shared/model.js';
import type { Inputs, Progress } from '../resource/inputs.js';
import { REASONS } from '../resource/reasons.js';
import { collectTemplate } from '../resource/templates.js';
import type { DeletionDecision } from './decide.js';

const isOurs = (finalizer: string): boolean => finalizer === SYNC_FINALIZER;

const waiting = (message: string): Progress => ({
  // Machines of a set are not watched for it.
  problem: { reason: REASONS.deleting, message, isFinal: false },
});

function releaseStep(kind: ResourceKind, object: KubeObject | undefined, isOne = isReleasable): Progress | undefined {
  if (object === undefined || !hasAny(object, isOne)) return undefined;
  const after = withoutFinalizers(object, isOne);
  return { step: { slot: 'elsewhere', change: { verb: 'patch', kind, before: object, after } } };
}

/** Sets are deleted without their machines, each of which follows its own counterpart. */
function deleteStep(kind: ResourceKind, object: KubeObject): Progress {
  const ownsMachines = object.kind === 'MachineSet' || object.kind === 'ControlPlaneMachineSet';
  const policy = ownsMachines ? ({ propagationPolicy: 'Orphan' } as const) : {};
  return { step: { slot: 'elsewhere', change: { verb: 'delete', kind, object, ...policy } } };
}

/** The next write of a deletion, or what it waits for. */
export function deletionStep(inputs: Inputs, decision: Exclude<DeletionDecision, 'none'>): Progress {
  switch (decision) {
    case 'finish':
      return sourceOf(inputs.mapi as NonNullable<Inputs['mapi']>) === 'MachineAPI'
        ? finishInMachineApi(inputs)
        : finishInClusterApi(inputs);
    case 'propagate':
      return propagate(inputs);
    case 'detach':
      return detach(inputs);
    case 'renew':
      return renew(inputs);
    case 'release':
      return release(inputs);
  }
}

/** Infrastructure machines belong to their machine alone; templates may be used by others. */
function ownChild({ child, descriptor }: Inputs): KubeObject | undefined {
  return descriptor.child === 'machine' ? child : undefined;
}

type Part = (inputs: Inputs) => Progress | undefined;

/** The first that has something to do or to wait for. */
const firstOf = (inputs: Inputs, parts: readonly Part[]): Progress => {
  for (const part of parts) {
    const progress = part(inputs);
    if (progress !== undefined) return progress;
  }
  return {};
};

/** Deletes what is left of the Cluster API copy. */
const endInClusterApi: Part = (inputs) => {
  const [copy, child] = [living(inputs.capi), living(ownChild(inputs))];
  if (copy !== undefined) return deleteStep(inputs.descriptor.clusterApi, copy);
  return child === undefined ? undefined : deleteStep(inputs.tools.machines, child);
};

const endInMachineApi: Part = ({ descriptor, mapi }) => {
  const copy = living(mapi);
  return copy === undefined ? undefined : deleteStep(descriptor.machineApi, copy);
};

const untilStable: Part = ({ mapi }) =>
  mapi?.status?.authoritativeAPI === 'Migrating' ? waiting('waiting for the handover of authority to end') : undefined;

/** What holds the Cluster API copy is taken off, or it is on its way. */
const releaseInClusterApi: Part = (inputs) => {
  const { capi, descriptor, tools } = inputs;
  const child = ownChild(inputs);
  return (
    releaseStep(tools.machines, child) ??
    releaseStep(descriptor.clusterApi, capi) ??
    (capi === undefined && child === undefined ? undefined : waiting('waiting for the Cluster API copy to be deleted'))
  );
};

/** The templates that were made for a set end with it. */
const lastTemplate: Part = (inputs) => {
  if (inputs.descriptor.child !== 'template') return undefined;
  const progress = collectTemplate(inputs, '');
  return progress.step === undefined && progress.problem === undefined ? undefined : progress;
};

function finishInMachineApi(inputs: Inputs): Progress {
  return firstOf(inputs, [
    endInClusterApi,
    ({ mapi }) =>
      hasAny(mapi, (each) => each === MACHINE_API_FINALIZER)
        ? waiting('waiting for Machine API to delete the instance')
        : undefined,
    untilStable,
    releaseInClusterApi,
    lastTemplate,
    ({ descriptor, mapi }) => releaseStep(descriptor.machineApi, mapi, isOurs),
  ]);
}

/** The provider has ended: nothing else holds the infrastructure machine. */
const releaseEndedChild: Part = (inputs) => {
  const child = ownChild(inputs);
  if (!isDeleting(child) || hasAny(child, isOfClusterApi)) return undefined;
  return releaseStep(inputs.tools.machines, child, isOurs);
};

/** What nobody deletes that should end with the machine. */
const endChild: Part = (inputs) => {
  const child = ownChild(inputs);
  if (child === undefined) return undefined;
  if (isLiving(child)) return deleteStep(inputs.tools.machines, child);
  return waiting(`waiting for the provider to delete ${child.kind} ${child.metadata.name ?? ''}`);
};

function finishInClusterApi(inputs: Inputs): Progress {
  return firstOf(inputs, [
    endInMachineApi,
    releaseEndedChild,
    ({ capi }) =>
      hasAny(capi, isOfClusterApi) ? waiting('waiting for Cluster API to delete the instance') : undefined,
    untilStable,
    endChild,
    ({ descriptor, mapi }) => releaseStep(descriptor.machineApi, mapi),
    lastTemplate,
    ({ capi, descriptor }) => releaseStep(descriptor.clusterApi, capi, isOurs),
  ]);
}

function propagate({ capi, descriptor, mapi }: Inputs): Progress {
  if (mapi !== undefined && isLiving(mapi)) return deleteStep(descriptor.machineApi, mapi);
  return capi !== undefined && isLiving(capi) ? deleteStep(descriptor.clusterApi, capi) : {};
}

/** The garbage collector would take the copies for machines that are to be deleted. */
const detachMachines: Part = (inputs) => {
  const copies = inputs.controlled.mapi.filter((machine) => sourceOf(machine) === 'ClusterAPI');
  const next = copies.find(isLiving);
  if (next !== undefined) return deleteMachineCopy(next);
  return copies.length > 0 ? waiting(`waiting for the copies of ${copies.length} machines to be detached`) : undefined;
};

/** Machines of a control plane on which Machine API acts: its operator, which would let them go, is paused. */
const keepControlPlane: Part = ({ controlled, descriptor, mapi }) => {
  const [owned] = controlled.mapi;
  if (descriptor.kind !== 'ControlPlaneMachineSet' || owned === undefined || mapi === undefined) return undefined;
  return orphanStep(MAPI_MACHINES, owned, mapi);
};

function detach(inputs: Inputs): Progress {
  return firstOf(inputs, [
    detachMachines,
    keepControlPlane,
    (at) => releaseStep(at.tools.machines, ownChild(at), isOurs),
    ({ capi, descriptor }) => releaseStep(descriptor.clusterApi, capi, isOurs),
    ({ descriptor, mapi }) => releaseStep(descriptor.machineApi, mapi),
  ]);
}

function deleteMachineCopy(object: KubeObject): Progress {
  return { step: { slot: 'elsewhere', change: { verb: 'delete', kind: MAPI_MACHINES, object } } };
}

function renew(inputs: Inputs): Progress {
  return firstOf(inputs, [
    untilStable,
    (at) => {
      // Of one that the garbage collector has deleted the owner is evidence that the machine was not meant.
      const owned = at.controlled.capi.find(isLiving);
      return owned === undefined || at.capi === undefined ? undefined : orphanStep(CAPI_MACHINES, owned, at.capi);
    },
    endInClusterApi,
    releaseInClusterApi,
  ]);
}

/** The machines of a set that is created again stay, and are given to the new one. */
function orphanStep(kind: ResourceKind, machine: KubeObject, set: KubeObject): Progress {
  const ownerReferences = machine.metadata.ownerReferences?.filter(({ uid }) => uid !== set.metadata.uid) ?? [];
  const after = { ...machine, metadata: { ...machine.metadata, ownerReferences } };
  return { step: { slot: 'elsewhere', change: { verb: 'patch', kind, before: machine, after } } };
}

function release(inputs: Inputs): Progress {
  return firstOf(inputs, [
    (at) => releaseStep(at.tools.machines, ownChild(at), isOurs),
    ({ capi, descriptor }) => releaseStep(descriptor.clusterApi, capi, isOurs),
    ({ descriptor, mapi }) => releaseStep(descriptor.machineApi, mapi, isOurs),
  ]);
}
