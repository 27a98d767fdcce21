import { ApiError, apiErrors, pushAll } from '@capstan/meta';
import type { FieldError, KubeObject } from '@capstan/meta';
import { settledManagedFields } from '../apply/index.js';
import type { UpdateStrategy } from '../builtin/strategy.js';
import type { Stored } from '../store/index.js';
import { admitBuiltinUpdate, validateBuiltin } from './builtin-admission/admit.js';
import type { RequestAdmission } from './admission-chain.js';
import { admitted, encoded } from './conversion.js';
import { createObject, dryForm, matchNamespace, strategyContext, type WriteScope, type Written } from './create.js';
import type { Flow } from './effects.js';
import { carrySystemMetadata, dedupeOwners, orderedObject } from './metadata.js';
import { setManagedFields } from './field-tracking.js';
import { asPrinted } from '../builtin/shared/sent-empties.js';
import { fitsServed, rememberSound, soundnessOf } from './soundness.js';
import { Soundness } from '../builtin/soundness.js';
import { updateMetadataErrors } from './update-metadata.js';
import { NAMESPACES } from './namespaces.js';
import { parseRevision } from './revisions.js';

/**
 * Gives the wanted object for the stored one (undefined: there is none), both in the version objects are admitted in;
 * the result is free to be changed. It runs again when another client wrote in between. It may share with the stored one
 * what it leaves alone, and records what it found of it.
 */
export type Transform = (existing: KubeObject | undefined, known: Soundness) => Flow<KubeObject>;

export interface UpdateRequest {
  readonly name: string;
  readonly transform: Transform;
  /** PUT of some kinds makes what is not there. */
  readonly mayCreate: boolean;
  /** A PUT names the object it means by its uid too; a patch that changes the uid is merely invalid. */
  readonly isUidPrecondition: boolean;
  /** The uid a PUT of something that stands for the object names. */
  readonly uid?: string | undefined;
}

export type UpdateResult = Written & { readonly created: boolean };

function outcome(written: Written, created: boolean): UpdateResult {
  return 'stored' in written ? { stored: written.stored, created } : { object: written.object, created };
}

/** The update pipeline of PUT and PATCH alike. */
export function* updateObject(scope: WriteScope, request: UpdateRequest): Flow<UpdateResult> {
  const { core, served } = scope;
  for (;;) {
    const existing = core.store.get(served.storage, scope.namespace, request.name);
    if (existing === undefined) {
      const made = yield* createInstead(scope, request);
      if (made !== 'conflict') return made;
      continue;
    }
    requireUid(scope, existing, request.uid);
    const known = soundnessOf(served, existing);
    const old = known.since ?? (yield* admitted(served, existing.object()));
    const wanted = yield* request.transform(old, known);
    admitBuiltinUpdate(scope, wanted, old);
    if (request.isUidPrecondition) requireUid(scope, existing, wanted.metadata.uid);
    const next = scope.admission === undefined ? wanted : yield* mutated(scope, scope.admission, wanted, old);
    scope.guard?.(next, old);
    requireCurrent(scope, existing, next);
    const checked = admitUpdate(scope, old, next, known);
    validateBuiltin(scope, checked, old);
    const prepared = yield* validated(scope, checked, old);
    const isLast = shouldRemove(scope, old, prepared);
    // What was found was found of this very object.
    const found = next === wanted && prepared === checked ? known : undefined;
    const result = isLast ? removeLast(scope, existing, prepared) : yield* commit(scope, existing, prepared, found);
    // A request with a resource version gets the conflict in the next round; a patch is applied again.
    if (result !== 'conflict') return outcome(result, false);
  }
}

function* mutated(
  scope: WriteScope,
  admission: RequestAdmission,
  wanted: KubeObject,
  old: KubeObject,
): Flow<KubeObject> {
  matchNamespace(scope, wanted);
  dedupeOwners(wanted.metadata, scope.warnings);
  return yield* admission.mutate('UPDATE', wanted, old);
}

function* validated({ admission }: WriteScope, checked: KubeObject, old: KubeObject): Flow<KubeObject> {
  return admission === undefined ? checked : yield* admission.validate('UPDATE', checked, old);
}

/** `conflict`: another client has created it meanwhile. */
function* createInstead(scope: WriteScope, request: UpdateRequest): Flow<UpdateResult | 'conflict'> {
  const { served } = scope;
  if (!request.mayCreate) throw apiErrors.notFound(served.groupResource, request.name);
  const known = new Soundness();
  const object = yield* request.transform(undefined, known);
  if (request.isUidPrecondition) requireSameUid(scope, request.name, { wanted: object.metadata.uid, uid: '' });
  delete object.metadata.resourceVersion;
  try {
    const written = yield* createObject(scope, object, known);
    return outcome(written, true);
  } catch (error) {
    if (error instanceof ApiError && error.status.reason === 'AlreadyExists') return 'conflict';
    throw error;
  }
}

function requireUid(scope: WriteScope, existing: Stored, wanted: string | undefined): void {
  const { uid } = existing.object().metadata;
  if (uid !== undefined) requireSameUid(scope, existing.name, { wanted, uid });
}

function requireSameUid(
  scope: WriteScope,
  name: string,
  { wanted, uid }: { readonly wanted: string | undefined; readonly uid: string },
): void {
  if (!wanted || wanted === uid) return;
  throw apiErrors.uidPreconditionFailed(scope.served.groupResource, name, storageKey(scope, name), wanted, uid);
}

/** Optimistic lock. */
function requireCurrent(scope: WriteScope, existing: Stored, next: KubeObject): void {
  const { served } = scope;
  const { metadata } = next;
  const current = existing.object().metadata.resourceVersion ?? String(existing.revision);
  const given = metadata.resourceVersion ?? '';
  if (given === '' || given === '0') {
    if (!served.strategy.allowUnconditionalUpdate)
      throw apiErrors.resourceVersionRequired(served.groupResource, existing.name);
    metadata.resourceVersion = current;
  } else if (given !== current) {
    const revision = parseRevision(given);
    if (typeof revision === 'string') throw apiErrors.unclassified(revision.slice(revision.indexOf('strconv')));
    throw apiErrors.staleResourceVersion(served.groupResource, existing.name);
  }
}

/** Resources that are older than the rule by which the others are kept. */
const KEPT_AS: Readonly<Record<string, string>> = {
  '/endpoints': 'services/endpoints',
  '/nodes': 'minions',
  '/replicationcontrollers': 'controllers',
  '/services': 'services/specs',
  'networking.k8s.io/ingresses': 'ingress',
};

/** The key a real server would keep the object under, as its messages quote it. */
function storageKey(scope: WriteScope, name: string): string {
  const { group, plural } = scope.served.definition;
  const usual = group.includes('.') && !scope.served.bareItems ? `${group}/${plural}` : plural;
  const resource = KEPT_AS[`${group}/${plural}`] ?? usual;
  // A dry run asks the layer above the one that knows where everything is kept.
  return `${scope.dryRun ? '' : '/registry'}/${resource}/${scope.namespace === '' ? '' : `${scope.namespace}/`}${name}`;
}

/** How the object or a part of it is updated. */
function updateStrategy({ served: { strategy }, subresource }: WriteScope): UpdateStrategy {
  return subresource === '' ? strategy : (strategy.subresources?.[subresource] ?? {});
}

const NO_ERRORS: readonly FieldError[] = [];

function admitUpdate(scope: WriteScope, old: KubeObject, next: KubeObject, known: Soundness): KubeObject {
  const { served, warnings } = scope;
  const context = strategyContext(scope, known);
  const strategy = updateStrategy(scope);
  matchNamespace(scope, next);
  dedupeOwners(next.metadata, warnings, scope.admission !== undefined);
  carrySystemMetadata(next.metadata, old.metadata);
  strategy.prepareForUpdate?.(next, old, context);
  setManagedFields(next, settledManagedFields(next, old));
  const writing = { served, subresource: scope.subresource, since: known.since?.metadata };
  const { first: metadataErrors, repeated } = updateMetadataErrors(writing, next, old);
  known.hasValidMetadata = metadataErrors.length === 0;
  context.metadataErrors = metadataErrors;
  context.repeated = repeated;
  const own = strategy.validateUpdate?.(next, old, context) ?? NO_ERRORS;
  if (metadataErrors.length > 0 || own.length > 0) {
    const errors = [...metadataErrors, ...own];
    const shown = asPrinted(next, errors, (field) => served.codec.isNamedText?.(field) === true);
    throw apiErrors.invalid(served.checkedAs ?? served.groupKind, next.metadata.name ?? '', shown);
  }
  if (strategy.warningsOnUpdate !== undefined) pushAll(warnings, strategy.warningsOnUpdate(next, old));
  served.strategy.canonicalize?.(next);
  return orderedObject(next);
}

/** The answer is what the client sent: there is no newer version to show. */
function removeLast(scope: WriteScope, existing: Stored, next: KubeObject): Written | 'conflict' {
  if (scope.dryRun) return { object: next };
  const removed = scope.core.store.remove(existing);
  if (removed === 'gone') throw apiErrors.notFound(scope.served.groupResource, existing.name);
  return removed === 'conflict' ? 'conflict' : { object: next };
}

function* commit(
  scope: WriteScope,
  existing: Stored,
  prepared: KubeObject,
  found: Soundness | undefined,
): Flow<Written | 'conflict'> {
  const { core, served } = scope;
  const form = yield* encoded(served, prepared);
  const known = form === prepared ? found : undefined;
  if (scope.dryRun) return { object: dryForm(served, prepared, form) };
  // A write of a part of what is not known to be sound has looked at that part alone.
  if (known?.since === undefined && known !== undefined)
    known.fits = known.isValid && scope.subresource === '' && fitsServed(served, form);
  const stored = core.store.replace(existing, form, known && ((current) => rememberSound(served, known, current)));
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
