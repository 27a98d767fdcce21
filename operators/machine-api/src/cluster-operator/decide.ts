/** What ClusterOperator/machine-api reports of all resources together. Pure. */
import { cutText, MAX_CONDITION_MESSAGE, instantToMs, parseTime } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import { findCondition, HANDOVER, SYNCHRONIZED } from '../shared/conditions.js';
import type { Authored, MachineCondition } from '../shared/model.js';
import { wantedAuthority } from '../shared/model.js';

/** The condition of this operator among those of Machine API. */
export const OPERATOR_CONDITION = 'MachineAPIMigrationDegraded';

/** What is over by then is no news: a resource that was just created is not synchronized either. */
export const UNSYNCHRONIZED_MS = 300_000;
/** As long as the alert waits. */
export const PENDING_MS = 1_800_000;
const MOST_NAMED = 3;

/** Its reasons. */
export const OPERATOR_REASONS = {
  asExpected: 'AsExpected',
  idle: 'Idle',
  unsynchronized: 'ResourcesNotSynchronized',
  pending: 'AuthorityNotChanged',
} as const;

type Report = Omit<Condition, 'lastTransitionTime'>;
type Trouble = readonly [text: string, name: string];

/** The condition while there is nothing to synchronize. */
export function idleCondition(reason: string): Report {
  return { type: OPERATOR_CONDITION, status: 'False', reason: OPERATOR_REASONS.idle, message: reason };
}

/** The condition that all resources come to: it names no durations, or it would be written again and again. */
export function operatorCondition(
  resources: Iterable<readonly [kind: string, object: Authored]>,
  nowMs: number,
): Report {
  const all = [...resources];
  const unsynchronized = all.flatMap(([kind, object]) => unsynchronizedIn(kind, object, nowMs));
  const pending = all.flatMap(([kind, object]) => pendingIn(kind, object, nowMs));
  const troubles = [...grouped(unsynchronized), ...grouped(pending)];
  if (troubles.length === 0)
    return {
      type: OPERATOR_CONDITION,
      status: 'False',
      reason: OPERATOR_REASONS.asExpected,
      message: 'All resources are synchronized',
    };
  const reason = unsynchronized.length > 0 ? OPERATOR_REASONS.unsynchronized : OPERATOR_REASONS.pending;
  return {
    type: OPERATOR_CONDITION,
    status: 'True',
    reason,
    message: cutText(troubles.join('\n'), MAX_CONDITION_MESSAGE),
  };
}

function unsynchronizedIn(kind: string, object: Authored, nowMs: number): readonly Trouble[] {
  const found = findCondition(object, SYNCHRONIZED);
  if (found?.status !== 'False' || !isOlder(found, UNSYNCHRONIZED_MS, nowMs)) return [];
  return [[`${kind} not synchronized: ${found.reason ?? ''}`, object.metadata.name ?? '']];
}

function pendingIn(kind: string, object: Authored, nowMs: number): readonly Trouble[] {
  const found = findCondition(object, HANDOVER);
  if (found?.status !== 'False' || !isAsked(object) || !isOlder(found, PENDING_MS, nowMs)) return [];
  return [[`${kind} not moved to ${wantedAuthority(object)}: ${found.reason ?? ''}`, object.metadata.name ?? '']];
}

/** One that is not asked to move waits for nothing, whatever a condition still reports. */
function isAsked(object: Authored): boolean {
  return object.status?.authoritativeAPI !== wantedAuthority(object);
}

function isOlder({ lastTransitionTime }: MachineCondition, ms: number, nowMs: number): boolean {
  return nowMs - instantToMs(parseTime(lastTransitionTime)) >= ms;
}

/** A line for each kind and reason, in a stable order. */
function grouped(troubles: readonly Trouble[]): readonly string[] {
  const names = new Map<string, string[]>();
  for (const [text, name] of troubles) names.set(text, [...(names.get(text) ?? []), name]);
  return [...names.keys()].toSorted().map((text) => {
    const all = names.get(text)?.toSorted() ?? [];
    const more = all.length > MOST_NAMED ? ` and ${all.length - MOST_NAMED} more` : '';
    return `${all.length} ${text} (${all.slice(0, MOST_NAMED).join(', ')}${more})`;
  });
}
