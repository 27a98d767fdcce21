import { sleep } from '@capstan/kube';
import { applyMergePatch, createMergePatch, deepEqual, isConflict, isNotFound } from '@capstan/meta';
import type { Clock, Random } from '@capstan/meta';
import { apiErrors } from '@capstan/meta';
import { CORE_GROUP } from '../names.js';
import type { CoreKind } from '../kinds.js';
import type { Conditioned } from '../types.js';
import { conditionPatch } from './condition-patch.js';
import type { BothConditions, OwnedConditions } from './condition-patch.js';
import { editable } from './core-objects.js';
import type { CoreObjects } from './core-objects.js';
import { plain } from './plain.js';

export interface PatchHelperOptions {
  readonly objects: CoreObjects;
  readonly clock: Clock;
  readonly random: Random;
}

export interface HelperPatch extends OwnedConditions {
  /** The reconciliation went well, so the status speaks of the present generation. */
  readonly isObserved?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Sets the status on the object, once it has the generation that the status is for. */
  readonly setStatus?: (() => void) | undefined;
}

/** What of the metadata people write. */
const WORDS = ['labels', 'annotations', 'finalizers', 'ownerReferences', 'deletionTimestamp'] as const;
const CONDITION_TRIES = 5;
const CONDITION_RETRY_MS = 100;

function bothOf({ status }: Conditioned): BothConditions {
  return { conditions: status?.conditions ?? [], old: status?.deprecated?.v1beta1?.conditions ?? [] };
}

/** The object with other conditions, all else as it is. */
function withConditions<T extends Conditioned>(object: T, { conditions, old }: BothConditions): T {
  const { deprecated } = object.status ?? {};
  const changesOld = old.length > 0 || deprecated?.v1beta1?.conditions !== undefined;
  const status = {
    ...object.status,
    ...(conditions.length > 0 ? { conditions: [...conditions] } : {}),
    ...(changesOld ? { deprecated: { ...deprecated, v1beta1: { ...deprecated?.v1beta1, conditions: [...old] } } } : {}),
  };
  return { ...object, status };
}

/** The part of an object that one of the patches is about. */
function part(object: Conditioned, focus: 'spec' | 'status'): Conditioned {
  const { apiVersion, kind, metadata, spec, status } = object;
  if (focus === 'spec')
    return spec === undefined ? { apiVersion, kind, metadata } : { apiVersion, kind, metadata, spec };
  const { conditions: _, deprecated, ...others } = status ?? {};
  const { conditions: _old, ...oldOthers } = deprecated?.v1beta1 ?? {};
  const kept = Object.keys(oldOthers).length === 0 ? {} : { deprecated: { v1beta1: oldOthers } };
  return { apiVersion, kind, metadata, status: { ...others, ...kept } };
}

/** The object with the differences of its status other than conditions. */
function withRest<T extends Conditioned>(object: T, rest: unknown): T {
  if (rest === undefined) return object;
  return { ...object, status: applyMergePatch(object.status ?? {}, rest) as NonNullable<T['status']> };
}

/** A Paused condition for the generation before our own write also holds for the generation after it. */
function withGeneration(object: Conditioned, from: number | undefined): void {
  const { generation } = object.metadata;
  const paused = object.status?.conditions?.find(({ type }) => type === 'Paused');
  if (generation === undefined || generation === from || paused === undefined) return;
  if ((paused.observedGeneration ?? 0) !== (from ?? 0)) return;
  const conditions = object.status?.conditions?.map((each) =>
    each === paused ? { ...each, observedGeneration: generation } : each,
  );
  object.status = { ...object.status, conditions } as NonNullable<Conditioned['status']>;
}

/**
 * Remembers an object, and later writes what was changed of it: spec and metadata, and then the status, which so speaks
 * of the generation there is then; its conditions go onto their latest state and locked. Of an object that is going the
 * status comes first: to take its last finalizer off is to remove it. The original writes conditions and the rest of the
 * status one by one, and conditions before the spec; each write brings up everybody who looks at the object.
 */
export class PatchHelper<T extends Conditioned> {
  readonly #options: PatchHelperOptions;
  readonly #kind: CoreKind;
  readonly #before: T;
  #version: string | undefined;

  constructor(kind: CoreKind, object: T, options: PatchHelperOptions) {
    this.#options = options;
    this.#kind = kind;
    this.#before = editable(object);
    this.#version = object.metadata.resourceVersion;
  }

  /** The version of the object that has what was decided and nothing else; undefined when there may be more in it. */
  get version(): string | undefined {
    return this.#version;
  }

  async patch(object: T, patch: HelperPatch): Promise<void> {
    const errors: unknown[] = [];
    const attempt = async <R>(write: () => Promise<R>): Promise<R | undefined> => {
      try {
        return await write();
      } catch (error) {
        errors.push(error);
        this.#version = undefined;
        return undefined;
      }
    };
    const isGoing = object.metadata.deletionTimestamp != null;
    const latest = isGoing ? undefined : await attempt(() => this.#patchSpec(object, patch.signal));
    patch.setStatus?.();
    if (latest !== undefined || !deepEqual(object, this.#before)) {
      const { generation } = object.metadata;
      if (patch.isObserved === true && generation !== undefined)
        object.status = { ...object.status, observedGeneration: generation };
      const isWritten = await attempt(() => this.#patchConditions(object, patch, latest));
      if (isGoing) await attempt(() => this.#patchSpec(object, patch.signal));
      if (isWritten !== true) await attempt(() => this.#patchStatus(object, patch.signal));
    }
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('; '));
  }

  /** Writes spec and metadata, and gives the object as it is then; undefined when there was nothing to write. */
  async #patchSpec(object: T, signal: AbortSignal | undefined): Promise<T | undefined> {
    const after = part(object, 'spec');
    const written = await this.#options.objects.patch(this.#kind, part(this.#before, 'spec'), after, { signal });
    if (written === after) return undefined;
    this.#version = this.#isDecided(object, written as T) ? written.metadata.resourceVersion : undefined;
    const { generation: from, ...metadata } = object.metadata;
    const { generation = from } = written.metadata;
    object.metadata = { ...metadata, ...(generation === undefined ? {} : { generation }) };
    withGeneration(object, from);
    return written as T;
  }

  /** Whether what was written has nothing that was not known before: another client may have written in between. */
  #isDecided({ metadata, spec }: T, written: T): boolean {
    return (
      deepEqual(written.spec, spec) &&
      deepEqual(written.status, this.#before.status) &&
      WORDS.every((word) => deepEqual(written.metadata[word], metadata[word]))
    );
  }

  /** Writes conditions, and the rest of the status with them; returns whether they are stored now. */
  async #patchConditions(object: T, patch: HelperPatch, written: T | undefined): Promise<boolean> {
    const { objects, clock, random } = this.#options;
    const change = conditionPatch(bothOf(this.#before), bothOf(object), patch);
    if (change === undefined) return false;
    const rest = plain(createMergePatch(part(this.#before, 'status'), part(object, 'status'))['status']);
    const { namespace = '', name = '' } = object.metadata;
    for (let tried = 1; ; tried += 1) {
      const isFirst = tried === 1 && written !== undefined;
      const latest = isFirst ? written : await objects.look<T>(this.#kind, namespace, name);
      if (latest === undefined)
        throw apiErrors.notFound({ group: CORE_GROUP, resource: `${this.#kind.toLowerCase()}s` }, name);
      const next = withConditions(withRest(latest, rest), change(bothOf(latest)));
      try {
        const write = { subresource: 'status', isLocked: true, signal: patch.signal } as const;
        const { metadata } = await objects.patch(this.#kind, latest, next, write);
        const isDecided = latest.metadata.resourceVersion === this.#version;
        this.#version = isDecided ? metadata.resourceVersion : undefined;
        return true;
      } catch (error) {
        if (!isConflict(error) || tried === CONDITION_TRIES) throw error;
      }
      await sleep(clock, CONDITION_RETRY_MS * (1 + random.next()), patch.signal);
    }
  }

  async #patchStatus(object: T, signal: AbortSignal | undefined): Promise<void> {
    const after = { ...part(object, 'status'), metadata: this.#before.metadata };
    try {
      const write = { subresource: 'status', signal } as const;
      const written = await this.#options.objects.patch(this.#kind, part(this.#before, 'status'), after, write);
      if (written !== after) this.#version = undefined;
    } catch (error) {
      const { deletionTimestamp, finalizers = [] } = object.metadata;
      // Taking the last finalizer off has just removed it.
      if (!isNotFound(error) || deletionTimestamp == null || finalizers.length > 0) throw error;
    }
  }
}
