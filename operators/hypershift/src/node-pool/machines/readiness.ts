import type { Machine } from '@capstan/api/cluster-api';
import { getCondition, minOf } from '@capstan/meta';
import type { Condition } from '@capstan/meta';
import { ALL_IS_WELL, REASONS, TYPES } from '../conditions.js';
import type { Saying, Sayings } from '../conditions.js';
import type { Facts } from '../facts.js';
import { drainLeftMs, stuckOf } from './stuck.js';

const MOST_OF_A_REASON = 1000;
const MOST_OF_A_MESSAGE = 3000;
const MOST_REASONS = 1024;

/** `1 of 2 completed` says nothing to whoever reads the pool. */
const STEPS = /\d+ of \d+ completed/;

interface Complaint {
  readonly reason: string;
  readonly line: string;
  /** Whether somebody has to do something. */
  readonly isStuck?: boolean | undefined;
}

function complaint({ metadata }: Machine, reason: string, message: string): Complaint {
  const detail = message === '' || STEPS.test(message) ? '' : `: ${message}`;
  return { reason, line: `Machine ${metadata.name}: ${reason}${detail}\n` };
}

function find(machine: Machine, type: string): Condition | undefined {
  return getCondition(machine.status?.conditions as readonly Condition[] | undefined, type);
}

/** Why a machine is not ready: what only somebody can mend, then its infrastructure, which knows better than its summary. */
function notReady(machine: Machine, facts: Facts): Complaint | undefined {
  const stuck = stuckOf(machine, facts);
  if (stuck !== undefined) return { ...complaint(machine, stuck.reason, stuck.message), isStuck: true };
  const ready = find(machine, 'Ready');
  if (ready?.status === 'True') return undefined;
  if (ready === undefined) return complaint(machine, 'WaitingForInfrastructure', '');
  const infrastructure = find(machine, 'InfrastructureReady');
  const isTelling =
    infrastructure !== undefined && infrastructure.status !== 'True' && !STEPS.test(infrastructure.message);
  const { message, reason } = isTelling ? infrastructure : ready;
  return complaint(machine, reason, message);
}

function notHealthy(machine: Machine): Complaint | undefined {
  const healthy = find(machine, 'NodeHealthy');
  if (healthy?.status === 'True') return undefined;
  return complaint(machine, healthy?.reason ?? 'WaitingForNodeRef', healthy?.message ?? '');
}

/** Lines as far as they fit, and a word where they do not. */
function fitting(lines: readonly string[], most: number, more: string): string {
  let text = '';
  for (const line of lines) {
    if (text.length + line.length > most) return text + more;
    text += line;
  }
  return text;
}

/** Sorted throughout: the order machines are listed in must not make a difference. */
function summary(complaints: readonly Complaint[], all: number, state: string): Pick<Saying, 'reason' | 'message'> {
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
  facts: Facts,
  {
    judge,
    state,
  }: { readonly judge: (machine: Machine, facts: Facts) => Complaint | undefined; readonly state: string },
): Saying {
  const { machines } = facts.made;
  const { spec } = facts.nodePool;
  if (machines.length === 0) {
    const isWanted = spec.replicas !== 0;
    return isWanted
      ? { status: 'False', reason: REASONS.notFound, message: 'No Machines are created' }
      : { status: 'False', reason: REASONS.asExpected, message: 'NodePool set to no replicas' };
  }
  const complaints = machines.map((machine) => judge(machine, facts)).filter((each) => each !== undefined);
  if (complaints.length === 0) return { status: 'True', reason: REASONS.asExpected, message: ALL_IS_WELL };
  const news = complaints
    .filter(({ isStuck }) => isStuck === true)
    .map(({ line, reason }) => ({ reason, message: line.trimEnd() }));
  return { status: 'False', ...summary(complaints, machines.length, state), news };
}

/** AllMachinesReady and AllNodesHealthy. Gives when there may be more to say though nothing happens. */
export function sayReadiness(facts: Facts, said: Sayings): number | undefined {
  said.say(TYPES.machinesReady, aggregate(facts, { judge: notReady, state: 'ready' }));
  said.say(TYPES.nodesHealthy, aggregate(facts, { judge: notHealthy, state: 'healthy' }));
  const left = facts.made.machines.map((machine) => drainLeftMs(machine, facts.nowMs) ?? 0).filter((ms) => ms > 0);
  return left.length === 0 ? undefined : minOf(left);
}
