/** Which machines run the control plane, by whole sources of either side. */
import type { JsonObject } from '@capstan/meta';
import type { Path } from '../engine/path.js';
import { getAt, isRecord } from '../engine/path.js';
import { CONTROL_PLANE_LABEL, CONTROL_PLANE_ROLE, ROLE_LABEL } from './names.js';

const CONTROL_PLANE_SET = 'ControlPlaneMachineSet';

const labelPaths = (label: string, places: readonly Path[]): readonly Path[] =>
  places.map((place) => [...place, 'labels', label]);

const roles = labelPaths(ROLE_LABEL, [['metadata'], ['spec', 'template', 'metadata']]);
const marks = labelPaths(CONTROL_PLANE_LABEL, [
  ['machine', 'metadata'],
  ['machineSet', 'spec', 'template', 'metadata'],
]);

/** Whether the machine, or the machines of the set, run the control plane. */
export function runsControlPlane(root: JsonObject): boolean {
  // `set` is what a source of Cluster API calls it.
  if (root['kind'] === CONTROL_PLANE_SET || root['set'] !== undefined) return true;
  const owners = getAt(root, ['metadata', 'ownerReferences']);
  if (Array.isArray(owners) && owners.some((each) => isRecord(each) && each['kind'] === CONTROL_PLANE_SET)) return true;
  return (
    roles.some((path) => getAt(root, path) === CONTROL_PLANE_ROLE) ||
    marks.some((path) => getAt(root, path) !== undefined)
  );
}
