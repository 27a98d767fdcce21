/** Why a control plane cannot be reconciled. */
export type ControlPlaneErrorReason =
  /** An object of that name exists and is not ours. */
  | 'Collision'
  /** The release has no image that is needed. */
  | 'MissingReleaseImages'
  /** Something asked for cannot be done. */
  | 'InvalidConfiguration';

/** A fault that an administrator has to fix; the message contains how. */
export class ControlPlaneError extends Error {
  override readonly name = 'ControlPlaneError';
  readonly reason: ControlPlaneErrorReason;

  constructor(reason: ControlPlaneErrorReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}
