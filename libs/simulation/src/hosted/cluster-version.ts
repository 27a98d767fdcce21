import { deepEqual } from '@capstan/meta';
import type { KubeObject } from '@capstan/meta';

interface HistoryEntry {
  readonly state: 'Completed' | 'Partial';
  readonly startedTime: string;
  readonly completionTime: string | null;
  readonly version: string;
  readonly image: string;
  readonly verified: boolean;
}

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime: string;
}

/** A ClusterVersion, with the fields that its operator reads. */
export interface ClusterVersion extends KubeObject {
  readonly spec?: { readonly channel?: string; readonly clusterID?: string };
  readonly status?: ClusterVersionStatus;
}

export interface ClusterVersionStatus {
  readonly desired: { readonly version: string; readonly image: string };
  readonly history: readonly HistoryEntry[];
  readonly observedGeneration: number;
  readonly versionHash: string;
  readonly availableUpdates: null;
  readonly conditions: readonly Condition[];
}

export interface VersionFacts {
  /** By digest. */
  readonly image: string;
  readonly version: string;
  /** Whether anything can run there that a release brings: without a node no release is complete. */
  readonly hasNodes: boolean;
  readonly now: string;
}

const MOST_ENTRIES = 100;

/** The status a ClusterVersion should have; undefined when it has it. */
export function nextVersionStatus(version: ClusterVersion, facts: VersionFacts): ClusterVersionStatus | undefined {
  const { image, now } = facts;
  const history = historyOf(version.status?.history ?? [], facts);
  const next: ClusterVersionStatus = {
    desired: { version: facts.version, image },
    history,
    observedGeneration: version.metadata.generation ?? 1,
    versionHash: image.slice(-12),
    availableUpdates: null,
    conditions: conditionsOf(history, facts, version).map((condition) => {
      const before = version.status?.conditions.find(({ type }) => type === condition.type);
      const since = before?.status === condition.status ? before.lastTransitionTime : now;
      return { ...condition, lastTransitionTime: since };
    }),
  };
  return deepEqual({ ...version.status, ...next }, version.status) ? undefined : next;
}

function historyOf(before: readonly HistoryEntry[], facts: VersionFacts): readonly HistoryEntry[] {
  const { hasNodes, image, now, version } = facts;
  const [newest, ...older] = before;
  if (newest?.image !== image) {
    const closed = newest?.completionTime === null ? [{ ...newest, completionTime: now }, ...older] : before;
    const begun: HistoryEntry = {
      state: 'Partial',
      startedTime: now,
      completionTime: null,
      version,
      image,
      verified: false,
    };
    return [begun, ...closed].slice(0, MOST_ENTRIES);
  }
  if (newest.state === 'Completed' || !hasNodes) return before;
  return [{ ...newest, state: 'Completed', completionTime: now }, ...older];
}

type ConditionText = Omit<Condition, 'lastTransitionTime'>;

function conditionsOf(
  history: readonly HistoryEntry[],
  { version }: VersionFacts,
  { spec }: ClusterVersion,
): ConditionText[] {
  const isDone = history[0]?.state === 'Completed';
  const wasDone = history.some(({ state }) => state === 'Completed');
  const done = history.find(({ state }) => state === 'Completed')?.version ?? version;
  const waiting = `Working towards ${version}: waiting for nodes`;
  return [
    wasDone
      ? { type: 'Available', status: 'True', message: `Done applying ${done}` }
      : { type: 'Available', status: 'False' },
    isDone
      ? { type: 'Progressing', status: 'False', message: `Cluster version is ${version}` }
      : { type: 'Progressing', status: 'True', reason: 'ClusterOperatorsUpdating', message: waiting },
    { type: 'Failing', status: 'False' },
    {
      type: 'ReleaseAccepted',
      status: 'True',
      reason: 'PayloadLoaded',
      message: `Payload loaded version="${version}"`,
    },
    spec?.channel === undefined
      ? {
          type: 'RetrievedUpdates',
          status: 'False',
          reason: 'NoChannel',
          message: 'The update channel has not been configured.',
        }
      : { type: 'RetrievedUpdates', status: 'True' },
    { type: 'Upgradeable', status: 'True' },
  ];
}
