import type { HostedCluster } from '@capstan/api/hypershift';
import { controlPlaneNamespace, HOSTED_CLUSTERS, isOwn, turnOf } from '@capstan/hosting';
import type { CapiEvidence, OperatorMode, Turn } from '@capstan/hosting';
import { objectKey } from '@capstan/kube';
import type { Client, Request } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';
import type { Side } from '@capstan/translate';

/** Whether a control plane namespace has objects of Cluster API in the groups of one side. */
export type ReadEvidence = (side: Side, namespace: string, signal: AbortSignal) => Promise<boolean>;

export interface TurnsOptions {
  readonly mode: OperatorMode;
  /** Asks the server itself. */
  readonly client: Client;
  readonly evidence: ReadEvidence;
  /** What must have ended before this operator acts. Default: nothing. */
  readonly predecessors?: { areGone(signal: AbortSignal): Promise<boolean> } | undefined;
}

/** It is too early to decide: the cache is behind, or an operator from before the upgrade still runs. */
export interface StaleTurn {
  readonly do: 'wait';
  readonly afterMs: number;
}

/** Until a cache that is behind has caught up. */
export const STALE_MS = 1_000;
const STALE: StaleTurn = { do: 'wait', afterMs: STALE_MS };
const PREDECESSORS: StaleTurn = { do: 'wait', afterMs: 5_000 };

/**
 * What this operator does about each HostedCluster. A cache may begin with a state from before a lock that an earlier
 * process has acknowledged: the first decision about each cluster is therefore compared with the server. From then on the
 * cache only goes forward, and a lock that it does not have yet is not acknowledged yet.
 */
export class Turns {
  readonly mode: OperatorMode;
  readonly #options: TurnsOptions;
  /** UIDs of clusters that were compared with the server, by key. */
  readonly #compared = new Map<string, string | undefined>();

  /** Asks the server itself: annotations are corrected by what it has in both groups. */
  readonly client: Client;

  constructor(options: TurnsOptions) {
    this.mode = options.mode;
    this.client = options.client;
    this.#options = options;
  }

  /** Those of the only operator of a management cluster. */
  static alone(client: Client): Turns {
    const evidence = (side: Side): Promise<boolean> => Promise.resolve(side === 'standard');
    return new Turns({ mode: { kind: 'standard' }, client, evidence });
  }

  /** Whether the operators from before the upgrade have ended. */
  async mayAct(signal: AbortSignal): Promise<boolean> {
    return (await this.#options.predecessors?.areGone(signal)) ?? true;
  }

  isOwn(cluster: HostedCluster): boolean {
    return isOwn(this.mode, cluster);
  }

  async of(cluster: HostedCluster, signal: AbortSignal): Promise<StaleTurn | Turn> {
    const turn = turnOf(this.mode, cluster);
    if (turn.do !== 'leave' && !(await this.mayAct(signal))) return PREDECESSORS;
    const isShared = this.mode.kind === 'private' || this.mode.kind === 'legacy';
    const { name = '', namespace, uid } = cluster.metadata;
    const key = objectKey(cluster);
    if (turn.do !== 'reconcile' || !isShared || (this.#compared.has(key) && this.#compared.get(key) === uid))
      return turn;
    const current = await this.client
      .get<HostedCluster>(HOSTED_CLUSTERS, name, { namespace, signal })
      .catch(ignoreNotFound);
    if (current === undefined || current.metadata.uid !== uid || turnOf(this.mode, current).do !== 'reconcile')
      return STALE;
    this.#compared.set(key, uid);
    return turn;
  }

  /**
   * Whether a lock is still there. A cache that is behind shows it for longer, and another operator may reconcile the
   * cluster by then: what is acknowledged without the HostedCluster's own resource version is compared first.
   */
  async isLocked({ metadata }: HostedCluster, lock: string, signal: AbortSignal): Promise<boolean> {
    const { name = '', namespace, uid } = metadata;
    const current = await this.client
      .get<HostedCluster>(HOSTED_CLUSTERS, name, { namespace, signal })
      .catch(ignoreNotFound);
    if (current === undefined || current.metadata.uid !== uid) return false;
    const turn = turnOf(this.mode, current);
    return turn.do === 'acknowledge' && turn.lock === lock;
  }

  /** Whether NodePools of a HostedCluster that does not exist are reconciled here: by the operator that reads their machines. */
  async isOfAbsentCluster({ name, namespace }: Request, signal: AbortSignal): Promise<boolean> {
    const { kind } = this.mode;
    if (kind === 'standard') return true;
    if (kind === 'shard') return false;
    const isStandard = await this.#options.evidence('standard', controlPlaneNamespace(namespace, name), signal);
    return isStandard === (kind === 'legacy') && (await this.mayAct(signal));
  }

  /** In which groups the control plane of a HostedCluster has objects. */
  async evidence(
    { metadata: { name = '', namespace = '' } }: HostedCluster,
    signal: AbortSignal,
  ): Promise<CapiEvidence> {
    const at = controlPlaneNamespace(namespace, name);
    const has = (side: Side): Promise<boolean> => this.#options.evidence(side, at, signal);
    return { standard: await has('standard'), private: await has('private') };
  }

  forget({ name, namespace }: Request): void {
    this.#compared.delete(`${namespace}/${name}`);
  }
}
