import { ApiError, deleteSuccess } from '@capstan/meta';
import type { ApiResponse } from '@capstan/meta';
import type { WriteScope } from '../registry/create.js';
import { deleteObject } from '../registry/delete.js';
import { giveWay, type Flow } from '../registry/effects.js';
import { hasBody, parseObjectBody } from '../request/body.js';
import { parseDeleteOptions, type DeleteOptions } from '../request/delete-options.js';
import { encodeCursor } from '../request/list-cursor.js';
import { parseReadOptions } from '../request/options.js';
import { selectionFor, type Selection } from './selection.js';
import type { ListMeta } from '../response/list-body.js';
import { requireReadableRevision } from '../registry/revisions.js';
import { selectFrom } from './selected-list.js';
import { formOf, listResponse, objectResponse, statusResponse, writeScope, type Call } from './context.js';
import { VIEWED_PAGE, readViewed, type ViewedList } from './viewed-list.js';

const JOBS = 'batch/jobs';
/** The default of jobs dates from before there was garbage collection, and surprises everybody. */
const CHILDREN_STAY =
  'child pods are preserved by default when jobs are deleted; set propagationPolicy=Background to remove them ' +
  'or set propagationPolicy=Orphan to suppress this warning';

function readOptions(call: Call): DeleteOptions {
  const { request, info } = call;
  const body = hasBody(request) ? parseObjectBody(request, 'DeleteOptions', call.readYaml, 'v1') : undefined;
  if (body !== undefined) call.audit?.body(body.value);
  return parseDeleteOptions(body, info.query);
}

function warnOfChildren({ served, warnings }: Call, { propagationPolicy }: DeleteOptions): void {
  if (served.storage === JOBS && propagationPolicy === undefined) warnings.push(CHILDREN_STAY);
}

/** DELETE of one object. */
export function* deleteOne(call: Call): Flow<ApiResponse> {
  const { served, info } = call;
  const { form } = formOf(call);
  const options = readOptions(call);
  warnOfChildren(call, options);
  const { outcome, last } = yield* deleteObject(
    writeScope(call, options.dryRun, { deleteOptions: options }),
    info.name,
    options,
  );
  const code = outcome !== 'removed' && options.orphanDependents === false ? 202 : 200;
  if (served.strategy.returnsDeletedObject || outcome !== 'removed') return yield* objectResponse(form, last, code);
  const { uid } = ('stored' in last ? last.stored.object() : last.object).metadata;
  return statusResponse(deleteSuccess(served.groupResource, info.name, uid ?? ''), code);
}

/** DELETE of a collection: one by one, not atomic; the answer lists what was there. */
export function* deleteCollection(call: Call): Flow<ApiResponse> {
  const { core, served, namespace, info } = call;
  const wanted = formOf(call);
  const read = parseReadOptions(info.query, false);
  const selection = selectionFor(served, read.labelSelector, read.fieldSelector);
  const options = readOptions(call);
  warnOfChildren(call, options);
  requireReadableRevision(read.resourceVersion);
  const list = yield* selectedList(call, selection, read.limit);
  const { items, revision, more, remaining } = list;
  for (const item of items) {
    yield* giveWay(core.clock);
    const scope = { ...writeScope(call, options.dryRun, { deleteOptions: options }), namespace: item.namespace };
    yield* deleteListed(scope, item.name, options);
  }
  const last = items.at(-1);
  const metadata: ListMeta = {
    resourceVersion: String(revision),
    ...(more && last !== undefined ? { continue: encodeCursor({ revision, after: last }, namespace) } : {}),
    ...(more && selection.matches === undefined ? { remainingItemCount: remaining } : {}),
  };
  return yield* listResponse(call, wanted, list, metadata);
}

/** Deletes one of a list, unless another client was quicker. */
function* deleteListed(scope: WriteScope, name: string, options: DeleteOptions): Flow<void> {
  if (scope.core.store.get(scope.served.storage, scope.namespace, name) === undefined) return;
  try {
    yield* deleteObject(scope, name, options);
  } catch (error) {
    if (!(error instanceof ApiError && error.code === 404)) throw error;
  }
}

/** What is to go. Where a webhook converts it is asked first: nothing goes unless all of it can be shown. */
function* selectedList(call: Call, selection: Selection, limit: number): Flow<ViewedList> {
  const { core, served, namespace } = call;
  if (served.conversion?.remote === undefined) {
    if (selection.matches === undefined) return core.store.list(served.storage, { namespace, limit });
    const all = core.store.list(served.storage, { namespace });
    return yield* selectFrom(all, { matches: selection.matches, limit, clock: core.clock });
  }
  const { matchesServed: matches = () => true } = selection;
  return yield* readViewed(call, { limit, after: undefined, revision: undefined, matches }, (from) =>
    core.store.list(served.storage, { namespace, limit: VIEWED_PAGE, ...from }),
  );
}
