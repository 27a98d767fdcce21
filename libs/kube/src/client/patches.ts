import { createJsonPatch, createMergePatch, extended } from '@capstan/meta';
import type { JsonObject, KubeObject } from '@capstan/meta';
import { RuntimeError } from '../runtime/errors.js';
import type { Client } from './client.js';
import type { Patch, PatchOptions } from './options.js';
import type { ResourceRef } from './resource.js';

export interface MergeFromOptions {
  /** The server refuses when the object is no longer the one the patch was made from. */
  readonly optimisticLock?: boolean | undefined;
}

/** The merge patch that turns one object into the other; lists are replaced whole, so lock where others write them too. */
export function mergeFrom(before: KubeObject, after: KubeObject, options: MergeFromOptions = {}): Patch {
  return locked(createMergePatch(before, after), before, options);
}

function locked(value: JsonObject, before: KubeObject, options: MergeFromOptions): Patch {
  if (options.optimisticLock !== true) return { type: 'merge', value };
  const { resourceVersion } = before.metadata;
  if (resourceVersion === undefined || resourceVersion === '')
    throw new RuntimeError('misused', 'an object without resource version cannot be locked');
  const metadata = (value['metadata'] ?? {}) as JsonObject;
  return { type: 'merge', value: extended(value, { metadata: extended(metadata, { resourceVersion }) }) };
}

export interface PatchFromOptions extends PatchOptions, MergeFromOptions {}

/**
 * The patch that turns one object into the other: a merge patch, or a JSON patch where a field becomes null, which a
 * merge patch cannot say. Undefined when nothing differs.
 */
function changeFrom(before: KubeObject, after: KubeObject, options: MergeFromOptions): Patch | undefined {
  const change = createMergePatch(before, after);
  if (Object.keys(change).length === 0) return undefined;
  if (!setsNull(change, after)) return locked(change, before, options);
  const operations = createJsonPatch(before, after);
  const { resourceVersion } = before.metadata;
  // Not a test, whose failure no client takes for a conflict: the server compares what is written with what it has.
  const lock = { op: 'replace', path: '/metadata/resourceVersion', value: resourceVersion } as const;
  return { type: 'json', value: options.optimisticLock === true ? [lock, ...operations] : operations };
}

/** Whether a merge patch is to set something to null: there it removes, and within lists servers leave it out. */
function setsNull(patch: unknown, after: unknown): boolean {
  if (patch === null) return after === null;
  if (typeof patch !== 'object') return false;
  if (Array.isArray(patch)) return patch.some((item) => setsNull(item, item));
  const values = (after ?? {}) as JsonObject;
  return Object.entries(patch).some(([key, value]) => setsNull(value, values[key]));
}

/** Sends what differs as a patch; sends nothing, and gives the object from before, when nothing does. */
export async function patchFrom<T extends KubeObject>(
  client: Client,
  ref: ResourceRef,
  { before, after }: { readonly before: T; readonly after: T },
  options: PatchFromOptions = {},
): Promise<T> {
  const patch = changeFrom(before, after, options);
  if (patch === undefined) return before;
  const { name = '', namespace } = before.metadata;
  return client.patch<T>(ref, name, patch, { namespace, ...options });
}

export interface ApplyOptions extends Omit<PatchOptions, 'fieldManager'> {
  /** Who owns the fields that are set. */
  readonly fieldOwner: string;
}

/** Sets the fields of the object and owns them from now on (server-side apply). */
export function apply<T extends KubeObject>(
  client: Client,
  ref: ResourceRef,
  object: T,
  { fieldOwner, ...options }: ApplyOptions,
): Promise<T> {
  // The server refuses them, and an object that was read has them. A resource version stays: it locks.
  const { managedFields: _, ...metadata } = object.metadata;
  const { name = '', namespace } = metadata;
  const patch: Patch = { type: 'apply', value: { ...object, metadata } };
  return client.patch<T>(ref, name, patch, { namespace, ...options, fieldManager: fieldOwner });
}

/** Writes the status of an object, and nothing else of it. */
export function updateStatus<T extends KubeObject>(client: Client, ref: ResourceRef, object: T): Promise<T> {
  return client.update<T>(ref, object, { subresource: 'status' });
}

/** How many there should be and are, of any object that can be scaled. */
export interface Scale extends KubeObject {
  spec?: { replicas?: number };
  status?: { replicas: number; selector?: string };
}

/** Reads the scale of an object. */
export function getScale(client: Client, ref: ResourceRef, name: string, namespace?: string): Promise<Scale> {
  return client.get<Scale>(ref, name, { namespace, subresource: 'scale' });
}

/** Writes how many there should be. */
export function setScale(
  client: Client,
  ref: ResourceRef,
  at: { readonly name: string; readonly namespace?: string | undefined },
  replicas: number,
): Promise<Scale> {
  const patch: Patch = { type: 'merge', value: { spec: { replicas } } };
  return client.patch<Scale>(ref, at.name, patch, { namespace: at.namespace, subresource: 'scale' });
}
