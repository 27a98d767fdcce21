import { describe, expect, it } from 'vitest';
import { ManifestError, readDocuments } from './documents.js';

async function read(text: string): Promise<unknown> {
  return (await readDocuments(text)).map(({ document, line, value }) => [document, line, value]);
}

describe('the documents of a manifest', () => {
  it.each<[string, string, unknown]>([
    [
      'YAML',
      '# c\n---\n\na: 1\n---\n---\n# d\nb: 2\n',
      [
        [2, 4, { a: 1 }],
        [3, 8, { b: 2 }],
      ],
    ],
    ['JSON', '\n{"a": 9007199254740993}\n', [[1, 2, { a: 9007199254740993n }]]],
    [
      'objects of JSON behind each other',
      '{"a": "}{"}\n\n{"b": [{}]}',
      [
        [1, 1, { a: '}{' }],
        [2, 3, { b: [{}] }],
      ],
    ],
    [
      'JSON between separators',
      '{"a": 1}\n---\n{"b": 2}\n',
      [
        [1, 1, { a: 1 }],
        [2, 3, { b: 2 }],
      ],
    ],
    [
      'YAML of which one document is odd',
      'a: 1\n---\nb: &x 1\nc: *x\n',
      [
        [1, 1, { a: 1 }],
        [2, 3, { b: 1, c: 1 }],
      ],
    ],
    ['flows that look like JSON', '{a: 1}', [[1, 1, { a: 1 }]]],
    ['nothing', '---\n# c\n', []],
  ])('are read from %s', async (_, text, expected) => {
    expect(await read(text)).toEqual(expected);
  });

  it.each<[string, string, number, number]>([
    ['broken YAML', 'a: 1\n---\nb:\n  - }\n', 2, 4],
    ['a key of JSON that is there twice', '{"a": 1,\n"a": 2}', 1, 2],
  ])('name the line of %s', async (_, text, document, line) => {
    const error = await readDocuments(text).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(ManifestError);
    expect(error).toMatchObject({ document, line });
  });
});
