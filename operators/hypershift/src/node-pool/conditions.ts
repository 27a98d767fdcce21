import type { NodePool, NodePoolCondition } from '@capstan/api/hypershift';
import { NODE_POOL_CONDITIONS, NODE_POOL_REASONS } from '@capstan/hosting';
import type { NodePoolConditionType } from '@capstan/hosting';
import { removeCondition, setCondition } from '@capstan/meta';
import type { Condition, ConditionStatus } from '@capstan/meta';

/** Status, reason and message of a condition. */
export interface ConditionValue {
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message?: string | undefined;
  /** Whether the user has to fix something: then it is a warning event too. */
  readonly isFault?: boolean | undefined;
  /** Parts of the message that are an event each, unless the condition had them before. */
  readonly events?: readonly ConditionEvent[] | undefined;
}

export interface ConditionEvent {
  readonly reason: string;
  readonly message: string;
}

/** The conditions that a reconcile has decided; a type that is not in the set keeps its condition. */
export class ConditionSet {
  /** Undefined for a condition that is removed. */
  readonly #values = new Map<NodePoolConditionType, ConditionValue | undefined>();

  set(type: NodePoolConditionType, value: ConditionValue): void {
    this.#values.set(type, value);
  }

  setTrue(type: NodePoolConditionType, message = ''): void {
    this.set(type, { status: 'True', reason: NODE_POOL_REASONS.asExpected, message });
  }

  /** Sets a condition to false that the user has to fix. */
  setFault(type: NodePoolConditionType, message: string, reason: string = NODE_POOL_REASONS.failed): void {
    this.set(type, { status: 'False', reason, message, isFault: true });
  }

  remove(type: NodePoolConditionType): void {
    this.#values.set(type, undefined);
  }

  get(type: NodePoolConditionType): ConditionValue | undefined {
    return this.#values.get(type);
  }

  [Symbol.iterator](): Iterator<[NodePoolConditionType, ConditionValue | undefined]> {
    return this.#values.entries();
  }
}

/** The condition of a type, as it was when the NodePool was read. */
export function conditionOf(pool: NodePool, type: NodePoolConditionType): NodePoolCondition | undefined {
  return pool.status?.conditions?.find((condition) => condition.type === type);
}

export interface MergedConditions {
  readonly conditions: NodePoolCondition[];
  /** Warning events of faults that are new or have another message. */
  readonly events: readonly ConditionEvent[];
  /** Types that have become true. */
  readonly fulfilled: readonly string[];
}

function plain({ lastTransitionTime, message, observedGeneration, reason, status, type }: Condition): Condition {
  const observed = observedGeneration === undefined ? {} : { observedGeneration };
  return { type, status, ...observed, lastTransitionTime, reason, message };
}

/** The conditions of a NodePool after a reconcile. Conditions of other types are kept, and so are the times of those that did not change. */
export function mergeConditions(pool: NodePool, decided: ConditionSet, now: string): MergedConditions {
  const types = new Set<string>(Object.values(NODE_POOL_CONDITIONS));
  // The schema allows more fields than this controller writes: another client added them to our conditions.
  const before: readonly Condition[] = ((pool.status?.conditions ?? []) as readonly Condition[]).map((condition) =>
    types.has(condition.type) ? plain(condition) : condition,
  );
  const { generation } = pool.metadata;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const values = [...decided].flatMap(([type, value]) => (value === undefined ? [] : [{ type, ...value }]));
  const old = (type: string): Condition | undefined => before.find((condition) => condition.type === type);
  let conditions = before;
  for (const [type, value] of decided) if (value === undefined) conditions = removeCondition(conditions, type);
  for (const { message = '', reason, status, type } of values)
    conditions = setCondition(conditions, { type, status, reason, message, ...observed }, now);
  return {
    conditions: conditions as NodePoolCondition[],
    events: [
      ...values
        .filter(({ isFault }) => isFault === true)
        .filter(({ message, reason, type }) => old(type)?.reason !== reason || old(type)?.message !== message)
        .map(({ message = '', reason }) => ({ reason, message })),
      ...values.flatMap(({ events = [], type }) =>
        events.filter(({ message }) => old(type)?.message.includes(message) !== true),
      ),
    ],
    fulfilled: values
      .filter(({ status, type }) => status === 'True' && old(type)?.status !== 'True')
      .map(({ type }) => type),
  };
}
