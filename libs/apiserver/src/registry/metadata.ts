import { structOf } from '@capstan/api/kubernetes';
import {
  copyMembers,
  dedupeOwnerReferences,
  duplicateOwnersWarning,
  nameIsDeclaredLong,
  nameIsDns1035Label,
  nameIsDnsLabel,
  nameIsDnsSubdomain,
  nameIsPathSegment,
  parseApiVersion,
  Recent,
  setOwn,
} from '@capstan/meta';
import type { JsonObject, KubeObject, ManagedFieldsEntry, NameValidator, ObjectMeta } from '@capstan/meta';
import type { ResourceStrategy } from '../builtin/strategy.js';
import type { Core } from './core.js';
import { isMap, sortedFields } from './sorted-fields.js';
import type { ServedResource } from './served-resource.js';

const NAME_VALIDATORS: Readonly<Record<ResourceStrategy['nameValidator'], NameValidator>> = {
  'dns1123-subdomain': nameIsDnsSubdomain,
  'declared-subdomain': nameIsDeclaredLong,
  'dns1123-label': nameIsDnsLabel,
  'dns1035-label': nameIsDns1035Label,
  'path-segment': nameIsPathSegment,
  any: () => [],
};

/** The rule a kind sets for its names. */
export function nameValidatorOf(strategy: ResourceStrategy, object: KubeObject): NameValidator {
  const validator = NAME_VALIDATORS[strategy.nameValidator];
  const more = strategy.validateName?.(object);
  return more === undefined ? validator : (name, isPrefix) => [...validator(name, isPrefix), ...more(name)];
}

/** Groups whose kinds the server does not hold to the rule: any qualified name will do for their finalizers. */
const LENIENT_GROUPS = new Set([
  'admissionregistration.k8s.io',
  'apiextensions.k8s.io',
  'apiregistration.k8s.io',
  'coordination.k8s.io',
  'node.k8s.io',
  'policy',
]);

/** Whether finalizers must be standard ones or have a path. */
export function hasStrictFinalizers({ bareItems, groupKind }: ServedResource): boolean {
  if (!bareItems || LENIENT_GROUPS.has(groupKind.group)) return false;
  return groupKind.group !== '' || groupKind.kind !== 'Event';
}

/** The fields real objects print first, in their order; the rest follows as it came. */
const META_ORDER = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'labels',
  'annotations',
  'ownerReferences',
  'finalizers',
  'managedFields',
] as const satisfies readonly (keyof ObjectMeta)[];

/** Where there are no types the real server prints maps, whose keys are sorted. */
const SORTED_META = [...META_ORDER].sort();

type Places = ReadonlyMap<string, number>;

function placesOf(order: readonly (keyof ObjectMeta)[]): Places {
  return new Map(order.map((field, at) => [field, at]));
}

const META_PLACES = placesOf(META_ORDER);
const SORTED_PLACES = placesOf(SORTED_META);

const ENTRY_ORDER = [
  'apiVersion',
  'fieldsType',
  'fieldsV1',
  'manager',
  'operation',
  'subresource',
  'time',
] as const satisfies readonly (keyof ManagedFieldsEntry)[];

function isInOrder(entry: ManagedFieldsEntry, order: readonly (keyof ManagedFieldsEntry)[]): boolean {
  let at = -1;
  for (const field in entry) {
    const place = order.indexOf(field as keyof ManagedFieldsEntry);
    if (place <= at || entry[field as keyof ManagedFieldsEntry] === undefined) return false;
    at = place;
  }
  return true;
}

function entryInOrder(entry: ManagedFieldsEntry, order: readonly (keyof ManagedFieldsEntry)[]): ManagedFieldsEntry {
  const sorted: Record<string, unknown> = {};
  for (const field of order) if (entry[field] !== undefined) sorted[field] = entry[field];
  return sorted as ManagedFieldsEntry;
}

/** The entries themselves where there is nothing to put in order. */
function sortedEntries(entries: ManagedFieldsEntry[]): ManagedFieldsEntry[] {
  let copy: ManagedFieldsEntry[] | undefined;
  for (let at = 0; at < entries.length; at++) {
    const entry = entries[at] as ManagedFieldsEntry;
    const sorted = sortedEntry(entry);
    if (sorted !== entry) (copy ??= entries.slice())[at] = sorted;
  }
  return copy ?? entries;
}

function sortedEntry(given: ManagedFieldsEntry): ManagedFieldsEntry {
  const entry = isInOrder(given, ENTRY_ORDER) ? given : entryInOrder(given, ENTRY_ORDER);
  if (!isMap(entry.fieldsV1)) return entry;
  const fieldsV1 = sortedFields(entry.fieldsV1);
  if (entry.fieldsV1 === fieldsV1) return entry;
  const copy = copyMembers(entry);
  copy.fieldsV1 = fieldsV1;
  return copy;
}

/** Metadata without what is unset, in the order of the real server; itself where it is so already. */
function orderedMeta(meta: ObjectMeta, order: readonly (keyof ObjectMeta)[] = META_ORDER): ObjectMeta {
  const isSorted = order === SORTED_META;
  const entries = isSorted && meta.managedFields ? sortedEntries(meta.managedFields) : meta.managedFields;
  if (entries === meta.managedFields && isOrdered(meta, isSorted ? SORTED_PLACES : META_PLACES)) return meta;
  const ordered: Record<string, unknown> = {};
  for (const field of order) {
    const value = field === 'managedFields' ? entries : meta[field];
    if (value !== undefined && value !== null) ordered[field] = value;
    // Keeps its place for the revision that the store puts in.
    else if (field === 'resourceVersion') ordered[field] = '';
  }
  return ordered as ObjectMeta;
}

/** Whether metadata has a revision, nothing that is unset or unknown, and all in its place. */
function isOrdered(meta: ObjectMeta, places: Places): boolean {
  let last = -1;
  let hasRevision = false;
  for (const field in meta) {
    const place = places.get(field);
    if (place === undefined || place <= last || (meta as JsonObject)[field] == null) return false;
    last = place;
    if (field === 'resourceVersion') hasRevision = true;
  }
  return hasRevision;
}

const TYPED_ENTRY_ORDER = [
  'manager',
  'operation',
  'apiVersion',
  'time',
  'fieldsType',
  'fieldsV1',
  'subresource',
] as const satisfies readonly (keyof ManagedFieldsEntry)[];

const RECENT_ENTRIES = 1_024;
/** Entries in the order of their type: those who look at metadata alone look again and again. */
const typedEntries = new Recent<ManagedFieldsEntry, ManagedFieldsEntry>(RECENT_ENTRIES);

function typedEntry(entry: ManagedFieldsEntry): ManagedFieldsEntry {
  if (isInOrder(entry, TYPED_ENTRY_ORDER)) return entry;
  const known = typedEntries.get(entry);
  if (known !== undefined) return known;
  const typed = entryInOrder(entry, TYPED_ENTRY_ORDER);
  // Only of what cannot change may anything be remembered.
  if (Object.isFrozen(entry)) typedEntries.set(entry, Object.freeze(typed));
  return typed;
}

/** The metadata of a custom resource as its type has it, which is how it is shown alone. */
export function typedMeta(meta: ObjectMeta): ObjectMeta {
  const ordered = copyMembers(orderedMeta(meta));
  if (meta.managedFields != null) ordered.managedFields = meta.managedFields.map(typedEntry);
  return ordered;
}

/** The fields of built-in kinds, but for the head, in the order of their Go types, by apiVersion and kind; none for other kinds. */
const fieldOrders = new Map<string, Map<string, readonly string[]>>();
const NO_FIELDS: readonly string[] = [];

function fieldOrder(apiVersion: string, kind: string): readonly string[] {
  let kinds = fieldOrders.get(apiVersion);
  if (kinds === undefined) fieldOrders.set(apiVersion, (kinds = new Map()));
  let order = kinds.get(kind);
  if (order === undefined) {
    const { group, version } = parseApiVersion(apiVersion);
    const names = structOf(group, version, kind)?.fields.map(({ name }) => name);
    order = names?.filter((name) => !isHead(name)) ?? NO_FIELDS;
    kinds.set(kind, order);
  }
  return order;
}

/**
 * The object with kind, apiVersion and metadata first: list items are cut from the encoded form behind them. The other
 * fields come as the kind's type has them, whichever request set them.
 */
export function orderedObject(object: KubeObject): KubeObject {
  const { kind, apiVersion, metadata } = object;
  const order = fieldOrder(apiVersion, kind);
  if (order === NO_FIELDS) return sortedObject(object);
  const ordered: JsonObject = { kind, apiVersion, metadata: orderedMeta(metadata) };
  for (const field of order) {
    const value = object[field];
    if (value !== undefined) ordered[field] = value;
  }
  // A field that is set keeps the place it has; the rest follows.
  for (const field in object)
    if (!isHead(field) && !Object.hasOwn(ordered, field)) setOwn(ordered, field, object[field]);
  return ordered as unknown as KubeObject;
}

/** Whether a field is one of those that all kinds begin with. */
function isHead(field: string): boolean {
  return field === 'kind' || field === 'apiVersion' || field === 'metadata';
}

function sortedObject(object: KubeObject): KubeObject {
  const { apiVersion, kind } = object;
  const metadata = orderedMeta(object.metadata, SORTED_META);
  const sorted: JsonObject = { apiVersion, kind, metadata };
  // Mostly there is a spec and then a status.
  let last = 'metadata';
  for (const key in object) {
    if (isHead(key)) continue;
    if (key < last) return sortedByAllKeys({ ...object, metadata });
    setOwn(sorted, key, object[key]);
    last = key;
  }
  return sorted as KubeObject;
}

function sortedByAllKeys(object: KubeObject): KubeObject {
  const sorted: JsonObject = {};
  for (const key of Object.keys(object).sort()) setOwn(sorted, key, object[key]);
  return sorted as KubeObject;
}

const SYSTEM_FIELDS = [
  'uid',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'selfLink',
] as const satisfies readonly (keyof ObjectMeta)[];

/** What clients may not choose on create. */
export function wipeSystemMetadata(meta: ObjectMeta): void {
  for (const field of SYSTEM_FIELDS) without(meta, field);
}

/** Leaves metadata that has no such field as it is, since removing nothing is not for nothing. */
function without(meta: ObjectMeta, field: keyof ObjectMeta): void {
  if (field in meta) delete meta[field];
}

/** What the server decides on create. */
export function fillSystemMetadata(core: Core, meta: ObjectMeta): void {
  meta.creationTimestamp = core.timestamp();
  meta.uid = core.uid();
}

/** Repeated owner references are dropped with a warning. */
export function dedupeOwners(meta: ObjectMeta, warnings: string[], isMutated = false): void {
  if (meta.ownerReferences === undefined || meta.ownerReferences.length < 2) return;
  const { references, duplicates } = dedupeOwnerReferences(meta.ownerReferences);
  if (duplicates.length === 0) return;
  meta.ownerReferences = references;
  warnings.push(duplicateOwnersWarning(duplicates, isMutated));
}

/** On update the stored object's system fields hold where the client left them out. */
export function carrySystemMetadata(next: ObjectMeta, old: ObjectMeta): void {
  if (old.generation === undefined) without(next, 'generation');
  else next.generation = old.generation;
  if (!next.uid && old.uid !== undefined) next.uid = old.uid;
  if (old.creationTimestamp) next.creationTimestamp = old.creationTimestamp;
  if (!next.deletionTimestamp && old.deletionTimestamp) next.deletionTimestamp = old.deletionTimestamp;
  if (next.deletionGracePeriodSeconds == null && old.deletionGracePeriodSeconds != null) {
    next.deletionGracePeriodSeconds = old.deletionGracePeriodSeconds;
  }
  if (old.selfLink === undefined) without(next, 'selfLink');
  else next.selfLink = old.selfLink;
}
