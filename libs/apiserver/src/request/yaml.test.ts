import { describe, expect, it } from 'vitest';
import { readYaml, writeYaml } from './yaml.js';

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
    ['a: 1\na: 2', { a: 2 }],
    ['- 1\n- x', [1, 'x']],
    ['{"a": [1, 2.5, null]}', { a: [1, 2.5, null] }],
  ])('%j', (text, expected) => {
    expect(readYaml(text)).toEqual(expected);
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
    expect(readYaml(writeYaml(value))).toEqual(value);
  });
});
