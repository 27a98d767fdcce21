/** What went wrong may go right the next time. */
export class TryAgain extends Error {
  override readonly name = 'TryAgain';
}
