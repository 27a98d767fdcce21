import type { JsonObject, KubeObject, ManagedFieldsEntry } from '@capstan/meta';
import { fields } from '../builtin/shared/json.js';
import { fitsType, trackUpdate } from '../apply/index.js';
import type { ApplyScope } from '../apply/index.js';
import { versionedForm } from './builtin-apply-scope.js';
import { withApplyScope } from './conversion.js';
import type { Flow } from './effects.js';
import type { ServedResource } from './served-resource.js';
import type { Soundness } from '../builtin/soundness.js';

/** Who writes, and when: what managed fields record. */
export interface Writer {
  readonly manager: string;
  /** RFC 3339, whole seconds. */
  readonly time: string;
}

/** A write to be recorded. */
export interface TrackedObjects {
  /** What is stored, in the same version. */
  readonly live: KubeObject | undefined;
  readonly next: KubeObject;
  /** The body `next` was read from. */
  readonly sent?: unknown;
  readonly known?: Soundness | undefined;
}

/** {@link trackWrite} where managers may have written in versions that it takes a webhook to get to. */
export function* trackAcrossVersions(
  served: ServedResource,
  subresource: string,
  objects: TrackedObjects,
  writer: Writer,
): Flow<void> {
  const entries = yield* withApplyScope(served, subresource, (scope) => trackedIn(scope, served, objects, writer));
  setManagedFields(objects.next, entriesOf(served, entries));
}

/** Records in the object of a request who set which of its fields, if it is as its kind has it. */
export function trackWrite(served: ServedResource, subresource: string, objects: TrackedObjects, writer: Writer): void {
  const entries = trackedIn(served.applyScope(subresource), served, objects, writer);
  setManagedFields(objects.next, entriesOf(served, entries));
}

function trackedIn(
  scope: ApplyScope,
  served: ServedResource,
  objects: TrackedObjects,
  { manager, time }: Writer,
): ManagedFieldsEntry[] | undefined {
  const { live, next, known } = objects;
  if (isUntrackable(served, scope, next, known)) return undefined;
  return trackUpdate(scope, { live, next: trackedForm(served, objects), manager, time });
}

/**
 * What a write ignores of a custom resource (its status, or all but that) is not validated, nor is a list where bytes
 * should be; but where something does not fit its type nobody owns anything.
 */
function isUntrackable(
  served: ServedResource,
  scope: ApplyScope,
  next: KubeObject,
  known: Soundness | undefined,
): boolean {
  const type = scope.typeOf(scope.apiVersion);
  if (served.custom === undefined || type === undefined) return false;
  const fits = fitsType(next, type, known?.since);
  if (known !== undefined) known.fits = fits;
  return !fits;
}

/** Records in the object who set which of its fields. */
export function trackFields(
  served: ServedResource,
  subresource: string,
  objects: TrackedObjects,
  writer: Writer,
): void {
  const { live, next } = objects;
  const update = { live, next: trackedForm(served, objects), ...writer };
  setManagedFields(next, entriesOf(served, trackUpdate(served.applyScope(subresource), update)));
}

function trackedForm(served: ServedResource, { next, sent }: TrackedObjects): KubeObject {
  return served.custom === undefined ? versionedForm(withEmptyLists(next, sent)) : next;
}

/** Sets or removes the list. */
export function setManagedFields(
  object: KubeObject,
  entries: KubeObject['metadata']['managedFields'] | undefined,
): void {
  if (entries === undefined || entries.length === 0) {
    if ('managedFields' in object.metadata) delete object.metadata.managedFields;
  } else object.metadata.managedFields = entries;
}

const SORTED_KEYS = ['apiVersion', 'fieldsType', 'fieldsV1', 'manager', 'operation', 'subresource', 'time'] as const;

/** The entries as the resource shows them, in their place: those of custom resources are maps, whose keys are sorted. */
export function entriesOf(
  served: ServedResource,
  entries: ManagedFieldsEntry[] | undefined,
): ManagedFieldsEntry[] | undefined {
  if (served.custom === undefined || entries === undefined) return entries;
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at];
    if (entry !== undefined && !isSorted(entry)) entries[at] = sortedEntry(entry);
  }
  return entries;
}

/** Entries are written with the manager or the operation first, or were sorted before. */
function isSorted(entry: ManagedFieldsEntry): boolean {
  for (const key in entry) return key === 'apiVersion';
  return true;
}

function sortedEntry(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  const sorted: Record<string, unknown> = {};
  for (const key of SORTED_KEYS) if (entry[key] !== undefined) sorted[key] = entry[key];
  return sorted as ManagedFieldsEntry;
}

/**
 * An empty list is stored as none at all, but the manager that sent it owns it. Only lists that are always written can be seen to
 * be empty, and those that may be lie at the top of their kinds or of their specs.
 */
function withEmptyLists(object: KubeObject, sent: unknown): KubeObject {
  const body = sent as Partial<KubeObject> | undefined;
  const copy = isEmptyList(body?.metadata?.managedFields) ? withoutManagers(object) : object;
  const whole = restored(copy, body);
  const spec = restored(fields(copy['spec']), fields(body?.['spec']));
  return spec === fields(copy['spec']) ? whole : { ...whole, spec };
}

/** The members with the empty lists that were sent; the same ones where there are none. */
function restored<T extends JsonObject | KubeObject>(
  members: T,
  sent: Readonly<Record<string, unknown>> | undefined,
): T {
  let copy = members;
  for (const key in members) {
    const given = sent?.[key];
    if (members[key] === null && isEmptyList(given)) copy = { ...copy, [key]: given };
  }
  return copy;
}

/** The order to forget all managers, which the decoded object no longer shows. */
function withoutManagers(object: KubeObject): KubeObject {
  return { ...object, metadata: { ...object.metadata, managedFields: [] } };
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
