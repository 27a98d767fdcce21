import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readObjects } from '@capstan/translate/mirror';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { printYamlDocument } from '../convert/print-yaml.js';
import { readQuickly } from './quick-yaml.js';
import type { LineMarks } from './quick-yaml.js';

const TODAY = Math.floor(Date.now() / 86_400_000);

const MACHINE = `# from the cluster
apiVersion: machine.openshift.io/v1beta1
kind: Machine
metadata:
  annotations: {}
  creationTimestamp: "2026-01-02T03:04:05Z"
  finalizers:
  - machine.machine.openshift.io
  labels:
    a.b/c: ""
    'quoted': it's one

  name: a-1
spec:
  lifecycleHooks: {}
  list:
    - name: x
      deep:
      - - 1
        - 2
      -
        z: null
      none:
    - plain text, with: no
    - 10.0.0.1
    - -7
    - []
  on: true
  script: |
    first
      second

    third
  last: |-
    one line
`;

/** As the reader that knows all of YAML has it. */
function known(text: string): unknown {
  return readObjects(text, 'f', { wholeLists: true })[0]?.object ?? null;
}

const TEXTS = [
  'a',
  'a: b',
  '- a',
  'yes',
  'y',
  'on',
  '1',
  '-0',
  '1.5',
  '1e3',
  '0x1f',
  '012',
  '1_0',
  '1:30',
  '~',
  'null',
  '10.0.0.1',
  '2026-01-02',
  '2026-01-02T00:00:00Z',
  '',
  ' a',
  'a ',
  '# a',
  'a #b',
  'a#b',
  "it's",
  '"',
  '\\',
  'a\nb',
  'a\n',
  '\n',
  'é',
  '{}',
  '[]',
  '{a}',
  '&a',
  '*a',
  '!a',
  '|',
  '>',
  '%a',
  '@a',
  '`a',
  '=',
  '<<',
  'E0',
  '1e+21',
  '1e-7',
  '-0.5',
  '1.',
  'a:',
  'a:b',
  '?',
  '? a',
  '-',
  '--- a',
  '...',
];
const plain = fc.constantFrom('a', 'spec', 'x.io/y', 'b-1', 'i-0abc');
const text = fc.oneof(
  { weight: 30, arbitrary: plain },
  { weight: 4, arbitrary: fc.constantFrom(...TEXTS) },
  { weight: 1, arbitrary: fc.string() },
);
const key = fc.oneof({ weight: 60, arbitrary: plain }, { weight: 1, arbitrary: text });
const value = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    text,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.constantFrom(1.5, -2.25, 0.1),
    fc.array(tie('value')),
    fc.dictionary(key, tie('value'), { noNullPrototype: true }),
  ),
})).value;
const object = fc.dictionary(key, value, { noNullPrototype: true });

describe('the quick reader of YAML', () => {
  it('reads what programs write as the other reader does', () => {
    const plain = MACHINE.replace('with: no', 'with no').replace('  on: true', '  isOn: true');
    expect(readQuickly(plain)).toEqual({ value: known(plain) });
    expect(readQuickly(plain)).toMatchObject({ value: { spec: { script: 'first\n  second\n\nthird\n' } } });
  });

  it.each([
    ['a key that is a word', 'on: 1\n'],
    ['a text with a colon', 'a: b: c\n'],
    ['an anchor', 'a: &x 1\nb: *x\n'],
    ['a tag', 'a: !!str 1\n'],
    ['a key twice', 'a: 1\na: 2\n'],
    ['a tab', 'a:\n\tb: 1\n'],
    ['a key that is too far left', 'a:\n    b: 1\n  c: 2\n'],
    ['a number of another form', 'a: 0x1f\n'],
    ['a word that was a boolean', 'a: yes\n'],
    ['a flow over two lines', 'a: [b,\n  c]\n'],
    ['a flow with a colon in a text', 'a: [b:c]\n'],
    ['a quoted text at the indent of its key', 'a: "b\nc"\n'],
    ['a paragraph in a plain text', 'a: b\n\n  c\n'],
    ['a comment within a text', 'a: b\n  # c\n  d\n'],
    ['a folded text with a line that is indented more', 'a: >\n  b\n    c\n'],
    ['a text that keeps its empty lines', 'a: |+\n  b\n\n'],
    ['a block text at the very end', 'a: |\n  b'],
    ['a control character', 'a: \u0007\n'],
    ['an escape of YAML alone', 'a: "\\x41"\n'],
    ['a text alone', 'a\n'],
    ['a list and keys in one place', '- a\nb: 1\n'],
  ])('leaves %s to the other one', (_, yaml) => {
    expect(readQuickly(yaml)).toBeUndefined();
  });

  it.each([
    ['a flow', 'a: {b: 1, c: [d, "e, f", {g: h i}]}\nj: []\n'],
    ['comments', 'a: b # c\n# d\ne: # f\n  g: "#" # h\n'],
    ['a folded text', 'a: >\n  b\n  c\n\n  d\ne: >-\n  f\n'],
    ['texts over several lines', 'a: b\n  - c "d\n  \'e\nf: "g\n  h\n\n  i"\nj:\n- \'k\n  l\'\n'],
    ['escaped breaks', 'a: "b\\\n  c\\\\\n  d\\\n  \\ e \\\" f\\n\\\n  g"\nh: 1\n'],
    ['large integers', 'a: 9007199254740991\nb: 9007199254740993\nc: -123456789012345678\n'],
    ['lines that end with two characters', 'a: |\r\n  b\r\n  c\r\nd: e\r\n'],
    ['paths', 'a: .spec.replicas\nb: ^[a-z]$\nc: (devel)\n'],
  ])('reads %s as the other one does', (_, yaml) => {
    expect(readQuickly(yaml)).toEqual({ value: known(yaml) });
  });

  it('reads almost all CRDs of this project, as the other one does', () => {
    const folder = fileURLToPath(new URL('../../../../api/crds/', import.meta.url));
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
    const quick = files.filter((name, at) => {
      const yaml = readFileSync(join(folder, name), 'utf8');
      const read = readQuickly(yaml);
      // The other one takes a second for each megabyte: a few of them each day.
      if (read !== undefined && at % 10 === TODAY % 10) expect(read.value).toEqual(known(yaml));
      return read !== undefined;
    });
    expect(quick.length / files.length).toBeGreaterThan(0.9);
  });

  it('knows the line of every member', () => {
    const marks: LineMarks = new WeakMap();
    const yaml = '# c\na:\n  b: "x\n    y"\n\n  c:\n  - d: |\n      e\n      f\n  - g: h\n      i\n    j: []\n';
    const value = readQuickly(yaml, marks)?.value as { a: { c: [object, object] } };
    const lines = (of: object): unknown => [...(marks.get(of) ?? [])];
    expect(lines(value)).toEqual([['a', 2]]);
    expect(lines(value.a)).toEqual([
      ['b', 3],
      ['c', 6],
    ]);
    expect(lines(value.a.c)).toEqual([
      [0, 7],
      [1, 10],
    ]);
    expect(lines(value.a.c[1])).toEqual([
      ['g', 10],
      ['j', 12],
    ]);
  });

  it('reads program-written YAML as the complete parser does, or not at all', () => {
    let quick = 0;
    let all = 0;
    const check = (yaml: string, expected: () => unknown): void => {
      const read = readQuickly(yaml);
      all += 1;
      if (read === undefined) return;
      quick += 1;
      expect(read.value).toEqual(expected());
    };
    fc.assert(
      fc.property(object, (each) => {
        const expected: unknown = JSON.parse(JSON.stringify(each));
        check(printYamlDocument(each), () => expected);
        for (const version of ['1.1', '1.2'] as const) {
          const yaml = stringify(expected, { version, lineWidth: 0, aliasDuplicateObjects: false });
          check(yaml, () => known(yaml));
        }
      }),
      { numRuns: 400 },
    );
    expect(quick / all).toBeGreaterThan(0.2);
  });

  it('reads texts that are hardly YAML as the complete parser does, or not at all', () => {
    const piece = fc.constantFrom(
      'a',
      'b',
      ':',
      ' ',
      '  ',
      '- ',
      '\n',
      '\n  ',
      '"',
      "'",
      '#',
      '|',
      '1',
      'x: y',
      '{}',
      '\n\n',
      '\r\n',
      ' # c',
      '[',
      ']',
      '{',
      '}',
      ', ',
      'a: b\n  ',
      'k: "p\n  q"\n',
      "l: 'p\n\n  q'\n",
      'r: "s\\\n  t',
      '\\',
      '\\ ',
      '\\\n  ',
      '9007199254740993',
      'm: >-\n  n\n',
      'o: |\n  p\n\n  q\n',
      '.x',
      '+',
      '-',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 14 }), (pieces) => {
        const yaml = pieces.join('');
        const read = readQuickly(yaml);
        if (read !== undefined) expect(read.value).toEqual(known(yaml));
      }),
      { numRuns: 6000 },
    );
  });
});
