/** The string extension, version 2. */
import { goText } from '../values/go-text.js';
import { isList, listItems } from '../values/collections.js';
import { global, method } from './declarations.js';
import type { FunctionDeclaration, Implementation } from './declarations.js';
import { formatText } from './format-text.js';
import { noOverload } from '../values/order.js';
import { dynType, intType, listType, stringType } from '../types/types.js';
import { CelError, isError, typeNameOf } from '../values/values.js';
import type { CelValue } from '../values/values.js';

const strings = listType(stringType);

function onText(run: (text: string, b: CelValue, c: CelValue, d: CelValue) => CelValue): Implementation {
  return (text, b, c, d) => (typeof text === 'string' ? run(text, b, c, d) : noOverload);
}

function outOfRange(index: CelValue): CelError {
  return new CelError(`index out of range: ${String(index)}`);
}

/** Characters of a text; plain ASCII needs no splitting. */
function runes(text: string): readonly string[] {
  return [...text];
}

const charAt = onText((text, index) => {
  const chars = runes(text);
  const at = Number(index);
  return at < 0 || at > chars.length ? outOfRange(index) : (chars[at] ?? '');
});

function matchesAt(chars: readonly string[], part: readonly string[], at: number): boolean {
  return part.every((char, i) => chars[at + i] === char);
}

const indexOf = onText((text, part, offset) => {
  const start = offset === undefined ? 0 : Number(offset);
  if (part === '') return start;
  const chars = runes(text);
  const wanted = runes(String(part));
  if (start < 0) return outOfRange(offset);
  for (let at = start; at <= chars.length - wanted.length; at++) if (matchesAt(chars, wanted, at)) return at;
  return -1;
});

const lastIndexOf = onText((text, part, offset) => {
  const chars = runes(text);
  if (part === '') return offset === undefined ? chars.length : Number(offset);
  const wanted = runes(String(part));
  const start = offset === undefined ? chars.length - 1 : Number(offset);
  if (offset !== undefined && start < 0) return outOfRange(offset);
  if (start >= chars.length) return -1;
  for (let at = Math.min(start, chars.length - wanted.length); at >= 0; at--) {
    if (matchesAt(chars, wanted, at)) return at;
  }
  return -1;
});

const replace = onText((text, from, to, limit) => {
  const old = String(from);
  const count = limit === undefined ? -1 : Number(limit);
  const parts = split(text, old, count < 0 ? -1 : count + 1);
  if (count === 0) return text;
  // An empty pattern matches before every character and at the end.
  if (old !== '') return parts.join(String(to));
  const chars = runes(text);
  const times = count < 0 ? chars.length + 1 : Math.min(count, chars.length + 1);
  let out = '';
  for (let at = 0; at <= chars.length; at++) out += (at < times ? String(to) : '') + (chars[at] ?? '');
  return out;
});

function split(text: string, separator: string, limit: number): string[] {
  if (limit === 0) return [];
  const parts = separator === '' ? [...runes(text)] : text.split(separator);
  if (limit < 0 || parts.length <= limit) return parts;
  return [...parts.slice(0, limit - 1), parts.slice(limit - 1).join(separator)];
}

const substring = onText((text, from, to) => {
  const chars = runes(text);
  const start = Number(from);
  const end = to === undefined ? chars.length : Number(to);
  if (to !== undefined && start > end) {
    return new CelError(`invalid substring range. start: ${goText(from)}, end: ${goText(to)}`);
  }
  if (start < 0 || start > chars.length) return outOfRange(from);
  if (end > chars.length) return outOfRange(to);
  return chars.slice(start, end).join('');
});

/** What Go takes for white space; the byte order mark is not among it. */
const blanks = '[\\t\\n\\v\\f\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]';
const blank = new RegExp(blanks);

/** Does not begin again at a blank inside, as an expression for those at the end would. */
function trimmed(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && blank.test(text.charAt(start))) start++;
  while (end > start && blank.test(text.charAt(end - 1))) end--;
  return text.slice(start, end);
}

function join(list: CelValue, separator: CelValue): CelValue {
  if (!isList(list)) return noOverload;
  const items = listItems(list);
  const bad = items.find((item) => typeof item !== 'string');
  if (bad !== undefined) return new CelError(`join: invalid input: ${isError(bad) ? bad.message : typeNameOf(bad)}`);
  return items.join(typeof separator === 'string' ? separator : '');
}

const escapes: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

/** The string functions. */
export const stringFunctions: readonly FunctionDeclaration[] = [
  {
    name: 'charAt',
    overloads: [method('string_char_at_int', [stringType, intType], stringType, charAt)],
  },
  {
    name: 'indexOf',
    overloads: [
      method('string_index_of_string', [stringType, stringType], intType, indexOf),
      method('string_index_of_string_int', [stringType, stringType, intType], intType, indexOf),
    ],
  },
  {
    name: 'lastIndexOf',
    overloads: [
      method('string_last_index_of_string', [stringType, stringType], intType, lastIndexOf),
      method('string_last_index_of_string_int', [stringType, stringType, intType], intType, lastIndexOf),
    ],
  },
  {
    name: 'lowerAscii',
    overloads: [
      method(
        'string_lower_ascii',
        [stringType],
        stringType,
        onText((text) => text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())),
      ),
    ],
  },
  {
    name: 'upperAscii',
    overloads: [
      method(
        'string_upper_ascii',
        [stringType],
        stringType,
        onText((text) => text.replace(/[a-z]+/g, (letters) => letters.toUpperCase())),
      ),
    ],
  },
  {
    name: 'replace',
    overloads: [
      method('string_replace_string_string', [stringType, stringType, stringType], stringType, replace),
      method('string_replace_string_string_int', [stringType, stringType, stringType, intType], stringType, replace),
    ],
  },
  {
    name: 'split',
    overloads: [
      method(
        'string_split_string',
        [stringType, stringType],
        strings,
        onText((text, by) => split(text, String(by), -1)),
      ),
      method(
        'string_split_string_int',
        [stringType, stringType, intType],
        strings,
        onText((text, by, limit) => split(text, String(by), Number(limit))),
      ),
    ],
  },
  {
    name: 'substring',
    overloads: [
      method('string_substring_int', [stringType, intType], stringType, substring),
      method('string_substring_int_int', [stringType, intType, intType], stringType, substring),
    ],
  },
  {
    name: 'trim',
    overloads: [method('string_trim', [stringType], stringType, onText(trimmed))],
  },
  {
    name: 'format',
    overloads: [
      method(
        'string_format',
        [stringType, listType(dynType)],
        stringType,
        onText((text, args) => (isList(args) ? formatText(text, listItems(args)) : noOverload)),
      ),
    ],
  },
  {
    name: 'strings.quote',
    overloads: [
      global(
        'strings_quote',
        [stringType],
        stringType,
        onText((text) => `"${text.replace(/["\\\u0007-\r]/g, (char) => escapes[char] ?? char)}"`),
      ),
    ],
  },
  {
    name: 'join',
    overloads: [
      method('list_join', [strings], stringType, join),
      method('list_join_string', [strings, stringType], stringType, join),
    ],
  },
];
