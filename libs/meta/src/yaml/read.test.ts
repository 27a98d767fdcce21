import { describe, expect, it } from 'vitest';
import { YamlError } from './errors.js';
import { readYaml } from './read.js';

const values = (text: string, isManifest = false): unknown[] =>
  readYaml(text, { isManifest }).map(({ value }) => value);

describe('documents of YAML', () => {
  it('have a value, a number, a line and their source', () => {
    expect(readYaml('# head\n---\na: 1\n---\n---\n- b # tail\n')).toEqual([
      { value: { a: 1 }, number: 1, line: 3, source: 'a: 1\n' },
      { value: null, number: 2, line: 4, source: '' },
      { value: ['b'], number: 3, line: 6, source: '- b # tail\n' },
    ]);
    expect(readYaml('')).toEqual([]);
  });

  it('are read as kubectl reads a manifest when they are one', () => {
    const text = '{ a: yes, b: 9007199254740993, c: 2001-01-01, d: 0777, e: !!set {x} }';
    expect(values(text)).toEqual([{ a: 'yes', b: 9007199254740992, c: '2001-01-01', d: 777, e: expect.anything() }]);
    expect(values(text, true)).toEqual([
      { a: true, b: 9007199254740993n, c: '2001-01-01', d: 511, e: expect.anything() },
    ]);
  });

  it.each([
    ['aliases', 'a: &a [1]\nb: *a\n', { a: [1], b: [1] }],
    ['an anchor that is set again', '[&a 1, *a, &a 2, *a]', [1, 1, 2, 2]],
    ['an alias as a key', '&a x: 1\ny: {*a : 2}\n', { x: 1, y: { x: 2 } }],
    ['a key that JavaScript knows', '__proto__: 1\n', JSON.parse('{"__proto__":1}')],
  ])('may have %s', (_case, text, value) => {
    expect(values(text)).toEqual([value]);
  });

  it('that are manifests may merge maps, also one that an anchor names where it is merged', () => {
    expect(values('a: &a {x: 1}\nb: {<<: *a, z: 2}\n', true)).toEqual([{ a: { x: 1 }, b: { x: 1, z: 2 } }]);
    expect(values('a: {<<: &a {x: 1}}\nb: *a\n', true)).toEqual([{ a: { x: 1 }, b: { x: 1 } }]);
  });

  it.each([
    ['a key twice', 'a: 1\nb: {c: 1, c: 2}\n', 'Map keys must be unique at line 2, column 11'],
    ['a key twice in a later document', '---\na: 1\n---\n1: a\n1: b\n', 'Map keys must be unique at line 5, column 1'],
    ['a list as a key', '? [a]\n: b\n', 'Map keys must be scalars at line 1, column 3'],
    ['an alias of a list as a key', '- &a [1]\n- *a : 1\n', 'Map keys must be scalars at line 2, column 3'],
    [
      'an alias without an anchor',
      'a: *b\n',
      'Unresolved alias \\(the anchor must be set before the alias\\): b at line 1, column 4',
    ],
    [
      'an anchor behind its alias',
      '[*a, &a 1]',
      'Unresolved alias \\(the anchor must be set before the alias\\): a at line 1, column 2',
    ],
    ['an anchor that holds itself', 'a: &a\n  b: *a\n', 'anchor a holds itself at line 2, column 6'],
    ['too many levels', `a:\n  ${'['.repeat(600)}`, 'nested more than 500 levels deep at line 2, column 502'],
    ['what is no YAML', 'a: @\n', 'Plain value cannot start with reserved character @ at line 1, column 4'],
  ])('are refused with the place of %s', (_case, text, message) => {
    expect(() => readYaml(text)).toThrow(new RegExp(`^${message.replaceAll('.', '\\.')}$`));
    expect(() => readYaml(text)).toThrow(YamlError);
  });

  it('are refused when few aliases stand for many values', () => {
    const lines = ['a0: &a0 [1]', ...Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}]`)];
    expect(() => readYaml(lines.join('\n'))).toThrow('aliases stand for too many values at line 1, column 1');
    expect(values('- &a [1, 2]\n' + '- *a\n'.repeat(30_000))[0]).toHaveLength(30_001);
  });

  it('are refused when they merge what is no map', () => {
    expect(() => readYaml('a: {<<: 1}', { isManifest: true })).toThrow(
      'Merge sources must be maps or map aliases at line 1, column 1',
    );
  });
});
