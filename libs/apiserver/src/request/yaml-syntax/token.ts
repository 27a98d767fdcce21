import type { Directive } from './scalars.js';

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
  /** The name of an anchor or alias, the handle of a tag. */
  readonly text?: string;
  readonly directive?: Directive;
}

/** What may turn out to have been a key, once a colon follows. */
export interface SimpleKey {
  isPossible: boolean;
  readonly isRequired: boolean;
  readonly number: number;
  readonly at: number;
  readonly line: number;
  readonly column: number;
}
