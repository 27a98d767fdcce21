import { describe, expect, it } from 'vitest';
import { reindent } from './reindent.js';

describe('indenting lines that go on', () => {
  it.each([
    ['a quoted text', 'a:\n  b: "x\ny"\n  c: 1\n', 'a:\n  b: "x\n      y"\n  c: 1\n'],
    ['a flow', 'a: [1,\n2]\nb: 1', 'a: [1,\n    2]\nb: 1'],
    ['what is below a dash', '- "x\ny"\n- z\n', '- "x\n   y"\n- z\n'],
  ])('indents %s', (_, text, expected) => {
    expect(reindent(text)).toBe(expected);
  });

  it.each([
    ['a block text with quotes', 'a: |\n  "x\n  y\nb: "1"\n'],
    ['a quote that does not end', 'a: "x\ny\n'],
    ['an apostrophe', "a: it's\nb: [it's]\n"],
    ['a quoted separator', 'a: "x\n---\ny"\n'],
    ['plain keys', 'a: 1\nb:\n- c\n'],
  ])('leaves %s as it is', (_, text) => {
    expect(reindent(text)).toBe(text);
  });
});
