import { StructuralSchema } from '@capstan/schema';
import { describe, expect, test } from 'vitest';
import { Dice } from '../proof/random.js';
import { type Inclusion, inclusionOf, lengthLanguage, patternLanguage } from './languages.js';
import { formatLength } from './texts.js';

const seed = Number(process.env['CAPSTAN_SEED'] ?? 20_261_118);

function compare(inner: string, outer: string): Inclusion {
  const [a, b] = [patternLanguage(inner), patternLanguage(outer)];
  return a === undefined || b === undefined ? { kind: 'undecided' } : inclusionOf([a], b);
}

function takes(pattern: string): (text: string) => boolean {
  const schema = new StructuralSchema({ type: 'string', pattern });
  return (text) => schema.validateSchema(text).length === 0;
}

describe('a pattern', () => {
  test.each([
    ['^[a-z]+$', '^[a-z][a-z]*$', 'included'],
    ['^[a-z]+$', '^[a-z0-9]+$', 'included'],
    ['^[a-z0-9]+$', '^[a-z]+$', 'outside'],
    ['^a', 'a', 'included'],
    ['a', '^a', 'outside'],
    ['^(a|b)$', '^[ab]$', 'included'],
    ['^a{2,4}$', '^a{1,5}$', 'included'],
    ['^a{2,4}$', '^a{1,3}$', 'outside'],
    ['^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$', '^[a-z]([-a-z0-9]*[a-z0-9])?$', 'included'],
    ['^(?i)abc$', '^[aA][bB][cC]$', 'included'],
    ['^(?i)k$', '^[kK]$', 'outside'],
    ['^.*$', '', 'included'],
    ['', '^.*$', 'outside'],
    ['', '(?s)^.*$', 'included'],
    ['^a$|^b$', '^(?:a|b)$', 'included'],
    ['[^a]', '[^ab]', 'outside'],
    ['^\\d+$', '^[0-9]+$', 'included'],
    ['^[^x]$', '^(?s:.)$', 'included'],
    ['^\\b[a-z]+$', '^[a-z]+$', 'undecided'],
    ['(?m)^a$', 'a', 'undecided'],
    ['^(a|b)*a(a|b){4}$', '^(a|b)*b(a|b){4}$', 'outside'],
  ])('%s in %s: %s', (inner, outer, kind) => {
    const found = compare(inner, outer);
    expect(found.kind).toBe(kind);
    if (found.kind === 'outside') expect([takes(inner)(found.text), takes(outer)(found.text)]).toEqual([true, false]);
  });

  test('with too many states is not decided', () => {
    expect(compare('^(a|b)*a(a|b){6}$', '^(a|b)*a(a|b){6}c?$').kind).toBe('included');
    expect(compare('^(a|b)*a(a|b){18}$', '^(a|b)*a(a|b){18}c?$').kind).toBe('undecided');
  });
});

const ATOMS = ['a', 'b', '[ab]', '[^a]', '.', '\\d', '(?:a|bc)', '(?i:k)', '\\.', '[a-c-]'];
const REPEATS = ['', '', '', '*', '+', '?', '{1,2}', '{2}', '{0,3}'];
const CHARS = ['a', 'b', 'c', 'k', 'K', '\u212A', '.', '-', '1', '\n', 'é', '😀'];

function randomPattern(dice: Dice, depth: number): string {
  const parts = Array.from({ length: 1 + dice.below(3) }, () => {
    const inner = depth > 0 && dice.chance(0.3) ? `(${randomPattern(dice, depth - 1)})` : (dice.pick(ATOMS) ?? 'a');
    return `${inner}${dice.pick(REPEATS) ?? ''}`;
  }).join('');
  return dice.chance(0.25) ? `${parts}|${dice.pick(ATOMS) ?? 'a'}` : parts;
}

/** A pattern and one that is often wider. */
function randomPair(dice: Dice): readonly [string, string] {
  const anchored = (text: string): string =>
    dice.chance(0.6) ? `^(?:${text})$` : dice.chance(0.3) ? `^${text}` : text;
  const inner = randomPattern(dice, 1);
  const outer = dice.chance(0.4)
    ? `${inner}|${randomPattern(dice, 0)}`
    : dice.chance(0.5)
      ? inner.replace(/\+|\{1,2\}|\{2\}/, '*')
      : randomPattern(dice, 1);
  return [anchored(inner), anchored(outer)];
}

test(`no answer about 3000 random pairs of patterns from seed ${seed} on is wrong`, () => {
  const counts = { included: 0, outside: 0, undecided: 0 };
  const wrong: string[] = [];
  for (let at = 0; at < 3000; at++) {
    const dice = new Dice(seed + at);
    const [inner, outer] = randomPair(dice);
    const found = compare(inner, outer);
    counts[found.kind]++;
    const [isIn, isOut] = [takes(inner), takes(outer)];
    if (found.kind === 'outside' && (!isIn(found.text) || isOut(found.text)))
      wrong.push(`${inner} in ${outer}: ${JSON.stringify(found.text)} shows nothing`);
    if (found.kind !== 'included') continue;
    for (let tries = 0; tries < 60; tries++) {
      const text = Array.from({ length: dice.below(7) }, () => dice.pick(CHARS) ?? '').join('');
      if (isIn(text) && !isOut(text)) wrong.push(`${inner} in ${outer}: not ${JSON.stringify(text)}`);
    }
  }
  expect(wrong).toEqual([]);
  expect(Math.min(counts.included, counts.outside)).toBeGreaterThan(500);
  expect(counts.undecided).toBeLessThan(300);
});

const FORMATS: Readonly<Record<string, readonly string[]>> = {
  'bson-object-id': ['507f1f77bcf86cd799439011'],
  byte: ['YQ==', 'YWJj', 'YWJjZA=='],
  cidr: ['::/0', '10.0.0.0/8', '2001:db8::/32'],
  date: ['2024-02-29'],
  'date-time': ['2024-01-01T00:00:00Z', '2024-01-01T00:00:00.123456789+01:00'],
  duration: ['0', '1s', '5 days'],
  hexcolor: ['fff', '#ffffff'],
  hostname: ['a', `${'a'.repeat(63)}.${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(60)}`],
  ipv4: ['0.0.0.0', '255.255.255.255', '000001.2.3.4'],
  ipv6: ['::', 'ffff:ffff:ffff:ffff:ffff:ffff:255.255.255.255'],
  'k8s-long-name': ['a', Array.from({ length: 126 }, () => 'a').join('.')],
  'k8s-short-name': ['a', 'a'.repeat(63)],
  mac: ['001122334455', Array.from({ length: 20 }, () => 'ab').join(':')],
  ssn: ['123-45-6789'],
  uuid: ['123e4567e89b12d3a456426614174000', '123e4567-e89b-12d3-a456-426614174000'],
};

describe('the length of format', () => {
  test.each(Object.entries(FORMATS))('%s is never passed by what the server takes', (format, examples) => {
    const schema = new StructuralSchema({ type: 'string', format });
    const [least, most] = formatLength(schema.root, 36);
    const takesText = (text: string): boolean => schema.validateSchema(text).length === 0;
    expect(examples.filter((text) => !takesText(text))).toEqual([]);
    expect(least).toBeGreaterThan(0);
    const dice = new Dice(seed);
    for (let at = 0; at < 4000; at++) {
      const text = mutated(dice, dice.pick(examples) ?? '');
      if (takesText(text) && ([...text].length < least || [...text].length > most)) expect.fail(JSON.stringify(text));
    }
  });

  test('is none before the server knows the format', () => {
    expect(formatLength(new StructuralSchema({ type: 'string', format: 'k8s-short-name' }).root, 30)).toEqual([
      0,
      Infinity,
    ]);
  });
});

/** The text with something left out, repeated or put in. */
function mutated(dice: Dice, text: string): string {
  let result = text;
  for (let count = dice.below(4); count > 0; count--) {
    const at = dice.below(result.length + 1);
    const end = at + dice.below(8);
    const piece = dice.chance(0.5) ? result.slice(at, end) : (dice.pick(['0', 'a', ':', '.', '-', ' ', '00']) ?? '');
    result = dice.chance(0.4)
      ? result.slice(0, at) + result.slice(end)
      : result.slice(0, at) + piece + result.slice(at);
  }
  return result;
}

test('lengths are languages', () => {
  expect(inclusionOf([lengthLanguage(2, 4)], lengthLanguage(1, 5)).kind).toBe('included');
  expect(inclusionOf([lengthLanguage(2, 4)], lengthLanguage(1, 3))).toMatchObject({ kind: 'outside' });
  expect(inclusionOf([lengthLanguage(2, Infinity)], lengthLanguage(3, Infinity))).toMatchObject({ kind: 'outside' });
});
