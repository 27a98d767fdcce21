import { BrokenInvariant } from '../errors.js';
import { structOf } from '@capstan/api/kubernetes';
import { apiErrors, deepEqual } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import {
  applyPatch,
  applyTypeOfStruct,
  emptyObjectOf,
  managersAfterScale,
  managersOfScale,
  singleVersionScope,
  trackUpdate,
  type ApplyScope,
} from '../apply/index.js';
import { setManagedFields, type Writer } from '../registry/field-tracking.js';
import type { ServedResource } from '../registry/served-resource.js';
import { inconvertible, type ReadApply } from './apply.js';

const SCALE = 'autoscaling/v1';
let scope: ApplyScope | undefined;

function scaleScope(): ApplyScope {
  const struct = structOf('autoscaling', 'v1', 'Scale');
  if (struct === undefined) throw new BrokenInvariant('the type tables have no Scale');
  return (scope ??= singleVersionScope({
    apiVersion: SCALE,
    kind: 'Scale',
    type: applyTypeOfStruct(struct),
    emptyObject: () => emptyObjectOf(struct),
    subresource: 'scale',
  }));
}

/** The Scale with the managers of the object's replicas. */
export function managedScale(served: ServedResource, object: KubeObject, scale: KubeObject): KubeObject {
  const copy = { ...scale, metadata: { ...scale.metadata } };
  setManagedFields(copy, managersOfScale(object.metadata.managedFields, served.replicasPaths ?? {}));
  return copy;
}

type Entries = KubeObject['metadata']['managedFields'];

/** Who owns what after a Scale was written: the fields of the object, and those of the Scale. */
export interface ScaleManagers {
  readonly managedFields: Entries;
  readonly ofScale: Entries;
}

/** Who owns the fields after a Scale was written from one form to another. */
export function trackScale(
  served: ServedResource,
  object: KubeObject,
  scales: { readonly before: KubeObject; readonly after: KubeObject },
  writer: Writer,
): ScaleManagers {
  const live = managedScale(served, object, scales.before);
  const ofScale = trackUpdate(scaleScope(), { live, next: scales.after, ...writer });
  const { apiVersion, replicasPaths = {} } = served;
  return {
    managedFields: managersAfterScale(object.metadata.managedFields, ofScale, apiVersion, replicasPaths),
    ofScale,
  };
}

const SCALE_KIND = 'autoscaling/v1, Kind=Scale';

/**
 * The real server wants to convert the Scale as if it were the custom resource, and fails: the new Scale if it differs
 * from the live one, and the live one where nobody manages the replicas yet.
 */
function requireUnchanged(live: KubeObject, merged: KubeObject, config: JsonObject): void {
  const reason = `request to convert CR to an invalid group/version: ${SCALE}`;
  if ((live.metadata.managedFields ?? []).length === 0) {
    const what = `failed to convert live object (/; ${SCALE_KIND}) to proper version`;
    throw apiErrors.unclassified(`failed to create manager for existing fields: ${what}: ${reason}`);
  }
  if (!deepEqual(merged['spec'], live['spec'])) throw inconvertible(config, SCALE_KIND, reason);
}

/** A Scale applied: the merged Scale, and who owns the object's fields then. */
export function applyScale(
  served: ServedResource,
  object: KubeObject,
  before: KubeObject,
  { config, options }: ReadApply,
  time: string,
): { scale: KubeObject } & ScaleManagers {
  const live = managedScale(served, object, before);
  const { fieldManager: manager, force = false } = options;
  const result = applyPatch(scaleScope(), { live, config, manager, force, time });
  if (result.type === 'conflicts') throw apiErrors.applyConflict(result.conflicts);
  if (served.custom !== undefined) requireUnchanged(live, result.object, config);
  const { managedFields } = object.metadata;
  return {
    scale: result.object,
    ofScale: result.managedFields,
    managedFields: managersAfterScale(
      managedFields,
      result.managedFields,
      served.apiVersion,
      served.replicasPaths ?? {},
    ),
  };
}
