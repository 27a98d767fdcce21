import type { Clock, Random } from '@capstan/meta';
import type { Client, Logger, Sometimes } from '@capstan/kube';

/** What every controller is given. */
export interface ControllerOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
  /** Makes rare paths common in a simulation. Default: never. */
  readonly sometimes?: Sometimes | undefined;
}

/** A controller of an API server that runs until it is stopped. */
export interface Controller {
  /** Starts; resolves when the informers have synced and the workers run. Runs until the signal aborts. */
  start(signal: AbortSignal): Promise<void>;
  /** Resolves when, after the signal, the last work has ended. */
  stopped(): Promise<void>;
}
