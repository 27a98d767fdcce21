/**
 * The controllers of CRDs: names, establishment, deletion. Each looks at the state a commit left behind and
 * makes at most one further write, which is the next commit to look at; nothing polls.
 */
import type { KubeObject } from '@capstan/meta';
import { deleteObject } from '../registry/delete.js';
import type { Core } from '../registry/core.js';
import { driveEffect } from '../registry/drive.js';
import { giveWay, runFlow, type Flow } from '../registry/effects.js';
import { trackFields } from '../registry/field-tracking.js';
import type { ServedResource } from '../registry/served-resource.js';
import { updateObject } from '../registry/update.js';
import { parseDeleteOptions } from '../request/delete-options.js';
import type { Stored } from '../store/index.js';
import { approvalCondition } from './approval.js';
import { bundleProblem } from '@capstan/schema';
import {
  CLEANUP_FINALIZER,
  DEFINITIONS,
  conversionBundle,
  findCondition,
  isTrue,
  specOf,
  statusOf,
  type DefinitionStatus,
} from '../builtin/apiextensions/crd.js';
import { nameStatus, type OwnedNames } from './naming.js';
import { withCondition, type Finding } from '../builtin/apiextensions/crd.js';

/** What the controllers need of their surroundings. */
export interface LifecycleParts {
  readonly core: Core;
  /** The resource of the CRDs themselves. */
  readonly definitions: ServedResource;
  /** The resource of a CRD's objects in their storage version. */
  readonly instances: (definition: KubeObject) => ServedResource | undefined;
  /** Whether a built-in resource already lives where the CRD's objects would. */
  readonly isBuiltin: (group: string, plural: string) => boolean;
}

const ESTABLISHED: Finding = {
  type: 'Established',
  status: 'True',
  reason: 'InitialNamesAccepted',
  message: 'the initial names have been accepted',
};
const BAD_BUNDLE: Finding = {
  type: 'Established',
  status: 'False',
  reason: 'InvalidCABundle',
  message: 'The conversion webhook CABundle is invalid',
};
const IN_PROGRESS: Finding = {
  type: 'Terminating',
  status: 'True',
  reason: 'InstanceDeletionInProgress',
  message: 'CustomResource deletion is in progress',
};
const COMPLETED: Finding = {
  type: 'Terminating',
  status: 'False',
  reason: 'InstanceDeletionCompleted',
  message: 'removed all instances',
};
const NEVER_ESTABLISHED: Finding = {
  type: 'Terminating',
  status: 'False',
  reason: 'NeverEstablished',
  message: 'resource was never established',
};
const OVERLAPPING: Finding = {
  type: 'Terminating',
  status: 'False',
  reason: 'OverlappingBuiltInResource',
  message: 'instances overlap with built-in resources in storage',
};

/** Moves CRDs on. */
export class DefinitionLifecycle {
  readonly #parts: LifecycleParts;
  /** CRDs that wait for their last object to go, with the end of the subscription to those. */
  readonly #waiting = new Map<string, () => void>();

  constructor(parts: LifecycleParts) {
    this.#parts = parts;
  }

  /** Takes the next step of one CRD, if there is one. */
  advance(name: string): void {
    const stored = this.#find(name);
    if (stored === undefined) return;
    const definition = stored.object();
    const isGoing =
      definition.metadata.deletionTimestamp != null &&
      (definition.metadata.finalizers ?? []).includes(CLEANUP_FINALIZER);
    const next = this.#nextStatus(definition);
    if (next !== undefined) this.#write(name, next);
    else if (isGoing) this.#finalize(name, definition);
  }

  /** Names may have become free: looks at all CRDs of the group but one. */
  reconsider(group: string, except: string): void {
    for (const stored of this.#all()) {
      if (stored.name !== except && ownedNames(stored).group === group) this.advance(stored.name);
    }
  }

  #find(name: string): Stored | undefined {
    return this.#parts.core.store.get(DEFINITIONS, '', name);
  }

  #all(): readonly Stored[] {
    return this.#parts.core.store.list(DEFINITIONS).items;
  }

  #nextStatus(definition: KubeObject): DefinitionStatus | undefined {
    const now = this.#parts.core.timestamp();
    const status = statusOf(definition);
    const withFinding = (finding: Finding | undefined): DefinitionStatus | undefined =>
      finding && { ...status, conditions: withCondition(status.conditions, finding, now) };
    const approved = withFinding(approvalFinding(definition));
    const named = approved ?? nameStatus(definition, () => this.#all().map(ownedNames), now);
    return named ?? withFinding(establishFinding(definition));
  }

  #write(name: string, status: DefinitionStatus, change?: (definition: KubeObject) => void): void {
    const { core, definitions } = this.#parts;
    const scope = { core, served: definitions, namespace: '', dryRun: false, subresource: 'status', warnings: [] };
    // eslint-disable-next-line require-yield
    const transform = function* (existing: KubeObject | undefined): Flow<KubeObject> {
      const next = { ...existing, metadata: { ...existing?.metadata }, status } as unknown as KubeObject;
      change?.(next);
      trackFields(
        definitions,
        'status',
        { live: existing, next },
        { manager: 'kube-apiserver', time: core.timestamp() },
      );
      return next;
    };
    // Nothing here can need an effect: the flow ends where it begins.
    void runFlow(updateObject(scope, { name, transform, mayCreate: false, isUidPrecondition: false }), () =>
      Promise.resolve(),
    );
  }

  #finalize(name: string, definition: KubeObject): void {
    const status = statusOf(definition);
    const { group, names } = specOf(definition);
    const now = this.#parts.core.timestamp();
    if (findCondition(definition, 'Terminating')?.reason !== IN_PROGRESS.reason) {
      this.#write(name, { ...status, conditions: withCondition(status.conditions, IN_PROGRESS, now) });
      return;
    }
    if (this.#parts.isBuiltin(group, names.plural)) return this.#finish(name, OVERLAPPING);
    if (!isTrue(definition, 'Established')) return this.#finish(name, NEVER_ESTABLISHED);
    this.#deleteInstances(name, definition);
  }

  #deleteInstances(name: string, definition: KubeObject): void {
    const { core } = this.#parts;
    const served = this.#parts.instances(definition);
    if (served === undefined || this.#waiting.has(name)) return;
    const finishWhenEmpty = (): void => {
      if (core.store.count(served.storage) > 0) return;
      this.#waiting.get(name)?.();
      this.#waiting.delete(name);
      this.#finish(name, COMPLETED);
    };
    if (core.store.count(served.storage) === 0) return finishWhenEmpty();
    this.#waiting.set(
      name,
      core.store.subscribe(({ type }) => (type === 'delete' ? finishWhenEmpty() : undefined), {
        resource: served.storage,
      }),
    );
    void runFlow(deleteAll(core, served), (effect) => driveEffect(core, effect));
  }

  #finish(name: string, finding: Finding): void {
    const definition = this.#find(name)?.object();
    if (definition === undefined) return;
    const status = statusOf(definition);
    const conditions = withCondition(status.conditions, finding, this.#parts.core.timestamp());
    this.#write(name, { ...status, conditions }, ({ metadata }) => {
      metadata.finalizers = (metadata.finalizers ?? []).filter((finalizer) => finalizer !== CLEANUP_FINALIZER);
    });
  }
}

/** One after the other, and others are served meanwhile: there may be many. */
function* deleteAll(core: Core, served: ServedResource): Flow<void> {
  const options = parseDeleteOptions(undefined, new URLSearchParams());
  for (const item of core.store.list(served.storage).items) {
    yield* giveWay(core.clock);
    const scope = { core, served, namespace: item.namespace, dryRun: false, subresource: '', warnings: [] };
    if (core.store.get(served.storage, item.namespace, item.name) !== undefined)
      yield* deleteObject(scope, item.name, options);
  }
}

/** Kept with the stored version: CRDs are large, and every change of one asks for the names of all. */
function ownedNames(stored: Stored): OwnedNames {
  return stored.fact('names', () => {
    const definition = stored.object();
    return { group: specOf(definition).group, names: statusOf(definition).acceptedNames };
  });
}

function approvalFinding(definition: KubeObject): Finding | undefined {
  const wanted = approvalCondition(definition);
  if (wanted === undefined) return undefined;
  const known = findCondition(definition, wanted.type);
  const isRecorded =
    known !== undefined &&
    known.status === wanted.status &&
    known.reason === wanted.reason &&
    known.message === wanted.message;
  return isRecorded ? undefined : wanted;
}

function establishFinding(definition: KubeObject): Finding | undefined {
  if (!isTrue(definition, 'NamesAccepted') || isTrue(definition, 'Established')) return undefined;
  if (bundleProblem(conversionBundle(definition)) === undefined) return ESTABLISHED;
  return findCondition(definition, 'Established')?.reason === BAD_BUNDLE.reason ? undefined : BAD_BUNDLE;
}
