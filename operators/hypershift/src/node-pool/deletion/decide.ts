import type { MachineDeployment, MachineSet } from '@capstan/api/cluster-api';
import {
  MACHINE_DEPLOYMENTS,
  MACHINE_HEALTH_CHECKS,
  MACHINE_SETS,
  NODE_POOL_ANNOTATION,
  PAUSED_ANNOTATION,
} from '@capstan/hosting';
import type { Change, ResourceKind } from '@capstan/kube';
import type { KubeObject } from '@capstan/meta';
import { CONFIG_MAPS, SECRETS } from '../../kinds.js';
import type { Existing } from '../snapshot.js';
import { withEntries } from '../machines/shared.js';
import { isDeleting } from '../resources.js';

/** What is to be done about a pool that goes. */
export interface DeletionDecision {
  readonly changes: readonly Change[];
  /** Whether the last machine is still to go. */
  readonly hasMachines: boolean;
  /** Whether nothing is left that was made for it. */
  readonly isGone: boolean;
}

function deleteAll(kind: ResourceKind, objects: readonly KubeObject[]): readonly Change[] {
  return objects.filter((object) => !isDeleting(object)).map((object) => ({ verb: 'delete', kind, object }));
}

/** Deletes a set of machines. A paused one would never see to the end of its machines, so it goes on first. */
function deleteSet(kind: ResourceKind, set: MachineDeployment | MachineSet): readonly Change[] {
  const { annotations } = set.metadata;
  if (annotations?.[PAUSED_ANNOTATION] === undefined) return deleteAll(kind, [set]);
  const metadata = { ...set.metadata, annotations: withEntries(annotations, { [PAUSED_ANNOTATION]: undefined }) };
  return [{ verb: 'patch', kind, before: set, after: { ...set, metadata } }];
}

/**
 * In order: nothing is repaired any more; the sets go, and with them the machines; once the last machine is gone, what
 * machines were made from. Secrets come last: providers read them to take an instance down.
 */
export function decideDeletion(existing: Existing, key: string, template: ResourceKind | undefined): DeletionDecision {
  const isOurs = (object: KubeObject | undefined): boolean =>
    object?.metadata.annotations?.[NODE_POOL_ANNOTATION] === key;
  const { machineDeployment, machineSet } = existing;
  const sets = [
    ...(machineDeployment !== undefined && isOurs(machineDeployment)
      ? deleteSet(MACHINE_DEPLOYMENTS, machineDeployment)
      : []),
    ...(machineSet !== undefined && isOurs(machineSet) ? deleteSet(MACHINE_SETS, machineSet) : []),
  ];
  const makers = [...deleteAll(MACHINE_HEALTH_CHECKS, existing.healthChecks), ...sets];
  const hasMachines =
    isOurs(machineDeployment) || isOurs(machineSet) || existing.machineSets.length > 0 || existing.machines.length > 0;
  if (hasMachines) return { changes: makers, hasMachines, isGone: false };
  const rest = [
    ...makers,
    ...(template === undefined ? [] : deleteAll(template, existing.templates)),
    ...deleteAll(CONFIG_MAPS, existing.configMaps),
    ...deleteAll(SECRETS, existing.secrets),
  ];
  const left = [existing.healthChecks, existing.templates, existing.configMaps, existing.secrets];
  return { changes: rest, hasMachines, isGone: left.every(({ length }) => length === 0) };
}
