import type { Client, ResourceRef } from '@capstan/kube';
import { apiErrors, formatApiVersion, isConflict } from '@capstan/meta';
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '@capstan/meta';
import { cloneOf } from '../external/clone.js';
import { fieldOwners } from '../names.js';
import { applicable } from '../writing/applier.js';
import { machineAnnotations, machineLabels } from './desired-machine.js';
import { referenceTo } from '../owners.js';
import type { Program } from '../program.js';
import type { Machine, MachineSet, Reference } from '../types.js';

/** An object made from a template, and its resource. */
export interface Clone {
  readonly ref: ResourceRef;
  readonly object: KubeObject;
}

/** Makes the object a template describes, for a machine that is about to be. Safe to repeat: the name decides. */
export async function createClone(
  program: Program,
  { set, machine, reference }: { readonly set: MachineSet; readonly machine: Machine; readonly reference: Reference },
): Promise<Clone> {
  const { apiGroup = '', kind = '', name = '' } = reference;
  const { namespace = '' } = set.metadata;
  const { ref: templateRef } = await program.external.resource(apiGroup, kind);
  const found = await program.external.read(templateRef, namespace, name);
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
  const ref = await resourceOf(program, object, templateRef);
  const created = await program.applier.foreign(ref, object, fieldOwners.machineSet);
  const { apiVersion } = object;
  const named = { ...created, apiVersion, kind: object.kind };
  const ofSet = metadataOf(named, set);
  if (await handOver(program.client, { ref, created, ofSet }))
    program.applier.know(created, ofSet, fieldOwners.machineSetMetadata);
  return { ref, object: named };
}

/** The labels and annotations that an object made for a set is given, also while it lives. */
export function metadataOf({ apiVersion, kind, metadata }: KubeObject, set: MachineSet): KubeObject {
  const { name, namespace, uid } = metadata;
  const own = { name, namespace, uid, labels: machineLabels(set), annotations: machineAnnotations(set) };
  return applicable({ apiVersion, kind, metadata: own } as KubeObject);
}

/** The resource of what a template makes: of the same group and version. */
async function resourceOf({ external }: Program, object: KubeObject, template: ResourceRef): Promise<ResourceRef> {
  const { ref } = await external.resource(template.group, object.kind);
  return { ...ref, version: template.version };
}

const TRIES = 3;

/**
 * Labels and annotations of a clone are kept by another field manager from now on, so this one hands over those of them
 * that are of the set, and lets go of the rest. The original lets go first and applies them later. False when there was
 * nothing to hand over.
 */
async function handOver(
  client: Client,
  { ref, created, ofSet }: { readonly ref: ResourceRef; readonly created: KubeObject; readonly ofSet: KubeObject },
): Promise<boolean> {
  let object = created;
  for (let tried = 1; ; tried += 1) {
    const { name = '', namespace, resourceVersion } = object.metadata;
    const managedFields = handedOver(object.metadata.managedFields ?? [], ofSet);
    if (managedFields === undefined) return false;
    const patch = { type: 'merge', value: { metadata: { managedFields, resourceVersion } } } as const;
    try {
      await client.patch(ref, name, patch, { namespace });
      return true;
    } catch (error) {
      if (!isConflict(error) || tried === TRIES) throw error;
      object = await client.get(ref, name, { namespace });
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
