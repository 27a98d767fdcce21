import { describe, expect, it } from 'vitest';
import { YamlSyntaxError } from './errors.js';
import { parseJson } from '@capstan/meta';
import { writeYaml } from './write.js';
import { readYaml as readBytes } from './read.js';

function readYaml(text: string): { value: unknown; duplicates: readonly string[] } {
  const { json, duplicates } = readBytes(new TextEncoder().encode(text));
  return { value: parseJson(json).value, duplicates };
}

describe('YAML as Kubernetes reads it', () => {
  it.each([
    ['a: yes', { a: true }],
    ['a: y', { a: true }],
    ['a: "yes"', { a: 'yes' }],
    ['a: 0777', { a: 511 }],
    ['a: 0o17', { a: 15 }],
    ['a: 1_000', { a: 1000 }],
    ['a: 12:30:45', { a: '12:30:45' }],
    ['a: 2001-12-14', { a: '2001-12-14' }],
    ['a: 9007199254740993', { a: 9007199254740993n }],
    ['a: [e980, E5, +e9, .e5, ., -., ._1]', { a: ['e980', 'E5', '+e9', '.e5', '.', '-.', '._1'] }],
    ['a: [1e3, .5e1, 5.]', { a: [1000, 5, 5] }],
    ['a: -0.0', { a: 0 }],
    ['a: 1\na: 2', { a: 2 }],
    ['- 1\n- x', [1, 'x']],
    ['{"a": [1, 2.5, null]}', { a: [1, 2.5, null] }],
    ['a: "b\nc\n\nd"\ne: 1', { a: 'b c\nd', e: 1 }],
    ["a: 'b\n  c'", { a: 'b c' }],
    ['a: "a\\\n  b\\x41\\u00e9\\U0001F600\\N"', { a: 'abAé😀\u0085' }],
    ['a: b\n  c\n\n  d # e', { a: 'b c\nd' }],
    ['a: |\n  b\n   c\n\nd: >-\n  e\n  f\n\n  g\n', { a: 'b\n c\n', d: 'e f\ng' }],
    ['a: |2+\n   b\n\n', { a: ' b\n\n' }],
    ['a: &x {b: 1}\nc: {<<: *x, d: 2}', { a: { b: 1 }, c: { b: 1, d: 2 } }],
    ['a: {<<: [{b: 1}, {b: 3, f: 4}]}', { a: { b: 1, f: 4 } }],
    ['a: {b: 1, <<: {b: 2}}', { a: { b: 2 } }],
    ['a: {"<<": 1}', { a: { '<<': 1 } }],
    ['a: [b: c, ? d, {e}]', { a: [{ b: 'c' }, { d: null }, { e: null }] }],
    ['a: [!!str 1, !!int "1", !!float 1, !own 1, ! 1, !!binary aGk=]', { a: ['1', 1, 1, '1', '1', 'hi'] }],
    ['%TAG !y! tag:yaml.org,2002:\n---\na: !y!str 1', { a: '1' }],
    ['a: [08, 0b11, -0x1F, 18446744073709551615, 1e400]', { a: [8, 3, -31, 18446744073709552000, '1e400'] }],
    ['1.50: a\n1e6: b\n.inf: c\ntrue: d', { '1.5': 'a', '1e+06': 'b', '.inf': 'c', true: 'd' }],
    ['a:\n- b\n-\n- c:\nd:', { a: ['b', null, { c: null }], d: null }],
  ])('%j', (text, expected) => {
    expect(readYaml(text).value).toEqual(expected);
  });

  it('comes back from what is written', () => {
    const value = {
      a: 'yes',
      b: '0777',
      c: [1, 2.5, null, true],
      d: 'line\nline',
      e: '2001-12-14',
      f: 9007199254740993n,
    };
    expect(readYaml(writeYaml(value)).value).toEqual(value);
  });
});

describe('keys that come twice', () => {
  it('are reported by their lines, and the later one counts', () => {
    const text = 'kind: X\nmetadata: {name: a, name: b}\nx: 1\ndata:\n  a: "1"\n  a: "2"\n  1: v\n  1: w\nx: 2\n';
    expect(readYaml(text)).toEqual({
      value: { kind: 'X', metadata: { name: 'b' }, x: 2, data: { a: '2', 1: 'w' } },
      duplicates: [
        'line 2: key "name" already set in map',
        'line 6: key "a" already set in map',
        'line 8: key 1 already set in map',
        'line 9: key "x" already set in map',
      ],
    });
  });

  it('are reported by the lines of their values, those that are merged among them', () => {
    const text = 'a: 1\na:\n  2\nb: &x\n  c: 1\nd:\n  c: 2\n  <<: *x\ne: {c, c}\n? f\n? f\ng: 1\n';
    expect(readYaml(text).duplicates).toEqual([
      'line 3: key "a" already set in map',
      'line 5: key "c" already set in map',
      'line 9: key "c" already set in map',
      'line 12: key "f" already set in map',
    ]);
  });

  it('are no trouble in different maps', () => {
    expect(readYaml('- {a: 1}\n- {a: 1}\n').duplicates).toEqual([]);
  });
});

describe('broken YAML', () => {
  it.each([
    ['a: b: c', 'yaml: mapping values are not allowed in this context'],
    ['a:\n\t- b\n', 'yaml: line 2: found character that cannot start any token'],
    ['{"apiVersion":', 'yaml: line 1: did not find expected node content'],
    ['a: [', 'yaml: line 1: did not find expected node content'],
    ['\t- a', 'yaml: found character that cannot start any token'],
    ['%', 'yaml: could not find expected directive name'],
    ['a: {b', "yaml: line 1: did not find expected ',' or '}'"],
    ['a: "b', 'yaml: found unexpected end of stream'],
    ["a: 'b", 'yaml: found unexpected end of stream'],
    ['a: *x', "yaml: unknown anchor 'x' referenced"],
    ['- a\nb: c', "yaml: line 1: did not find expected '-' indicator"],
    ['a:\n  b: 1\n c: 2', 'yaml: line 2: did not find expected key'],
    ['a: b\n- c', 'yaml: line 1: did not find expected key'],
    ['[a, b', "yaml: line 1: did not find expected ',' or ']'"],
    ['{a: b', "yaml: line 1: did not find expected ',' or '}'"],
    ['a: |\nx', "yaml: line 3: could not find expected ':'"],
    ['@a', 'yaml: found character that cannot start any token'],
    ['`a', 'yaml: found character that cannot start any token'],
    ['a: "\\q"', 'yaml: found unknown escape character'],
    ['key: [1,2', "yaml: line 1: did not find expected ',' or ']'"],
    ['a: b\n  c: d', 'yaml: line 2: mapping values are not allowed in this context'],
    ['<<: 1', 'yaml: map merge requires map or sequence of maps as the value'],
    ['a: &x\nb: *y', "yaml: unknown anchor 'y' referenced"],
    ['a: %x', 'yaml: found character that cannot start any token'],
    ['a: b\n}', 'yaml: line 1: did not find expected key'],
    ['a: >\n  x\n y: z', 'yaml: line 2: did not find expected key'],
    ['"a": "b" "c": 1', 'yaml: did not find expected key'],
    ['{"a" 1}', "yaml: did not find expected ',' or '}'"],
    ['a: "b\nc: d\n', 'yaml: line 3: found unexpected end of stream'],
    ['{"metadata":{"name":"x"}', "yaml: line 1: did not find expected ',' or '}'"],
    ['{"apiVersion":"v1","kind":"ConfigMap",]', 'yaml: did not find expected node content'],
    ['a\nb: c', 'yaml: line 2: mapping values are not allowed in this context'],
    ['x: y\n\tz: w', 'yaml: line 2: found a tab character that violates indentation'],
    ['a: "x" y', 'yaml: did not find expected key'],
    ['- a: b\n c: d', "yaml: line 1: did not find expected '-' indicator"],
    ['foo: bar: baz: q', 'yaml: mapping values are not allowed in this context'],
    ['key: value\n  nested: x\n', 'yaml: line 2: mapping values are not allowed in this context'],
    ['\u0000', 'yaml: control characters are not allowed'],
    ['a: \u0001', 'yaml: control characters are not allowed'],
    ['a: b\nfoo\nc: d', "yaml: line 3: could not find expected ':'"],
    ['a: b\nfoo', "yaml: line 3: could not find expected ':'"],
    ['a: b\nfoo\n', "yaml: line 3: could not find expected ':'"],
    ['a:\n  b: c\n  foo\n  d: e\n', "yaml: line 4: could not find expected ':'"],
    ['x: 1\na:\n  b: c\n   d: e\n', 'yaml: line 4: mapping values are not allowed in this context'],
    ['x: 1\na:\n  - b\n  c: d\n', "yaml: line 3: did not find expected '-' indicator"],
    ['x: 1\na: {b: c\nd: e\n', "yaml: line 2: did not find expected ',' or '}'"],
    ['x: 1\na: [b,\n', 'yaml: line 2: did not find expected node content'],
    ['x: 1\ny: "abc\nz: 1\n', 'yaml: line 4: found unexpected end of stream'],
    ['x: 1\ny: @b\n', 'yaml: line 2: found character that cannot start any token'],
    ['x: 1\ny: b: c\n', 'yaml: line 2: mapping values are not allowed in this context'],
    ['x: 1\ny: "\\q"\n', 'yaml: line 2: found unknown escape character'],
    ['# c\nx: 1\n  y: 2\n', 'yaml: line 3: mapping values are not allowed in this context'],
    ['---\nx: 1\n- b\n', 'yaml: line 2: did not find expected key'],
    ['x:\n  y: 1\n z: 2\n', 'yaml: line 2: did not find expected key'],
    ['x: 1\n y: 2\n', 'yaml: line 2: mapping values are not allowed in this context'],
    ['{\n "a": 1,\n "b": 2\n', "yaml: line 3: did not find expected ',' or '}'"],
    ['x:\n- a\n b: c\n', 'yaml: line 3: mapping values are not allowed in this context'],
    ['x: 1\n\ty: 2\n', 'yaml: line 2: found a tab character that violates indentation'],
    ['x:\n  y:\n\t  z: 1\n', 'yaml: line 3: found character that cannot start any token'],
    ['a: !!int x', 'yaml: cannot decode !!str `x` as a !!int'],
    ['a: !!timestamp 2020-02-30', 'yaml: cannot decode !!str `2020-02-30` as a !!timestamp'],
    ['a: !!binary "?"', 'yaml: !!binary value contains invalid base64 data'],
    ['18446744073709551615: a', 'unsupported map key of type: uint64, key: 0xffffffffffffffff, value: "a"'],
    [
      `a: &a [${'x,'.repeat(20)}]\nb: &b [${'*a,'.repeat(20)}]\nc: [${'*b,'.repeat(200)}]`,
      'yaml: document contains excessive aliasing',
    ],
    ['&a [*a]', "yaml: anchor 'a' value contains itself"],
    ['a: .inf\n? [b]\n: c', 'yaml: invalid map key: []interface {}{"b"}'],
    ['a: .inf\n~: c', 'unsupported map key of type: %!s(<nil>), key: <nil>, value: "c"'],
    ['? [.inf]\n: c\n<<: 1', 'yaml: invalid map key: []interface {}{+Inf}'],
    ['a: {<<: [{b: 1}, c]}\n? [b]\n: c', 'yaml: map merge requires map or sequence of maps as the value'],
    [`a: @\n${' '.repeat(600)}\u0001`, 'yaml: found character that cannot start any token'],
    [`a: @\n${' '.repeat(400)}\u0001`, 'yaml: control characters are not allowed'],
    [`a: b\n#${' '.repeat(600)}\u0001`, 'yaml: control characters are not allowed'],
  ])('%j is refused in the words of the real server', (text, words) => {
    expect(() => readYaml(text)).toThrow(new YamlSyntaxError(words));
  });
});
