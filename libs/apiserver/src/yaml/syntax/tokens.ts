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
  /** The text of a scalar, the name of an anchor or alias, the handle of a tag, the version or handle of a directive. */
  readonly text?: string;
  /** What is behind the handle of a tag, or what the handle of a directive stands for. */
  readonly rest?: string;
  /** Of a scalar without quotes: it may be something else than a text. */
  readonly isPlain?: true;
  /** The name of a directive. */
  readonly directive?: 'YAML' | 'TAG';
}
