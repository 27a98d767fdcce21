import type { Clock, Random } from '@capstan/meta';
import type { Client, Logger } from '@capstan/kube';

/** What every controller is given. */
export interface ControllerOptions {
  readonly client: Client;
  readonly clock: Clock;
  readonly random: Random;
  readonly logger: Logger;
}
