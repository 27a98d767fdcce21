/** Texts that a schema node takes. */
import { lookUp, pushAll } from '@capstan/meta';
import type { SchemaNode } from '@capstan/schema';
import { matchingText } from './patterns.js';
import type { Dice } from './random.js';

/** Texts of every format the server knows, by its normalised name. */
const formatted: Readonly<Record<string, readonly string[]>> = {
  bsonobjectid: ['507f1f77bcf86cd799439011'],
  uri: ['https://example.com/a', '/path'],
  email: ['a@example.com'],
  hostname: ['example.com', 'a'],
  ipv4: ['192.0.2.1', '10.0.0.1'],
  ipv6: ['2001:db8::1', '::1'],
  cidr: ['192.0.2.0/24', '2001:db8::/32'],
  mac: ['00:00:5e:00:53:01'],
  uuid: ['123e4567-e89b-12d3-a456-426614174000', '7d444840-9dc0-11d1-b245-5ffdce74fad2'],
  uuid3: ['123e4567-e89b-32d3-a456-426614174000'],
  uuid4: ['123e4567-e89b-42d3-a456-426614174000'],
  uuid5: ['123e4567-e89b-52d3-a456-426614174000'],
  isbn: ['0306406152', '9780306406157'],
  isbn10: ['0306406152'],
  isbn13: ['9780306406157'],
  creditcard: ['4111111111111111'],
  ssn: ['123-45-6789'],
  hexcolor: ['#ff0000', 'fff'],
  rgbcolor: ['rgb(1,2,3)'],
  byte: ['YQ==', 'YWJj'],
  date: ['2026-01-02'],
  duration: ['1h', '30s', '5m'],
  datetime: ['2026-01-02T03:04:05Z', '2027-01-02T03:04:05Z'],
  k8sshortname: ['a', 'name-1'],
  k8slongname: ['a.b', 'name.example.com'],
};

/** Texts that meet many expectations between them. */
const usual: readonly string[] = [
  'a',
  'A text!',
  '',
  '1',
  'example.com',
  'a-b',
  'https://example.com',
  '10.0.0.0/16',
  '192.0.2.1',
  '1h',
  'é',
  'UPPER',
  '-',
];

function formatTexts({ format }: SchemaNode): readonly string[] {
  return lookUp(formatted, format.replaceAll('-', '')) ?? [];
}

function padded(text: string, length: number): string {
  return text.length >= length ? text : text + 'a'.repeat(length - text.length);
}

/** Texts of exactly so many characters, likely to be taken. */
export function textsOfLength(node: SchemaNode, length: number, dice: Dice): readonly string[] {
  if (length > 200_000) return [];
  const made = [padded('', length)];
  // What must be whole groups of characters may be a little longer.
  if (node.format === 'byte') made.push('YWJj'.repeat(Math.ceil(length / 4)));
  if (node.pattern === '') return made;
  for (let at = 0; at < 40; at++) {
    const text = matchingText(node.pattern, dice, at < 20 ? length : Math.ceil(length / 2));
    if (text !== undefined && text.length >= length) made.unshift(text.slice(0, length));
    if (text !== undefined && text.length > 0 && text.length < length) {
      made.unshift(padded(text, length), text.repeat(Math.ceil(length / text.length)).slice(0, length));
    }
  }
  return made;
}

/** Texts of several lengths that probably match. */
export function textsMatching(pattern: string, dice: Dice, count: number): readonly string[] {
  return Array.from({ length: count }, (_, at) => matchingText(pattern, dice, 1 + (at % 6) * 5)).filter(
    (text) => text !== undefined,
  );
}

/** The regular expressions a rule matches texts with. */
export function patternsOf(rule: string): readonly string[] {
  return [...rule.matchAll(/matches\((r?)(?:'([^']*)'|"([^"]*)")\)/g)].map(([, raw, single, double]) => {
    const text = single ?? double ?? '';
    return raw === 'r' ? text : text.replaceAll(/\\(.)/g, '$1');
  });
}

/** Texts that a node probably takes, the plainest first. */
export function textsOf(node: SchemaNode, dice: Dice, count: number): readonly string[] {
  const found: string[] = [...formatTexts(node)];
  if (node.pattern !== '') {
    pushAll(found, textsMatching(node.pattern, dice, count));
  }
  pushAll(found, usual);
  const { minLength = 0, maxLength } = node;
  return found
    .map((text) => padded(text, minLength))
    .filter((text) => maxLength === undefined || text.length <= maxLength);
}

/** Constants of a rule or pattern. */
export function constantsOf(text: string): unknown[] {
  const found: unknown[] = [];
  for (const [, single, double] of text.matchAll(/'([^']*)'|"([^"]*)"/g)) {
    const value = single ?? double ?? '';
    found.push(value, `${value}x`, `x${value}`);
  }
  for (const [number] of text.matchAll(/-?\b\d+(?:\.\d+)?\b/g)) {
    const value = Number(number);
    found.push(value, value + 1, value - 1);
    if (Number.isInteger(value) && value > 0 && value <= 4096)
      found.push('a'.repeat(value), 'a'.repeat(value + 1), 'a'.repeat(value - 1));
  }
  return found;
}
