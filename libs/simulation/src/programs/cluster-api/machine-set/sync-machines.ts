import { apiErrors } from '@capstan/meta';
import { isDefined } from '../external/external-objects.js';
import { isGoing } from '../machines.js';
import { fieldOwners } from '../names.js';
import type { Program } from '../program.js';
import type { Machine, MachineSet, Reference } from '../types.js';
import { desiredMachine, goingMachine, machineAnnotations, machineLabels } from './desired-machine.js';
import type { SetScope, SetWork } from './scope.js';

/** Gives machines what can be changed while they run, and their infrastructure and bootstrap the same labels. */
export async function syncMachines({ program }: SetWork, scope: SetScope): Promise<void> {
  const { set, machines = [] } = scope;
  for (const [index, machine] of machines.entries()) {
    if (isGoing(machine)) {
      await program.objects.patch('Machine', machine, goingMachine(set, machine));
      continue;
    }
    const desired = desiredMachine(set, { existing: machine });
    machines[index] = await program.applier.core('Machine', desired, fieldOwners.machineSet, machine);
    await syncMetadata(program, set, machine, machine.spec.infrastructureRef);
    await syncMetadata(program, set, machine, machine.spec.bootstrap?.configRef);
  }
}

async function syncMetadata(
  { external, applier }: Program,
  set: MachineSet,
  machine: Machine,
  reference: Reference | undefined,
): Promise<void> {
  if (!isDefined(reference)) return;
  const { apiGroup = '', kind, name = '' } = reference;
  const found = await external.get(reference, machine.metadata.namespace ?? '');
  if (found === undefined) throw apiErrors.notFound({ group: apiGroup, resource: kind }, name);
  const { object, ref } = found;
  const { namespace, uid } = object.metadata;
  const metadata = {
    name,
    ...(namespace === undefined ? {} : { namespace }),
    ...(uid === undefined ? {} : { uid }),
    labels: machineLabels(set),
    annotations: machineAnnotations(set),
  };
  const desired = { apiVersion: object.apiVersion, kind: object.kind, metadata };
  await applier.foreign(ref, desired, fieldOwners.machineSetMetadata, object);
}
