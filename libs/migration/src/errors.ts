/** Why objects cannot be moved. */
export type MigrationErrorCode =
  | 'missing-kind'
  | 'foreign-copy'
  | 'missing-owner'
  | 'incomplete-discovery'
  | 'unreadable-kind';

/** Objects that cannot be moved as they are; the message names the first of them and what to do. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly code: MigrationErrorCode;

  constructor(code: MigrationErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}
