import { apiErrors, cloneJson, formatTime, instantToMs, parseTime } from '@capstan/meta';
import type { KubeObject, ObjectMeta } from '@capstan/meta';
import type { DeleteOptions } from '../request/delete-options.js';
import type { Stored } from '../store/index.js';
import { admitted } from './conversion.js';
import { strategyContext, type WriteScope, type Written } from './create.js';
import type { Flow } from './effects.js';
import { NAMESPACES, refuseImmortalNamespace } from './namespaces.js';
import { orderedObject } from './metadata.js';

const ORPHAN = 'orphan';
/** What is emptied before it goes looks at preconditions itself. */
const EMPTIED_FIRST = new Set([NAMESPACES, 'apiextensions.k8s.io/customresourcedefinitions']);
const FOREGROUND = 'foregroundDeletion';

/** How a delete ended: gone, or still there with a deletion timestamp; `pending` when nothing changed. */
export interface Deleted {
  readonly outcome: 'removed' | 'marked' | 'pending';
  readonly last: Written;
}

/** Deletes one object by the rules of grace and finalizers. Throws when it is not there or a precondition fails. */
export function* deleteObject(scope: WriteScope, name: string, options: DeleteOptions): Flow<Deleted> {
  const { core, served, admission } = scope;
  const isAsked = admission !== undefined || served.conversion?.remote !== undefined;
  for (let ready: Stored | undefined; ;) {
    const existing = core.store.get(served.storage, scope.namespace, name);
    if (existing === undefined) throw apiErrors.notFound(served.groupResource, name);
    refuseImmortalNamespace(served, name);
    requirePreconditions(scope, existing, options);
    // Who was asked must have been asked about what goes.
    if (isAsked && existing !== ready) {
      yield* admitDelete(scope, existing, options);
      ready = existing;
      continue;
    }
    return served.storage === NAMESPACES
      ? deleteNamespace(scope, existing, options)
      : deletePlain(scope, existing, options);
  }
}

function* admitDelete(scope: WriteScope, existing: Stored, options: DeleteOptions): Flow<void> {
  const { admission } = scope;
  // An object that cannot be converted cannot be deleted, admission or not.
  const old = yield* admitted(scope.served, existing.object());
  if (admission === undefined) return;
  const grace = graceFor(scope, old, options);
  if (grace !== 'pending') yield* admission.delete(old, grace);
  // Where time is still running nothing will happen that anybody could object to.
  else if (old.metadata.deletionGracePeriodSeconds === 0) yield* admission.delete(old, undefined);
}

function requirePreconditions(scope: WriteScope, existing: Stored, options: DeleteOptions): void {
  const { uid, resourceVersion } = options.preconditions;
  const actual = existing.object().metadata.uid ?? '';
  if (uid !== undefined && uid !== actual) throw preconditionFailed(scope, existing.name, 'UID', [uid, actual]);
  const revision = String(existing.revision);
  if (resourceVersion !== undefined && resourceVersion !== revision)
    throw preconditionFailed(scope, existing.name, 'ResourceVersion', [resourceVersion, revision]);
}

function preconditionFailed(
  { served: { storage, groupKind, checkedAs = groupKind, groupResource } }: WriteScope,
  name: string,
  field: 'UID' | 'ResourceVersion',
  [wanted, found]: readonly [string, string],
): Error {
  if (!EMPTIED_FIRST.has(storage)) return apiErrors.deletePreconditionFailed(checkedAs, name, field, wanted, found);
  const detail = `Precondition failed: ${field} in precondition: ${wanted}, ${field} in object meta: ${found}`;
  return apiErrors.conflict(groupResource, name, detail);
}

function deletePlain(scope: WriteScope, existing: Stored, options: DeleteOptions): Deleted {
  const old = existing.object();
  const { beginDelete } = scope.served.strategy;
  if (beginDelete !== undefined && old.metadata.deletionTimestamp == null) {
    const begun = cloneJson(old);
    beginDelete(begun, strategyContext(scope, undefined));
    return { outcome: 'marked', last: save(scope, existing, orderedObject(begun)) };
  }
  const grace = graceFor(scope, old, options);
  if (grace === 'pending') return { outcome: 'pending', last: { stored: existing } };
  const finalizers = finalizersAfter(scope, old.metadata, options);
  if (grace === undefined && finalizers.length === 0) return remove(scope, existing);
  const marked = markDeleted(scope, old, { grace: grace ?? 0, finalizers, isGraceful: grace !== undefined });
  if (finalizers.length > 0 || grace !== 0) return { outcome: 'marked', last: save(scope, existing, marked) };
  // Watchers see the object as it was stored, the caller as it would have been on its way out.
  const { last } = remove(scope, existing);
  if (!scope.dryRun && 'stored' in last) marked.metadata.resourceVersion = String(last.stored.revision);
  return { outcome: 'removed', last: { object: marked } };
}

/** Seconds to wait; undefined: the kind knows no grace; `pending`: it is already going and may not be slowed. */
function graceFor(scope: WriteScope, old: KubeObject, options: DeleteOptions): number | undefined | 'pending' {
  const { gracePeriodSeconds } = scope.served.strategy;
  if (gracePeriodSeconds === undefined) return undefined;
  const { deletionTimestamp, deletionGracePeriodSeconds: before } = old.metadata;
  if (deletionTimestamp == null) return gracePeriodSeconds(old, options.gracePeriodSeconds);
  // With no grace left it goes like any other object.
  if (before == null || before === 0) return undefined;
  const wanted = options.gracePeriodSeconds;
  return wanted === undefined || wanted >= before ? 'pending' : wanted;
}

interface Mark {
  readonly grace: number;
  readonly finalizers: readonly string[];
  readonly isGraceful: boolean;
}

function markDeleted(scope: WriteScope, old: KubeObject, mark: Mark): KubeObject {
  const marked = cloneJson(old);
  const { metadata } = marked;
  const now = scope.core.clock.now();
  const isFirst = metadata.deletionTimestamp == null;
  if (isFirst || mark.isGraceful) {
    // Shortening counts from the moment the delete was first asked for.
    const asked = isFirst
      ? now
      : instantToMs(parseTime(metadata.deletionTimestamp ?? '')) - (metadata.deletionGracePeriodSeconds ?? 0) * 1000;
    metadata.deletionTimestamp = formatTime(asked + mark.grace * 1000);
  }
  metadata.deletionGracePeriodSeconds = mark.grace;
  // From here on controllers behave differently: that is a change of what is wanted.
  if (isFirst && (metadata.generation ?? 0) > 0) metadata.generation = (metadata.generation ?? 0) + 1;
  if (mark.finalizers.length > 0) metadata.finalizers = [...mark.finalizers];
  else delete metadata.finalizers;
  return orderedObject(marked);
}

/** The finalizers of garbage collection follow the asked propagation; others stay. */
function finalizersAfter(scope: WriteScope, meta: ObjectMeta, options: DeleteOptions): readonly string[] {
  const current = meta.finalizers ?? [];
  const { defaultGarbageCollection } = scope.served.strategy;
  if (defaultGarbageCollection === 'Unsupported') return current;
  const policy = options.propagationPolicy ?? implied(current, defaultGarbageCollection);
  const others = current.filter((finalizer) => finalizer !== ORPHAN && finalizer !== FOREGROUND);
  if (policy === 'Orphan')
    return current.includes(ORPHAN) && !current.includes(FOREGROUND) ? current : [...others, ORPHAN];
  if (policy === 'Foreground')
    return current.includes(FOREGROUND) && !current.includes(ORPHAN) ? current : [...others, FOREGROUND];
  return others.length === current.length ? current : others;
}

function implied(
  current: readonly string[],
  fallback: 'Background' | 'Orphan',
): 'Orphan' | 'Foreground' | 'Background' {
  if (current.includes(ORPHAN)) return 'Orphan';
  if (current.includes(FOREGROUND)) return 'Foreground';
  return fallback;
}

/** A namespace turns Terminating; it goes when its controller has emptied it and taken the last finalizer. */
function deleteNamespace(scope: WriteScope, existing: Stored, options: DeleteOptions): Deleted {
  const old = existing.object();
  const spec = old['spec'] as { finalizers?: readonly string[] } | undefined;
  const finalizers = finalizersAfter(scope, old.metadata, options);
  const isHeld = (spec?.finalizers?.length ?? 0) > 0 || finalizers.length > 0;
  if (!isHeld && old.metadata.deletionTimestamp != null) return remove(scope, existing);
  const marked = cloneJson(old);
  if (marked.metadata.deletionTimestamp == null) marked.metadata.deletionTimestamp = scope.core.timestamp();
  if (finalizers.length > 0) marked.metadata.finalizers = [...finalizers];
  else delete marked.metadata.finalizers;
  marked['status'] = { ...(marked['status'] as object | undefined), phase: 'Terminating' };
  if (!isHeld) return remove(scope, existing);
  return { outcome: 'marked', last: save(scope, existing, orderedObject(marked)) };
}

function save(scope: WriteScope, existing: Stored, next: KubeObject): Written {
  if (scope.dryRun) return { object: next };
  const stored = scope.core.store.replace(existing, next);
  if (typeof stored === 'string') throw apiErrors.notFound(scope.served.groupResource, existing.name);
  return { stored };
}

function remove(scope: WriteScope, existing: Stored): Deleted {
  if (scope.dryRun) return { outcome: 'removed', last: { stored: existing } };
  const tombstone = scope.core.store.remove(existing);
  if (typeof tombstone === 'string') throw apiErrors.notFound(scope.served.groupResource, existing.name);
  return { outcome: 'removed', last: { stored: tombstone } };
}
