import { describe, expect, it } from 'vitest';
import { writeYaml } from './write.js';

const WORDS = 'some words that fill a line of eighty columns and then go on in the next one, as a message does';
const LINE = 'some words that fill a line of eighty columns and then go on in the next one,';
const LONG = 'x'.repeat(129);

/** What the writer of the real server makes of each, line by line. */
const WRITTEN: readonly (readonly [value: unknown, lines: readonly string[]])[] = [
  [
    { a: [], b: {}, c: null, d: [1, [2], { e: true, f: [] }] },
    ['a: []', 'b: {}', 'c: null', 'd:', '- 1', '- - 2', '- e: true', '  f: []'],
  ],
  [{ a: ['yes', '1', '1e3', '2020-01-01'] }, ['a:', '- "yes"', '- "1"', '- "1e3"', '- "2020-01-01"']],
  [{ a: ['12:30:45', '', '~', '<<', '2020-13-01'] }, ['a:', '- "12:30:45"', '- ""', '- "~"', '- <<', '- 2020-13-01']],
  [{ a: ["it's", 'a: b', '# a', '- a'] }, ['a:', "- it's", "- 'a: b'", "- '# a'", "- '- a'"]],
  [{ a: ["'", ' a', '@a', '\u00a0é'] }, ['a:', "- ''''", "- ' a'", "- '@a'", '- \u00a0é']],
  [
    { a: ['\t', '\r', '\0', '😀'] },
    ['a:', String.raw`- "\t"`, String.raw`- "\r"`, String.raw`- "\0"`, String.raw`- "\U0001F600"`],
  ],
  [{ a: 'b\nc', d: 'e\n', f: '\n' }, ['a: |-', '  b', '  c', 'd: |', '  e', 'f: |2+', '']],
  [{ g: ' h\n\n', i: 'j \nk' }, ['g: |2+', '   h', '', String.raw`i: "j \nk"`]],
  [{ a: WORDS }, [`a: ${LINE} as`, '  a message does']],
  [{ a: `${WORDS}: b` }, [`a: '${LINE}`, "  as a message does: b'"]],
  [{ a: `\t${WORDS}` }, [String.raw`a: "\t${LINE}`, '  as a message does"']],
  [{ [LONG]: ['a'] }, [`? ${LONG}`, ': - a']],
  [{ a10: 1, a2: 2, B: 3, a: 5, 'a-b': 7, aé: 8 }, ['B: 3', 'a: 5', 'a-b: 7', 'a2: 2', 'a10: 1', 'aé: 8']],
  [{ '-': 4, '1': 6, '01': 7, '001': 8 }, ["'-': 4", '"1": 6', '"01": 7', '"001": 8']],
  [{ a: [1.5, 1e21, 1e-7, 1_000_000] }, ['a:', '- 1.5', '- 1e+21', '- 1e-07', '- 1000000']],
  [{ a: [9007199254740993n, -1e20] }, ['a:', '- 9007199254740993', '- -1e+20']],
];

describe('YAML as Kubernetes writes it', () => {
  it.each(WRITTEN)('%o', (value, lines) => {
    expect(writeYaml(value)).toBe(`${lines.join('\n')}\n`);
  });
});
