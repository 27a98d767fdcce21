/** Something the server itself relies on does not hold: a fault of ours, never of a request. */
export class BrokenInvariant extends Error {
  override readonly name = 'BrokenInvariant';
}

/** A snapshot that cannot be gone on from. */
export class BadSnapshot extends Error {
  override readonly name = 'BadSnapshot';
}
