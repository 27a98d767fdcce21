/** Why a migration is rolled back; the values of the annotation `migration-failed` and of the metric's label. */
export const FAILURE_REASONS = [
  'acknowledge-timeout',
  'deletion-timeout',
  'scale-down-timeout',
  'missing-private-crd',
  'cpo-unsupported',
  'resource-conversion-failed',
  'step-failed',
  'deployment-timeout',
  'health-check-timeout',
  'proxy-unreachable',
  'baseline-lost',
  'cluster-deleted',
  'manual-rollback',
] as const;
export type FailureReason = (typeof FAILURE_REASONS)[number];

/** A migration that has to be rolled back. Any other error is tried again. */
export class MigrationFailure extends Error {
  override readonly name = 'MigrationFailure';
  readonly reason: FailureReason;

  constructor(reason: FailureReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
