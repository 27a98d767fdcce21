import type { TokenType } from './tokens.js';

/** What is done besides expecting more: with the token that comes, or next to it. */
export type Action =
  | 'take'
  | 'add scalar'
  | 'add alias'
  | 'add nothing'
  | 'add nothing here'
  | 'open sequence'
  | 'open mapping'
  | 'open sequence here'
  | 'close'
  | 'close here'
  | 'note directive'
  | 'note anchor'
  | 'note tag'
  | 'settle marks'
  | 'look ahead';

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
function unless(tokens: readonly TokenType[], otherwise: readonly Step[], nothing: Action = 'add nothing'): Row {
  return row(Object.fromEntries(tokens.map((token) => [token, [nothing]])), otherwise);
}

const LOSE: readonly Step[] = ['take', 'add nothing'];
const CLOSE: readonly Step[] = ['close'];

const IN_BRACKETS: Row['on'] = {
  '[': ['open sequence', 'items'],
  '{': ['open mapping', 'pairs in braces'],
  scalar: ['add scalar'],
};
const IN_BLOCKS: Row['on'] = {
  ...IN_BRACKETS,
  'block sequence start': ['open sequence', 'entries'],
  'block mapping start': ['open mapping', 'pairs'],
};
const IN_MAPPINGS: Row['on'] = {
  ...IN_BLOCKS,
  'block entry': ['open sequence here', 'entries without indent', 'close here'],
};

/** A node, with the anchor and the tag that may come before it in either order. Marked, it may be empty. */
function nodeRules<C extends Content>(
  name: C,
  on: Row['on'],
): Record<C | `${'anchored' | 'tagged' | 'marked'} ${C}`, Row> {
  const rows: Partial<Record<Rule, Row>> = {
    [name]: row(
      {
        ...on,
        alias: ['add alias'],
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
    [`marked ${name}`]: row(on, ['add nothing']),
  };
  return rows as Record<C | `${'anchored' | 'tagged' | 'marked'} ${C}`, Row>;
}

const EXPLICIT: readonly Step[] = ['explicit document', 'content', 'look ahead'];

/** The grammar of the first document. */
export const RULES: Readonly<Record<Rule, Row>> = {
  document: row({ 'stream end': NOTHING, directive: EXPLICIT, 'document start': EXPLICIT }, ['node', 'look ahead']),
  'explicit document': row(
    { directive: ['note directive', 'explicit document'], 'document start': TAKE },
    'did not find expected <document start>',
  ),
  content: unless(['directive', 'document start', 'document end', 'stream end'], ['node']),

  ...nodeRules('node', IN_BLOCKS),
  ...nodeRules('node of a mapping', IN_MAPPINGS),
  ...nodeRules('node in brackets', IN_BRACKETS),

  entries: row(
    { 'block entry': ['take', 'entry', 'entries'], 'block end': CLOSE },
    "did not find expected '-' indicator",
  ),
  entry: unless(['block entry', 'block end'], ['node']),
  'entries without indent': row({ 'block entry': ['take', 'entry without indent', 'entries without indent'] }),
  'entry without indent': unless(['block entry', 'key', 'value', 'block end'], ['node']),

  pairs: row({ key: ['take', 'key or value', 'value', 'pairs'], 'block end': CLOSE }, 'did not find expected key'),
  'key or value': unless(['key', 'value', 'block end'], ['node of a mapping']),
  value: row({ value: ['take', 'key or value'] }, ['add nothing here']),

  items: row({ key: ['open mapping', 'key of an item', 'value of an item', 'close here', 'more items'], ']': CLOSE }, [
    'node in brackets',
    'more items',
  ]),
  'more items': row({ ',': ['take', 'items'], ']': CLOSE }, "did not find expected ',' or ']'"),
  // The real server's reader loses what comes where the key should be.
  'key of an item': row({ value: LOSE, ',': LOSE, ']': LOSE }, ['node in brackets']),
  'value of an item': row({ value: ['take', 'given value of an item'] }, ['add nothing here']),
  'given value of an item': unless([',', ']'], ['node in brackets'], 'add nothing here'),

  'pairs in braces': row(
    { key: ['take', 'key or value in braces', 'value in braces', 'more pairs in braces'], '}': CLOSE },
    ['node in brackets', 'add nothing here', 'more pairs in braces'],
  ),
  'more pairs in braces': row({ ',': ['take', 'pairs in braces'], '}': CLOSE }, "did not find expected ',' or '}'"),
  'key or value in braces': unless(['value', ',', '}'], ['node in brackets'], 'add nothing here'),
  'value in braces': row({ value: ['take', 'key or value in braces'] }, ['add nothing here']),
};
