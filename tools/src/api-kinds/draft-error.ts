/** Why CRDs cannot be drafted: printed without a stack. */
export class DraftError extends Error {
  override readonly name = 'DraftError';
}
