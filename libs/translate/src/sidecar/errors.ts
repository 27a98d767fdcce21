/** Why a workload cannot have a proxy. */
export type SidecarErrorCode = 'bad-options';

/** A workload that cannot be given a proxy as it was asked for. */
export class SidecarError extends Error {
  override readonly name = 'SidecarError';
  readonly code: SidecarErrorCode;

  constructor(code: SidecarErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
