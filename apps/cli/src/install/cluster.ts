import { apply, errorText, retryOnConflict, sleep, systemClock, systemRandom } from '@capstan/kube';
import type { Client, ResourceRef } from '@capstan/kube';
import { ApiError, ignoreNotFound, isAlreadyExists, isConflict, isNotFound, parseApiVersion } from '@capstan/meta';
import type { Clock, JsonObject, KubeObject } from '@capstan/meta';
import { CliError } from '../errors.js';
import { takenOver } from './take-over.js';

/** Whose fields these are. */
export const FIELD_OWNER = 'capstan-install';
const POLL_MS = 500;

const CLUSTER_WIDE: ReadonlySet<string> = new Set([
  'APIService',
  'ClusterAPI',
  'ClusterRole',
  'ClusterRoleBinding',
  'CustomResourceDefinition',
  'MutatingWebhookConfiguration',
  'Namespace',
  'PriorityClass',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
]);

/** Where objects of the kind are; of the kinds that components are made of. */
export function refOf({ apiVersion, kind }: KubeObject): ResourceRef {
  const plural = pluralOf(kind.toLowerCase());
  return { ...parseApiVersion(apiVersion), plural, namespaced: !CLUSTER_WIDE.has(kind) };
}

/** As the kinds that components are made of form it. */
function pluralOf(singular: string): string {
  if (singular.endsWith('y')) return `${singular.slice(0, -1)}ies`;
  return singular.endsWith('ss') ? `${singular}es` : `${singular}s`;
}

/** `deployment.apps/name`, as kubectl calls it. */
export function nameOf({ apiVersion, kind, metadata }: KubeObject): string {
  const { group } = parseApiVersion(apiVersion);
  return `${kind.toLowerCase()}${group === '' ? '' : `.${group}`}/${metadata.name ?? ''}`;
}

/** What came of writing an object; a dry run cannot check what needs a namespace or a kind that it does not make. */
export type Outcome =
  | 'created'
  | 'deleted'
  | 'installed'
  | 'renewed'
  | 'kept'
  | 'not checked: what it needs is not there yet'
  | 'skipped: the server refused it';

/** Whether a component works without it: registrations only order the names of groups. */
export function isOptional({ kind }: KubeObject): boolean {
  return kind === 'APIService';
}

const UNCHECKED: Outcome = 'not checked: what it needs is not there yet';

/** A namespace that every cluster has: objects are tried there while their own is still to be created. */
const STAND_IN_NAMESPACE = 'default';

/** Kinds that another installer may have created under our names. */
const TAKEN_OVER: ReadonlySet<string> = new Set(['Deployment', 'Service']);
const ATTEMPTS = 10;

/** Replaces an object of another installer, which applying alone would only add to. Whether there was one. */
async function takeOver(client: Client, object: KubeObject, dryRun: boolean): Promise<boolean> {
  if (!TAKEN_OVER.has(object.kind)) return false;
  const { name = '', namespace } = object.metadata;
  return retryOnConflict({ clock: systemClock(), random: systemRandom(), attempts: ATTEMPTS }, async () => {
    const there = await client.get(refOf(object), name, { namespace }).catch(ignoreNotFound);
    const whole = there === undefined ? undefined : takenOver(there, object, FIELD_OWNER);
    if (whole === undefined) return false;
    await client.update(refOf(object), whole, { fieldManager: FIELD_OWNER, ...(dryRun ? { dryRun } : {}) });
    return true;
  });
}

/**
 * Gives up what replacing an object has made ours: fields that are ours by an update as well stay when they are applied no
 * more, such as an ordinary sidecar next to the native one that follows it.
 */
async function disown(client: Client, applied: KubeObject, object: KubeObject): Promise<void> {
  if (!TAKEN_OVER.has(object.kind)) return;
  const { name = '', namespace } = object.metadata;
  let found = applied;
  await retryOnConflict({ clock: systemClock(), random: systemRandom(), attempts: ATTEMPTS }, async () => {
    const { managedFields = [], resourceVersion } = found.metadata;
    const kept = managedFields.filter(
      ({ manager, operation, subresource = '' }) =>
        manager !== FIELD_OWNER || operation !== 'Update' || subresource !== '',
    );
    if (kept.length === managedFields.length) return;
    // Its status may be written at any moment: what was read last is read again before the next attempt.
    const value = { metadata: { managedFields: kept, resourceVersion } } as unknown as JsonObject;
    await client.patch(refOf(object), name, { type: 'merge', value }, { namespace }).catch(async (error: unknown) => {
      if (isConflict(error)) found = await client.get(refOf(object), name, { namespace });
      throw error;
    });
  });
}

/** Lets the server try an object and change nothing. */
export async function tryApply(client: Client, object: KubeObject): Promise<void> {
  if (await takeOver(client, object, true)) return;
  const options = { fieldOwner: FIELD_OWNER, force: true, dryRun: true };
  try {
    await apply(client, refOf(object), object, options);
  } catch (error) {
    if (!isNotFound(error) || object.metadata.namespace === undefined) throw error;
    const elsewhere = { ...object, metadata: { ...object.metadata, namespace: STAND_IN_NAMESPACE } };
    await apply(client, refOf(object), elsewhere, options);
  }
}

/** Applies one object; other owners of its fields lose them. */
export async function put(client: Client, object: KubeObject, dryRun: boolean): Promise<Outcome> {
  try {
    if (dryRun) await tryApply(client, object);
    else {
      // Applied after that too, so that the next installation knows which fields are its own.
      await takeOver(client, object, false);
      const applied = await apply(client, refOf(object), object, { fieldOwner: FIELD_OWNER, force: true });
      await disown(client, applied, object);
    }
    return 'installed';
  } catch (error) {
    if (dryRun && isNotFound(error)) return UNCHECKED;
    if (isOptional(object) && error instanceof ApiError) return 'skipped: the server refused it';
    const message = `${nameOf(object)} cannot be installed: ${errorText(error)}`;
    throw new CliError(message, 'nothing that comes later in the order was installed', { cause: error });
  }
}

/** Makes an object unless there is one. */
export async function putOnce(client: Client, object: KubeObject, dryRun: boolean): Promise<Outcome> {
  try {
    await client.create(refOf(object), object, dryRun ? { dryRun } : {});
    return 'created';
  } catch (error) {
    if (isAlreadyExists(error)) return 'kept';
    if (dryRun && isNotFound(error)) return UNCHECKED;
    throw error;
  }
}

/** Deletes an object, if it is there. Whether it was. */
export async function take(client: Client, object: KubeObject): Promise<boolean> {
  const { name = '', namespace } = object.metadata;
  try {
    await client.delete(refOf(object), name, { namespace });
    return true;
  } catch (error) {
    if (isNotFound(error)) return false;
    throw error;
  }
}

/** What a look at something that is waited for has shown: done, or how far it is and whether more waiting can help. */
export type Look =
  | { readonly isDone: true }
  | {
      readonly isDone: false;
      readonly seen: string;
      readonly hint?: string | undefined;
      readonly isFinal?: boolean;
      /** More to read of it, fetched when waiting ends in vain. */
      readonly detail?: (() => Promise<string>) | undefined;
    };

/** What is waited for, and how long. */
export interface Wait {
  /** Begins the error: `deployment.apps/x is not available`. */
  readonly failure: string;
  readonly limitMs: number;
  readonly signal?: AbortSignal | undefined;
}

const LONGER_HINT = 'see its pods and events; to wait longer give --timeout';

/** Ends an installation between two objects, once it is to end. */
export function refuseOnceStopped(signal: AbortSignal | undefined, next: KubeObject): void {
  if (signal?.aborted === true)
    throw new CliError(`this command was stopped before ${nameOf(next)}`, 'run it again to go on');
}

/** Looks until it is done, until waiting longer is in vain, or until the limit; the last look is the cause. */
export async function waitFor(
  clock: Clock,
  { failure, limitMs, signal }: Wait,
  look: () => Promise<Look>,
): Promise<void> {
  const end = clock.monotonic() + limitMs;
  for (;;) {
    const found = await look();
    if (found.isDone) return;
    const { detail, hint = LONGER_HINT, isFinal, seen } = found;
    const isLate = clock.monotonic() > end;
    if (isFinal === true || isLate) {
      const after = isFinal === true ? '' : ` after ${Math.round(limitMs / 1000)} s`;
      throw new CliError(`${failure}${after}: ${seen}${(await detail?.()) ?? ''}`, hint);
    }
    if ((await sleep(clock, POLL_MS, signal)) === 'aborted')
      throw new CliError(`${failure}: ${seen}`, 'this command was stopped: run it again to go on');
  }
}
