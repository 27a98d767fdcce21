import type { ResourceRef } from '@capstan/kube';
import { apiErrors, formatApiVersion, isConflict } from '@capstan/meta';
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '@capstan/meta';
import { cloneOf } from '../external/clone.js';
import { claimed } from '../machine/references.js';
import { fieldOwners } from '../names.js';
import { applicable } from '../writing/applier.js';
import { machineAnnotations, machineLabels } from './desired-machine.js';
import { referenceTo } from '../owners.js';
import type { ControllerContext } from '../controller-context.js';
import type { Cluster, Machine, MachineSet, Reference } from '../types.js';

/** An object made from a template, and its resource. */
export interface Clone {
  readonly ref: ResourceRef;
  readonly object: KubeObject;
}

/** Makes the object a template describes, for a machine that is about to be. Safe to repeat: the name decides. */
export async function createClone(
  context: ControllerContext,
  { set, machine, reference }: { readonly set: MachineSet; readonly machine: Machine; readonly reference: Reference },
): Promise<Clone> {
  const { apiGroup = '', kind = '', name = '' } = reference;
  const { namespace = '' } = set.metadata;
  const { ref: templateRef } = await context.external.resource(apiGroup, kind);
  const found = await context.external.read(templateRef, namespace, name);
  if (found === undefined) throw apiErrors.notFound({ group: apiGroup, resource: templateRef.plural }, name);
  const template = { ...found, apiVersion: formatApiVersion(templateRef), kind };
  const object = cloneOf({
    template,
    namespace,
    name: machine.metadata.name ?? '',
    clusterName: machine.spec.clusterName,
    owner: referenceTo(set),
    labels: machine.metadata.labels,
    annotations: machine.metadata.annotations,
  });
  const ref = await resourceOf(context, object, templateRef);
  const created = await context.applier.foreign(ref, object, fieldOwners.machineSet);
  return { ref, object: { ...created, apiVersion: object.apiVersion, kind: object.kind } };
}

/** The labels and annotations that an object made for a set is given, also while it lives. */
export function metadataOf({ apiVersion, kind, metadata }: KubeObject, set: MachineSet): KubeObject {
  const { name, namespace, uid } = metadata;
  const own = { name, namespace, uid, labels: machineLabels(set), annotations: machineAnnotations(set) };
  return applicable({ apiVersion, kind, metadata: own } as KubeObject);
}

/** The resource of what a template makes: of the same group and version. */
async function resourceOf(
  { external }: ControllerContext,
  object: KubeObject,
  template: ResourceRef,
): Promise<ResourceRef> {
  const { ref } = await external.resource(template.group, object.kind);
  return { ...ref, version: template.version };
}

const TRIES = 3;

/**
 * Gives a clone to the machine it was made for. Its labels and annotations are kept by another field manager from now on,
 * so this one hands over those of them that are of the set, and lets go of the rest. The original lets go of them, has
 * the machine claim the clone and applies them later, each in a write of its own.
 */
export async function handOver(
  { applier, external }: ControllerContext,
  { ref, object: created }: Clone,
  { cluster, machine, set }: { readonly cluster: Cluster; readonly machine: Machine; readonly set: MachineSet },
): Promise<void> {
  const ofSet = metadataOf(created, set);
  const { name = '', namespace = '' } = created.metadata;
  let object = created;
  for (let tried = 1; ; tried += 1) {
    const managedFields = handedOver(object.metadata.managedFields ?? [], ofSet);
    if (managedFields === undefined) return;
    const owned = claimed(object, cluster, machine);
    try {
      await external.patch(ref, object, { ...owned, metadata: { ...owned.metadata, managedFields } }, true);
      applier.know(created, ofSet, fieldOwners.machineSetMetadata);
      return;
    } catch (error) {
      if (!isConflict(error) || tried === TRIES) throw error;
      object = await external.live(ref, namespace, name);
    }
  }
}

const KEPT = ['labels', 'annotations'] as const;

/** The entries with labels and annotations taken from one manager and given to the other; undefined when it has none. */
export function handedOver(
  entries: readonly ManagedFieldsEntry[],
  ofSet: KubeObject,
): ManagedFieldsEntry[] | undefined {
  const at = entries.findIndex((entry) => isApplied(entry, fieldOwners.machineSet));
  const entry = entries[at];
  const { 'f:metadata': metadata, ...others } = (entry?.fieldsV1 ?? {}) as { 'f:metadata'?: JsonObject };
  if (entry === undefined || metadata === undefined) return undefined;
  const { 'f:labels': labels, 'f:annotations': annotations, ...kept } = metadata;
  if (labels === undefined && annotations === undefined) return undefined;
  const left = Object.keys(kept).length === 0 ? others : { ...others, 'f:metadata': kept };
  const given = { 'f:metadata': Object.fromEntries(KEPT.map((part) => [`f:${part}`, fieldsOf(ofSet.metadata[part])])) };
  const rest = entries
    .with(at, { ...entry, fieldsV1: left })
    .filter((each) => !isApplied(each, fieldOwners.machineSetMetadata));
  return [...rest, { ...entry, manager: fieldOwners.machineSetMetadata, fieldsV1: given as JsonObject }];
}

function isApplied({ manager, operation, subresource = '' }: ManagedFieldsEntry, by: string): boolean {
  return manager === by && operation === 'Apply' && subresource === '';
}

function fieldsOf(values: Readonly<Record<string, string>> | undefined): JsonObject {
  return Object.fromEntries(Object.keys(values ?? {}).map((key) => [`f:${key}`, {}]));
}
