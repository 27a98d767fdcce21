import { expect, it } from 'vitest';
import { yamlLines } from './lines.js';

it.each<[string, string, readonly (string | number)[], number | undefined]>([
  ['a member', 'a: 1\nb:\n  c: &x 2\n  d: *x\n', ['b', 'd'], 4],
  ['an item', 'a:\n- b\n- c: 1\n', ['a', 1, 'c'], 3],
  ['what is not there, as far as there is something', 'a:\n  b: 1\n', ['a', 'x', 'y'], 1],
  ['JSON', '{\n"a": [\n1,\n{"b": 2}]}', ['a', 1, 'b'], 4],
  ['a text that only Kubernetes reads', 'a: "x\ny"\nb: 1\n', ['b'], 3],
  ['nothing', '', ['a'], undefined],
])('the line of %s is found', (_, text, steps, line) => {
  expect(yamlLines(text)(steps)).toBe(line);
});
