/** What keeps definitions from being drafted: said to whoever asked for it, without a stack. */
export class DraftError extends Error {
  override readonly name = 'DraftError';
}
