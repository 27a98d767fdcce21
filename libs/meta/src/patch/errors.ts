/** A JSON patch or merge patch that cannot be read or does not apply. */
export class JsonPatchError extends Error {
  override readonly name = 'JsonPatchError';
  /** `decode`: the patch itself is malformed (400). `apply`: it does not fit the document (422). `copy-limit`: too large. `depth`: too deep. */
  readonly stage: 'decode' | 'apply' | 'copy-limit' | 'depth';

  constructor(stage: JsonPatchError['stage'], message: string) {
    super(message);
    this.stage = stage;
  }
}

/** A strategic merge patch that cannot be applied. */
export class StrategicMergePatchError extends Error {
  override readonly name = 'StrategicMergePatchError';
  /** How the server answers: 400, 422 or 500. */
  readonly kind: 'bad-request' | 'unprocessable' | 'internal';

  constructor(kind: 'bad-request' | 'unprocessable' | 'internal', message: string) {
    super(message);
    this.kind = kind;
  }
}
