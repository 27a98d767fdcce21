/** What the parts of a YAML text are. */
export type TokenType =
  | 'stream end'
  | 'directive'
  | 'document start'
  | 'document end'
  | 'block sequence start'
  | 'block mapping start'
  | 'block end'
  | 'block entry'
  | '['
  | ']'
  | '{'
  | '}'
  | ','
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar';

/** A token, and where it starts. */
export interface Token {
  readonly type: TokenType;
  readonly at: number;
  /** From zero. */
  readonly line: number;
  /** The name of an anchor or alias, the handle of a tag, the value of a directive. */
  readonly text?: string;
  /** The name of a directive. */
  readonly directive?: 'YAML' | 'TAG';
}
