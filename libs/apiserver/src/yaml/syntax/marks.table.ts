import type { TokenType } from './tokens.js';

/** A character, or three, that stands for itself. */
export interface Mark {
  readonly type: TokenType;
  readonly width: number;
  /** Whether a key may begin behind it. */
  readonly key: 'may follow' | 'may not follow' | 'may follow outside brackets';
  /** It may itself begin a key (`[a]: b`). */
  readonly isCandidate?: true;
  /** The block that it opens outside brackets, and the error where none may be opened. */
  readonly block?: { readonly type: TokenType; readonly refusal: string };
  /** All blocks end before it. */
  readonly endsBlocks?: true;
  /** Goes into a bracket, or out of one. */
  readonly bracket?: 'opens' | 'closes';
}

const SEQUENCE = {
  type: 'block sequence start',
  refusal: 'block sequence entries are not allowed in this context',
} as const;

function mapping(what: string): NonNullable<Mark['block']> {
  return { type: 'block mapping start', refusal: `mapping ${what} are not allowed in this context` };
}

const OPENING = { width: 1, key: 'may follow', isCandidate: true, bracket: 'opens' } as const;
const CLOSING = { width: 1, key: 'may not follow', bracket: 'closes' } as const;
const DIVIDING = { width: 3, key: 'may not follow', endsBlocks: true } as const;

/** All marks by the characters that make them. */
export const MARKS = {
  '[': { type: '[', ...OPENING },
  '{': { type: '{', ...OPENING },
  ']': { type: ']', ...CLOSING },
  '}': { type: '}', ...CLOSING },
  ',': { type: ',', width: 1, key: 'may follow' },
  '-': { type: 'block entry', width: 1, key: 'may follow', block: SEQUENCE },
  '?': { type: 'key', width: 1, key: 'may follow outside brackets', block: mapping('keys') },
  ':': { type: 'value', width: 1, key: 'may follow outside brackets', block: mapping('values') },
  '---': { type: 'document start', ...DIVIDING },
  '...': { type: 'document end', ...DIVIDING },
} as const satisfies Readonly<Record<string, Mark>>;
