/** Checks of `metadata`, worded as the server words them. Paths are given, never assumed. */
import { pushAll } from '../lists.js';
import { formatGvk, looseGvk } from '../gvk/gvk.js';
import type { ManagedFieldsEntry, ObjectMeta, OwnerReference } from '../object.js';
import {
  forbidden,
  indexField,
  invalid,
  joinField,
  RawValue,
  required,
  tooLong,
  type FieldError,
} from './field-error.js';
import { compareBytes } from '../json/compare-bytes.js';
import { goJson, goStringSlice, isPrintable, utf8Length } from './go-format.js';
import { checkLabelValue, checkQualifiedName, nameIsDnsLabel, type Complaints, type NameValidator } from './names.js';

/** The text for a field that may not change. */
export const fieldImmutable = 'field is immutable';
/** Keys and values of all annotations together, in bytes. */
export const annotationsMaxBytes = 256 * 1024;
/** Longest field manager name, in bytes. */
export const fieldManagerMaxBytes = 128;

const printableAscii = /^[ -~]*$/;
const orphan = 'orphan';
const foregroundDeletion = 'foregroundDeletion';
const standardFinalizers: readonly string[] = ['kubernetes', orphan, foregroundDeletion];

function push(errors: FieldError[], field: string, value: unknown, complaints: Complaints): void {
  for (const complaint of complaints) errors.push(invalid(field, value, complaint));
}

/** Label keys and values. The map itself is the field: the server names no key. */
export function validateLabels(labels: Readonly<Record<string, string>> | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (labels == null) return errors;
  for (const [key, value] of Object.entries(labels)) {
    push(errors, path, key, checkQualifiedName(key));
    push(errors, path, value, checkLabelValue(value));
  }
  return errors;
}

/** Annotation keys (upper case allowed in the prefix too) and the size of them all. */
export function validateAnnotations(
  annotations: Readonly<Record<string, string>> | undefined,
  path: string,
): FieldError[] {
  const errors: FieldError[] = [];
  if (annotations == null) return errors;
  let units = 0;
  for (const [key, value] of Object.entries(annotations)) {
    push(errors, path, key, checkQualifiedName(key.toLowerCase()));
    units += key.length + value.length;
  }
  // A UTF-16 unit is three bytes at most: counting bytes is rarely needed.
  if (units * 3 > annotationsMaxBytes && annotationsBytes(annotations) > annotationsMaxBytes) {
    errors.push(tooLong(path, '', annotationsMaxBytes));
  }
  return errors;
}

function annotationsBytes(annotations: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) bytes += utf8Length(key) + utf8Length(value);
  return bytes;
}

/** As Go prints the struct: in declaration order, the optional fields only when set. */
function ownerReferenceJson(reference: OwnerReference): string {
  const fields = [
    `"apiVersion":${goJson(reference.apiVersion ?? '')}`,
    `"kind":${goJson(reference.kind ?? '')}`,
    `"name":${goJson(reference.name ?? '')}`,
    `"uid":${goJson(reference.uid ?? '')}`,
  ];
  if (typeof reference.controller === 'boolean') fields.push(`"controller":${reference.controller}`);
  if (typeof reference.blockOwnerDeletion === 'boolean') {
    fields.push(`"blockOwnerDeletion":${reference.blockOwnerDeletion}`);
  }
  return `{${fields.join(',')}}`;
}

function validateOwnerReference(reference: OwnerReference, path: string): FieldError[] {
  const errors: FieldError[] = [];
  // The types promise strings, but objects come from clients: absent counts as empty.
  const { apiVersion = '', kind = '', name = '', uid = '' } = reference;
  const gvk = looseGvk(apiVersion, kind);
  if (gvk.version === '') errors.push(invalid(joinField(path, 'apiVersion'), apiVersion, 'version must not be empty'));
  if (kind === '') errors.push(invalid(joinField(path, 'kind'), kind, 'must not be empty'));
  if (name === '') errors.push(invalid(joinField(path, 'name'), name, 'must not be empty'));
  if (uid === '') errors.push(invalid(joinField(path, 'uid'), uid, 'must not be empty'));
  if (gvk.group === '' && gvk.version === 'v1' && kind === 'Event') {
    const value = new RawValue(ownerReferenceJson(reference));
    errors.push(invalid(path, value, `${formatGvk(gvk)} is disallowed from being an owner`));
  }
  return errors;
}

/** Owner references: complete, no Event, one controller. The list itself is the field: the server names no index. */
export function validateOwnerReferences(references: readonly OwnerReference[] | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (references == null) return errors;
  let controller = '';
  for (const reference of references) {
    pushAll(errors, validateOwnerReference(reference, path));
    if (reference.controller !== true) continue;
    const current = `${reference.kind ?? ''}/${reference.name ?? ''}`;
    if (controller === '') {
      controller = current;
      continue;
    }
    const value = new RawValue(`[${references.map(ownerReferenceJson).join(',')}]`);
    const found = `Found "true" in references for ${controller} and ${current}`;
    errors.push(invalid(path, value, `Only one reference can have Controller set to true. ${found}`));
  }
  return errors;
}

/** Finalizer names; `orphan` and `foregroundDeletion` exclude each other. */
export function validateFinalizers(finalizers: readonly string[] | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (finalizers == null) return errors;
  for (const finalizer of finalizers) push(errors, path, finalizer, checkQualifiedName(finalizer));
  if (finalizers.includes(orphan) && finalizers.includes(foregroundDeletion)) {
    const detail = `finalizer ${orphan} and ${foregroundDeletion} cannot be both set`;
    errors.push(invalid(path, finalizers, detail));
  }
  return errors;
}

/** The further rule of built-in kinds: a finalizer is a standard one or has a domain. Custom resources are spared it. */
export function validateBuiltInFinalizers(finalizers: readonly string[] | undefined, path: string): FieldError[] {
  const errors: FieldError[] = [];
  finalizers?.forEach((finalizer, index) => {
    if (finalizer.includes('/') || standardFinalizers.includes(finalizer)) return;
    const detail = 'name is neither a standard finalizer name nor is it fully qualified';
    errors.push(invalid(indexField(path, index), finalizer, detail));
  });
  return errors;
}

/** No finalizer may join while the object is being deleted. */
export function validateNoNewFinalizers(
  next: readonly string[] | undefined,
  previous: readonly string[] | undefined,
  path: string,
): FieldError[] {
  const known = new Set(previous);
  const added = [...new Set(next)].filter((finalizer) => !known.has(finalizer)).sort(compareBytes);
  if (added.length === 0) return [];
  const rule = 'no new finalizers can be added if the object is being deleted';
  return [forbidden(path, `${rule}, found new finalizers ${goStringSlice(added)}`)];
}

/** A field manager's name: short and printable. */
export function validateFieldManager(manager: string, path: string): FieldError[] {
  if (manager.length <= fieldManagerMaxBytes && printableAscii.test(manager)) return [];
  const errors: FieldError[] = [];
  if (utf8Length(manager) > fieldManagerMaxBytes) errors.push(tooLong(path, '', fieldManagerMaxBytes));
  let position = 0;
  for (const character of manager) {
    if (!isPrintable(character)) {
      const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
      errors.push(invalid(path, manager, `invalid character U+${code} (at position ${position})`));
    }
    position += utf8Length(character);
  }
  return errors;
}

/** Managed fields entries. */
export function validateManagedFields(
  entries: readonly ManagedFieldsEntry[] | undefined,
  path: string,
  since?: readonly ManagedFieldsEntry[],
): FieldError[] {
  const errors: FieldError[] = [];
  entries?.forEach((entry, index) => {
    if (since?.includes(entry) === true) return;
    const at = indexField(path, index);
    const { operation = '', fieldsType = '', manager = '', subresource = '' } = entry;
    if (operation !== 'Apply' && operation !== 'Update') {
      errors.push(invalid(joinField(at, 'operation'), operation, 'must be `Apply` or `Update`'));
    }
    if (fieldsType !== '' && fieldsType !== 'FieldsV1') {
      errors.push(invalid(joinField(at, 'fieldsType'), fieldsType, 'must be `FieldsV1`'));
    }
    pushAll(errors, validateFieldManager(manager, joinField(at, 'manager')));
    if (utf8Length(subresource) > 256) errors.push(tooLong(joinField(at, 'subresource'), '', 256));
  });
  return errors;
}

export interface ObjectMetaRules {
  readonly namespaced: boolean;
  readonly nameValidator: NameValidator;
  /** Apply {@link validateBuiltInFinalizers} too. */
  readonly builtIn?: boolean;
  /** Metadata that was found in order by rules no less strict: what is the very same needs no second look. */
  readonly since?: ObjectMeta | undefined;
}

/** Whether an object is called as one whose names were found in order. */
function keepsNames(meta: ObjectMeta, since: ObjectMeta): boolean {
  return meta.name === since.name && meta.namespace === since.namespace && meta.generateName === since.generateName;
}

function validateNames(meta: ObjectMeta, rules: ObjectMetaRules, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if (rules.since !== undefined && keepsNames(meta, rules.since)) return errors;
  const { name = '', generateName = '', namespace = '' } = meta;
  if (generateName !== '') {
    push(errors, joinField(path, 'generateName'), generateName, rules.nameValidator(generateName, true));
  }
  if (name === '') errors.push(required(joinField(path, 'name'), 'name or generateName is required'));
  else push(errors, joinField(path, 'name'), name, rules.nameValidator(name, false));

  const namespacePath = joinField(path, 'namespace');
  if (rules.namespaced) {
    if (namespace === '') errors.push(required(namespacePath));
    else push(errors, namespacePath, namespace, nameIsDnsLabel(namespace, false));
  } else if (namespace !== '') errors.push(forbidden(namespacePath, 'not allowed on this type'));
  return errors;
}

/** `metadata` of an object to be created, after its name was generated. */
export function validateObjectMeta(meta: ObjectMeta, rules: ObjectMetaRules, path = 'metadata'): FieldError[] {
  const errors = validateNames(meta, rules, path);
  const generation = meta.generation ?? 0;
  if (generation < 0) {
    errors.push(invalid(joinField(path, 'generation'), generation, 'must be greater than or equal to 0'));
  }
  validateParts(meta, rules.since ?? NO_META, path, errors);
  if (rules.builtIn === true)
    pushAll(errors, validateBuiltInFinalizers(meta.finalizers, joinField(path, 'finalizers')));
  return errors;
}

const NO_META: ObjectMeta = {};

function validateParts(meta: ObjectMeta, since: ObjectMeta, path: string, errors: FieldError[]): void {
  const { annotations, finalizers, labels, managedFields, ownerReferences } = meta;
  const at = (name: string): string => joinField(path, name);
  if (labels !== since.labels) pushAll(errors, validateLabels(labels, at('labels')));
  if (annotations !== since.annotations) pushAll(errors, validateAnnotations(annotations, at('annotations')));
  if (ownerReferences !== since.ownerReferences)
    pushAll(errors, validateOwnerReferences(ownerReferences, at('ownerReferences')));
  if (finalizers !== since.finalizers) pushAll(errors, validateFinalizers(finalizers, at('finalizers')));
  if (managedFields !== since.managedFields)
    pushAll(errors, validateManagedFields(managedFields, at('managedFields'), since.managedFields));
}
