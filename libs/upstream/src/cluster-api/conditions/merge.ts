import type { Condition, ConditionStatus } from '@capstan/meta';
import { labels } from '../names.js';
import type { Conditioned } from '../types.js';
import type { ConditionText } from './conditions.js';
import { aggregateMessages, summaryMessage } from './messages.js';

/** How much a condition weighs when several become one. */
export type Weight = 'issue' | 'unknown' | 'info';

/** The reasons of a merged condition: when something is wrong, when it is not known, when all is well. */
export interface MergeReasons {
  readonly issue: string;
  readonly unknown: string;
  readonly info: string;
}

/** A condition, and the object it stands on. */
export interface Located {
  readonly condition: Pick<Condition, 'type' | 'status' | 'reason' | 'message'> & { lastTransitionTime?: string };
  readonly kind: string;
  readonly name: string;
  readonly isControlPlaneMachine: boolean;
}

const DEFAULT_REASONS: MergeReasons = { issue: 'IssuesReported', unknown: 'UnknownReported', info: 'InfoReported' };

/** The weight of a condition; of those with negative polarity True is bad. */
export function weightOf(condition: { type: string; status: ConditionStatus }, negative: readonly string[]): Weight {
  if (condition.status === 'Unknown') return 'unknown';
  return (condition.status === 'True') === negative.includes(condition.type) ? 'issue' : 'info';
}

function place(object: Conditioned): Omit<Located, 'condition'> {
  const { kind, metadata } = object;
  const isControlPlaneMachine = kind === 'Machine' && metadata.labels?.[labels.controlPlane] !== undefined;
  return { kind, name: metadata.name ?? '', isControlPlaneMachine };
}

function verdict(weights: readonly Weight[], isPositive: boolean): { status: ConditionStatus; weight: Weight } {
  if (weights.includes('issue')) return { status: isPositive ? 'False' : 'True', weight: 'issue' };
  if (weights.includes('unknown')) return { status: 'Unknown', weight: 'unknown' };
  return { status: isPositive ? 'True' : 'False', weight: 'info' };
}

/** How conditions of many objects become one. */
export interface Aggregation {
  readonly from: string;
  readonly to: string;
  readonly reasons?: MergeReasons | undefined;
  /** True is bad, of the sources and of the result. */
  readonly isNegative?: boolean | undefined;
}

/** One condition that aggregates the same condition of many objects. There must be at least one object. */
export function aggregate(objects: readonly Conditioned[], aggregation: Aggregation): ConditionText {
  const { from, to, reasons = DEFAULT_REASONS, isNegative = false } = aggregation;
  const negative = isNegative ? [from] : [];
  const located = objects
    .map((object): Located => {
      const known = object.status?.conditions?.find(({ type }) => type === from);
      const message = `Condition ${from} not yet reported`;
      const condition = known ?? ({ type: from, status: 'Unknown', reason: 'NotYetReported', message } as const);
      return { condition, ...place(object) };
    })
    .toSorted(byTime);
  const weigh = ({ condition }: Located): Weight => weightOf(condition, negative);
  const { status, weight } = verdict(located.map(weigh), !isNegative);
  return { type: to, status, reason: reasons[weight], message: aggregateMessages(located, weigh).join('\n') };
}

/** The earliest transition; conditions without a time come first. */
function byTime(a: Located, b: Located): number {
  const [first, second] = [a.condition.lastTransitionTime ?? '', b.condition.lastTransitionTime ?? ''];
  if (first === second) return 0;
  return first < second ? -1 : 1;
}

/** How conditions of one object become one. */
export interface Summary {
  readonly to: string;
  /** Which count, in this order. */
  readonly of: readonly string[];
  readonly reasons: MergeReasons;
  readonly negative: readonly string[];
  readonly ignoredWhenMissing?: readonly string[] | undefined;
  /** Stands in for a condition of the object. */
  readonly override?: ConditionText | undefined;
  /** Weighs a condition otherwise than its polarity does. */
  readonly weigh?: ((condition: { type: string; reason: string }) => Weight | undefined) | undefined;
  readonly editMessages?: ((messages: string[]) => string[]) | undefined;
}

/** One condition that summarizes several conditions of one object. */
export function summarize(object: Conditioned, summary: Summary): ConditionText {
  const { of, to, reasons, negative, ignoredWhenMissing = [], override, weigh } = summary;
  const at = place(object);
  const located = [...new Set(of)].flatMap((type): Located[] => {
    const known = object.status?.conditions?.find((condition) => condition.type === type);
    if (known !== undefined) {
      const condition = override?.type === type ? { ...override, message: override.message ?? '' } : known;
      return [{ condition: condition as Located['condition'], ...at }];
    }
    if (ignoredWhenMissing.includes(type)) return [];
    const missing = {
      type,
      status: 'Unknown',
      reason: 'NotYetReported',
      message: 'Condition not yet reported',
    } as const;
    return [{ condition: missing, ...at }];
  });
  const weightAt = ({ condition }: Located): Weight => weigh?.(condition) ?? weightOf(condition, negative);
  const { status, weight } = verdict(located.map(weightAt), true);
  const messages = summaryMessage(located, weightAt, status);
  return {
    type: to,
    status,
    reason: reasons[weight],
    message: (summary.editMessages?.(messages) ?? messages).join('\n'),
  };
}
