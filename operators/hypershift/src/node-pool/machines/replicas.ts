import {
  AUTOSCALER_MAX_ANNOTATION,
  AUTOSCALER_MIN_ANNOTATION,
  CAPACITY_LABELS_ANNOTATION,
  CAPACITY_TAINTS_ANNOTATION,
} from '@capstan/provider';
import type { Pool } from '../facts.js';

export interface Replicas {
  readonly replicas: number;
  /** Undefined: the annotation is to go. */
  readonly annotations: Readonly<Record<string, string | undefined>>;
}

/** What nodes would have, so that the autoscaler knows while there are none. */
function capacity({ nodeLabels = {}, taints = [] }: Pool['spec']): Record<string, string | undefined> {
  const labels = Object.entries(nodeLabels).map(([key, value]) => `${key}=${value}`);
  const marks = taints.map(({ effect, key, value = '' }) => `${key}=${value}:${effect}`);
  return {
    [CAPACITY_LABELS_ANNOTATION]: labels.length === 0 ? undefined : labels.toSorted().join(','),
    [CAPACITY_TAINTS_ANNOTATION]: marks.length === 0 ? undefined : marks.join(','),
  };
}

/**
 * How many machines a pool is to have. With autoscaling their number is the autoscaler's, as long as it keeps within the
 * bounds; without, both bounds are "0", which tells the autoscaler to keep away.
 */
export function replicasOf(spec: Pool['spec'], current: number | undefined, scalesFromZero: boolean): Replicas {
  const { autoScaling } = spec;
  if (autoScaling === undefined)
    return {
      replicas: spec.replicas ?? 0,
      annotations: {
        [AUTOSCALER_MIN_ANNOTATION]: '0',
        [AUTOSCALER_MAX_ANNOTATION]: '0',
        [CAPACITY_LABELS_ANNOTATION]: undefined,
        [CAPACITY_TAINTS_ANNOTATION]: undefined,
      },
    };
  const { max } = autoScaling;
  // At nothing, an autoscaler that cannot look at a node would stay there for ever.
  const min = autoScaling.min === 0 && !scalesFromZero ? 1 : autoScaling.min;
  return {
    replicas: Math.min(Math.max(current ?? 0, min), max),
    annotations: {
      [AUTOSCALER_MIN_ANNOTATION]: String(min),
      [AUTOSCALER_MAX_ANNOTATION]: String(max),
      ...(min === 0
        ? capacity(spec)
        : { [CAPACITY_LABELS_ANNOTATION]: undefined, [CAPACITY_TAINTS_ANNOTATION]: undefined }),
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
