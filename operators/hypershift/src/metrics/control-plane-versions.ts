import type { HostedCluster } from '@capstan/api/hypershift';
import { instantToMs, LiveGauge, parseTime } from '@capstan/meta';
import type { MetricFamily } from '@capstan/meta';
import { controlPlaneVersionInfo, controlPlaneVersionStart, controlPlaneVersionState } from './declarations.js';
import { namesOf } from './samples.js';
import type { Sample } from './samples.js';

const STATES = ['Completed', 'Partial'] as const;

type Version = NonNullable<NonNullable<HostedCluster['status']>['controlPlaneVersion']>;
type Entry = NonNullable<Version['history']>[number];

/** Samples of the newest history entry of each control plane; none without a history or while it is deleted. */
function* perControlPlane(
  clusters: Iterable<HostedCluster>,
  samples: (newest: Entry, history: readonly Entry[]) => Iterable<Sample>,
): Iterable<Sample> {
  for (const cluster of clusters) {
    const history = historyOf(cluster);
    const [newest] = history;
    if (newest === undefined) continue;
    const names = namesOf(cluster);
    for (const [labels, value] of samples(newest, history)) yield [[...names, ...labels], value];
  }
}

function historyOf({ metadata, status }: HostedCluster): readonly Entry[] {
  const isDeleting = (metadata.deletionTimestamp ?? undefined) !== undefined;
  return isDeleting ? [] : (status?.controlPlaneVersion?.history ?? []);
}

/** Versions of the control planes of all clusters, computed at every scrape. */
export function controlPlaneVersionMetrics(clusters: () => Iterable<HostedCluster>): readonly MetricFamily[] {
  const of = (samples: Parameters<typeof perControlPlane>[1]) => () => perControlPlane(clusters(), samples);
  return [
    LiveGauge.of(
      controlPlaneVersionInfo,
      of(({ version }, history) => {
        const completed = history.find(({ state }) => state === 'Completed')?.version ?? '';
        return [[[version, completed], 1]];
      }),
    ),
    LiveGauge.of(
      controlPlaneVersionState,
      of((newest) => STATES.map((state): Sample => [[state], Number(newest.state === state)])),
    ),
    LiveGauge.of(
      controlPlaneVersionStart,
      of(({ startedTime }) => [[[], instantToMs(parseTime(startedTime)) / 1000]]),
    ),
  ];
}
