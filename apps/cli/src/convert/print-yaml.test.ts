import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { printYamlDocument } from './print-yaml.js';

describe('YAML of objects', () => {
  it('looks as kubectl prints it', () => {
    const object = {
      apiVersion: 'v1',
      metadata: { name: 'a-1', labels: { 'x.io/y': '', 'a:b': 'yes' }, finalizers: ['a/b'] },
      spec: {
        n: 3,
        on: true,
        off: 'off',
        none: null,
        list: [{ a: 1, b: [2] }, [1, [2]], {}, []],
        empty: {},
        text: 'a\nb',
      },
    };
    expect(printYamlDocument(object)).toMatchInlineSnapshot(`
      "---
      apiVersion: v1
      metadata:
        name: a-1
        labels:
          x.io/y: ""
          "a:b": "yes"
        finalizers:
        - a/b
      spec:
        "n": 3
        "on": true
        "off": "off"
        none: null
        list:
        - a: 1
          b:
          - 2
        -
          - 1
          -
            - 2
        - {}
        - []
        empty: {}
        text: "a\\nb"
      "
    `);
  });

  it.each(['1.1', '1.2'] as const)('is the same values to a reader of YAML %s', (version) => {
    const odd = fc.constantFrom(
      'y',
      'No',
      'ON',
      '1',
      '1e3',
      '0x1',
      '1:2',
      '~',
      'null',
      ' a',
      'a ',
      '- a',
      'a: b',
      '#',
      '\u0085',
      '\u2028',
      '',
      '=',
      '<<',
      '2026-01-02',
    );
    const value = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        fc.string({ unit: 'binary-ascii' }),
        odd,
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.double({ noNaN: true, noDefaultInfinity: true }),
        fc.array(tie('value')),
        fc.dictionary(fc.oneof(odd, fc.string()), tie('value')),
      ),
    })).value;
    fc.assert(
      fc.property(fc.dictionary(fc.oneof(odd, fc.string()), value), (object) => {
        const expected: unknown = JSON.parse(JSON.stringify(object));
        expect(parse(printYamlDocument(object), { version })).toEqual(expected);
      }),
      { numRuns: 300 },
    );
  });
});
