/** Why a workload cannot have a proxy, or cannot lose it. */
export type SidecarErrorCode = 'bad-options' | 'not-recorded';

/** A workload that a proxy cannot be added to, or removed from, as requested. */
export class SidecarError extends Error {
  override readonly name = 'SidecarError';
  readonly code: SidecarErrorCode;

  constructor(code: SidecarErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
