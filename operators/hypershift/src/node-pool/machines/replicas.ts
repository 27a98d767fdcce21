import {
  AUTOSCALER_MAX_ANNOTATION,
  AUTOSCALER_MIN_ANNOTATION,
  CAPACITY_CPU_ANNOTATION,
  CAPACITY_GPU_ANNOTATION,
  CAPACITY_LABELS_ANNOTATION,
  CAPACITY_MEMORY_ANNOTATION,
  CAPACITY_TAINTS_ANNOTATION,
} from '@capstan/hosting';
import type { MachineCapacity } from '@capstan/provider';
import type { Pool } from '../snapshot.js';

export interface Replicas {
  readonly replicas: number;
  /** Undefined: the annotation is to go. */
  readonly annotations: Readonly<Record<string, string | undefined>>;
}

/** What a platform knows of machines that do not exist yet. */
export interface Prospect {
  readonly scalesFromZero: boolean;
  readonly capacity?: MachineCapacity | undefined;
}

const ARCHITECTURE_LABEL = 'kubernetes.io/arch';

const NOTHING_KNOWN: Readonly<Record<string, undefined>> = {
  [CAPACITY_CPU_ANNOTATION]: undefined,
  [CAPACITY_MEMORY_ANNOTATION]: undefined,
  [CAPACITY_GPU_ANNOTATION]: undefined,
  [CAPACITY_LABELS_ANNOTATION]: undefined,
  [CAPACITY_TAINTS_ANNOTATION]: undefined,
};

/** What nodes would have, so that the autoscaler knows while there are none. */
function prospects(
  { arch = 'amd64', nodeLabels = {}, taints = [] }: Pool['spec'],
  offered: MachineCapacity | undefined,
): Record<string, string | undefined> {
  // It would take them for nodes of its own architecture.
  const labels = Object.entries({ ...nodeLabels, [ARCHITECTURE_LABEL]: arch }).map(([key, value]) => `${key}=${value}`);
  const marks = taints.map(({ effect, key, value = '' }) => `${key}${value === '' ? '' : `=${value}`}:${effect}`);
  const machine =
    offered === undefined
      ? {}
      : {
          [CAPACITY_CPU_ANNOTATION]: String(offered.cpus),
          [CAPACITY_MEMORY_ANNOTATION]: String(offered.memoryMiB),
          [CAPACITY_GPU_ANNOTATION]: String(offered.gpus ?? 0),
        };
  return {
    ...NOTHING_KNOWN,
    ...machine,
    [CAPACITY_LABELS_ANNOTATION]: labels.toSorted().join(','),
    ...(marks.length === 0 ? {} : { [CAPACITY_TAINTS_ANNOTATION]: marks.toSorted().join(',') }),
  };
}

/**
 * How many machines a pool is to have. With autoscaling their number is the autoscaler's, as long as it keeps within the
 * bounds; without, both bounds are "0", and the autoscaler ignores the group.
 */
export function replicasOf(spec: Pool['spec'], current: number | undefined, prospect: Prospect): Replicas {
  const { autoScaling } = spec;
  if (autoScaling === undefined)
    return {
      replicas: spec.replicas ?? 0,
      annotations: { [AUTOSCALER_MIN_ANNOTATION]: '0', [AUTOSCALER_MAX_ANNOTATION]: '0', ...NOTHING_KNOWN },
    };
  const { max } = autoScaling;
  // At nothing, an autoscaler that cannot look at a node would stay there for ever.
  const min = autoScaling.min === 0 && !prospect.scalesFromZero ? 1 : autoScaling.min;
  return {
    replicas: Math.min(Math.max(current ?? 0, min), max),
    annotations: {
      [AUTOSCALER_MIN_ANNOTATION]: String(min),
      [AUTOSCALER_MAX_ANNOTATION]: String(max),
      ...(min === 0 ? prospects(spec, prospect.capacity) : NOTHING_KNOWN),
    },
  };
}

/** A number, or a share of a whole rounded down or up; undefined when it is neither. */
export function scaled(value: number | string, whole: number, round: 'down' | 'up'): number | undefined {
  if (typeof value === 'number') return value;
  const [, digits] = /^(\d+)%$/.exec(value) ?? [];
  if (digits === undefined) return undefined;
  const share = (Number(digits) * whole) / 100;
  return round === 'down' ? Math.floor(share) : Math.ceil(share);
}

/** How many nodes may be away at once while they are upgraded in place: at least one, or it would never end. */
export function maxUnavailable({ management, replicas }: Pool['spec'], current: number): number {
  const wanted = management.inPlace?.maxUnavailable ?? 1;
  return Math.max(1, scaled(wanted, replicas ?? current, 'down') ?? 1);
}
