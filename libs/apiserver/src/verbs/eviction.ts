import type { ResourceDefinition } from '@capstan/api/kubernetes';
import { apiErrors } from '@capstan/meta';
import type { ApiResponse, KubeObject } from '@capstan/meta';
import { builtinApplyScopes } from '../registry/builtin-apply-scope.js';
import { createBuiltinCodec } from '../registry/builtin-codec.js';
import { builtinServedResource } from '../registry/builtin-resources.js';
import { cloneObject } from '../registry/clone.js';
import { matchNamespace } from '../registry/create.js';
import { deleteObject } from '../registry/delete.js';
import type { Flow } from '../registry/effects.js';
import { trackFields } from '../registry/field-tracking.js';
import { updateObject } from '../registry/update.js';
import { parseObjectBody } from '../request/body.js';
import { decodeObject } from './decode-object.js';
import { parseDeleteOptions, type DeleteOptions } from '../request/delete-options.js';
import { parseWriteOptions, type WriteOptions } from '../request/options.js';
import { formOf, statusResponse, writeScope, type Call } from './context.js';
import { decideEviction, requireAllowance, spent, type Budget } from './eviction-decision.js';
import { writerOf } from './write.js';

const BUDGETS = 'policy/poddisruptionbudgets';
const OLD_VERSION = 'policy/v1beta1';
const codec = createBuiltinCodec('policy', 'v1', 'Eviction');
const EVICTION = { apiVersion: 'policy/v1', kind: 'Eviction', codec };

/** POST pods/NAME/eviction: a delete that asks the disruption budgets first. */
export function* evictPod(call: Call): Flow<ApiResponse> {
  const { core, info } = call;
  formOf(call);
  const options = yield* admitted(call);
  const existing = core.store.get(call.served.storage, call.namespace, info.name);
  if (existing === undefined) throw apiErrors.notFound(call.served.groupResource, info.name);
  const { items } = core.store.list(BUDGETS, { namespace: call.namespace });
  const { spend, isPinned } = decideEviction(
    existing.object(),
    items.map((item) => item.object() as Budget),
  );
  if (spend !== undefined && !options.dryRun) yield* spendBudget(call, spend);
  const pinned =
    isPinned && options.preconditions.resourceVersion === undefined
      ? { ...options.preconditions, resourceVersion: String(existing.revision) }
      : options.preconditions;
  yield* markAndDelete(call, { ...options, preconditions: pinned });
  return statusResponse({ kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 }, 201);
}

/** How the pod is to go, by the eviction as admission wants it. */
function* admitted(call: Call): Flow<DeleteOptions> {
  const { info } = call;
  const writeOptions = parseWriteOptions('CreateOptions', info.query);
  const definition: ResourceDefinition = {
    ...call.served.definition,
    group: 'policy',
    version: 'v1',
    kind: 'Eviction',
    plural: 'evictions',
  };
  const eviction = readEviction(call, definition, writeOptions);
  const scope = writeScope(call, writeOptions.dryRun, { carried: EVICTION });
  const { admission } = scope;
  if (admission === undefined) return optionsOf(call, eviction, writeOptions);
  matchNamespace(scope, eviction);
  const served = { ...call.served, applyScope: builtinApplyScopes(definition) };
  trackFields(served, 'eviction', { live: undefined, next: eviction }, writerOf(call, writeOptions));
  const wanted = yield* admission.mutate('CREATE', eviction, undefined);
  const options = optionsOf(call, wanted, writeOptions);
  yield* admission.validate('CREATE', wanted, undefined);
  return options;
}

/** The delete options in an eviction, which must be of the pod in the path. */
function optionsOf({ info }: Call, eviction: KubeObject, { dryRun }: WriteOptions): DeleteOptions {
  if ((eviction.metadata.name ?? '') !== info.name)
    throw apiErrors.badRequest('name in URL does not match name in Eviction object');
  const sent = (eviction['deleteOptions'] ?? {}) as { readonly dryRun?: readonly string[] | null };
  const asked = info.query.getAll('dryRun');
  const brought = sent.dryRun ?? [];
  if (asked.length > 0 && brought.length > 0 && brought.join('\0') !== asked.join('\0')) {
    const both = `[${asked.join(' ')}] and [${brought.join(' ')}]`;
    throw apiErrors.unclassified(`Non-matching dry-run options in request and content: ${both}`);
  }
  const wanted = parseDeleteOptions({ value: sent }, info.query);
  return { ...wanted, dryRun: wanted.dryRun || dryRun };
}

function readEviction(call: Call, definition: ResourceDefinition, options: WriteOptions): KubeObject {
  const { request, warnings } = call;
  const served = { ...call.served, definition, apiVersion: 'policy/v1', codec };
  const body = parseObjectBody(request, 'Eviction', call.readYaml, 'policy/v1');
  const { apiVersion, kind } = body.value as { apiVersion?: unknown; kind?: unknown };
  // Both versions are alike, and clients of long ago still send the old one.
  const value =
    apiVersion === OLD_VERSION && kind === 'Eviction'
      ? { ...(body.value as object), apiVersion: 'policy/v1' }
      : body.value;
  const eviction = decodeObject(served, { ...body, value }, options, warnings);
  call.audit?.asked(eviction);
  return eviction;
}

/** Takes one from the budget before the pod is touched: two evictions must not spend the same one. */
function* spendBudget(call: Call, budget: Budget): Flow<void> {
  const { core, info, namespace } = call;
  const served = builtinServedResource('policy/v1', 'poddisruptionbudgets');
  const time = core.timestamp();
  const scope = { core, served, namespace, dryRun: false, subresource: 'status', warnings: [] };
  const { name = '' } = budget.metadata;
  yield* updateObject(scope, {
    name,
    // eslint-disable-next-line require-yield
    *transform(existing) {
      if (existing === undefined) throw apiErrors.notFound(served.groupResource, name);
      const live = existing as Budget;
      requireAllowance(live);
      const next = { ...cloneObject(live), status: spent(live, info.name, time) };
      trackFields(served, 'status', { live, next }, { manager: 'kube-apiserver', time });
      return next;
    },
    mayCreate: false,
    isUidPrecondition: false,
  });
}

/** Adds the DisruptionTarget condition, for controllers that count failures. */
function* markAndDelete(call: Call, options: DeleteOptions): Flow<void> {
  const { info } = call;
  // Admission has its say about the eviction, not about what follows from it.
  const { admission: _admission, ...scope } = writeScope(call, options.dryRun);
  let { preconditions } = options;
  if (!options.dryRun) {
    const result = yield* updateObject(
      { ...scope, subresource: 'status' },
      {
        name: info.name,
        // eslint-disable-next-line require-yield
        *transform(existing) {
          if (existing === undefined) throw apiErrors.notFound(call.served.groupResource, info.name);
          requireSame(existing, preconditions);
          return disrupted(call, existing);
        },
        mayCreate: false,
        isUidPrecondition: false,
      },
    );
    if (preconditions.resourceVersion !== undefined && 'stored' in result)
      preconditions = { ...preconditions, resourceVersion: String(result.stored.revision) };
  }
  yield* deleteObject(scope, info.name, { ...options, preconditions });
}

function requireSame({ metadata }: KubeObject, wanted: DeleteOptions['preconditions']): void {
  const { name = '', resourceVersion = '', uid = '' } = metadata;
  const conflict = (what: string, asked: string, found: string, guess: string): Error =>
    apiErrors.conflict(
      { group: '', resource: 'Pod' },
      name,
      `the ${what} in the precondition (${asked}) does not match the ${what} in record (${found}). The object might have been ${guess}`,
    );
  if (wanted.uid && wanted.uid !== uid) throw conflict('UID', wanted.uid, uid, 'deleted and then recreated');
  if (wanted.resourceVersion && wanted.resourceVersion !== resourceVersion)
    throw conflict('ResourceVersion', wanted.resourceVersion, resourceVersion, 'modified');
}

function disrupted({ core }: Call, pod: KubeObject): KubeObject {
  const next = cloneObject(pod) as KubeObject & { status?: { conditions?: Record<string, unknown>[] } };
  const conditions = next.status?.conditions ?? [];
  const at = conditions.findIndex((each) => each['type'] === 'DisruptionTarget');
  const before = conditions[at];
  const condition = {
    type: 'DisruptionTarget',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: (before?.['status'] === 'True' ? before['lastTransitionTime'] : undefined) ?? core.timestamp(),
    reason: 'EvictionByEvictionAPI',
    message: 'Eviction API: evicting',
  };
  next.status = {
    ...next.status,
    conditions: before === undefined ? [...conditions, condition] : conditions.with(at, condition),
  };
  return next;
}
