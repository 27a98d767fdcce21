/** Checks of `metadata` when an object is replaced. */
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

type Scalar = string | number | null;

/** One field that may not change; an absent one counts as `empty`, which is also what the message then shows. */
function immutable(
  errors: FieldError[],
  field: string,
  next: Scalar | undefined,
  previous: Scalar | undefined,
  empty: Scalar,
): void {
  const value = next ?? empty;
  if (value !== (previous ?? empty)) errors.push(invalid(field, value, fieldImmutable));
}

/** `metadata` of an object about to replace `previous`; system fields must already have been carried over. */
export function validateObjectMetaUpdate(
  next: ObjectMeta,
  previous: ObjectMeta,
  path = 'metadata',
  options?: { readonly builtIn?: boolean },
): FieldError[] {
  const errors: FieldError[] = [];
  const at = (name: string): string => joinField(path, name);
  if (previous.deletionTimestamp) {
    errors.push(...validateNoNewFinalizers(next.finalizers, previous.finalizers, at('finalizers')));
  }
  if (!next.resourceVersion) {
    errors.push(invalid(at('resourceVersion'), '', 'must be specified for an update'));
  }
  const generation = next.generation ?? 0;
  if (generation < (previous.generation ?? 0)) {
    errors.push(invalid(at('generation'), generation, 'must not be decremented'));
  }
  immutable(errors, at('name'), next.name, previous.name, '');
  immutable(errors, at('namespace'), next.namespace, previous.namespace, '');
  immutable(errors, at('uid'), next.uid, previous.uid, '');
  immutable(errors, at('creationTimestamp'), next.creationTimestamp, previous.creationTimestamp, null);
  immutable(errors, at('deletionTimestamp'), next.deletionTimestamp, previous.deletionTimestamp, null);
  immutable(
    errors,
    at('deletionGracePeriodSeconds'),
    next.deletionGracePeriodSeconds,
    previous.deletionGracePeriodSeconds,
    null,
  );
  errors.push(
    ...validateLabels(next.labels, at('labels')),
    ...validateAnnotations(next.annotations, at('annotations')),
    ...validateOwnerReferences(next.ownerReferences, at('ownerReferences')),
    ...validateManagedFields(next.managedFields, at('managedFields')),
  );
  if (options?.builtIn === true) errors.push(...validateBuiltInFinalizers(next.finalizers, at('finalizers')));
  return errors;
}
