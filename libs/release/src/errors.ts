/** Why a release cannot be read from its image. */
export type ReleaseErrorReason =
  /** The reference itself makes no sense. */
  | 'InvalidReference'
  /** The registry has no such image. */
  | 'NotFound'
  /** The pull secret has no credentials for the registry, or it refuses them. */
  | 'Unauthorized'
  /** The registry does not answer, or not now. */
  | 'Unreachable'
  /** There is an image, but no release payload in it. */
  | 'NoRelease'
  /** The pull secret cannot be read. */
  | 'InvalidPullSecret';

/** A release image that cannot be read as a release; the message contains what to do about it. */
export class ReleaseError extends Error {
  override readonly name = 'ReleaseError';
  readonly reason: ReleaseErrorReason;

  constructor(reason: ReleaseErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }

  /** Whether looking again later may help without anybody changing anything. */
  get isTransient(): boolean {
    return this.reason === 'Unreachable';
  }
}
