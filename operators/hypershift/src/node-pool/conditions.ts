import type { NodePool, NodePoolCondition } from '@capstan/api/hypershift';
import { removeCondition, setCondition } from '@capstan/meta';
import type { Condition, ConditionStatus } from '@capstan/meta';

/** Types of conditions that this controller writes. */
export const TYPES = {
  autoscaling: 'AutoscalingEnabled',
  management: 'UpdateManagementEnabled',
  releaseImage: 'ValidReleaseImage',
  ignitionEndpoint: 'IgnitionEndpointAvailable',
  architecture: 'ValidArchPlatform',
  active: 'ReconciliationActive',
  skew: 'SupportedVersionSkew',
  machineConfig: 'ValidMachineConfig',
  tuningConfig: 'ValidTuningConfig',
  updatingConfig: 'UpdatingConfig',
  updatingVersion: 'UpdatingVersion',
  payload: 'ValidGeneratedPayload',
  reachedIgnition: 'ReachedIgnitionEndpoint',
  machinesReady: 'AllMachinesReady',
  nodesHealthy: 'AllNodesHealthy',
  networkConflict: 'ClusterNetworkCIDRConflict',
  platformConfig: 'ValidPlatformConfig',
  machineTemplate: 'ValidMachineTemplate',
  updatingTemplate: 'UpdatingPlatformMachineTemplate',
  autorepair: 'AutorepairEnabled',
  ready: 'Ready',
} as const;

export type ConditionType = (typeof TYPES)[keyof typeof TYPES];

/** Reasons, as the field has them. */
export const REASONS = {
  asExpected: 'AsExpected',
  failed: 'ValidationFailed',
  notFound: 'NotFound',
} as const;

export const ALL_IS_WELL = 'All is well';

/** What a condition is to say. */
export interface Saying {
  readonly status: ConditionStatus;
  readonly reason: string;
  readonly message?: string | undefined;
  /** Whether somebody has to change something: then an event tells it too. */
  readonly isFault?: boolean | undefined;
  /** Parts of the message that are worth an event each, when they were not said before. */
  readonly news?: readonly News[] | undefined;
}

export interface News {
  readonly reason: string;
  readonly message: string;
}

/** What was found out about a pool so far; what is not mentioned stays as it was. */
export class Sayings {
  readonly #said = new Map<ConditionType, Saying | undefined>();

  say(type: ConditionType, saying: Saying): void {
    this.#said.set(type, saying);
  }

  good(type: ConditionType, message = ''): void {
    this.say(type, { status: 'True', reason: REASONS.asExpected, message });
  }

  /** Something the user has to mend. */
  fault(type: ConditionType, message: string, reason: string = REASONS.failed): void {
    this.say(type, { status: 'False', reason, message, isFault: true });
  }

  /** The condition is not there at all. */
  retract(type: ConditionType): void {
    this.#said.set(type, undefined);
  }

  get(type: ConditionType): Saying | undefined {
    return this.#said.get(type);
  }

  [Symbol.iterator](): Iterator<[ConditionType, Saying | undefined]> {
    return this.#said.entries();
  }
}

/** The condition of a type, as it was when the pool was read. */
export function conditionOf(pool: NodePool, type: ConditionType): NodePoolCondition | undefined {
  return pool.status?.conditions?.find((condition) => condition.type === type);
}

export interface Merged {
  readonly conditions: NodePoolCondition[];
  /** Faults that were not said before in these words. */
  readonly news: readonly News[];
  /** Types that have come to say yes. */
  readonly fulfilled: readonly string[];
}

function plain({ lastTransitionTime, message, observedGeneration, reason, status, type }: Condition): Condition {
  const observed = observedGeneration === undefined ? {} : { observedGeneration };
  return { type, status, ...observed, lastTransitionTime, reason, message };
}

function isSaid(condition: Condition | undefined, part: string): boolean {
  return condition?.message.includes(part) === true;
}

/** The conditions of a pool after what was found out. Those of others stay, and so do times of what did not change. */
export function mergeConditions(pool: NodePool, sayings: Sayings, now: string): Merged {
  const types = new Set<string>(Object.values(TYPES));
  // The schema has fields that are none of ours to fill: in our conditions they are somebody else's words.
  const before: readonly Condition[] = ((pool.status?.conditions ?? []) as readonly Condition[]).map((condition) =>
    types.has(condition.type) ? plain(condition) : condition,
  );
  const { generation } = pool.metadata;
  const observed = generation === undefined ? {} : { observedGeneration: generation };
  const said = [...sayings].flatMap(([type, saying]) => (saying === undefined ? [] : [{ type, ...saying }]));
  const old = (type: string): Condition | undefined => before.find((condition) => condition.type === type);
  let conditions = before;
  for (const [type, saying] of sayings) if (saying === undefined) conditions = removeCondition(conditions, type);
  for (const { message = '', reason, status, type } of said)
    conditions = setCondition(conditions, { type, status, reason, message, ...observed }, now);
  return {
    conditions: conditions as NodePoolCondition[],
    news: [
      ...said
        .filter(({ isFault }) => isFault === true)
        .filter(({ message, reason, type }) => old(type)?.reason !== reason || old(type)?.message !== message)
        .map(({ message = '', reason }) => ({ reason, message })),
      ...said.flatMap(({ news = [], type }) => news.filter(({ message }) => !isSaid(old(type), message))),
    ],
    fulfilled: said
      .filter(({ status, type }) => status === 'True' && old(type)?.status !== 'True')
      .map(({ type }) => type),
  };
}
