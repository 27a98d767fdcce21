/** The peer broke the framing; its connection cannot go on. */
export class SpdyError extends Error {
  override readonly name = 'SpdyError';
}
