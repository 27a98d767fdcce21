import { cutText, formatTime, MAX_CONDITION_MESSAGE } from '@capstan/meta';
import type { LeftPod } from './steps/drain.js';

/** A drain that takes longer is reported: as long as drains of Machines that are deleted. */
const REPORT_AFTER_MS = 5 * 60_000;
const ADVICE = ': help them, or set spec.nodeDrainTimeout';
/** Of the name of a pod: what keeps it is to be read too. */
const MAX_POD = 50;
const BUDGET = /disruption budget (\S+) needs (\d+) healthy pods and has (\d+) currently/;

/** A node that is being drained. */
export interface Draining {
  readonly node: string;
  /** Milliseconds since the epoch. */
  readonly sinceMs: number;
  readonly left: readonly LeftPod[];
}

/** What to report of nodes that cannot be drained: of the first by name, with what to do; undefined while none takes long. */
export function blockedText(draining: readonly Draining[], nowMs: number): string | undefined {
  const late = draining
    .filter(({ left, sinceMs }) => left.length > 0 && nowMs - sinceMs >= REPORT_AFTER_MS)
    .toSorted((a, b) => (a.node < b.node ? -1 : 1));
  const [first] = late;
  if (first === undefined) return undefined;
  const pod = first.left.find(({ refusal }) => refusal !== undefined) ?? first.left[0];
  const more = late.length > 1 ? ` (and ${late.length - 1} more)` : '';
  const since = formatTime(first.sinceMs);
  const text = `Node ${first.node}${more}: draining since ${since}: ${causeOf(pod)}`;
  return `${cutText(text, MAX_CONDITION_MESSAGE - ADVICE.length)}${ADVICE}`;
}

function causeOf(left: LeftPod | undefined): string {
  const { pod = '', refusal = '' } = left ?? {};
  const [, budget, needs, has] = BUDGET.exec(refusal) ?? [];
  const why = budget === undefined ? 'does not leave' : `PodDisruptionBudget ${budget} needs ${needs} pods, has ${has}`;
  return `Pod ${cutText(pod, MAX_POD)}: ${why}`;
}
