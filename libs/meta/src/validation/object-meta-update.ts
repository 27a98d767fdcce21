/** Checks of `metadata` when an object is replaced. */
import { pushAll } from '../lists.js';
import type { ObjectMeta } from '../object.js';
import { invalid, joinField, type FieldError } from './field-error.js';
import {
  fieldImmutable,
  validateAnnotations,
  validateBuiltInFinalizers,
  validateLabels,
  validateManagedFields,
  validateNoNewFinalizers,
  validateOwnerReferences,
} from './object-meta.js';

/** The fields that may not change, each with what an absent one counts as, which is also what the message then shows. */
const immutableFields = [
  ['name', ''],
  ['namespace', ''],
  ['uid', ''],
  ['creationTimestamp', null],
  ['deletionTimestamp', null],
  ['deletionGracePeriodSeconds', null],
] as const;

function validateImmutable(next: ObjectMeta, previous: ObjectMeta, path: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const [name, empty] of immutableFields) {
    const value = next[name] ?? empty;
    if (value !== (previous[name] ?? empty)) errors.push(invalid(joinField(path, name), value, fieldImmutable));
  }
  return errors;
}

/**
 * `metadata` of an object about to replace `previous`; system fields must already have been carried over. What is checked
 * of any metadata is not checked again of `isSound` ones.
 */
export function validateObjectMetaUpdate(
  next: ObjectMeta,
  previous: ObjectMeta,
  path = 'metadata',
  options?: { readonly builtIn?: boolean; readonly isSound?: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  const at = (name: string): string => joinField(path, name);
  if (previous.deletionTimestamp) {
    pushAll(errors, validateNoNewFinalizers(next.finalizers, previous.finalizers, at('finalizers')));
  }
  if (!next.resourceVersion) {
    errors.push(invalid(at('resourceVersion'), '', 'must be specified for an update'));
  }
  const generation = next.generation ?? 0;
  if (generation < (previous.generation ?? 0)) {
    errors.push(invalid(at('generation'), generation, 'must not be decremented'));
  }
  pushAll(errors, validateImmutable(next, previous, path));
  if (options?.isSound !== true) {
    pushAll(
      errors,
      validateLabels(next.labels, at('labels')),
      validateAnnotations(next.annotations, at('annotations')),
      validateOwnerReferences(next.ownerReferences, at('ownerReferences')),
      validateManagedFields(next.managedFields, at('managedFields')),
    );
  }
  if (options?.builtIn === true) pushAll(errors, validateBuiltInFinalizers(next.finalizers, at('finalizers')));
  return errors;
}
