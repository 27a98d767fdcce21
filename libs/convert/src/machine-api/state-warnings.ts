/** What a live object has that a conversion leaves to its writer: worth knowing before it is written elsewhere. */
import type { JsonObject } from '@capstan/meta';
import { goQuote } from '@capstan/meta';
import { MACHINE_API_MEMBER } from './control-plane.js';
import { objectName } from './converter.js';
import type { ConversionIssue } from './converter.js';
import { getAt, isRecord } from '../engine/path.js';

/** Finalizers that the controllers of both APIs and the garbage collector set. */
const OF_CONTROLLERS =
  /^(?:machine\.machine\.openshift\.io|controlplanemachineset\.machine\.openshift\.io|sync\.machine\.openshift\.io\/finalizer|machine\.cluster\.x-k8s\.io|cluster\.x-k8s\.io\/machineset|(?:\w+\.)?infrastructure\.cluster\.x-k8s\.io(?:\/\w[-\w]*)?|foregroundDeletion|orphan)$/;

const KNOWN_OWNERS: ReadonlySet<unknown> = new Set(['MachineSet', 'ControlPlaneMachineSet', 'Cluster', 'Machine']);

const listAt = (object: JsonObject, name: string): readonly unknown[] => {
  const found = getAt(object, ['metadata', name]);
  return Array.isArray(found) ? found : [];
};

const AUTHORITIES = [
  'spec.authoritativeAPI',
  'spec.template.spec.authoritativeAPI',
  `spec.template.${MACHINE_API_MEMBER}.spec.authoritativeAPI`,
];

/** Of an object of either API. */
export function stateWarnings(source: JsonObject): ConversionIssue[] {
  const object = objectName(source);
  const issues: ConversionIssue[] = [];
  const warn = (path: string, message: string): unknown => issues.push({ code: 'ObjectState', object, path, message });
  if (getAt(source, ['metadata', 'deletionTimestamp']) !== undefined)
    warn(
      'metadata.deletionTimestamp',
      'is set: the object is being deleted, and a copy of it would stay: leave it out',
    );
  listAt(source, 'finalizers').forEach((finalizer, index) => {
    if (typeof finalizer === 'string' && !OF_CONTROLLERS.test(finalizer))
      warn(
        `metadata.finalizers[${index}]`,
        `is ${goQuote(finalizer)}, which is not kept: add it to the copy if it must hold that too`,
      );
  });
  listAt(source, 'ownerReferences').forEach((owner, index) => {
    if (isRecord(owner) && !KNOWN_OWNERS.has(owner['kind']))
      warn(
        `metadata.ownerReferences[${index}]`,
        `names the ${String(owner['kind'])} ${String(owner['name'])}, which is not kept: the copy has no owner`,
      );
  });
  for (const path of AUTHORITIES)
    if (getAt(source, path.split('.')) === 'ClusterAPI')
      warn(path, 'is "ClusterAPI", which is not converted: set it on what comes back');
  return issues;
}
