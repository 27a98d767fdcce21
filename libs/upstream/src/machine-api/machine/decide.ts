import { instantToMs, parseTime } from '@capstan/meta';
import type { Instance } from '../../cloud/instance.js';
import { findCondition, isTrue } from '../conditions.js';
import { CLUSTER_LABEL, EXCLUDE_DRAIN_ANNOTATION, MACHINE_FINALIZER } from '../names.js';
import type { Machine } from '../resources.js';

/** How long a machine waits for its cloud. */
export interface MachineIntervals {
  /** How long a cloud may omit a new instance from its lists. */
  readonly listingLagMs: number;
  /** Between two reconciles of what is under way. */
  readonly lookAgainMs: number;
}

/** Enough for the supported clouds. */
export const DEFAULT_INTERVALS: MachineIntervals = { listingLagMs: 120_000, lookAgainMs: 30_000 };

/** What stage of its life a machine is in, before the cloud is asked. */
export type Stage =
  | { readonly stage: 'invalid'; readonly message: string }
  | { readonly stage: 'unguarded' }
  | { readonly stage: 'going' }
  | { readonly stage: 'gone' }
  | { readonly stage: 'failed' }
  | { readonly stage: 'living' };

/** Decides what there is to do for a machine at all. */
export function decideStage(machine: Machine): Stage {
  const { deletionTimestamp, finalizers = [], name = '' } = machine.metadata;
  const problems = problemsOf(machine);
  if (problems.length > 0)
    return { stage: 'invalid', message: `${name}: machine validation failed: ${problems.join(', ')}` };
  const isGuarded = finalizers.includes(MACHINE_FINALIZER);
  if (deletionTimestamp != null) return { stage: isGuarded ? 'going' : 'gone' };
  if (!isGuarded) return { stage: 'unguarded' };
  return { stage: machine.status?.phase === 'Failed' ? 'failed' : 'living' };
}

function problemsOf({ metadata: { labels = {} }, spec }: Machine): string[] {
  const problems: string[] = [];
  if ((labels[CLUSTER_LABEL] ?? '') === '')
    problems.push(`spec.labels: Invalid value: ${JSON.stringify(labels)}: missing ${CLUSTER_LABEL} label.`);
  if (spec?.providerSpec?.value === undefined)
    problems.push('spec.spec.providerspec: Invalid value: {}: value field must be set');
  return problems;
}

/** What the cloud's answer means for a machine that is to live. */
export type LivingStep =
  | { readonly step: 'follow'; readonly instance: Instance }
  /** Too early to report it as lost: a cloud is slow to list a new instance. */
  | { readonly step: 'wait'; readonly ms: number }
  | { readonly step: 'fail'; readonly message: string }
  | { readonly step: 'announce' }
  | { readonly step: 'create' };

/** Whether the machine was ever given an instance. */
export function isProvisioned({ spec, status }: Machine): boolean {
  return (status?.addresses ?? []).length > 0 || (spec?.providerID ?? '') !== '';
}

/** Decides by what was found: `instance` is the one that carries the machine's tag. */
export function decideLiving(
  machine: Machine,
  instance: Instance | undefined,
  nowMs: number,
  { listingLagMs, lookAgainMs }: MachineIntervals = DEFAULT_INTERVALS,
): LivingStep {
  if (instance !== undefined) return { step: 'follow', instance };
  if (isProvisioned(machine)) {
    const sinceMs = nowMs - createdAtMs(machine);
    if (sinceMs < listingLagMs) return { step: 'wait', ms: Math.min(lookAgainMs, Math.ceil(listingLagMs - sinceMs)) };
    return { step: 'fail', message: "can't find created instance" };
  }
  return (machine.status?.phase ?? '') === '' ? { step: 'announce' } : { step: 'create' };
}

/** When the machine's instance was first known; long ago when nothing records it. */
function createdAtMs({ status }: Machine): number {
  const time = findCondition(status?.conditions, 'InstanceExists')?.lastTransitionTime;
  return time === undefined ? Number.NEGATIVE_INFINITY : timeMs(time);
}

/** What is next for a machine that is to go. */
export type GoingStep =
  | { readonly step: 'announce' }
  | { readonly step: 'held-before-drain' }
  | { readonly step: 'drain' }
  | { readonly step: 'skip-drain' }
  | { readonly step: 'held-before-terminate' }
  | { readonly step: 'terminate' };

/** The order of deletion: report it, drain unless held or pointless, terminate unless held. */
export function decideGoing(machine: Machine): GoingStep {
  const { metadata, status } = machine;
  if (status?.phase !== 'Deleting') return { step: 'announce' };
  if (isTrue(status.conditions, 'Drained'))
    return { step: isHeld(machine, 'preTerminate') ? 'held-before-terminate' : 'terminate' };
  const isExcluded = metadata.annotations?.[EXCLUDE_DRAIN_ANNOTATION] !== undefined;
  if (isExcluded || status.nodeRef === undefined) return { step: 'skip-drain' };
  return { step: isHeld(machine, 'preDrain') ? 'held-before-drain' : 'drain' };
}

function isHeld({ spec }: Machine, hook: 'preDrain' | 'preTerminate'): boolean {
  return (spec?.lifecycleHooks?.[hook] ?? []).length > 0;
}

/** What the cloud's answer means for a machine whose instance is to go. */
export type LeavingStep =
  /** Created, and never recorded: without its identity its node could not be found later. */
  | { readonly step: 'write-down'; readonly instance: Instance }
  | { readonly step: 'terminate'; readonly ids: readonly string[] }
  | { readonly step: 'wait'; readonly ms: number }
  | { readonly step: 'release' };

/**
 * Nothing found is not yet nothing there: an instance ordered a moment ago may not be listed so far, and nobody else
 * would ever end it. So a machine that may have ordered one waits for the lists to catch up. `emptySinceMs` is since when
 * this process has found nothing: of what another ordered before it died there may be no trace at all.
 */
export function decideLeaving(
  machine: Machine,
  instances: readonly Instance[],
  { nowMs, emptySinceMs }: { readonly nowMs: number; readonly emptySinceMs: number },
  { listingLagMs, lookAgainMs }: MachineIntervals = DEFAULT_INTERVALS,
): LeavingStep {
  const [first] = instances;
  if (first !== undefined && !isProvisioned(machine)) return { step: 'write-down', instance: first };
  const ids = instances.filter(({ state }) => state !== 'stopping').map(({ id }) => id);
  if (ids.length > 0) return { step: 'terminate', ids };
  if (instances.length > 0) return { step: 'wait', ms: lookAgainMs };
  const leftMs = lastOrderMs(machine, emptySinceMs) + listingLagMs - nowMs;
  return leftMs > 0 ? { step: 'wait', ms: Math.ceil(leftMs) } : { step: 'release' };
}

/** The latest moment at which an instance may have been ordered for a machine that is going. */
function lastOrderMs(machine: Machine, emptySinceMs: number): number {
  const { status } = machine;
  if (isProvisioned(machine)) return createdAtMs(machine);
  const hasOrdered = findCondition(status?.conditions, 'InstanceExists') !== undefined;
  // A refusal for good proves that there is none.
  if (!hasOrdered || status?.errorReason === 'InvalidConfiguration') return Number.NEGATIVE_INFINITY;
  return emptySinceMs;
}

/** Milliseconds of a time the API wrote. */
export function timeMs(text: string): number {
  return instantToMs(parseTime(text));
}
