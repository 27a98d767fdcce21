import { deepEqual } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';
import { idempotent } from '../oracles/liveness.js';
import type { Oracle, RunRecord } from '../scenario.js';
import type { CommitEvent, SimulationEvent } from '../engine/event-log.js';

/** A client that applies applies again after a restart: it does not remember who owned which field. */
const isApply = (event: SimulationEvent): boolean =>
  event.type === 'send' && event.method === 'PATCH' && event.target.includes('?fieldManager=capi-');

const KEPT_BY_SERVER = new Set(['managedFields', 'resourceVersion', 'generation']);

interface WithOldStatus extends KubeObject {
  readonly status?: { readonly deprecated?: unknown };
}

/** An object but for its status in the style of before v1beta2, and for what the server writes by itself. */
function withoutOldStatus({ metadata, status, ...rest }: WithOldStatus): object {
  const { deprecated: _, ...known } = status ?? {};
  const own = Object.entries(metadata).filter(([key]) => !KEPT_BY_SERVER.has(key));
  return { ...rest, metadata: Object.fromEntries(own), status: known };
}

/** The deprecated status, without transition times. */
function oldStatusText(object: KubeObject): string {
  const deprecated = (object as WithOldStatus).status?.deprecated ?? {};
  return JSON.stringify(deprecated, (key, value: unknown) => (key === 'lastTransitionTime' ? undefined : value));
}

function isOldStatusAlone({ object, previous }: CommitEvent): boolean {
  return previous !== undefined && deepEqual(withoutOldStatus(previous), withoutOldStatus(object));
}

const effectOf = ({ process, effect }: { readonly process: string; readonly effect: number }): string =>
  `${process} #${effect}`;

const statusPathOf = ({ namespace, name, resource }: CommitEvent): string =>
  `/namespaces/${namespace}/${resource.split('/').at(-1) ?? ''}/${name}/status`;

/**
 * The old status of sets and deployments counts nodes, and of a cluster that is not connected yet it knows none, as the
 * upstream. So it may report for a moment that none is ready; in the end it must report the same as before.
 */
function passingOldStatuses(commits: readonly CommitEvent[]): readonly CommitEvent[] {
  const byObject = new Map<string, CommitEvent[]>();
  for (const commit of commits.filter(isOldStatusAlone)) {
    const { uid = '' } = commit.object.metadata;
    byObject.set(uid, [...(byObject.get(uid) ?? []), commit]);
  }
  return [...byObject.values()].flatMap((all) => {
    const before = all[0]?.previous;
    const after = all.at(-1)?.object;
    const isPassing = before !== undefined && after !== undefined && oldStatusText(before) === oldStatusText(after);
    return isPassing ? all : [];
  });
}

/** As for every process, but to apply again without a change is no work, nor is counting nodes again. */
export const changesNothingAgain: Oracle = {
  name: idempotent.name,
  check: (record: RunRecord) => {
    const { events, isWork, rehearsedFrom = Number.POSITIVE_INFINITY } = record;
    const commits = events.filter(
      (event): event is CommitEvent => event.type === 'commit' && event.at >= rehearsedFrom && isWork(event),
    );
    const passing = passingOldStatuses(commits);
    const counted = new Set(passing);
    const changed = commits.filter((event) => !counted.has(event));
    const changing = new Set(changed.map(effectOf));
    const paths = new Set(passing.map(statusPathOf));
    // Also what changed nothing, because the cache had not seen yet what was written before.
    const isCount = (event: SimulationEvent): boolean =>
      event.type === 'send' && !changing.has(effectOf(event)) && [...paths].some((path) => event.target.endsWith(path));
    const others = events.filter((event) => !isApply(event) && !isCount(event));
    const message = 'a restarted process changed an object when nothing was to be done';
    return [
      ...idempotent.check({ ...record, events: others }),
      ...changed.map((event) => ({ oracle: idempotent.name, message, event })),
    ];
  },
};
