/** Lists of what a webhook converts: which objects are wanted shows only in the version that is asked for. */
import type { KubeObject } from '@capstan/meta';
import { viewedAll } from '../registry/conversion.js';
import type { Core } from '../registry/core.js';
import type { Flow } from '../registry/effects.js';
import type { ServedResource } from '../registry/served-resource.js';
import type { ListOptions, ListResult, Stored } from '../store/index.js';

/** How many objects are converted before it is known whether more are needed. */
export const VIEWED_PAGE = 500;

/** A list, with the objects as they look in the version asked for where that is known already. */
export interface ViewedList extends ListResult {
  readonly views?: ReadonlyMap<Stored, KubeObject>;
}

export interface ViewedListOptions {
  /** 0: all. */
  readonly limit: number;
  readonly after: ListOptions['after'];
  readonly revision: number | undefined;
  readonly matches: (object: KubeObject) => boolean;
}

type Place = Pick<ViewedListOptions, 'after' | 'revision'>;

/** What objects take as they are stored; converted they take about as much. */
export function storedBytes(items: readonly Stored[]): number {
  let bytes = 0;
  for (const stored of items) bytes += stored.bytes().length;
  return bytes;
}

/** What a whole list takes, by its first page; of one with a limit the page itself is most of it. */
function estimatedBytes({ items, remaining }: ListResult, limit: number): number {
  if (items.length === 0) return 0;
  return storedBytes(items) * (limit > 0 ? 1 : 1 + remaining / items.length);
}

/** Reads pages of one snapshot, each from a place on, until enough of their objects match. */
export function* readViewed(
  { core, served }: { readonly core: Core; readonly served: ServedResource },
  options: ViewedListOptions,
  readPage: (from: Place) => ListResult,
): Flow<ViewedList> {
  // Read again once there is room: the snapshot of now may be gone by then.
  const bytes = estimatedBytes(readPage(options), options.limit);
  return yield* core.conversionRoom.within(bytes, () => viewedPages(served, options, readPage));
}

function* viewedPages(
  served: ServedResource,
  options: ViewedListOptions,
  readPage: (from: Place) => ListResult,
): Flow<ViewedList> {
  const { limit, matches } = options;
  const items: Stored[] = [];
  const views = new Map<Stored, KubeObject>();
  for (let from: Place = options; ;) {
    const page = readPage(from);
    const objects = yield* viewedAll(
      served,
      page.items.map((stored) => stored.object()),
    );
    for (const [at, stored] of page.items.entries()) {
      const object = objects[at] as KubeObject;
      if (!matches(object)) continue;
      items.push(stored);
      views.set(stored, object);
      if (items.length !== limit) continue;
      const left = page.items.length - at - 1 + page.remaining;
      return { items, views, revision: page.revision, more: left > 0, remaining: left };
    }
    const last = page.items.at(-1);
    if (!page.more || last === undefined) return { items, views, revision: page.revision, more: false, remaining: 0 };
    from = { after: last, revision: page.revision };
  }
}
