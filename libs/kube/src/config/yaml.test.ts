import { expect, it } from 'vitest';
import { readYamlDocuments } from './yaml.js';

it.each([
  ['at the top', 'a: 1\nb: 2\na: 3\n', 'line 3, column 1'],
  ['below', 'a:\n  b: 1\n  b: 2\n', 'line 3, column 3'],
  ['in a second document', 'a: 1\n---\nb: 1\nb: 2\n', 'line 4, column 1'],
])('refuses a key that is there twice %s', async (_where, text, place) => {
  await expect(readYamlDocuments(text, 'file')).rejects.toThrow(`not YAML: Map keys must be unique at ${place}`);
});

it('takes the same key in different maps', async () => {
  expect(await readYamlDocuments('a: {x: 1}\nb: {x: 1}\n---\na: 1\n', 'file')).toEqual([
    { a: { x: 1 }, b: { x: 1 } },
    { a: 1 },
  ]);
});
