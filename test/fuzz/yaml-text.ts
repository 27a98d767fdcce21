import type { Random } from '@capstan/meta';
import { Verbatim, isTree } from './json-tree.js';
import { chance, pick } from './spoil.js';

/** What plain scalars of YAML are that JSON does not know. */
const ODD_SCALARS = [
  'yes',
  'No',
  'on',
  '~',
  '0o17',
  '017',
  '0x1F',
  '0b11',
  '1_000',
  '.inf',
  '-.Inf',
  '.nan',
  '1e3',
  '1e400',
  '+1',
  '.5',
  '5.',
  '2020-01-01',
  '2020-01-01T00:00:00Z',
  '12:30:45',
  '0.',
  'null',
  'Null',
  '=',
  '<<',
  '!!str 1',
  '!!int "1"',
  '!!float 1',
  '!!binary AAE=',
  '!own x',
  '&a 1',
  '*a',
  '|\n  text',
  '>-\n  text',
  '"\\x41"',
  "'it''s'",
  '"\\ud83d\\ude00"',
  '? a',
  '- a',
  '{a: b, c}',
  '[a, b',
  '@x',
  '`x',
  '%x',
  'a: b',
  'a #b',
  '\t',
  '---',
  '...',
];

/** A value as YAML in blocks, with oddities here and there. */
export function yamlOf(random: Random, value: unknown): string {
  const lines = block(random, value, '').join('\n');
  if (!chance(random, 15)) return `${lines}\n`;
  return pick(random, [
    `---\n${lines}\n`,
    `${lines}\n---\n${lines}\n`,
    `%YAML 1.1\n---\n${lines}\n`,
    `${lines}\n...\n`,
    `\ufeff${lines}\n`,
  ]);
}

function block(random: Random, value: unknown, indent: string): string[] {
  if (Array.isArray(value) && value.length > 0) {
    return value.flatMap((each) => nested(random, each, `${indent}-`, indent));
  }
  if (isTree(value) && Object.keys(value).length > 0) {
    return Object.entries(value).flatMap(([key, each]) =>
      nested(random, each, `${indent}${keyText(random, key)}:`, indent),
    );
  }
  return [`${indent}${scalar(random, value)}`];
}

function nested(random: Random, value: unknown, head: string, indent: string): string[] {
  const isBlock = (Array.isArray(value) || isTree(value)) && Object.keys(value).length > 0;
  if (!isBlock) return [`${head} ${scalar(random, value)}`];
  return [head, ...block(random, value, `${indent}${chance(random, 1) ? '\t' : '  '}`)];
}

function keyText(random: Random, key: string): string {
  if (chance(random, 1))
    return pick(random, ['1', 'true', '~', '<<', '? x', '"a"', '[a]', '1.5', '2020-01-01', key.toUpperCase()]);
  return /^[A-Za-z][A-Za-z0-9]*$/.test(key) ? key : JSON.stringify(key);
}

function scalar(random: Random, value: unknown): string {
  if (chance(random, 3)) return pick(random, ODD_SCALARS);
  if (value instanceof Verbatim) return value.text;
  if (typeof value === 'string' && /^[A-Za-z][A-Za-z0-9./-]*$/.test(value) && chance(random, 70)) return value;
  return JSON.stringify(value);
}
