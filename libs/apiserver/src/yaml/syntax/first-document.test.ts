import { describe, expect, it } from 'vitest';
import { firstDocument } from './first-document.js';

function faultOf(text: string): string {
  try {
    firstDocument(text);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

/** The error of the real server's reader for each. */
const FAULTS: readonly (readonly [string, string])[] = [
  ['a: - b', 'yaml: block sequence entries are not allowed in this context'],
  ['a: 1\nb: - c\n', 'yaml: line 2: block sequence entries are not allowed in this context'],
  ['a: 1\nb: ? c\n', 'yaml: line 2: mapping keys are not allowed in this context'],
  ['a: b: c\n', 'yaml: mapping values are not allowed in this context'],
  ['a: |\n  b\n c\nd: e\n', 'yaml: line 2: did not find expected key'],
  ['a: 1\nb\nc: 2\n', "yaml: line 3: could not find expected ':'"],
  ['a: 1\nki', "yaml: line 3: could not find expected ':'"],
  ['a:\n\tb: 1\n', 'yaml: line 2: found character that cannot start any token'],
  ['a: b\n\t c\n', 'yaml: line 2: found a tab character that violates indentation'],
  ['a: |\n \t\n\tb\n', 'yaml: line 2: found a tab character where an indentation space is expected'],
  ['a: @x', 'yaml: found character that cannot start any token'],
  ['a: |x\n', 'yaml: did not find expected comment or line break'],
  ['a: |0\n', 'yaml: found an indentation indicator equal to 0'],
  ['a: "b\nc: d\n', 'yaml: line 3: found unexpected end of stream'],
  ["a: 'b\n---\n", 'yaml: line 2: found unexpected document indicator'],
  ['a: "\\z"', 'yaml: found unknown escape character'],
  ['a: "\\x4"', 'yaml: did not find expected hexdecimal number'],
  ['a: "\\ud800"', 'yaml: found invalid Unicode character escape code'],
  ['{"a":1', "yaml: line 1: did not find expected ',' or '}'"],
  ['[a, b', "yaml: line 1: did not find expected ',' or ']'"],
  ['{"a":"b":"c"}', "yaml: did not find expected ',' or '}'"],
  ['{"a":[0{"b":1}]}', "yaml: did not find expected ',' or ']'"],
  ['{"a":}\n@', 'yaml: line 2: found character that cannot start any token'],
  ['[,]', 'yaml: did not find expected node content'],
  ['a: 1\n b: 2\n', 'yaml: line 2: mapping values are not allowed in this context'],
  ['a:\n  - b\n  c: 1\n', "yaml: line 2: did not find expected '-' indicator"],
  ['a: 1\n]', 'yaml: line 1: did not find expected key'],
  ['a: *b\nc: [', "yaml: unknown anchor 'b' referenced"],
  ['a: &b 1\nc: *b\n', ''],
  ['a: & b', 'yaml: did not find expected alphabetic or numeric character'],
  ['a: !x!y b', 'yaml: found undefined tag handle'],
  ['%TAG !x! tag:x\n---\na: !x!y b', ''],
  ['a: !<x y', "yaml: did not find the expected '>'"],
  ['a: !x%g', 'yaml: did not find URI escaped octet'],
  ['%', 'yaml: could not find expected directive name'],
  ['%YAML 1.2\n---\na', 'yaml: found incompatible YAML document'],
  ['%YAML 1\n---\na', "yaml: did not find expected digit or '.' character"],
  ['%YAML 1.1\n%YAML 1.1\n---\na', 'yaml: line 1: found duplicate %YAML directive'],
  ['%YAML 1.1\na: b', 'yaml: line 1: did not find expected <document start>'],
  ['%x\n', 'yaml: found unknown directive name'],
  ['[a]: b\n? c\n: d\n? e\n', ''],
  ['[a: b, ? c : d, {e, f: , ? g}]', ''],
  [`${'['.repeat(10_001)}`, 'yaml: exceeded max depth of 10000'],
  [`${'- '.repeat(10_001)}`, 'yaml: exceeded max depth of 10000'],
  [`a: ${'['.repeat(10_000)}${']'.repeat(10_000)}`, ''],
  [`"${'x'.repeat(1022)}": 1`, ''],
  [`a: 1\n"${'x'.repeat(1030)}": 1`, "yaml: line 2: could not find expected ':'"],
];

describe('the syntax of YAML', () => {
  it.each(FAULTS)('%j: %s', (text, fault) => {
    expect(faultOf(text)).toBe(fault);
  });

  it.each([
    ['a: 1\n---\nb: [', ['a', '1']],
    ['{a: 1}{b: 2}', ['a', '1']],
    ['a: 1\n...\n]', ['a', '1']],
    ['', undefined],
  ])('%j is read as %j', (text, leaves) => {
    const root = firstDocument(text);
    expect(root?.kind === 'mapping' ? root.items.map((item) => item.kind === 'scalar' && item.text) : root).toEqual(
      leaves,
    );
  });
});
