import type { HostedCluster } from '@capstan/api/hypershift';
import type { Client, EventRecorder, Logger, Reader } from '@capstan/kube';
import type { Clock, Random } from '@capstan/meta';
import type { HostingPlatforms } from '@capstan/provider';
import type { ReleaseProvider } from '@capstan/release';

/** What the NodePool controller is put together from, beside its manager. */
export interface NodePoolParts {
  readonly platforms: HostingPlatforms;
  readonly releases: ReleaseProvider;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  readonly recorder: EventRecorder;
  /** Whether this operator looks after the pools of a cluster; others may look after others. Default: always. */
  readonly isInScope?: ((cluster: HostedCluster) => boolean) | undefined;
}

/** All that work on a pool needs. */
export interface Work extends NodePoolParts {
  /** What watches have brought. */
  readonly cache: Reader;
  /** Writes, and reads past the cache. */
  readonly client: Client;
}
