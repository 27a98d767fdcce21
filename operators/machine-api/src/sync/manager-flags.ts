/** The flags and feature gates of the manager of Cluster API, which decide what it brings from machines to nodes. */
import { nodePropagationOfManager } from '@capstan/convert/machine-api';
import type { NodePropagation } from '@capstan/convert/machine-api';
import { errorText, sleep } from '@capstan/kube';
import type { Client, Logger, Runnable } from '@capstan/kube';
import { isForbidden, isNotFound } from '@capstan/meta';
import type { Clock } from '@capstan/meta';
import { DEPLOYMENTS } from '../kinds.js';

const MANAGER = 'capi-controller-manager';
/** They change with a new rollout of the manager only. */
const LOOK_AGAIN_MS = 60_000;

export interface ManagerFlagsOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly namespace: string;
}

/** Reads the Deployment of the manager at the start and every minute: no event of it is worth a watch. */
export class ManagerFlags implements Runnable {
  readonly name = 'manager-flags';
  readonly #options: ManagerFlagsOptions;
  #current: NodePropagation | undefined;

  constructor(options: ManagerFlagsOptions) {
    this.#options = options;
  }

  /** Undefined where there is no such Deployment, or it may not be read: then the defaults of Cluster API count. */
  get current(): NodePropagation | undefined {
    return this.#current;
  }

  async read(): Promise<void> {
    const { client, logger, namespace } = this.#options;
    try {
      this.#current = nodePropagationOfManager(await client.get(DEPLOYMENTS, MANAGER, { namespace }));
    } catch (error) {
      if (isNotFound(error) || isForbidden(error)) this.#current = undefined;
      else logger.warn('cannot read the manager of Cluster API', { error: errorText(error) });
    }
  }

  readonly run = async (signal: AbortSignal): Promise<void> => {
    while (!signal.aborted) {
      await sleep(this.#options.clock, LOOK_AGAIN_MS, signal);
      if (!signal.aborted) await this.read();
    }
  };
}
