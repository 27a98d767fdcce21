import type { NodePool } from '@capstan/api/hypershift';
import type { ReleaseLookups } from '@capstan/hosting';
import type { Client, EventRecorder, Logger, OwnWrites, Reader, ResourceKind } from '@capstan/kube';
import type { Clock, Random } from '@capstan/meta';
import type { HostingPlatforms } from '@capstan/provider';
import type { ReleaseProvider } from '@capstan/release';
import type { Turns } from '../turns/turns.js';
import type { NodePoolMetrics } from '../metrics/node-pools.js';

/** What the NodePool controller needs in addition to its manager. */
export interface NodePoolControllerOptions {
  /** Writes, and reads past the cache, on the transport that is declared for this controller. */
  readonly client: Client;
  readonly platforms: HostingPlatforms;
  readonly releases: ReleaseProvider;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly recorder: EventRecorder;
  /** Of which HostedClusters the NodePools are reconciled here, of all operators. */
  readonly turns: Turns;
  /** How many minors nodes may be behind their control plane. Default 1. */
  readonly skewWidth?: number | undefined;
}

/** What a reconcile of a NodePool needs. */
export interface NodePoolDependencies extends Omit<NodePoolControllerOptions, 'releases'> {
  readonly releases: ReleaseLookups;
  /** Filled by watches. */
  readonly cache: Reader;
  /** Whether the management cluster serves a kind: others must not be asked of the cache. */
  readonly canRead: (kind: ResourceKind) => boolean;
  /** The statuses this operator last wrote. */
  readonly ownWrites: OwnWrites<NodePool>;
  readonly metrics: Pick<NodePoolMetrics, 'became'>;
}
