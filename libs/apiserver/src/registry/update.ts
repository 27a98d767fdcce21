import { apiErrors, validateObjectMetaUpdate } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { settledManagedFields } from '../apply/index.js';
import type { UpdateStrategy } from '../builtin/strategy.js';
import type { Stored } from '../store/index.js';
import { createObject, encoded, matchNamespace, strategyContext, type WriteScope, type Written } from './create.js';
import type { Flow } from './effects.js';
import { carrySystemMetadata, dedupeOwners, hasStrictFinalizers, orderedObject } from './metadata.js';
import { setManagedFields } from './field-tracking.js';
import { NAMESPACES } from './namespaces.js';
import { parseRevision } from '../verbs/revisions.js';

/**
 * Gives the wanted object for the stored one (undefined: there is none), in the storage version and free to be changed.
 * It runs again when somebody else wrote in between.
 */
export type Transform = (existing: KubeObject | undefined) => KubeObject;

export interface UpdateRequest {
  readonly name: string;
  readonly transform: Transform;
  /** PUT of some kinds makes what is not there. */
  readonly mayCreate: boolean;
  /** A PUT names the object it means by its uid too; a patch that changes the uid is merely invalid. */
  readonly isUidPrecondition: boolean;
}

export type UpdateResult = Written & { readonly created: boolean };

/** The update pipeline of PUT and PATCH alike. */
export function* updateObject(scope: WriteScope, request: UpdateRequest): Flow<UpdateResult> {
  const { core, served } = scope;
  for (;;) {
    const existing = core.store.get(served.storage, scope.namespace, request.name);
    if (existing === undefined) return yield* createInstead(scope, request);
    const wanted = request.transform(existing.object());
    const next =
      scope.admission === undefined ? wanted : yield* scope.admission.mutate('UPDATE', wanted, existing.object());
    scope.guard?.(next, existing.object());
    if (request.isUidPrecondition) requireUid(scope, existing, next);
    const isUnconditional = requireCurrent(scope, existing, next);
    const admitted = admitUpdate(scope, existing.object(), next);
    if (scope.admission !== undefined) yield* scope.admission.validate('UPDATE', admitted, existing.object());
    const result = commit(scope, existing, admitted);
    if (result !== 'conflict') return { ...result, created: false };
    if (!isUnconditional) throw apiErrors.staleResourceVersion(served.groupResource, request.name);
  }
}

function* createInstead(scope: WriteScope, request: UpdateRequest): Flow<UpdateResult> {
  const { served } = scope;
  if (!request.mayCreate) throw apiErrors.notFound(served.groupResource, request.name);
  const object = request.transform(undefined);
  delete object.metadata.resourceVersion;
  const written = yield* createObject(scope, object);
  return { ...written, created: true };
}

function requireUid(scope: WriteScope, existing: Stored, next: KubeObject): void {
  const wanted = next.metadata.uid;
  const { uid } = existing.object().metadata;
  if (!wanted || uid === undefined || wanted === uid) return;
  const key = storageKey(scope, existing.name);
  throw apiErrors.uidPreconditionFailed(scope.served.groupResource, existing.name, key, wanted, uid);
}

/** Optimistic lock. Tells whether the client named no version. */
function requireCurrent(scope: WriteScope, existing: Stored, next: KubeObject): boolean {
  const { served } = scope;
  const { metadata } = next;
  const current = String(existing.revision);
  const given = metadata.resourceVersion ?? '';
  const isUnconditional = given === '' || given === '0';
  if (isUnconditional) {
    if (!served.strategy.allowUnconditionalUpdate)
      throw apiErrors.resourceVersionRequired(served.groupResource, existing.name);
    metadata.resourceVersion = current;
  } else if (given !== current) {
    const revision = parseRevision(given);
    if (typeof revision === 'string') throw apiErrors.unclassified(revision.slice(revision.indexOf('strconv')));
    throw apiErrors.staleResourceVersion(served.groupResource, existing.name);
  }
  return isUnconditional;
}

/** The key a real server would keep the object under, as its messages quote it. */
function storageKey(scope: WriteScope, name: string): string {
  const { group, plural } = scope.served.definition;
  const resource = group.includes('.') && !scope.served.bareItems ? `${group}/${plural}` : plural;
  return `/registry/${resource}/${scope.namespace === '' ? '' : `${scope.namespace}/`}${name}`;
}

function admitUpdate(scope: WriteScope, old: KubeObject, next: KubeObject): KubeObject {
  const { served, warnings } = scope;
  const context = strategyContext(scope);
  const strategy: UpdateStrategy =
    scope.subresource === '' ? served.strategy : (served.strategy.subresources?.[scope.subresource] ?? {});
  matchNamespace(scope, next);
  dedupeOwners(next.metadata, warnings);
  carrySystemMetadata(next.metadata, old.metadata);
  strategy.prepareForUpdate?.(next, old, context);
  setManagedFields(next, settledManagedFields(next, old));
  const metaErrors = validateObjectMetaUpdate(next.metadata, old.metadata, 'metadata', {
    builtIn: hasStrictFinalizers(served),
  });
  // The real server checks metadata in general and again with the kind; both are reported.
  const errors = [...metaErrors, ...metaErrors, ...(strategy.validateUpdate?.(next, old, context) ?? [])];
  if (errors.length > 0) throw apiErrors.invalid(served.groupKind, old.metadata.name ?? '', errors);
  warnings.push(...(strategy.warningsOnUpdate?.(next, old) ?? []));
  return orderedObject(next);
}

function commit(scope: WriteScope, existing: Stored, next: KubeObject): Written | 'conflict' {
  const { core, served } = scope;
  if (shouldRemove(scope, existing.object(), next)) {
    // The answer is what the client sent: there is no newer version to show.
    if (!scope.dryRun) {
      const removed = core.store.remove(existing);
      if (removed === 'conflict') return 'conflict';
      if (removed === 'gone') throw apiErrors.notFound(served.groupResource, existing.name);
    }
    return { object: next };
  }
  if (scope.dryRun) return { object: next };
  const stored = core.store.replace(existing, encoded(served, next));
  if (stored === 'gone') throw apiErrors.notFound(served.groupResource, existing.name);
  return stored === 'conflict' ? 'conflict' : { stored };
}

/** An object that is being deleted goes with the write that takes its last finalizer. */
function shouldRemove(scope: WriteScope, old: KubeObject, next: KubeObject): boolean {
  if ((next.metadata.finalizers?.length ?? 0) > 0) return false;
  if (old.metadata.deletionTimestamp == null || (old.metadata.deletionGracePeriodSeconds ?? 0) !== 0) return false;
  if (scope.served.storage !== NAMESPACES) return true;
  const spec = next['spec'] as { finalizers?: unknown[] } | undefined;
  return (spec?.finalizers?.length ?? 0) === 0;
}
