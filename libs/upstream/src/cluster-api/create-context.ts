import type { Manager } from '@capstan/kube';
import { ExternalObjects } from './external/external-objects.js';
import { GuestClusters } from './guest-clusters.js';
import type { ClusterApiOptions } from './manager.js';
import { ControllerContext } from './controller-context.js';
import { Applier } from './writing/applier.js';
import type { CoreCodec } from './writing/codec.js';
import { CoreObjects } from './writing/core-objects.js';

/** What of the core the server serves. */
export interface Served {
  readonly codec: CoreCodec;
  readonly hasDrainRules: boolean;
}

/** What all controllers of a manager share. */
export function createControllerContext(
  manager: Manager,
  options: Pick<ClusterApiOptions, 'connectGuest' | 'retryConnectMs'>,
  served: Served,
): ControllerContext {
  const { cache, client, clock, logger } = manager;
  const random = manager.random.split('cluster-api');
  const objects = new CoreObjects({ cache, client, codec: served.codec });
  const guests = new GuestClusters({
    retryConnectMs: options.retryConnectMs,
    client,
    clock,
    logger,
    random: random.split('guests'),
    connect: options.connectGuest,
  });
  return new ControllerContext({
    objects,
    external: new ExternalObjects(cache, client, served.codec),
    guests,
    applier: new Applier(objects, { client, clock, codec: served.codec }),
    client,
    clock,
    logger,
    random: random.split('names'),
    hasDrainRules: served.hasDrainRules,
  });
}
