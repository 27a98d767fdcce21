import type { HostedCluster } from '@capstan/api/hypershift';
import { controlPlaneNamespace, HOSTED_CLUSTERS, isOwn, turnOf } from '@capstan/hosting';
import type { CapiEvidence, OperatorMode, Turn } from '@capstan/hosting';
import { objectKey } from '@capstan/kube';
import type { Client, Request } from '@capstan/kube';
import { ignoreNotFound } from '@capstan/meta';

/** Reads in which groups a control plane namespace has objects of Cluster API. */
export type ReadEvidence = (namespace: string, signal: AbortSignal) => Promise<CapiEvidence>;

export interface TurnsOptions {
  readonly mode: OperatorMode;
  /** Asks the server itself. */
  readonly client: Client;
  readonly evidence: ReadEvidence;
}

/** The cache is behind: what to do is decided once it has caught up. */
export interface StaleTurn {
  readonly do: 'wait';
  readonly afterMs: number;
}

const STALE_MS = 1_000;
const STALE: StaleTurn = { do: 'wait', afterMs: STALE_MS };

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
    const evidence = (): Promise<CapiEvidence> => Promise.resolve({ standard: true, private: false });
    return new Turns({ mode: { kind: 'standard' }, client, evidence });
  }

  isOwn(cluster: HostedCluster): boolean {
    return isOwn(this.mode, cluster);
  }

  async of(cluster: HostedCluster, signal: AbortSignal): Promise<StaleTurn | Turn> {
    const turn = turnOf(this.mode, cluster);
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

  /** Whether NodePools of a HostedCluster that does not exist are reconciled here: by the operator that reads their machines. */
  async isOfAbsentCluster({ name, namespace }: Request, signal: AbortSignal): Promise<boolean> {
    const { kind } = this.mode;
    if (kind === 'standard') return true;
    if (kind === 'shard') return false;
    const { standard } = await this.#options.evidence(controlPlaneNamespace(namespace, name), signal);
    return standard === (kind === 'legacy');
  }

  /** In which groups the control plane of a HostedCluster has objects. */
  async evidence(
    { metadata: { name = '', namespace = '' } }: HostedCluster,
    signal: AbortSignal,
  ): Promise<CapiEvidence> {
    return this.#options.evidence(controlPlaneNamespace(namespace, name), signal);
  }

  forget({ name, namespace }: Request): void {
    this.#compared.delete(`${namespace}/${name}`);
  }
}
