import { apiErrors, validateObjectMeta, pushAll } from '@capstan/meta';
import type { FieldError, KubeObject, UserInfo } from '@capstan/meta';
import type { WriteGuard } from '../auth/escalation.js';
import { admitBuiltin, validateBuiltin } from './builtin-admission/admit.js';
import type { RequestAdmission } from './admission-chain.js';
import type { ResourceStrategy, StrategyContext } from '../builtin/strategy.js';
import type { Authorizer } from '../auth/access.js';
import type { Stored } from '../store/index.js';
import { encoded } from './conversion.js';
import type { Core } from './core.js';
import type { Flow } from './effects.js';
import { generateName } from './identity.js';
import {
  dedupeOwners,
  fillSystemMetadata,
  hasStrictFinalizers,
  nameValidatorOf,
  orderedObject,
  wipeSystemMetadata,
} from './metadata.js';
import { requireLivingNamespace } from './namespaces.js';
import { keepSent, asPrinted } from '../builtin/shared/sent-empties.js';
import type { ServedResource } from './served-resource.js';
import { rememberSound } from './soundness.js';
import { Soundness } from '../builtin/soundness.js';

const MAX_NAME_ATTEMPTS = 8;

export interface WriteScope {
  readonly core: Core;
  readonly served: ServedResource;
  /** From the URL; empty for cluster-scoped resources. */
  readonly namespace: string;
  readonly dryRun: boolean;
  readonly subresource: string;
  /** Texts for Warning headers, in order. */
  readonly warnings: string[];
  /** Who asks; absent for what the server itself writes. */
  readonly user?: UserInfo | undefined;
  /** What the user may do besides; absent for what the server itself writes. */
  readonly authorize?: Authorizer | undefined;
  /** Refuses writes that the request's user may not make although its verb is allowed. */
  readonly guard?: WriteGuard | undefined;
  /** Webhooks and policies; absent for what the server itself writes. */
  readonly admission?: RequestAdmission | undefined;
}

/** What a write left behind: a stored version, or only an object when nothing was to be stored. */
export type Written = { readonly stored: Stored } | { readonly object: KubeObject };

/** What strategies may know. A dry run allocates nothing for good, but the fields it shows must look the same. */
export function strategyContext(
  { core, subresource, user, warnings }: WriteScope,
  known: Soundness | undefined,
): WritableContext {
  return {
    user,
    subresource: subresource === '' ? undefined : subresource,
    now: core.timestamp(),
    allocate: core.allocate,
    uniqueName: () => core.uid(),
    warn: (text: string) => void warnings.push(text),
    known,
    metadataErrors: undefined,
    repeated: undefined,
  };
}

/** What strategies may know, to which is added what is found on the way. */
type WritableContext = { -readonly [K in keyof StrategyContext]: StrategyContext[K] };

/** The body's namespace must be the URL's; left out, it is filled in. */
export function matchNamespace(scope: Pick<WriteScope, 'namespace'>, object: KubeObject): void {
  const { metadata } = object;
  const given = metadata.namespace ?? '';
  if (given === scope.namespace) return;
  if (given === '') metadata.namespace = scope.namespace;
  else if (scope.namespace === '') delete metadata.namespace;
  else throw apiErrors.namespaceMismatch();
}

/** The create pipeline, in the order of the real server. Takes ownership of the object (in its storage version). */
export function* createObject(scope: WriteScope, given: KubeObject, known = new Soundness()): Flow<Written> {
  const { core, served, warnings } = scope;
  wipeSystemMetadata(given.metadata);
  matchNamespace(scope, given);
  dedupeOwners(given.metadata, warnings);
  yield* admitNew(scope, given);
  const { admission } = scope;
  const object = admission === undefined ? given : yield* mutated(scope, admission, given);
  scope.guard?.(object, undefined);
  const prefix = prefixOf(object);
  for (let attempt = 1; ; attempt += 1) {
    const candidate = prefix === undefined ? object : named(object, generateName(core, prefix));
    const checked = prepareNew(scope, candidate, known);
    validateBuiltin(scope, checked, undefined);
    const prepared = admission === undefined ? checked : yield* admission.validate('CREATE', checked, undefined);
    const form = yield* encoded(served, prepared);
    // What was found was found of this very object.
    const found = object === given && form === checked ? known : undefined;
    const written = storeNew(scope, { object: prepared, form }, found);
    if (written !== undefined) return written;
    if (prefix === undefined || attempt === MAX_NAME_ATTEMPTS) throw nameTaken(scope, candidate);
  }
}

function* admitNew({ core, namespace, served }: WriteScope, given: KubeObject): Flow<void> {
  if (served.definition.namespaced) yield* requireLivingNamespace(core, served, namespace, given.metadata.name ?? '');
  yield* admitBuiltin(core, served, given);
}

/** What webhooks make of an object is held to the same rules as what clients send. */
function* mutated(scope: WriteScope, admission: RequestAdmission, given: KubeObject): Flow<KubeObject> {
  const object = yield* admission.mutate('CREATE', given, undefined);
  if (object === given) return given;
  wipeSystemMetadata(object.metadata);
  matchNamespace(scope, object);
  dedupeOwners(object.metadata, scope.warnings, true);
  return object;
}

/** What the name of an object is to be generated from; undefined when it has one, or is to have none. */
function prefixOf({ metadata: { name, generateName: prefix } }: KubeObject): string | undefined {
  return name || !prefix ? undefined : prefix;
}

/** A further attempt starts from the object as it was before the strategy saw it. */
function named(object: KubeObject, name: string): KubeObject {
  return { ...object, metadata: { ...object.metadata, name } };
}

/** Gives the object everything it is stored with; refuses what breaks the rules of its kind. */
function prepareNew(scope: WriteScope, object: KubeObject, known: Soundness): KubeObject {
  const { core, served, warnings } = scope;
  const { strategy } = served;
  const { metadata } = object;
  const context = strategyContext(scope, known);
  fillSystemMetadata(core, metadata);
  strategy.prepareForCreate?.(object, context);
  const rules = {
    namespaced: served.definition.namespaced,
    nameValidator: nameValidatorOf(strategy, object),
    builtIn: hasStrictFinalizers(served),
  };
  const metadataErrors = validateObjectMeta(metadata, rules);
  known.hasValidMetadata = metadataErrors.length === 0;
  context.metadataErrors = metadataErrors;
  const own = strategy.validate?.(object, context) ?? [];
  const errors = complaints(strategy, metadataErrors, own);
  if (errors.length > 0) {
    const shown = asPrinted(object, errors, (field) => served.codec.isNamedText?.(field) === true);
    throw apiErrors.invalid(served.checkedAs ?? served.groupKind, metadata.name ?? '', shown);
  }
  pushAll(warnings, strategy.warningsOnCreate?.(object) ?? []);
  strategy.canonicalize?.(object);
  return keepSent(object, orderedObject(object));
}

/** All that is wrong with a new object, in the order of its kind. */
function complaints(
  { metadataComplaints }: ResourceStrategy,
  metadata: readonly FieldError[],
  own: readonly FieldError[],
): readonly FieldError[] {
  if (metadataComplaints === undefined) return [...metadata, ...own];
  return metadataComplaints === 'within' || own.length > 0 ? own : metadata;
}

/** Undefined when the name is taken. */
function storeNew(
  scope: WriteScope,
  { object, form }: { readonly object: KubeObject; readonly form: KubeObject },
  known: Soundness | undefined,
): Written | undefined {
  const { core, served } = scope;
  const { metadata } = object;
  const name = metadata.name ?? '';
  if (scope.dryRun) {
    const isFree = core.store.get(served.storage, scope.namespace, name) === undefined;
    return isFree ? { object: dryForm(served, object, form) } : undefined;
  }
  // It is the store that minds, which a dry run does not reach.
  if (metadata.resourceVersion && metadata.resourceVersion !== '0') throw apiErrors.resourceVersionOnCreate();
  const stored = core.store.create(served.storage, scope.namespace, name, form);
  if (stored !== undefined && known !== undefined) rememberSound(served, known, stored);
  return stored && { stored };
}

/** What a dry run shows: where a webhook converts, what would come back from the store and not what went in. */
export function dryForm({ conversion }: ServedResource, object: KubeObject, form: KubeObject): KubeObject {
  return conversion?.remote === undefined ? object : form;
}

function nameTaken(scope: WriteScope, { metadata }: KubeObject): Error {
  const { core, served } = scope;
  const { name = '' } = metadata;
  // A client that sends both a name and a prefix gets the error of one that sends the prefix alone.
  if (metadata.generateName) return apiErrors.generateNameConflict(served.groupResource, name);
  const existing = core.store.get(served.storage, scope.namespace, name);
  const terminating = existing?.object().metadata.deletionTimestamp != null;
  return apiErrors.alreadyExists(served.groupResource, name, { terminating });
}
