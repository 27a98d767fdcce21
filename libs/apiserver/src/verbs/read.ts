import { apiErrors } from '@capstan/meta';
import type { ApiResponse } from '@capstan/meta';
import type { Flow } from '../registry/effects.js';
import { decodeCursor, encodeCursor, type ListCursor } from '../request/list-cursor.js';
import { parseReadOptions, type ReadOptions } from '../request/options.js';
import { EVERYTHING, selectionFor, type Selection } from './selection.js';
import type { ListMeta } from '../response/list-body.js';
import { RevisionExpired, type ListResult } from '../store/index.js';
import { formOf, listResponse, objectResponse, type Call } from './context.js';
import { selectFrom } from './selected-list.js';
import { parseRevision, requireReadableRevision, requireRevision } from '../registry/revisions.js';
import { VIEWED_PAGE, readViewed, type ViewedList } from './viewed-list.js';

/** GET of one object. */
export function* getObject(call: Call): Flow<ApiResponse> {
  const { core, served, namespace, info } = call;
  const { form } = formOf(call);
  const given = info.query.get('resourceVersion') ?? '';
  if (given !== '') {
    const revision = parseRevision(given);
    if (typeof revision === 'string') throw apiErrors.unclassified(revision);
    yield* requireRevision(core, revision);
  }
  const stored = core.store.get(served.storage, namespace, info.name);
  if (stored === undefined) throw apiErrors.notFound(served.groupResource, info.name);
  return yield* objectResponse(form, { stored });
}

/** GET of a collection. */
export function* listObjects(call: Call): Flow<ApiResponse> {
  const { core, served, namespace, info } = call;
  const wanted = formOf(call);
  const options = parseReadOptions(info.query, false);
  const selection = selectionFor(served, options.labelSelector, options.fieldSelector);
  const plan = planList(call, options);
  if (plan.notBefore > 0) yield* requireRevision(core, plan.notBefore);
  const result = yield* readSelected(call, plan, selection);
  const { items } = result;
  const last = items.at(-1);
  let metadata: ListMeta = { resourceVersion: String(result.revision) };
  if (result.more && last !== undefined) {
    const token = encodeCursor({ revision: result.revision, after: last }, namespace);
    metadata = { ...metadata, continue: token };
    // With a selector nobody knows how many of the rest it would take.
    if (selection.matches === undefined) metadata = { ...metadata, remainingItemCount: result.remaining };
  }
  return yield* listResponse(call, wanted, result, metadata);
}

interface ListPlan {
  readonly limit: number;
  /** The exact snapshot to show. */
  readonly exact: number | undefined;
  /** The snapshot must not be older than this. */
  readonly notBefore: number;
  readonly cursor: ListCursor | undefined;
}

function planContinued(call: Call, options: ReadOptions): ListPlan {
  const { resourceVersion } = options;
  const cursor = decodeCursor(options.continueToken, call.namespace, call.served.definition.namespaced);
  if (resourceVersion !== '' && resourceVersion !== '0') {
    throw apiErrors.badRequest('specifying resource version is not allowed when using continue');
  }
  const limit = resourceVersion === '0' ? 0 : options.limit;
  return { limit, exact: cursor.revision < 0 ? undefined : cursor.revision, notBefore: 0, cursor };
}

function planList(call: Call, options: ReadOptions): ListPlan {
  const { resourceVersion, resourceVersionMatch: match } = options;
  if (options.continueToken !== '') return planContinued(call, options);
  const revision = requireReadableRevision(resourceVersion);
  const isExact = revision > 0 && (match === 'Exact' || (match === '' && options.limit > 0));
  // Any state will do for 0: the real server answers from its cache, which knows no pages.
  const limit = resourceVersion === '0' && match === '' ? 0 : options.limit;
  return { limit, exact: isExact ? revision : undefined, notBefore: revision, cursor: undefined };
}

/** A list, with the objects as they look where they had to be looked at by webhook. */
function* readSelected(call: Call, plan: ListPlan, selection: Selection): Flow<ViewedList> {
  const { matchesServed } = selection;
  if (call.served.conversion?.remote === undefined || matchesServed === undefined)
    return yield* readMatching(call, plan, selection);
  const { limit } = plan;
  return yield* readViewed(
    call,
    { limit, after: plan.cursor?.after, revision: plan.exact, matches: matchesServed },
    ({ after, revision }) => {
      const cursor = after && { revision: plan.cursor?.revision ?? -1, after };
      return readList(call, { ...plan, limit: VIEWED_PAGE, exact: revision, cursor }, byName(selection.name));
    },
  );
}

/** What a selector takes is found out object by object, on a snapshot: others are served meanwhile. */
function* readMatching(call: Call, plan: ListPlan, selection: Selection): Flow<ListResult> {
  const { matches } = selection;
  if (matches === undefined) return readList(call, plan, selection);
  const one = readNamed(call, plan, selection);
  if (one !== undefined) return one;
  const all = readList(call, { ...plan, limit: 0 }, EVERYTHING);
  return yield* selectFrom(all, { matches, limit: plan.limit, clock: call.core.clock });
}

/** No webhook changes names. */
function byName(name: string | undefined): Selection {
  if (name === undefined) return EVERYTHING;
  return { ...EVERYTHING, matches: (stored) => stored.name === name, name };
}

function readList(call: Call, plan: ListPlan, selection: Selection): ListResult {
  const { core, served, namespace } = call;
  const one = readNamed(call, plan, selection);
  if (one !== undefined) return one;
  try {
    return core.store.list(served.storage, {
      namespace,
      limit: plan.limit,
      revision: plan.exact,
      after: plan.cursor?.after,
      filter: selection.matches,
    });
  } catch (error) {
    if (!(error instanceof RevisionExpired)) throw error;
    if (plan.cursor === undefined) throw apiErrors.expiredList();
    // The client may go on without the snapshot, from the same place in the newest state.
    throw apiErrors.expiredContinue(encodeCursor({ revision: -1, after: plan.cursor.after }, namespace));
  }
}

/** A selector that insists on a name needs no walk through the rest, where name and namespace are the whole key. */
function readNamed(
  { core, served, namespace }: Call,
  { exact, cursor }: ListPlan,
  selection: Selection,
): ListResult | undefined {
  const { name } = selection;
  if (name === undefined || exact !== undefined || cursor !== undefined) return undefined;
  if (served.definition.namespaced && namespace === '') return undefined;
  const stored = core.store.get(served.storage, namespace, name);
  const items = stored !== undefined && selection.matches?.(stored) !== false ? [stored] : [];
  return { items, revision: core.store.revision, more: false, remaining: 0 };
}
