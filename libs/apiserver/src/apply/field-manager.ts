/** The field manager: what every write does to `metadata.managedFields`, and how configurations are applied. */
import { apiErrors, compareBytes, deepEqual } from '@capstan/meta';
import type { ApplyConflict, JsonObject, KubeObject, ManagedFieldsEntry } from '@capstan/meta';
import { requireApplicable, requireFirstFit, requireKind, requireLiveFit } from './apply-errors.js';
import { capUpdateManagers } from './cap-managers.js';
import { ConversionFailed } from './conversion-failed.js';
import { EMPTY_SET } from './field-node.js';
import { difference, equalSets, intersection, isEmptySet, setOfPaths, union } from './field-set.js';
import { allowedByLastApplied, refreshLastApplied } from './last-applied.js';
import {
  ManagedFieldsError,
  decodeManaged,
  dropEmpty,
  encodeManaged,
  isReset,
  managerId,
  managerName,
  newState,
  withSet,
  withTime,
  withoutManaged,
} from './managed.js';
import type { ManagerIdentity, ManagerState, ManagerTable } from './managed.js';
import { ItemError } from './path-element.js';
import type { ApplyScope } from './scope.js';
import { ApplyTypeError } from './type-error.js';
import { applyConfig, conflictField, requestVersioned, updateManagers } from './updater.js';
import type { ApplyOutcome, FieldConflict } from './updater.js';

/** The manager kubectl applies as; it alone cares for the annotation of client-side apply. */
const KUBECTL = 'kubectl';
const BEFORE_FIRST_APPLY = 'before-first-apply';
const UNKNOWN_MANAGER = 'unknown';

/** What nobody owns. */
const STRIPPED = setOfPaths(
  ['f:apiVersion'],
  ['f:kind'],
  ['f:metadata'],
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => ['f:metadata', `f:${name}`]),
);

/** A write that is not an apply. */
export interface TrackedUpdate {
  /** The stored object in the version of the scope; undefined: the write creates it. */
  readonly live: KubeObject | undefined;
  /** The object to be stored, complete, with the `managedFields` the client sent. */
  readonly next: KubeObject;
  readonly manager: string;
  /** RFC 3339, whole seconds. */
  readonly time: string;
}

/**
 * The `managedFields` of an object after a create, an update or a patch that is not an apply; undefined: none. Never
 * fails: what cannot be tracked is no longer tracked.
 */
export function trackUpdate(scope: ApplyScope, update: TrackedUpdate): ManagedFieldsEntry[] | undefined {
  const { live, next } = update;
  const managed = managedOf(scope, live, next);
  // Tracking begins with the object or not at all.
  if (managed.size === 0 && live?.metadata.uid) return undefined;
  try {
    const tracked = credit(scope, managed, changeOf(scope, live, next), update);
    return encodeManaged(capUpdateManagers(tracked));
  } catch (error) {
    if (error instanceof ApplyTypeError || error instanceof ItemError || error instanceof ConversionFailed)
      return undefined;
    throw error;
  }
}

/** Whether a list of managers is new is nobody's to own. */
function changeOf(
  scope: ApplyScope,
  live: KubeObject | undefined,
  next: KubeObject,
): { readonly before: JsonObject; readonly after: JsonObject } {
  return live === undefined
    ? { before: scope.emptyObject(), after: withoutManaged(next) }
    : { before: live, after: next };
}

/** The managers before the write: the client's own list if it sent one that can be read, else the stored one. */
function managedOf(scope: ApplyScope, live: KubeObject | undefined, next: KubeObject): ManagerTable {
  const stored = live?.metadata.managedFields;
  // A subresource does not carry the list of the object.
  if (scope.subresource !== '') return readManaged(stored) ?? new Map();
  const sent = next.metadata.managedFields;
  if (isReset(sent)) return new Map();
  const managed = sent === stored ? undefined : readManaged(recognized(sent, stored));
  return managed !== undefined && managed.size > 0 ? managed : (readManaged(stored) ?? new Map());
}

/** Entries the client only sends back are the stored ones, whose sets are already read. */
function recognized(
  sent: readonly ManagedFieldsEntry[] | null | undefined,
  stored: readonly ManagedFieldsEntry[] | undefined,
): readonly ManagedFieldsEntry[] | null | undefined {
  if (stored === undefined) return sent;
  return sent?.map((entry, at) => {
    const known = stored[at];
    return known !== undefined && deepEqual(known, entry) ? known : entry;
  });
}

function readManaged(entries: readonly ManagedFieldsEntry[] | null | undefined): ManagerTable | undefined {
  try {
    return decodeManaged(entries);
  } catch (error) {
    if (error instanceof ManagedFieldsError) return undefined;
    throw error;
  }
}

function credit(
  scope: ApplyScope,
  managed: ManagerTable,
  objects: { readonly before: JsonObject; readonly after: JsonObject },
  by: { readonly manager: string; readonly time: string },
): ManagerTable {
  const identity = identityOf(scope, by.manager, 'Update');
  const id = managerId(identity);
  const { managers, changed } = updateManagers(scope, objects, managed, id);
  const own = difference(changed, STRIPPED);
  const previous = managers.get(id);
  // Who writes what it owns already owns what it owned: the set stays the one whose stored form is known.
  const kept = previous && difference(previous.set, own === changed ? EMPTY_SET : intersection(changed, STRIPPED));
  if (isEmptySet(own)) {
    if (previous !== undefined && kept !== undefined) managers.set(id, withSet(previous, kept));
    dropEmpty(managers);
    return managers;
  }
  const set = kept === undefined ? own : union(kept, own);
  const isSame = previous !== undefined && previous.set === set && previous.time === by.time;
  if (!isSame) managers.set(id, newState(identity, set, by.time));
  return managers;
}

function identityOf(scope: ApplyScope, manager: string, operation: 'Apply' | 'Update'): ManagerIdentity {
  const { apiVersion, subresource } = scope;
  return { manager: manager === '' ? UNKNOWN_MANAGER : manager, operation, apiVersion, subresource };
}

/** An apply. */
export interface ApplyRequest {
  /** The stored object in the version of the scope; undefined: the apply creates it. */
  readonly live: KubeObject | undefined;
  /** The stored object is known to fit its type. */
  readonly isLiveSound?: boolean;
  /** The configuration as the client sent it. */
  readonly config: JsonObject;
  readonly manager: string;
  readonly force: boolean;
  /** RFC 3339, whole seconds. */
  readonly time: string;
}

/** What came of an apply. */
export type ApplyResult =
  | { readonly type: 'conflicts'; readonly conflicts: readonly ApplyConflict[] }
  | {
      readonly type: 'applied';
      /** The merged object with its new `managedFields`, neither decoded nor defaulted; it shares parts with the inputs. */
      readonly object: KubeObject;
      readonly managedFields: ManagedFieldsEntry[] | undefined;
      /** The configuration changed nothing but, perhaps, who owns what. */
      readonly unchanged: boolean;
    };

/** Merges a configuration into the object. Throws the server's errors for configurations that cannot be applied. */
export function applyPatch(scope: ApplyScope, request: ApplyRequest): ApplyResult {
  const { live, config, manager } = request;
  const stored = decodeLive(live);
  requireKind(scope, config);
  const plain = withoutManaged(live ?? scope.emptyObject());
  const managed = withFirstApply(scope, stored, plain, request);
  requireApplicable(scope, config);
  if (request.isLiveSound !== true) requireLiveFit(scope, plain);
  const identity = identityOf(scope, manager, 'Apply');
  const id = managerId(identity);
  const apply = (force: boolean): ApplyOutcome =>
    applyConfig(scope, { live: plain, config }, managed, { id, identity, force });
  let outcome = apply(request.force);
  if (outcome.type === 'conflicts' && manager === KUBECTL) {
    const allowed = allowedByLastApplied(requestVersioned(scope, plain), scope);
    if (allowed !== undefined) {
      const left = outcome.conflicts.filter((conflict) => !allowed(conflict.path));
      outcome = left.length === 0 ? apply(true) : { type: 'conflicts', conflicts: left };
    }
  }
  if (outcome.type === 'conflicts') return { type: 'conflicts', conflicts: describe(outcome.conflicts) };
  const last = managed.get(id);
  const time = outcome.object === undefined ? last?.time : request.time;
  return finished(stripped(outcome.managers, id, last, time), outcome.object, plain, request);
}

function finished(
  managed: ManagerTable,
  merged: JsonObject | undefined,
  live: JsonObject,
  request: ApplyRequest,
): ApplyResult {
  let object = merged ?? live;
  if (request.manager === KUBECTL) object = refreshLastApplied(object, request.config);
  const managedFields = encodeManaged(managed);
  const metadata = { ...(object['metadata'] as JsonObject | undefined) };
  if (managedFields === undefined) delete metadata['managedFields'];
  else metadata['managedFields'] = managedFields;
  return {
    type: 'applied',
    object: { ...(object as KubeObject), metadata: metadata as KubeObject['metadata'] },
    managedFields,
    unchanged: merged === undefined,
  };
}

/** The table without what nobody owns; an applier whose set came out as before keeps its entry, but for the time. */
function stripped(
  managers: ManagerTable,
  id: string,
  before: ManagerState | undefined,
  time: string | undefined,
): ManagerTable {
  const state = managers.get(id);
  if (state === undefined) return managers;
  const set = difference(state.set, STRIPPED);
  const isKept = before?.apiVersion === state.apiVersion && equalSets(before.set, set);
  if (isEmptySet(set)) managers.delete(id);
  else managers.set(id, withTime(isKept ? before : withSet(state, set), time));
  return managers;
}

function decodeLive(live: KubeObject | undefined): ManagerTable {
  try {
    return decodeManaged(live?.metadata.managedFields);
  } catch (error) {
    if (error instanceof ManagedFieldsError) {
      throw apiErrors.unclassified(`failed to decode managed fields: ${error.message}`);
    }
    throw error;
  }
}

/** What is there without anybody on record was there before the first apply. */
function withFirstApply(
  scope: ApplyScope,
  managed: ManagerTable,
  live: JsonObject,
  request: ApplyRequest,
): ManagerTable {
  if (managed.size > 0 || request.live === undefined) return managed;
  requireFirstFit(scope, live);
  const by = { manager: BEFORE_FIRST_APPLY, time: request.time };
  return credit(scope, managed, { before: scope.emptyObject(), after: live }, by);
}

/** The managers in order, their fields in the order of their sets. */
function describe(conflicts: readonly FieldConflict[]): ApplyConflict[] {
  return conflicts
    .map((conflict) => ({
      managerId: conflict.managerId,
      manager: managerName(conflict.owner),
      field: conflictField(conflict),
    }))
    .sort((a, b) => compareBytes(a.managerId, b.managerId));
}
