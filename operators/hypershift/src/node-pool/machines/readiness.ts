import { ALL_IS_WELL, NODE_POOL_REASONS, NODE_POOL_CONDITIONS } from '@capstan/hosting';
import type { Machine } from '@capstan/api/cluster-api';
import { getCondition, minOf } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import type { ConditionValue, ConditionSet } from '../conditions.js';
import type { Snapshot } from '../snapshot.js';
import { drainLeftMs, stuckOf } from './stuck.js';

const MOST_OF_A_REASON = 1000;
const MOST_OF_A_MESSAGE = 3000;
const MOST_REASONS = 1024;

/** Progress such as `1 of 2 completed` does not help the reader of a NodePool. */
const STEPS = /\d+ of \d+ completed/;

interface Complaint {
  readonly reason: string;
  readonly line: string;
  /** Whether the user has to act. */
  readonly isStuck?: boolean | undefined;
}

function complaint({ metadata }: Machine, reason: string, message: string): Complaint {
  const detail = message === '' || STEPS.test(message) ? '' : `: ${message}`;
  return { reason, line: `Machine ${metadata.name}: ${reason}${detail}\n` };
}

function find(machine: Machine, type: string): Condition | undefined {
  return getCondition(machine.status?.conditions as readonly Condition[] | undefined, type);
}

/** Why a machine is not ready: first what only the user can fix, then its infrastructure, which is more specific than Ready. */
function notReady(machine: Machine, snapshot: Snapshot): Complaint | undefined {
  const stuck = stuckOf(machine, snapshot);
  if (stuck !== undefined) return { ...complaint(machine, stuck.reason, stuck.message), isStuck: true };
  const ready = find(machine, 'Ready');
  if (ready?.status === 'True') return undefined;
  if (ready === undefined) return complaint(machine, 'WaitingForInfrastructure', '');
  const infrastructure = find(machine, 'InfrastructureReady');
  const isSpecific =
    infrastructure !== undefined && infrastructure.status !== 'True' && !STEPS.test(infrastructure.message);
  const { message, reason } = isSpecific ? infrastructure : ready;
  return complaint(machine, reason, message);
}

function notHealthy(machine: Machine): Complaint | undefined {
  const healthy = find(machine, 'NodeHealthy');
  if (healthy?.status === 'True') return undefined;
  return complaint(machine, healthy?.reason ?? 'WaitingForNodeRef', healthy?.message ?? '');
}

/** As many lines as fit, and a note where some do not. */
function fitting(lines: readonly string[], most: number, more: string): string {
  let text = '';
  for (const line of lines) {
    if (text.length + line.length > most) return text + more;
    text += line;
  }
  return text;
}

/** Sorted throughout: the order machines are listed in must not make a difference. */
function summary(
  complaints: readonly Complaint[],
  all: number,
  state: string,
): Pick<ConditionValue, 'reason' | 'message'> {
  const reasons = [...new Set(complaints.map(({ reason }) => reason))].toSorted();
  const blocks = reasons.map((reason) => {
    const lines = complaints.filter((each) => each.reason === reason).map(({ line }) => line);
    return fitting(lines.toSorted(), MOST_OF_A_REASON, '... too many similar errors\n');
  });
  const head = `${complaints.length} of ${all} machines are not ${state}\n`;
  const listed = reasons.map((reason, at) => (at === 0 ? reason : `,${reason}`));
  return {
    reason: fitting(listed, MOST_REASONS - ',ReasonsTruncated'.length, ',ReasonsTruncated'),
    message: fitting([head, ...blocks], MOST_OF_A_MESSAGE, '... message truncated\n'),
  };
}

function aggregate(
  snapshot: Snapshot,
  {
    problemOf,
    state,
  }: { readonly problemOf: (machine: Machine, snapshot: Snapshot) => Complaint | undefined; readonly state: string },
): ConditionValue {
  const { machines } = snapshot.existing;
  const { spec } = snapshot.nodePool;
  if (machines.length === 0) {
    const isWanted = spec.replicas !== 0;
    return isWanted
      ? { status: 'False', reason: NODE_POOL_REASONS.notFound, message: 'No Machines are created' }
      : { status: 'False', reason: NODE_POOL_REASONS.asExpected, message: 'NodePool set to no replicas' };
  }
  const complaints = machines.map((machine) => problemOf(machine, snapshot)).filter((each) => each !== undefined);
  if (complaints.length === 0) return { status: 'True', reason: NODE_POOL_REASONS.asExpected, message: ALL_IS_WELL };
  const events = complaints
    .filter(({ isStuck }) => isStuck === true)
    .map(({ line, reason }) => ({ reason, message: line.trimEnd() }));
  return { status: 'False', ...summary(complaints, machines.length, state), events };
}

/** Sets AllMachinesReady and AllNodesHealthy. Returns after how long a drain becomes worth reporting. */
export function setReadiness(snapshot: Snapshot, conditions: ConditionSet): number | undefined {
  conditions.set(NODE_POOL_CONDITIONS.machinesReady, aggregate(snapshot, { problemOf: notReady, state: 'ready' }));
  conditions.set(NODE_POOL_CONDITIONS.nodesHealthy, aggregate(snapshot, { problemOf: notHealthy, state: 'healthy' }));
  const left = snapshot.existing.machines
    .map((machine) => drainLeftMs(machine, snapshot.nowMs) ?? 0)
    .filter((ms) => ms > 0);
  return left.length === 0 ? undefined : minOf(left);
}
