import { sleep } from '@capstan/kube';
import { applyMergePatch, cloneJson, createMergePatch, deepEqual, isConflict, isNotFound } from '@capstan/meta';
import type { Clock, Random } from '@capstan/meta';
import { apiErrors } from '@capstan/meta';
import { CORE_GROUP } from '../names.js';
import type { CoreKind } from '../kinds.js';
import type { Conditioned } from '../types.js';
import { conditionPatch } from './condition-patch.js';
import type { BothConditions, OwnedConditions } from './condition-patch.js';
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
}

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
  const { status, ...rest } = object;
  if (focus === 'spec') return rest;
  const { apiVersion, kind, metadata } = rest;
  const { conditions: _, deprecated, ...others } = status ?? {};
  const { conditions: _old, ...oldOthers } = deprecated?.v1beta1 ?? {};
  const kept = Object.keys(oldOthers).length === 0 ? {} : { deprecated: { v1beta1: oldOthers } };
  return { apiVersion, kind, metadata, status: { ...others, ...kept } };
}

/** The object with what differs of its status beside the conditions. */
function withRest<T extends Conditioned>(object: T, rest: unknown): T {
  if (rest === undefined) return object;
  return { ...object, status: applyMergePatch(object.status ?? {}, rest) as NonNullable<T['status']> };
}

/**
 * Remembers an object, and later writes what was changed of it: first the status, its conditions onto their latest
 * state and locked, then spec and metadata. The original writes conditions and the rest of the status one by one; each
 * write brings up everybody who looks at the object.
 */
export class PatchHelper<T extends Conditioned> {
  readonly #options: PatchHelperOptions;
  readonly #kind: CoreKind;
  readonly #before: T;

  constructor(kind: CoreKind, object: T, options: PatchHelperOptions) {
    this.#options = options;
    this.#kind = kind;
    this.#before = cloneJson(object);
  }

  async patch(object: T, patch: HelperPatch): Promise<void> {
    if (deepEqual(object, this.#before)) return;
    const { generation } = object.metadata;
    if (patch.isObserved === true && generation !== undefined)
      object.status = { ...object.status, observedGeneration: generation };
    const errors: unknown[] = [];
    const attempt = async (write: () => Promise<unknown>): Promise<void> => {
      await write().catch((error: unknown) => errors.push(error));
    };
    const { isSaid } = await this.#patchConditions(object, patch).catch((error: unknown) => {
      errors.push(error);
      return { isSaid: false };
    });
    await attempt(() => this.#patchPart(object, 'spec', patch.signal));
    if (!isSaid) await attempt(() => this.#patchStatus(object, patch.signal));
    if (errors.length === 1) throw errors[0];
    if (errors.length > 1) throw new AggregateError(errors, errors.map(String).join('; '));
  }

  /** Writes conditions, and the rest of the status with them; tells whether that is said now. */
  async #patchConditions(object: T, patch: HelperPatch): Promise<{ readonly isSaid: boolean }> {
    const { objects, clock, random } = this.#options;
    const change = conditionPatch(bothOf(this.#before), bothOf(object), patch);
    if (change === undefined) return { isSaid: false };
    const rest = createMergePatch(part(this.#before, 'status'), plain(part(object, 'status')))['status'];
    const { namespace = '', name = '' } = object.metadata;
    for (let tried = 1; ; tried += 1) {
      const latest = await objects.get<T>(this.#kind, namespace, name);
      if (latest === undefined)
        throw apiErrors.notFound({ group: CORE_GROUP, resource: `${this.#kind.toLowerCase()}s` }, name);
      const next = withConditions(withRest(latest, rest), change(bothOf(latest)));
      try {
        await objects.patch(this.#kind, latest, next, { subresource: 'status', isLocked: true, signal: patch.signal });
        return { isSaid: true };
      } catch (error) {
        if (!isConflict(error) || tried === CONDITION_TRIES) throw error;
      }
      await sleep(clock, CONDITION_RETRY_MS * (1 + random.next()), patch.signal);
    }
  }

  #patchPart(object: T, focus: 'spec' | 'status', signal: AbortSignal | undefined): Promise<unknown> {
    const subresource = focus === 'status' ? focus : undefined;
    const [before, after] = [part(this.#before, focus), part(object, focus)];
    return this.#options.objects.patch(this.#kind, before, after, { subresource, signal });
  }

  async #patchStatus(object: T, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#patchPart(object, 'status', signal);
    } catch (error) {
      const { deletionTimestamp, finalizers = [] } = object.metadata;
      // Taking the last finalizer off has just removed it.
      if (!isNotFound(error) || deletionTimestamp == null || finalizers.length > 0) throw error;
    }
  }
}
