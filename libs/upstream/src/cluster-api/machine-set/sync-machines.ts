import { apiErrors } from '@capstan/meta';
import { isDefined } from '../external/external-objects.js';
import type { External } from '../external/external-objects.js';
import { isGoing } from '../machines.js';
import { fieldOwners } from '../names.js';
import type { ControllerContext } from '../controller-context.js';
import type { MachineSet, Reference } from '../types.js';
import { metadataOf } from './clones.js';
import { desiredMachine, goingMachine } from './desired-machine.js';
import type { SetScope, SetWork } from './scope.js';

/** Gives machines what can be changed while they run, and their infrastructure and bootstrap the same labels. */
export async function syncMachines({ context, synced }: SetWork, scope: SetScope): Promise<void> {
  const { set, machines = [] } = scope;
  const wanted = wantedText(set);
  for (const [index, machine] of machines.entries()) {
    if (isGoing(machine)) {
      await context.objects.patch('Machine', machine, goingMachine(set, machine));
      continue;
    }
    const { infrastructureRef, bootstrap } = machine.spec;
    const { namespace = '', resourceVersion, uid = '' } = machine.metadata;
    const clones = [
      await find(context, namespace, infrastructureRef),
      await find(context, namespace, bootstrap?.configRef),
    ];
    const found = [wanted, resourceVersion, ...clones.map((clone) => clone?.object.metadata.resourceVersion)];
    if (synced.restOf(uid, found) !== undefined) continue;
    const desired = desiredMachine(set, { existing: machine });
    const applied = await context.applier.core('Machine', desired, fieldOwners.machineSet, machine);
    machines[index] = applied;
    for (const clone of clones) if (clone !== undefined) await syncMetadata(context, set, clone);
    // The result of the write arrives as an event, and is reconciled once more.
    if (applied.metadata.resourceVersion === resourceVersion) synced.remember(uid, found);
  }
}

/** All that machines are given, as text. */
function wantedText({ metadata, spec }: MachineSet): string {
  return JSON.stringify([metadata.uid, metadata.name, metadata.labels, spec.clusterName, spec.template]);
}

async function find(
  { external }: ControllerContext,
  namespace: string,
  reference: Reference | undefined,
): Promise<External | undefined> {
  if (!isDefined(reference)) return undefined;
  const { apiGroup = '', kind, name = '' } = reference;
  const found = await external.get(reference, namespace);
  if (found === undefined) throw apiErrors.notFound({ group: apiGroup, resource: kind }, name);
  return found;
}

async function syncMetadata({ applier }: ControllerContext, set: MachineSet, { object, ref }: External): Promise<void> {
  await applier.foreign(ref, metadataOf(object, set), fieldOwners.machineSetMetadata, object);
}
