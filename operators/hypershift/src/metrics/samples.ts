import type { HostedCluster } from '@capstan/api/hypershift';
import { instantToMs, parseTime } from '@capstan/meta';

/** Values of labels, and the number they have. */
export type Sample = readonly [readonly string[], number];

/** What of conditions is looked at. */
interface ReportedCondition {
  readonly type: string;
  readonly status: string;
}

/** Seconds from a moment on; undefined when there was none. */
export function secondsSince(moment: string | null | undefined, nowMs: number): number | undefined {
  return typeof moment === 'string' && moment !== '' ? (nowMs - instantToMs(parseTime(moment))) / 1000 : undefined;
}

/** How many there are of each. */
export function counted(all: Iterable<readonly string[]>): Iterable<Sample> {
  const counts = new Map<string, Sample>();
  for (const labels of all) {
    const key = labels.join('\0');
    counts.set(key, [labels, (counts.get(key)?.[1] ?? 0) + 1]);
  }
  return counts.values();
}

/** Conditions that do not say what they say when all is well: `not_Ready`, `UpdatingVersion`. */
export function failuresIn(
  conditions: readonly ReportedCondition[],
  good: ReadonlyMap<string, 'False' | 'True'>,
): string[] {
  return conditions.flatMap(({ status, type }) => {
    const wanted = good.get(type);
    if (wanted === undefined || status === wanted) return [];
    return [wanted === 'True' ? `not_${type}` : type];
  });
}

/** The labels by which each metric of a cluster names it. */
export function namesOf({ metadata, spec }: HostedCluster): readonly string[] {
  return [metadata.namespace ?? '', metadata.name ?? '', spec?.clusterID ?? ''];
}
