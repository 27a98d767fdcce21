/** The catalogue, part one: answers about an object. Each row: code, reason, message. */
import { pushAll } from '../lists.js';
import { formatGroupKind, formatGroupResource, type GroupKind, type GroupResource } from '../gvk/gvk.js';
import {
  fieldErrorBody,
  fieldErrorReason,
  fieldErrorsMessage,
  listedErrors,
  invalid as invalidField,
  type FieldError,
} from '../validation/field-error.js';
import { compareBytes } from '../json/compare-bytes.js';
import { goQuote } from '../json/go-text.js';
import { ApiError } from './api-error.js';
import { failure, statusDetails, type Status, type StatusCause, type StatusDetails } from './status.js';

function resourceDetails(resource: GroupResource, name: string): StatusDetails {
  return { name, group: resource.group, kind: resource.resource };
}

function named(resource: GroupResource, name: string): string {
  return `${formatGroupResource(resource)} ${goQuote(name)}`;
}

/** 404 NotFound: `widgets.example.com "x" not found`. */
export function notFound(resource: GroupResource, name: string): ApiError {
  return new ApiError(failure(404, 'NotFound', `${named(resource, name)} not found`, resourceDetails(resource, name)));
}

/** 409 AlreadyExists: `widgets.example.com "x" already exists`; of a terminating object with `object is being deleted: ` before. */
export function alreadyExists(
  resource: GroupResource,
  name: string,
  options?: { readonly terminating?: boolean },
): ApiError {
  const prefix = options?.terminating === true ? 'object is being deleted: ' : '';
  const message = `${prefix}${named(resource, name)} already exists`;
  return new ApiError(failure(409, 'AlreadyExists', message, resourceDetails(resource, name)));
}

/** 409 AlreadyExists with retryAfterSeconds: no free name was found for a generateName. */
export function generateNameConflict(resource: GroupResource, name: string, retryAfterSeconds = 1): ApiError {
  const message = `${named(resource, name)} already exists, the server was not able to generate a unique name for the object`;
  const details = { ...resourceDetails(resource, name), retryAfterSeconds };
  return new ApiError(failure(409, 'AlreadyExists', message, details));
}

/** 409 Conflict: `Operation cannot be fulfilled on widgets.example.com "x": <reason>`. */
export function conflict(resource: GroupResource, name: string, reason: string): ApiError {
  const message = `Operation cannot be fulfilled on ${named(resource, name)}: ${reason}`;
  return new ApiError(failure(409, 'Conflict', message, resourceDetails(resource, name)));
}

/** 409 Conflict: the resourceVersion sent is not the stored one. */
export function staleResourceVersion(resource: GroupResource, name: string): ApiError {
  const reason = 'the object has been modified; please apply your changes to the latest version and try again';
  return conflict(resource, name, reason);
}

/** What a precondition is about. */
export type PreconditionField = 'UID' | 'ResourceVersion';

/** What a precondition wanted, and what the object has instead. */
export type Mismatch = readonly [wanted: string, actual: string];

/** 409 Conflict: a precondition failed inside the storage; `key` is the storage key (`/registry/configmaps/ns/x`). */
export function storagePreconditionFailed(
  resource: GroupResource,
  name: string,
  key: string,
  ...[field, wanted, actual]: readonly [field: PreconditionField, ...Mismatch]
): ApiError {
  const detail = `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${actual}`;
  const reason = `StorageError: invalid object, Code: 4, Key: ${key}, ResourceVersion: 0, AdditionalErrorMsg: ${detail}`;
  return conflict(resource, name, reason);
}

/** 409 Conflict: a PUT named another uid than the stored object's; as {@link storagePreconditionFailed}. */
export function uidPreconditionFailed(
  resource: GroupResource,
  name: string,
  key: string,
  ...mismatch: Mismatch
): ApiError {
  return storagePreconditionFailed(resource, name, key, 'UID', ...mismatch);
}

/** 409 Conflict: a DELETE's precondition; unlike all other conflicts it names the kind, not the resource. */
export function deletePreconditionFailed(
  kind: GroupKind,
  name: string,
  field: PreconditionField,
  ...[wanted, actual]: Mismatch
): ApiError {
  const consequence =
    field === 'UID' ? 'The object might have been deleted and then recreated' : 'The object might have been modified';
  const reason = `the ${field} in the precondition (${wanted}) does not match the ${field} in record (${actual}). ${consequence}`;
  return conflict({ group: kind.group, resource: kind.kind }, name, reason);
}

/** 422 Invalid: `Widget.example.com "x" is invalid: <error>` or `[<error>, <error>]`, each error also a cause. */
export function invalid(kind: GroupKind, name: string, errors: readonly FieldError[]): ApiError {
  const head = `${formatGroupKind(kind)} ${goQuote(name)} is invalid`;
  const causes = listedErrors(errors).listed.map((error): StatusCause => {
    const body = { reason: fieldErrorReason(error.type), message: fieldErrorBody(error) };
    return error.field === '' ? body : { ...body, field: error.field };
  });
  const message = errors.length === 0 ? head : `${head}: ${fieldErrorsMessage(errors)}`;
  return new ApiError(failure(422, 'Invalid', message, { name, group: kind.group, kind: kind.kind, causes }));
}

/** 422 Invalid of an unconditional PUT where none is allowed; alone of its reason it names the resource as the kind. */
export function resourceVersionRequired(resource: GroupResource, name: string): ApiError {
  const error = invalidField('metadata.resourceVersion', 0, 'must be specified for an update');
  return invalid({ group: resource.group, kind: resource.resource }, name, [error]);
}

/** 500 with no reason: a create carried a resourceVersion. */
export function resourceVersionOnCreate(): ApiError {
  return unclassified('resourceVersion should not be set on objects to be created');
}

/** 500 with no reason: how the server sends errors it has no class for. */
export function unclassified(message: string): ApiError {
  return new ApiError(failure(500, '', message));
}

/** One field an apply wanted and another manager owns. */
export interface ApplyConflict {
  /** Orders the managers in the message: the manager's identifier. */
  readonly managerId: string;
  /** As {@link managerText} prints it. */
  readonly manager: string;
  /** The path with its leading dot: `.spec.replicas`. */
  readonly field: string;
}

/** A manager as conflicts name it: `"m"`, `"m" with subresource "status" using v1 at 2024-01-01T00:00:00Z`. */
export function managerText(entry: {
  readonly manager?: string;
  readonly operation?: string;
  readonly apiVersion?: string;
  readonly time?: string;
  readonly subresource?: string;
}): string {
  let text = goQuote(entry.manager ?? '');
  if (entry.subresource) text += ` with subresource ${goQuote(entry.subresource)}`;
  if (entry.operation !== 'Update') return text;
  text += ` using ${entry.apiVersion ?? ''}`;
  return entry.time ? `${text} at ${entry.time}` : text;
}

function applyConflictMessage(conflicts: readonly ApplyConflict[]): string {
  const [first] = conflicts;
  if (first !== undefined && conflicts.length === 1) {
    return `Apply failed with 1 conflict: conflict with ${first.manager}: ${first.field}`;
  }
  const byManager = new Map<string, ApplyConflict[]>();
  for (const item of conflicts) {
    const items = byManager.get(item.managerId);
    if (items === undefined) byManager.set(item.managerId, [item]);
    else items.push(item);
  }
  const lines: string[] = [];
  for (const id of [...byManager.keys()].sort(compareBytes)) {
    const items = byManager.get(id) ?? [];
    pushAll(
      lines,
      [`conflicts with ${items[0]?.manager ?? ''}:`],
      items.map((item) => `- ${item.field}`),
    );
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

/** 409 Conflict with FieldManagerConflict causes: `Apply failed with 1 conflict: conflict with "mgr": .spec.x`. */
export function applyConflict(conflicts: readonly ApplyConflict[]): ApiError {
  const causes = conflicts.map((item) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${item.manager}`,
    field: item.field,
  }));
  return new ApiError(failure(409, 'Conflict', applyConflictMessage(conflicts), { causes }));
}

/** The answer to a DELETE that removed the object; the server sends no code in it. */
export function deleteSuccess(resource: GroupResource, name: string, uid: string): Status {
  return {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Success',
    details: statusDetails({ ...resourceDetails(resource, name), uid }),
  };
}
