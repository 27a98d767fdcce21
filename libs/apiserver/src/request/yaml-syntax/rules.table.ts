import type { TokenType } from './tokens.js';

/** What is done beside taking tokens. */
export type Action =
  | 'take'
  | 'note directive'
  | 'note alias'
  | 'note anchor'
  | 'note tag'
  | 'settle marks'
  | 'note end';

type Content = 'node' | 'node of a mapping' | 'node in brackets';

/** What can be expected. */
export type Rule =
  | 'document'
  | 'explicit document'
  | 'content'
  | Content
  | `anchored ${Content}`
  | `tagged ${Content}`
  | `marked ${Content}`
  | 'entries'
  | 'entry'
  | 'entries without indent'
  | 'entry without indent'
  | 'pairs'
  | 'key or value'
  | 'value'
  | 'items'
  | 'more items'
  | 'key of an item'
  | 'value of an item'
  | 'given value of an item'
  | 'pairs in braces'
  | 'more pairs in braces'
  | 'key or value in braces'
  | 'value in braces';

export type Step = Rule | Action;

/** By the token that comes: what to do. A text refuses whatever has no row. */
export interface Row {
  readonly on: Readonly<Partial<Record<TokenType, readonly Step[]>>>;
  readonly otherwise: readonly Step[] | string;
}

const NOTHING: readonly Step[] = [];
const TAKE: readonly Step[] = ['take'];

function row(on: Row['on'], otherwise: Row['otherwise'] = NOTHING): Row {
  return { on, otherwise };
}

/** Nothing is there when one of these comes. */
function unless(tokens: readonly TokenType[], otherwise: readonly Step[]): Row {
  return row(Object.fromEntries(tokens.map((token) => [token, NOTHING])), otherwise);
}

const IN_BRACKETS: Row['on'] = {
  '[': ['take', 'items'],
  '{': ['take', 'pairs in braces'],
  scalar: TAKE,
};
const IN_BLOCKS: Row['on'] = {
  ...IN_BRACKETS,
  'block sequence start': ['take', 'entries'],
  'block mapping start': ['take', 'pairs'],
};
const IN_MAPPINGS: Row['on'] = { ...IN_BLOCKS, 'block entry': ['entries without indent'] };

/** A node, with the anchor and the tag that may come before it in either order. Marked, it may be empty. */
function nodeRules<C extends Content>(
  name: C,
  on: Row['on'],
): Record<C | `${'anchored' | 'tagged' | 'marked'} ${C}`, Row> {
  const rows: Partial<Record<Rule, Row>> = {
    [name]: row(
      {
        ...on,
        alias: ['note alias'],
        anchor: ['note anchor', `anchored ${name}`],
        tag: ['note tag', `tagged ${name}`],
      },
      'did not find expected node content',
    ),
    [`anchored ${name}`]: row({ tag: ['note tag', 'settle marks', `marked ${name}`] }, [
      'settle marks',
      `marked ${name}`,
    ]),
    [`tagged ${name}`]: row({ anchor: ['note anchor', 'settle marks', `marked ${name}`] }, [
      'settle marks',
      `marked ${name}`,
    ]),
    [`marked ${name}`]: row(on),
  };
  return rows as Record<C | `${'anchored' | 'tagged' | 'marked'} ${C}`, Row>;
}

const EXPLICIT: readonly Step[] = ['explicit document', 'content', 'note end'];

/** The grammar of the first document. */
export const RULES: Readonly<Record<Rule, Row>> = {
  document: row({ 'stream end': NOTHING, directive: EXPLICIT, 'document start': EXPLICIT }, ['node', 'note end']),
  'explicit document': row(
    { directive: ['note directive', 'explicit document'], 'document start': TAKE },
    'did not find expected <document start>',
  ),
  content: unless(['directive', 'document start', 'document end', 'stream end'], ['node']),

  ...nodeRules('node', IN_BLOCKS),
  ...nodeRules('node of a mapping', IN_MAPPINGS),
  ...nodeRules('node in brackets', IN_BRACKETS),

  entries: row(
    { 'block entry': ['take', 'entry', 'entries'], 'block end': TAKE },
    "did not find expected '-' indicator",
  ),
  entry: unless(['block entry', 'block end'], ['node']),
  'entries without indent': row({ 'block entry': ['take', 'entry without indent', 'entries without indent'] }),
  'entry without indent': unless(['block entry', 'key', 'value', 'block end'], ['node']),

  pairs: row({ key: ['take', 'key or value', 'value', 'pairs'], 'block end': TAKE }, 'did not find expected key'),
  'key or value': unless(['key', 'value', 'block end'], ['node of a mapping']),
  value: row({ value: ['take', 'key or value'] }),

  items: row({ key: ['take', 'key of an item', 'value of an item', 'more items'], ']': TAKE }, [
    'node in brackets',
    'more items',
  ]),
  'more items': row({ ',': ['take', 'items'], ']': TAKE }, "did not find expected ',' or ']'"),
  // The real server's reader loses what comes where the key should be.
  'key of an item': row({ value: TAKE, ',': TAKE, ']': TAKE }, ['node in brackets']),
  'value of an item': row({ value: ['take', 'given value of an item'] }),
  'given value of an item': unless([',', ']'], ['node in brackets']),

  'pairs in braces': row(
    { key: ['take', 'key or value in braces', 'value in braces', 'more pairs in braces'], '}': TAKE },
    ['node in brackets', 'more pairs in braces'],
  ),
  'more pairs in braces': row({ ',': ['take', 'pairs in braces'], '}': TAKE }, "did not find expected ',' or '}'"),
  'key or value in braces': unless(['value', ',', '}'], ['node in brackets']),
  'value in braces': row({ value: ['take', 'key or value in braces'] }),
};
