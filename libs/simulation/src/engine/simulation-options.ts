import type { HistoryLimits, StoreSnapshot } from '@capstan/apiserver';
import type { Logger } from '@capstan/kube';
import type { FaultSource } from '../faults/fault.js';
import type { EventListener } from './event-log.js';

/** What a world begins with. */
export interface SimulationOptions {
  readonly seed: number | string;
  readonly faults?: FaultSource | undefined;
  /** Virtual time after which nothing goes wrong any more. Default: never. */
  readonly faultsUntilMs?: number | undefined;
  /** What the server begins with. */
  readonly snapshot?: StoreSnapshot | undefined;
  /** How much of its past the server keeps. Default: as much as any. */
  readonly history?: Partial<HistoryLimits> | undefined;
  /** What processes say, for whoever looks for the reason of something. Default: nobody hears it. */
  readonly logger?: ((process: string) => Logger) | undefined;
  /**
   * Hears of everything that happens; then the log keeps nothing, has no digest, and nobody remembers what processes
   * were shown. For worlds too large for that.
   */
  readonly onEvent?: EventListener | undefined;
}
