/** A kind was asked for a version it does not have. */
export class UnknownVersion extends Error {
  override readonly name = 'UnknownVersion';

  constructor(kind: string, version: string | undefined) {
    super(version === undefined ? `no version of ${kind} is stored` : `${kind} has no version ${version}`);
  }
}
