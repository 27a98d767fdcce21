import { apiErrors } from '@capstan/meta';
import type { ApiResponse } from '@capstan/meta';
import type { Flow } from '../registry/effects.js';
import { parseReadOptions, type ReadOptions } from '../request/options.js';
import { selectionFor } from './selection.js';
import { WatchStream, type WatchPlan } from '../response/watch-stream.js';
import { formOf, type Call } from './context.js';
import { parseRevision } from '../registry/revisions.js';

/** Watches end by themselves after this long plus up to as much again, so that clients spread over servers. */
const MIN_WATCH_SECONDS = 1800;

/** GET with `watch`. */
// eslint-disable-next-line require-yield
export function* watchObjects(call: Call): Flow<ApiResponse> {
  const { core, served, namespace, info } = call;
  const { form } = formOf(call, true);
  const options = parseReadOptions(info.query, true);
  const selection = selectionFor(served, options.labelSelector, options.fieldSelector);
  // The name of a path; that of a selector is its own.
  if (info.name !== '' && options.fieldSelector !== '' && selection.name !== info.name)
    throw apiErrors.badRequest("fieldSelector metadata.name doesn't match requested name");
  const start = startOf(options);
  const timeoutSeconds = options.timeoutSeconds ?? 0;
  const seconds = timeoutSeconds > 0 ? timeoutSeconds : MIN_WATCH_SECONDS + core.below(MIN_WATCH_SECONDS);
  // A watch by path may be of one object.
  const name = info.name === '' ? selection.name : info.name;
  const plan: WatchPlan = {
    from: start.from,
    initial: start.initial,
    marksInitialEnd: start.marksInitialEnd,
    namespace,
    name,
    matches: selection.matches,
    matchesServed: selection.matchesServed,
    form,
    drive: call.drive,
    sharesFrames: form.key !== undefined,
    bookmarks: options.allowWatchBookmarks,
    timeoutMs: seconds * 1000,
  };
  return { status: 200, headers: { 'content-type': form.encoding.watchType }, body: new WatchStream(core, plan) };
}

function startOf(options: ReadOptions): Pick<WatchPlan, 'from' | 'initial' | 'marksInitialEnd'> {
  const { resourceVersion, sendInitialEvents } = options;
  const revision = resourceVersion === '' ? 0 : parseRevision(resourceVersion);
  if (typeof revision === 'string') throw apiErrors.unclassified(revision);
  if (sendInitialEvents === true) return { from: revision, initial: true, marksInitialEnd: true };
  if (revision === 0)
    return {
      from: sendInitialEvents === false ? 'now' : 0,
      initial: sendInitialEvents !== false,
      marksInitialEnd: false,
    };
  return { from: revision, initial: false, marksInitialEnd: false };
}
