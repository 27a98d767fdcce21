/** Whatever changes a body as it passes. */
export interface BodyRewriter {
  /** Takes bytes and gives those that are ready. */
  push(chunk: Uint8Array): Uint8Array[];
  /** The end of the body: gives what is left. */
  end(): Uint8Array[];
  /** The most bytes that were ever held back. */
  readonly peak: number;
}
