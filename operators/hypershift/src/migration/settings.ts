/** How long a migration waits, in milliseconds, unless its settings say otherwise. */
export interface MigrationSettings {
  /** Until both operators have acknowledged the lock. */
  readonly acknowledgeLimitMs: number;
  /** Until the garbage collector has finished with objects, and no Cluster is being deleted. */
  readonly deletionLimitMs: number;
  /** Until the registry answers what the image of the control plane operator supports. */
  readonly operatorImageLimitMs: number;
  /** Until the pods of scaled-down Deployments are gone. */
  readonly scaleDownLimitMs: number;
  /** For each step that has no limit of its own: its requests are refused, or the server is away. */
  readonly stepLimitMs: number;
  /** For copying every object. */
  readonly copyLimitMs: number;
  /** Until Deployments with sidecars are available. */
  readonly scaleUpLimitMs: number;
  /** Until the cluster has been healthy for `healthyForMs`. */
  readonly healthLimitMs: number;
  readonly healthyForMs: number;
  /** Between two looks. */
  readonly pollMs: number;
  /** Requests at once while objects are copied. */
  readonly concurrency: number;
}

export const DEFAULT_MIGRATION_SETTINGS: MigrationSettings = {
  acknowledgeLimitMs: 300_000,
  deletionLimitMs: 600_000,
  operatorImageLimitMs: 300_000,
  scaleDownLimitMs: 300_000,
  stepLimitMs: 600_000,
  copyLimitMs: 600_000,
  scaleUpLimitMs: 600_000,
  healthLimitMs: 300_000,
  healthyForMs: 30_000,
  pollMs: 10_000,
  concurrency: 8,
};
