import type { Oracle, Violation } from '../scenario.js';
import type { CommitEvent, FrameEvent, SendEvent } from '../engine/event-log.js';

/** What a watch without selectors was opened for. */
interface Watched {
  readonly resource: string;
  readonly namespace: string;
  /** Events after this revision are shown; undefined until the state it begins with is complete. */
  from: number | undefined;
  /** How many of the resource's commits were checked. */
  next: number;
}

const FRAME_OF: Readonly<Record<CommitEvent['change'], string>> = {
  create: 'ADDED',
  update: 'MODIFIED',
  delete: 'DELETED',
};

/** Two groups serve the same objects, so a watch of one shows commits of the other. */
const SHARED = 'events';

/** Every watch shows the commits of its resource from where it began, in order and without a gap, as far as it got. */
export const watchesArePrefixes: Oracle = {
  name: 'watch-prefix',
  check: ({ events }) => {
    const violations: Violation[] = [];
    const commits = new Map<string, CommitEvent[]>();
    const watches = new Map<string, Watched>();
    for (const event of events) {
      if (event.type === 'commit') {
        const known = commits.get(event.resource);
        if (known === undefined) commits.set(event.resource, [event]);
        else known.push(event);
      } else if (event.type === 'send') {
        const watched = watchOf(event);
        if (watched !== undefined) watches.set(watchId(event), watched);
      } else if (event.type === 'frame') {
        const watched = watches.get(watchId(event));
        const message = watched && wrongFrame(watched, event, commits.get(watched.resource) ?? []);
        if (message === undefined) continue;
        watches.delete(watchId(event));
        violations.push({ oracle: 'watch-prefix', message: `${watchId(event)} ${message}`, event });
      }
    }
    return violations;
  },
};

const watchId = ({ process, effect }: SendEvent | FrameEvent): string => `${process} #${effect}`;

/** What a request watches; undefined when it is no watch, or when the events it gets cannot be known. */
function watchOf({ method, target }: SendEvent): Watched | undefined {
  const { pathname, searchParams } = new URL(target, 'http://server');
  if (method !== 'GET' || !/^(?:true|1)$/.test(searchParams.get('watch') ?? '')) return undefined;
  if (searchParams.has('labelSelector') || searchParams.has('fieldSelector')) return undefined;
  const place = placeOf(pathname);
  const revision = Number(searchParams.get('resourceVersion') ?? '');
  const isInitial = searchParams.get('sendInitialEvents') === 'true';
  if (place === undefined || (!isInitial && revision === 0)) return undefined;
  return { ...place, from: isInitial ? undefined : revision, next: 0 };
}

function placeOf(path: string): Pick<Watched, 'resource' | 'namespace'> | undefined {
  const found = /^\/(?:api\/v1|apis\/([^/]+)\/[^/]+)(?:\/namespaces\/([^/]+))?\/([^/]+)$/.exec(path);
  const [, group, namespace = '', plural = ''] = found ?? [];
  if (plural === '' || plural === SHARED) return undefined;
  return { resource: group === undefined ? plural : `${group}/${plural}`, namespace };
}

/** What is wrong with a frame, after all that were shown before it. */
function wrongFrame(watched: Watched, frame: FrameEvent, commits: readonly CommitEvent[]): string | undefined {
  const revision = Number(frame.revision);
  if (frame.frame === 'ERROR' || (frame.frame === 'BOOKMARK' && !frame.isInitialEnd)) return undefined;
  if (watched.from === undefined) {
    if (frame.isInitialEnd) watched.from = revision;
    return undefined;
  }
  const expected = nextCommit(watched, commits);
  const shown = `${frame.frame} ${revision}`;
  if (expected === undefined) return `is shown ${shown}, which was never written`;
  const due = `${FRAME_OF[expected.change]} ${expected.revision}`;
  return shown === due ? undefined : `is shown ${shown} where ${due} comes next`;
}

function nextCommit(watched: Watched, commits: readonly CommitEvent[]): CommitEvent | undefined {
  const { from = 0, namespace } = watched;
  while (watched.next < commits.length) {
    const commit = commits[watched.next];
    watched.next += 1;
    if (commit !== undefined && commit.revision > from && (namespace === '' || commit.namespace === namespace))
      return commit;
  }
  return undefined;
}
