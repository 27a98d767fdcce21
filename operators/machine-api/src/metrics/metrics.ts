/** Counts resources by their conditions, when it is scraped. */
import type { Manager } from '@capstan/kube';
import { instantToMs, LiveGauge, parseTime } from '@capstan/meta';
import type { Clock, MetricFamily } from '@capstan/meta';
import type { Descriptor } from '../descriptors/descriptor.js';
import { findCondition, HANDOVER, SYNCHRONIZED } from '../shared/conditions.js';
import type { Authored } from '../shared/model.js';
import { wantedAuthority } from '../shared/model.js';
import { pendingSeconds, resources, unsynchronized } from './declarations.js';

/** Where resources are counted from. */
export interface MetricSource {
  /** Objects of Machine API, by their kind. */
  readonly objects: () => Iterable<readonly [kind: string, object: Authored]>;
  readonly clock: Pick<Clock, 'now'>;
}

type Sample = readonly [readonly string[], number];

/** Resources as the caches of a manager have them. */
export function resourcesIn({ cache, clock }: Manager, descriptors: readonly Descriptor[]): MetricSource {
  return {
    clock,
    objects: function* () {
      for (const { kind, machineApi } of descriptors)
        for (const object of cache.informer<Authored>(machineApi).store.list()) yield [kind, object];
    },
  };
}

/** Every metric. */
export function machineApiMetrics({ clock, objects }: MetricSource): readonly MetricFamily[] {
  return [
    LiveGauge.of(resources, () =>
      counted([...objects()].map(([kind, object]) => [kind, object.status?.authoritativeAPI ?? '', syncOf(object)])),
    ),
    LiveGauge.of(unsynchronized, () =>
      counted(
        [...objects()].flatMap(([kind, object]) => {
          const found = findCondition(object, SYNCHRONIZED);
          return found?.status === 'False' ? [[kind, found.reason ?? '']] : [];
        }),
      ),
    ),
    LiveGauge.of(pendingSeconds, () => [...objects()].flatMap(([kind, object]) => pending(kind, object, clock.now()))),
  ];
}

function syncOf(object: Authored): string {
  return findCondition(object, SYNCHRONIZED)?.status ?? 'Unknown';
}

/** One that is not asked to move waits for nothing, whatever a condition still reports. */
function pending(kind: string, object: Authored, nowMs: number): Sample[] {
  const found = findCondition(object, HANDOVER);
  const { authoritativeAPI = '' } = object.status ?? {};
  if (found?.status !== 'False' || authoritativeAPI === wantedAuthority(object)) return [];
  const seconds = (nowMs - instantToMs(parseTime(found.lastTransitionTime))) / 1_000;
  return [[[kind, object.metadata.name ?? '', found.reason ?? ''], Math.max(0, seconds)]];
}

function counted(all: Iterable<readonly string[]>): Iterable<Sample> {
  const counts = new Map<string, Sample>();
  for (const labels of all) {
    const key = labels.join('\0');
    counts.set(key, [labels, (counts.get(key)?.[1] ?? 0) + 1]);
  }
  return counts.values();
}
