/**
 * A handler rejects with this to have the client's connection cut instead of answered: `before` the request did
 * anything, or `after` it took effect, when the client cannot know.
 */
export class ConnectionLost extends Error {
  override readonly name = 'ConnectionLost';
  readonly when: 'before' | 'after';

  constructor(when: 'before' | 'after') {
    super(`the connection was lost ${when} the request took effect`);
    this.when = when;
  }
}
