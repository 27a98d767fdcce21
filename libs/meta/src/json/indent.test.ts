import fc from 'fast-check';
import { expect, it } from 'vitest';
import { indentJson } from './indent.js';

it('indents as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(indentJson(JSON.stringify(value))).toBe(JSON.stringify(value, undefined, 2));
    }),
  );
});

it('keeps the digits of numbers that are too large for a float', () => {
  expect(indentJson('{"a":[9223372036854775807,1.0]}')).toBe('{\n  "a": [\n    9223372036854775807,\n    1.0\n  ]\n}');
});

it.each([
  ['plain', 'x'],
  ['escaped', '\\"'],
])('takes a text as long as a body may be, %s', (_name, part) => {
  const text = JSON.stringify({ a: part.repeat(1_500_000) });
  expect(indentJson(text).length).toBe(text.length + '\n  \n '.length);
});
