import type { HistoryLimits, StoreSnapshot } from '@capstan/apiserver';
import type { Logger } from '@capstan/kube';
import type { FaultSource } from '../faults/fault.js';
import type { EventListener } from './event-log.js';

/** What a simulation starts with. */
export interface SimulationOptions {
  readonly seed: number | string;
  readonly faults?: FaultSource | undefined;
  /** Virtual time after which nothing goes wrong any more. Default: never. */
  readonly faultsUntilMs?: number | undefined;
  /** The time at which it starts, in milliseconds since the epoch. Default: the beginning of 2026. */
  readonly startAtMs?: number | undefined;
  /** What the server begins with. */
  readonly snapshot?: StoreSnapshot | undefined;
  /** How much of its past the server keeps. Default: as much as any. */
  readonly history?: Partial<HistoryLimits> | undefined;
  /** Whether stored roles decide. Default: every process is an administrator. */
  readonly authorization?: 'rbac' | undefined;
  /** The loggers of processes, for debugging. Default: none. */
  readonly logger?: ((process: string) => Logger) | undefined;
  /**
   * Receives everything that happens; then the log keeps nothing and has no digest, and what processes were shown is
   * not kept. For simulations too large for that.
   */
  readonly onEvent?: EventListener | undefined;
}
