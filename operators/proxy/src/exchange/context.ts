import type { Logger } from '@capstan/kube/connect';
import type { Clock } from '@capstan/meta';
import type { ProxyMetrics } from '../metrics.js';
import type { WirePool } from '../upstream/pool.js';
import type { AccessRules } from './admit.js';
import type { Deadlines } from './deadlines.js';
import type { LazyTranslator } from './encodings.js';

/** What all exchanges of a proxy share. */
export interface ProxyContext {
  readonly access: AccessRules;
  readonly encodings: LazyTranslator;
  readonly pool: WirePool;
  readonly metrics: ProxyMetrics;
  readonly logger: Logger;
  readonly clock: Clock;
  /** The server's name and port, as it is called in requests. */
  readonly host: string;
  /** What the paths of the server begin with. */
  readonly prefix: string;
  readonly responseTimeoutMs: number;
  /** Of answers. */
  readonly deadlines: Deadlines;
  /** Of bodies of requests. */
  readonly bodyDeadlines: Deadlines;
}
