import type { Client, ResourceRef } from '@capstan/kube';
import { apiErrors, formatApiVersion, isConflict } from '@capstan/meta';
import type { JsonObject, KubeObject, ManagedFieldsEntry } from '@capstan/meta';
import { cloneOf } from '../external/clone.js';
import { fieldOwners } from '../names.js';
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
  await releaseMetadata(program.client, ref, created);
  return { ref, object: { ...created, apiVersion: object.apiVersion, kind: object.kind } };
}

/** The resource of what a template makes: of the same group and version. */
async function resourceOf({ external }: Program, object: KubeObject, template: ResourceRef): Promise<ResourceRef> {
  const { ref } = await external.resource(template.group, object.kind);
  return { ...ref, version: template.version };
}

const TRIES = 3;

/** Labels and annotations of a clone are kept by another field manager from now on, so this one lets go of them. */
async function releaseMetadata(client: Client, ref: ResourceRef, created: KubeObject): Promise<void> {
  let object = created;
  for (let tried = 1; ; tried += 1) {
    const { name = '', namespace, resourceVersion } = object.metadata;
    const managedFields = withoutMetadata(object.metadata.managedFields ?? [], fieldOwners.machineSet);
    if (managedFields === undefined) return;
    const patch = { type: 'merge', value: { metadata: { managedFields, resourceVersion } } } as const;
    try {
      await client.patch(ref, name, patch, { namespace });
      return;
    } catch (error) {
      if (!isConflict(error) || tried === TRIES) throw error;
      object = await client.get(ref, name, { namespace });
    }
  }
}

/** The entries with labels and annotations taken from one manager; undefined when it has none. */
export function withoutMetadata(
  entries: readonly ManagedFieldsEntry[],
  manager: string,
): ManagedFieldsEntry[] | undefined {
  const at = entries.findIndex(
    (entry) => entry.manager === manager && entry.operation === 'Apply' && (entry.subresource ?? '') === '',
  );
  const entry = entries[at];
  const fields = (entry?.fieldsV1 ?? {}) as JsonObject;
  const metadata = fields['f:metadata'] as JsonObject | undefined;
  if (entry === undefined || metadata === undefined) return undefined;
  const { 'f:labels': labels, 'f:annotations': annotations, ...kept } = metadata;
  if (labels === undefined && annotations === undefined) return undefined;
  const { 'f:metadata': _, ...others } = fields;
  const left = Object.keys(kept).length === 0 ? others : { ...others, 'f:metadata': kept };
  return entries.with(at, { ...entry, fieldsV1: left });
}
