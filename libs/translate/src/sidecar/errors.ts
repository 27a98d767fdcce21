/** Why a pod cannot have a proxy. */
export type SidecarErrorCode = 'NO_SUCH_CONTAINER' | 'PORT_TAKEN';

/** A pod that cannot be given a proxy as it was asked for. */
export class SidecarError extends Error {
  override readonly name = 'SidecarError';
  readonly code: SidecarErrorCode;

  constructor(code: SidecarErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
